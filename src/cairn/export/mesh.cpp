#include "cairn/export/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace cairn::exporting {
namespace {

constexpr Real pi = std::numbers::pi;

Vec<2> towards(Real angle) { return {std::cos(angle), std::sin(angle)}; }

// Arc of a corner from one outward normal to the next, counter-clockwise.
void add_arc(std::vector<Vec<2>>& ring, const Vec<2>& centre, Real radius, Real from, Real to, int around) {
  const int steps = std::max(1, static_cast<int>(std::ceil((to - from) * around / (2 * pi) - Real(1e-9))));
  for (int k = 0; k <= steps; ++k) ring.push_back(centre + radius * towards(from + (to - from) * k / steps));
}

std::vector<Vec<2>> rounded(const Polygon& p, int around) {
  if (!(p.radius > 0)) return p.vertices;
  std::vector<Vec<2>> ring;
  for (int i = 0; i < p.size(); ++i) {
    const Vec<2>&before = p.normal(i == 0 ? p.size() - 1 : i - 1), &after = p.normal(i);
    const Real from = std::atan2(before[1], before[0]);
    add_arc(ring, p.vertex(i), p.radius, from, from + std::atan2(cross(before, after), dot(before, after)), around);
  }
  return ring;
}

struct Outline {
  int around;

  std::vector<Vec<2>> operator()(const Ball<2>& b) const { return (*this)(Ellipsoid<2>{{b.radius, b.radius}}); }
  std::vector<Vec<2>> operator()(const Ellipsoid<2>& e) const {
    std::vector<Vec<2>> ring;
    for (int k = 0; k < around; ++k) {
      const Vec<2> d = towards(2 * pi * k / around);
      ring.push_back({e.semi[0] * d[0], e.semi[1] * d[1]});
    }
    return ring;
  }
  std::vector<Vec<2>> operator()(const Capsule<2>& c) const {
    std::vector<Vec<2>> ring;
    add_arc(ring, {c.half_length, 0}, c.radius, -pi / 2, pi / 2, around);
    add_arc(ring, {-c.half_length, 0}, c.radius, pi / 2, 3 * pi / 2, around);
    return ring;
  }
  std::vector<Vec<2>> operator()(const Polygon& p) const { return rounded(p, around); }
  std::vector<Vec<2>> operator()(const HalfSpace<2>&) const { return {}; }
  std::vector<Vec<2>> operator()(const Polyline&) const { return {}; }
};

// Rings about the local axis 0, pole to pole; a capsule has two in its middle.
Mesh round_body(const Vec<3>& semi, Real half_length, int around) {
  Mesh mesh;
  const int bands = around / 2;
  mesh.points.push_back({semi[0] + half_length, 0, 0});
  int rings = 0;
  const auto add_ring = [&](Real angle, Real shift) {
    for (int k = 0; k < around; ++k) {
      const Vec<2> d = towards(2 * pi * k / around);
      mesh.points.push_back(
          {semi[0] * std::cos(angle) + shift, semi[1] * std::sin(angle) * d[0], semi[2] * std::sin(angle) * d[1]});
    }
    ++rings;
  };
  for (int b = 1; b < bands; ++b) {
    if (2 * b <= bands) add_ring(pi * b / bands, half_length);
    if (2 * b > bands || (2 * b == bands && half_length > 0)) add_ring(pi * b / bands, -half_length);
  }
  const int last = static_cast<int>(mesh.points.size());
  mesh.points.push_back({-semi[0] - half_length, 0, 0});
  const auto at = [&](int ring, int k) { return 1 + ring * around + k % around; };
  for (int k = 0; k < around; ++k) mesh.add_cell(std::array{0, at(0, k), at(0, k + 1)});
  for (int r = 0; r + 1 < rings; ++r)
    for (int k = 0; k < around; ++k) mesh.add_cell(std::array{at(r, k), at(r + 1, k), at(r + 1, k + 1), at(r, k + 1)});
  for (int k = 0; k < around; ++k) mesh.add_cell(std::array{last, at(rings - 1, k + 1), at(rings - 1, k)});
  return mesh;
}

Mesh faces_of(const Polyhedron& p) {
  Mesh mesh;
  mesh.points = p.vertices;
  for (const Polyhedron::Face& face : p.faces) mesh.add_cell(face.ring);
  return mesh;
}

// Each corner moved out along the normals of its faces, edges and its own: the hull has all faces, and its edges cut
// off.
Mesh rounded(const Polyhedron& p) {
  std::vector<Vec<3>> points, mean(p.vertices.size(), Vec<3>{});
  const auto move = [&](int v, const Vec<3>& n) { points.push_back(p.vertex(v) + p.radius * normalised(n)); };
  for (const Polyhedron::Face& face : p.faces)
    for (const int v : face.ring) move(v, face.normal), mean[static_cast<std::size_t>(v)] += face.normal;
  for (const Polyhedron::Edge& e : p.edges)
    for (const int v : {e.a, e.b}) move(v, p.face(e.left).normal + p.face(e.right).normal);
  for (std::size_t v = 0; v < mean.size(); ++v) move(static_cast<int>(v), mean[v]);
  const Expected<Polyhedron> hull = Polyhedron::make(points);
  return faces_of(hull ? *hull : p);
}

struct Surface3 {
  int around;

