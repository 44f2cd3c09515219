#include "cairn/export/vtk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/check.hpp"
#include "cairn/export/vtp.hpp"
#include "cairn/plot/figure.hpp"
#include "cairn/plot/page.hpp"

namespace cairn::exporting {
namespace {

template <int D>
bool round_shape(const Shape<D>& shape) {
  return std::holds_alternative<Ball<D>>(shape) || std::holds_alternative<Capsule<D>>(shape) ||
         std::holds_alternative<Ellipsoid<D>>(shape);
}

// As fine as the number of bodies lets a frame stay small.
template <int D>
int facets_for(const Cast<D>& cast) {
  if (D == 2) return cast.parts.size() < 20000 ? 48 : 24;
  const auto round = std::ranges::count_if(cast.parts, [](const auto& p) { return round_shape<D>(p.shape); });
  return round < 300 ? 32 : round < 1000 ? 24 : round < 4000 ? 16 : round < 8000 ? 12 : 8;
}

Vec<3> spin_in_space(const Rotation<2>&, const Vec<1>& w) { return {0, 0, w[0]}; }
Vec<3> spin_in_space(const Rotation<3>& R, const Vec<3>& w) { return R * w; }

// Numbers of a body that all its cells carry.
struct BodyValues {
  Vec<3> velocity, spin, displacement;
  Real speed, energy;
};

template <int D>
BodyValues values_of(const Body<D>& body, const Frame<D>& first, const Frame<D>& frame, std::size_t b) {
  BodyValues v;
  const Vec<freedoms<D>>& u = frame.u[b];
  v.velocity = in_space(linear<D>(u));
  v.spin = spin_in_space(frame.r[b].rotation(), spin<D>(u));
  v.displacement = in_space(frame.x[b] - first.x[b]);
  v.speed = norm(v.velocity);
  v.energy = 0;
  if (body.free())
    for (int k = 0; k < freedoms<D>; ++k) v.energy += body.A(k) * u[k] * u[k] / 2;
  return v;
}

void put(std::vector<float>& out, const Vec<3>& v) {
  for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
}
void put(std::vector<float>& out, Real v) { out.push_back(static_cast<float>(v)); }

template <int D>
std::string check_sizes(const Cast<D>& cast, const Frame<D>& frame) {
  const std::size_t n = cast.bodies.size();
  if (frame.x.size() == n && frame.r.size() == n && frame.u.size() == n) return "";
  return fmt::format("frame at t = {} s has {} bodies, expected {}", frame.t, frame.x.size(), n);
}

}  // namespace

template <int D>
Expected<VtkWriter<D>> VtkWriter<D>::open(const std::string& stem, const Cast<D>& cast, const Frame<D>& first,
                                          const VtkOptions& options) {
  if (const std::string wrong = check_sizes(cast, first); !wrong.empty()) return Error{stem + ": " + wrong};
  VtkWriter writer;
  writer.stem_ = stem, writer.cast_ = cast, writer.first_ = first, writer.options_ = options;
  if (const std::string wrong = writer.gather(options.around > 0 ? options.around : facets_for(cast)); !wrong.empty())
    return Error{stem + ": " + wrong};
  for (const char* kind : {"bodies", "contacts"}) {
    if (!options.contacts && std::string(kind) == "contacts") continue;
    if (const auto list = writer.write_list(kind); !list) return Error{list.error()};
  }
  return writer;
}

// What does not change from frame to frame: points in the axes of bodies, cells and whose they are.
template <int D>
std::string VtkWriter<D>::gather(int around) {
  const Bounds<D> box = padded(scene_bounds(cast_, first_), Real(0.1));
  for (const bool lines : {true, false})
    for (const BodyPart<D>& part : cast_.parts) {
      const Mesh mesh = mesh_of(part, around, pose_of(first_, part.body), box);
      if (mesh.lines != lines) continue;
      if (points_.size() + mesh.points.size() > at(std::numeric_limits<std::int32_t>::max()))
        return "more than 2^31 points; expected fewer facets (VtkOptions::around)";
      const auto shift = static_cast<std::int32_t>(points_.size());
      Cells& cells = lines ? lines_ : polygons_;
      const auto before = static_cast<std::int32_t>(cells.corners.size());
      for (const int corner : mesh.corners) cells.corners.push_back(corner + shift);
      for (const int end : mesh.ends) cells.ends.push_back(end + before);
      points_.insert(points_.end(), mesh.points.begin(), mesh.points.end());
      owner_.resize(points_.size(), part.body);
      cell_body_.resize(cell_body_.size() + mesh.ends.size(), part.body);
    }
  return "";
}

template <int D>
std::string VtkWriter<D>::file(const std::string& kind, std::size_t frame) const {
  return fmt::format("{}_{}_{:04}.vtp", stem_, kind, frame);
}

template <int D>
Expected<std::string> VtkWriter<D>::write_bodies(const Frame<D>& frame, const std::string& path) const {
  std::vector<Mat<3>> R(cast_.bodies.size());
  std::vector<BodyValues> values(R.size());
  for (std::size_t b = 0; b < R.size(); ++b) {
    values[b] = values_of(cast_.bodies[b], first_, frame, b);
    if constexpr (D == 2) {
      const Rotation<2> r = frame.r[b].rotation();
      R[b] = {{r.c, r.s, 0, -r.s, r.c, 0, 0, 0, 1}};
    } else {
      R[b] = frame.r[b].rotation().matrix();
    }
  }
  std::vector<Real> xyz(3 * points_.size());
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const std::size_t b = at(owner_[k]);
    (in_space(frame.x[b]) + R[b] * points_[k]).store(&xyz[3 * k]);
  }
  Vtp vtp("bodies; lengths in m, velocities in m/s, spins in rad/s in the world's axes, energies in J", frame.t, xyz);
  vtp.cells({}, {lines_.corners, lines_.ends}, {polygons_.corners, polygons_.ends});
  vtp.cell_data();
  vtp.array("body", cell_body_);
  std::vector<float> array;
  array.reserve(3 * cell_body_.size());
  const auto write = [&](const char* name, auto member, int components) {
    array.clear();
    for (const int b : cell_body_) put(array, values[at(b)].*member);
    vtp.array(name, array, components);
  };
  write("velocity", &BodyValues::velocity, 3), write("spin", &BodyValues::spin, 3);
  write("displacement", &BodyValues::displacement, 3);
  write("speed", &BodyValues::speed, 1), write("kinetic_energy", &BodyValues::energy, 1);
  if (cast_.label.size() == cast_.bodies.size()) {
    std::vector<std::int32_t> labels;
    for (const int b : cell_body_) labels.push_back(cast_.label[at(b)]);
    vtp.array("label", labels);
  }
  return vtp.write(path);
}

