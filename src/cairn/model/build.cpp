#include "cairn/model/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/at.hpp"
#include "cairn/shape/refuse.hpp"

namespace cairn {
namespace {

Orientation<2> orientation(const Rotation<2>& R) { return {std::atan2(R.s, R.c)}; }
Orientation<3> orientation(const Rotation<3>& R) { return {R}; }

Rotation<2> turned_by(const Vec<1>& angle) { return Rotation<2>::by(angle[0]); }
Rotation<3> turned_by(const Vec<3>& turn) { return Rotation<3>::by(turn); }

// The rotation vector that takes a to b, in the axes of a.
Vec<1> turn_between(const Excursion<2>& a, const Excursion<2>& b) { return b.turn - a.turn; }
Vec<3> turn_between(const Excursion<3>& a, const Excursion<3>& b) {
  const Rotation<3> d = Rotation<3>::by(a.turn).inverse() * Rotation<3>::by(b.turn);
  const Vec<3> v{d.x, d.y, d.z};
  const Real s = norm(v);
  return s > 0 ? (2 * std::atan2(s, d.w) / s) * v : Vec<3>{};
}

template <int D>
int place(Model<D>& model, ModelState<D>& state, const Body<D>& body, const std::vector<Part<D>>& parts,
          const Pose<D>& pose, int material) {
  const int b = static_cast<int>(model.bodies.size());
  model.bodies.push_back(body);
  for (const Part<D>& p : parts) model.parts.push_back({b, p.shape, p.pose, material});
  state.x.push_back(pose.x);
  state.r.push_back(orientation(pose.R));
  state.u.push_back({});
  return b;
}

template <int D>
int place_free(Model<D>& model, ModelState<D>& state, const RigidBody<D>& rigid, const Pose<D>& pose, int material) {
  Body<D> body;
  body.mass = rigid.mass;
  body.inertia = rigid.inertia;
  Real size = 0;
  for (const Part<D>& p : rigid.parts) size = std::max(size, norm(p.pose.x) + reach(p.shape));
  model.size = std::max(model.size, size);
  return place(model, state, body, rigid.parts, pose * rigid.axes, material);
}

std::string complaint_about_material(int material) {
  return material >= 0 ? "" : fmt::format("material is {}, expected 0 or more", material);
}

// At the time at which the boundary is put there; later ones are the step's affair.
template <int D>
std::string complaint_about_drive(const Drive<D>& drive, Real t) {
  if (!drive) return "";
  const Excursion<D> e = drive(t);
  if (std::isfinite(norm(e.shift)) && std::isfinite(norm(e.turn))) return "";
  return fmt::format("drive: the excursion at time {} is not finite", t);
}

}  // namespace

template <int D>
Expected<int> add_body(Model<D>& model, ModelState<D>& state, std::vector<Part<D>> parts, const Pose<D>& pose,
                       int material) {
  for (const std::string& bad : {refuse_unless_placed("pose of a body", pose), complaint_about_material(material)})
    if (!bad.empty()) return Error{bad};
  Expected<RigidBody<D>> rigid = assemble_parts<D>(std::move(parts));
  if (!rigid) return Error{rigid.error()};
  return place_free(model, state, *rigid, pose, material);
}

template <int D>
Expected<int> add_body(Model<D>& model, ModelState<D>& state, std::vector<Part<D>> parts, const Pose<D>& pose,
                       int material, const GivenMass<D>& given) {
  for (const std::string& bad : {refuse_unless_placed("pose of a body", pose), complaint_about_material(material),
                                 complaint(parts), refuse_unless_positive("mass of a body", given.mass)})
    if (!bad.empty()) return Error{bad};
  for (int i = 0; i < spins<D>; ++i)
    if (const std::string bad = refuse_unless_positive("moment of inertia of a body", given.inertia[i]); !bad.empty())
      return Error{bad};
  for (Part<D>& p : parts) {
    if (!bounded(p.shape)) return Error{"a body with mass has a part without end, expected bounded shapes"};
    p.pose.x -= given.centre;
  }
  const RigidBody<D> rigid{given.mass, given.inertia, {given.centre, {}}, std::move(parts)};
  return place_free(model, state, rigid, pose, material);
}

template <int D>
Expected<int> add_boundary(Model<D>& model, ModelState<D>& state, std::vector<Part<D>> parts, const Pose<D>& pose,
                           int material, Drive<D> drive) {
  for (const std::string& bad : {refuse_unless_placed("pose of a boundary", pose), complaint_about_material(material),
                                 parts.empty() ? "" : complaint(parts), complaint_about_drive(drive, state.t)})
    if (!bad.empty()) return Error{bad};
  Body<D> body;
  body.placed = pose;
  if (drive) {
    body.drive = static_cast<int>(model.drives.size());
    model.drives.push_back(std::move(drive));
  }
  const int b = place(model, state, body, parts, pose, material);
  move_boundary(model, state, b);
  return b;
}

template <int D>
Pose<D> boundary_pose(const Model<D>& model, int body, Real t) {
  const Body<D>& b = model.bodies[at(body)];
  if (b.drive < 0) return b.placed;
  const Excursion<D> e = model.drives[at(b.drive)](t);
  return {b.placed.x + e.shift, b.placed.R * turned_by(e.turn)};
}

template <int D>
void move_boundary(const Model<D>& model, ModelState<D>& state, int body) {
  if (model.bodies[at(body)].drive < 0) return;
  const Body<D>& b = model.bodies[at(body)];
  const Excursion<D> e = model.drives[at(b.drive)](state.t);
  state.x[at(body)] = b.placed.x + e.shift;
  state.r[at(body)] = orientation(b.placed.R);
  state.r[at(body)].turn(e.turn);  // turns are counted
}

template <int D>
Vec<freedoms<D>> boundary_velocity(const Model<D>& model, int body, Real t, Real h) {
  const Body<D>& b = model.bodies[at(body)];
  Vec<freedoms<D>> u{};
  if (b.drive < 0) return u;
  const Excursion<D> from = model.drives[at(b.drive)](t), to = model.drives[at(b.drive)](t + h);
  const Vec<spins<D>> turn = turn_between(from, to);
  for (int i = 0; i < D; ++i) u[i] = (to.shift[i] - from.shift[i]) / h;
  for (int i = 0; i < spins<D>; ++i) u[D + i] = turn[i] / h;
  return u;
}

template Expected<int> add_body(Model<2>&, ModelState<2>&, std::vector<Part<2>>, const Pose<2>&, int);
template Expected<int> add_body(Model<3>&, ModelState<3>&, std::vector<Part<3>>, const Pose<3>&, int);
template Expected<int> add_body(Model<2>&, ModelState<2>&, std::vector<Part<2>>, const Pose<2>&, int,
                                const GivenMass<2>&);
template Expected<int> add_body(Model<3>&, ModelState<3>&, std::vector<Part<3>>, const Pose<3>&, int,
                                const GivenMass<3>&);
template Expected<int> add_boundary(Model<2>&, ModelState<2>&, std::vector<Part<2>>, const Pose<2>&, int, Drive<2>);
template Expected<int> add_boundary(Model<3>&, ModelState<3>&, std::vector<Part<3>>, const Pose<3>&, int, Drive<3>);
template Pose<2> boundary_pose(const Model<2>&, int, Real);
template Pose<3> boundary_pose(const Model<3>&, int, Real);
template void move_boundary(const Model<2>&, ModelState<2>&, int);
template void move_boundary(const Model<3>&, ModelState<3>&, int);
template Vec<3> boundary_velocity(const Model<2>&, int, Real, Real);
template Vec<6> boundary_velocity(const Model<3>&, int, Real, Real);

}  // namespace cairn