  Mesh operator()(const Ball<3>& b) const { return round_body({b.radius, b.radius, b.radius}, 0, around); }
  Mesh operator()(const Ellipsoid<3>& e) const { return round_body(e.semi, 0, around); }
  Mesh operator()(const Capsule<3>& c) const {
    return round_body({c.radius, c.radius, c.radius}, c.half_length, around);
  }
  Mesh operator()(const Polyhedron& p) const { return p.radius > 0 ? rounded(p) : faces_of(p); }
  Mesh operator()(const TriangleMesh& t) const {
    Mesh mesh;
    mesh.points = t.vertices;
    for (const auto& triangle : t.triangles) mesh.add_cell(triangle);
    return mesh;
  }
  Mesh operator()(const HalfSpace<3>&) const { return {}; }
};

template <int D>
Mesh polygon_of(const std::vector<Vec<D>>& ring) {
  Mesh mesh;
  std::vector<int> numbers;
  for (const Vec<D>& p : ring)
    numbers.push_back(static_cast<int>(mesh.points.size())), mesh.points.push_back(in_space(p));
  if (!numbers.empty()) mesh.add_cell(numbers);
  return mesh;
}

Mesh local_mesh(const Shape<2>& shape, int around) {
  const Polyline* const line = std::get_if<Polyline>(&shape);
  Mesh mesh = polygon_of<2>(line != nullptr ? line->points : outline(shape, around));
  mesh.lines = line != nullptr;
  return mesh;
}
Mesh local_mesh(const Shape<3>& shape, int around) { return std::visit(Surface3{around}, shape); }

// What remains of a polygon where sign * (p[axis] - bound) <= 0.
template <int D>
std::vector<Vec<D>> cut(const std::vector<Vec<D>>& ring, int axis, Real bound, Real sign) {
  std::vector<Vec<D>> kept;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const Vec<D>&a = ring[k], &b = ring[(k + 1) % ring.size()];
    const Real da = sign * (a[axis] - bound), db = sign * (b[axis] - bound);
    if (da <= 0) kept.push_back(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
      kept.push_back(a + (da / (da - db)) * (b - a));
      kept.back()[axis] = bound;
    }
  }
  return kept;
}

std::vector<Vec<2>> wide(const Vec<2>& at, Real half) {
  return {{at[0] - half, -half}, {at[0] + half, -half}, {at[0] + half, 0}, {at[0] - half, 0}};
}
std::vector<Vec<3>> wide(const Vec<3>& at, Real half) {
  return {{at[0] - half, at[1] - half, 0},
          {at[0] + half, at[1] - half, 0},
          {at[0] + half, at[1] + half, 0},
          {at[0] - half, at[1] + half, 0}};
}