template <int D>
Expected<std::string> write_contacts_vtp(const std::string& path, const Frame<D>& frame) {
  const std::size_t n = frame.contacts.size();
  std::vector<Real> xyz, normal, impulse, force, velocity, gap, use, normal_force;
  std::vector<std::int32_t> number(n), end(n), status, body[2];
  const Real rate = frame.h > 0 ? 1 / frame.h : 0;
  const auto put = [](std::vector<Real>& to, const Vec<D>& v) {
    const Vec<3> p = in_space(v);
    to.insert(to.end(), p.v, p.v + 3);
  };
  for (std::size_t k = 0; k < n; ++k) {
    const ContactRow<D>& c = frame.contacts[k];
    number[k] = static_cast<std::int32_t>(k), end[k] = number[k] + 1;
    put(xyz, c.point), put(normal, c.normal), put(impulse, c.impulse), put(force, rate * c.impulse);
    put(velocity, c.velocity), gap.push_back(c.gap), use.push_back(c.use);
    normal_force.push_back(rate * dot(c.impulse, c.normal));
    status.push_back(static_cast<std::int32_t>(c.status));
    for (int s = 0; s < 2; ++s) body[s].push_back(c.body[s]);
  }
  Vtp vtp(
      "contacts; impulse [N s] and force [N] act on the body 'first', their opposite on 'second'; normal from second "
      "to "
      "first; velocity [m/s] of first against second; gap [m]; status 0 take-off, 1 stick, 2 slide; friction_use [-]",
      frame.t, xyz);
  vtp.cells({number, end}, {}, {});
  vtp.point_data();
  vtp.array("normal", normal, 3), vtp.array("impulse", impulse, 3), vtp.array("force", force, 3);
  vtp.array("velocity", velocity, 3), vtp.array("normal_force", normal_force), vtp.array("gap", gap);
  vtp.array("friction_use", use);
  vtp.array("status", status), vtp.array("first", body[0]), vtp.array("second", body[1]);
  return vtp.write(path);
}

// Names in the list are relative to it.
template <int D>
Expected<std::string> VtkWriter<D>::write_list(const std::string& kind) const {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (std::size_t k = 0; k < times_.size(); ++k)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", times_[k],
                        plot::escape(std::filesystem::path(file(kind, k)).filename().string()));
  return plot::write_text(fmt::format("{}_{}.pvd", stem_, kind), text + "</Collection>\n</VTKFile>\n");
}

template <int D>
Expected<std::string> VtkWriter<D>::add(const Frame<D>& frame) {
  if (const std::string wrong = check_sizes(cast_, frame); !wrong.empty()) return Error{stem_ + ": " + wrong};
  const std::string path = file("bodies", times_.size());
  if (const auto written = write_bodies(frame, path); !written) return written;
  if (options_.contacts)
    if (const auto written = write_contacts_vtp(file("contacts", times_.size()), frame); !written) return written;
  times_.push_back(frame.t);
  if (const auto list = write_list("bodies"); !list) return list;
  if (options_.contacts)
    if (const auto list = write_list("contacts"); !list) return list;
  return path;
}

template class VtkWriter<2>;
template class VtkWriter<3>;
template Expected<std::string> write_contacts_vtp(const std::string&, const Frame<2>&);
template Expected<std::string> write_contacts_vtp(const std::string&, const Frame<3>&);

}  // namespace cairn::exporting
