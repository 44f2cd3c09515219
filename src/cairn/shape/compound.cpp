#include "cairn/shape/compound.hpp"

#include <fmt/format.h>

#include "cairn/shape/moments.hpp"

namespace cairn {
namespace {

constexpr Real rounding_of_products = 1e-12;  // products of inertia below that, relative to the trace, are rounding

template <int D>
std::string complaint_about_mass(const std::vector<Part<D>>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part<D>& part = parts[i];
    if (!bounded<D>(part.shape))
      return fmt::format("part {}: a half-space or terrain has no mass, expected a bounded shape", i);
    if (!(std::isfinite(part.density) && part.density >= 0))
      return fmt::format("part {}: density {}, expected a finite number >= 0", i, part.density);
  }
  return "";
}

Mat<1> turned_inertia(const Mat<1>& inertia, const Rotation<2>&) { return inertia; }
Mat<3> turned_inertia(const Mat<3>& inertia, const Rotation<3>& R) {
  const Mat<3> m = R.matrix();
  return m * inertia * transpose(m);
}

Vec<1> principal(const Mat<1>& inertia, Rotation<2>&) { return {inertia(0, 0)}; }
Vec<3> principal(const Mat<3>& inertia, Rotation<3>& R) {
  R = principal_axes(inertia);
  const Mat<3> diagonal = turned_inertia(inertia, R.inverse());
  return {diagonal(0, 0), diagonal(1, 1), diagonal(2, 2)};
}

// A centre within rounding of the origin is the origin: what is given symmetric stays so.
template <int D>
Vec<D> snapped(Vec<D> centre, Real size) {
  for (int i = 0; i < D; ++i)
    if (std::fabs(centre[i]) <= 1e-15 * size) centre[i] = 0;
  return centre;
}

}  // namespace

template <int D>
std::string complaint(const std::vector<Part<D>>& parts) {
  if (parts.empty()) return "body: found no part, expected at least 1";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string bad = complaint<D>(parts[i].shape);
    if (bad.empty()) bad = refuse_unless_placed("pose", parts[i].pose);
    if (!bad.empty()) return fmt::format("part {}: {}", i, bad);
  }
  return "";
}

Rotation<3> principal_axes(const Mat<3>& inertia) {
  Rotation<3> R;
  Mat<3> a = inertia;
  const Real small = rounding_of_products * trace(inertia);
  for (int sweep = 0; sweep < 32; ++sweep) {
    bool turned_any = false;
    for (int k = 0; k < 3; ++k) {  // about axis k, in the plane of p and q
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      if (!(std::fabs(a(p, q)) > small)) continue;
      // The smaller of the two angles that annul the product: tan(2 angle) = 2 a_pq / (a_pp - a_qq).
      const Real gap = a(p, p) - a(q, q), angle = std::atan2(gap < 0 ? -2 * a(p, q) : 2 * a(p, q), std::fabs(gap)) / 2;
      Vec<3> turn{};
      turn[k] = angle;
      R = (R * Rotation<3>::by(turn)).unit();
      a = turned_inertia(inertia, R.inverse());
      turned_any = true;
    }
    if (!turned_any) break;
  }
  return R;
}

template <int D>
Expected<RigidBody<D>> assemble_parts(std::vector<Part<D>> parts) {
  for (const std::string& bad : {complaint(parts), complaint_about_mass(parts)})
    if (!bad.empty()) return Error{bad};
  RigidBody<D> body;
  std::vector<MassProperties<D>> of_part;
  Vec<D> first{};
  Real size = 0;
  for (const Part<D>& part : parts) {
    of_part.push_back(mass_properties<D>(part.shape));
    const Real mass = part.density * of_part.back().volume;
    body.mass += mass;
    first += mass * part.pose.to_world(of_part.back().centre);
    size = std::fmax(size, norm(part.pose.x) + reach<D>(part.shape));
  }
  if (!(body.mass > 0 && std::isfinite(body.mass)))
    return Error{
        fmt::format("body: mass {} kg, expected a finite mass > 0 (density > 0 of a part at least)", body.mass)};
  const Vec<D> centre = snapped((1 / body.mass) * first, size);

  Mat<spins<D>> inertia{};
  for (std::size_t i = 0; i < parts.size(); ++i) {  // about the common centre: parallel axes
    const Pose<D>& pose = parts[i].pose;
    const Vec<D> arm = pose.to_world(of_part[i].centre) - centre;
    inertia += parts[i].density *
               (turned_inertia(of_part[i].inertia, pose.R) + of_part[i].volume * inertia_of(outer(arm, arm)));
  }
  body.axes.x = centre;
  body.inertia = principal(inertia, body.axes.R);
  const Pose<D> back = body.axes.inverse();
  for (Part<D>& part : parts) part.pose = back * part.pose;
  body.parts = std::move(parts);
  return body;
}

template std::string complaint(const std::vector<Part<2>>&);
template std::string complaint(const std::vector<Part<3>>&);
template Expected<RigidBody<2>> assemble_parts<2>(std::vector<Part<2>>);
template Expected<RigidBody<3>> assemble_parts<3>(std::vector<Part<3>>);

}  // namespace cairn