Pose<3> pose_in_space(const Pose<2>& p) { return {in_space(p.x), Rotation<3>::by({0, 0, std::atan2(p.R.s, p.R.c)})}; }
const Pose<3>& pose_in_space(const Pose<3>& p) { return p; }

}  // namespace

Vec<3> in_space(const Vec<2>& p) { return {p[0], p[1], 0}; }

std::vector<Vec<2>> outline(const Shape<2>& shape, int around) { return std::visit(Outline{around}, shape); }

template <int D>
std::vector<Vec<D>> half_space_in(const Bounds<D>& box, const Pose<D>& pose) {
  const Vec<D> middle = Real(0.5) * (box.low + box.high), local = pose.to_local(middle);
  // Far enough to reach beyond the box wherever the surface passes.
  std::vector<Vec<D>> ring = wide(local, 2 * norm(box.high - box.low) + norm(local));
  for (Vec<D>& p : ring) p = pose.to_world(p);
  for (int i = 0; i < D; ++i) ring = cut(cut(ring, i, box.low[i], Real(-1)), i, box.high[i], Real(1));
  return ring.size() < 3 ? std::vector<Vec<D>>{} : ring;
}

template <int D>
Mesh mesh_of(const BodyPart<D>& part, int around, const Pose<D>& body, const Bounds<D>& box) {
  around = std::max(4, (around + 3) / 4 * 4);
  if (std::holds_alternative<HalfSpace<D>>(part.shape)) {
    std::vector<Vec<D>> ring = half_space_in(box, body * part.pose);
    for (Vec<D>& p : ring) p = body.to_local(p);
    return polygon_of<D>(ring);
  }
  Mesh mesh = local_mesh(part.shape, around);
  const Pose<3>& pose = pose_in_space(part.pose);
  for (Vec<3>& p : mesh.points) p = pose.to_world(p);
  return mesh;
}

template <int D>
Bounds<D> scene_bounds(const Cast<D>& cast, const Frame<D>& frame) {
  Bounds<D> all;
  for (int i = 0; i < D; ++i) all.low[i] = std::numeric_limits<Real>::infinity(), all.high[i] = -all.low[i];
  for (const BodyPart<D>& part : cast.parts) {
    if (std::holds_alternative<HalfSpace<D>>(part.shape)) continue;
    const Bounds<D> b = bounds<D>(part.shape, pose_of(frame, part.body) * part.pose);
    for (int i = 0; i < D; ++i)
      all.low[i] = std::fmin(all.low[i], b.low[i]), all.high[i] = std::fmax(all.high[i], b.high[i]);
  }
  for (int i = 0; i < D; ++i)
    if (!(all.low[i] <= all.high[i])) all.low[i] = -std::fmax(cast.size, Real(1e-3)), all.high[i] = -all.low[i];
  return all;
}

template <int D>
Bounds<D> padded(Bounds<D> box, Real share) {
  const Real more = share * norm(box.high - box.low);
  for (int i = 0; i < D; ++i) box.low[i] -= more, box.high[i] += more;
  return box;
}

template Mesh mesh_of(const BodyPart<2>&, int, const Pose<2>&, const Bounds<2>&);
template Mesh mesh_of(const BodyPart<3>&, int, const Pose<3>&, const Bounds<3>&);
template std::vector<Vec<2>> half_space_in(const Bounds<2>&, const Pose<2>&);
template std::vector<Vec<3>> half_space_in(const Bounds<3>&, const Pose<3>&);
template Bounds<2> scene_bounds(const Cast<2>&, const Frame<2>&);
template Bounds<3> scene_bounds(const Cast<3>&, const Frame<3>&);
template Bounds<2> padded(Bounds<2>, Real);
template Bounds<3> padded(Bounds<3>, Real);

}  // namespace cairn::exporting
