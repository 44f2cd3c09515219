#include "cairn/scene/blocks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cairn/base/check.hpp"

namespace cairn::scene {

template <int D>
int Blocks<D>::find(const std::string& name) const {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].name == name) return static_cast<int>(i);
  return -1;
}

template <int D>
Real Blocks<D>::mass() const {
  Real sum = 0;
  for (const Block<D>& b : blocks)
    if (!b.fixed) sum += b.density * mass_properties<D>(b.shape).volume;
  return sum;
}

template <int D>
Blocks<D> Blocks<D>::moved(const Pose<D>& by) const {
  Blocks out = *this;
  for (Block<D>& b : out.blocks) b.pose = by * b.pose;
  return out;
}

Vec<3> from_plane(const Vec<2>& x, Real depth) { return {x[0], depth, x[1]}; }

template <>
Pose<2> in_plane(const Vec<2>& x, Real angle) {
  return {x, angle == 0 ? Rotation<2>{} : Rotation<2>::by(angle)};
}
template <>
Pose<3> in_plane(const Vec<2>& x, Real angle) {  // from x towards z: about -y
  return {from_plane(x), angle == 0 ? Rotation<3>{} : Rotation<3>::by({0, -angle, 0})};
}

template <>
Shape<2> brick<2>(const Vec<2>& half, Real, Real radius) {
  return Polygon::box({half[0] - radius, half[1] - radius}, radius);
}
template <>
Shape<3> brick<3>(const Vec<2>& half, Real depth, Real radius) {
  return Polyhedron::box({half[0] - radius, depth / 2 - radius, half[1] - radius}, radius);
}

namespace {

int count(std::span<const Vec<2>> corners) { return static_cast<int>(corners.size()); }
const Vec<2>& corner(std::span<const Vec<2>> corners, int i) { return corners[static_cast<std::size_t>(i)]; }

void add_face(Polyhedron& p, std::vector<int> ring) {
  const Vec<3>&a = p.vertex(ring[0]), &b = p.vertex(ring[1]), &c = p.vertex(ring[2]);
  const Vec<3> normal = normalised(cross(b - a, c - b));
  Real offset = 0;
  for (const int i : ring) offset += dot(normal, p.vertex(i)) / static_cast<Real>(ring.size());
  p.faces.push_back({std::move(ring), normal, offset});
}

// The ring 0..n-1 is counter-clockwise seen from its side, the ring n..2n-1 lies behind it.
Polyhedron prism_on(std::vector<Vec<3>> vertices) {
  const int n = static_cast<int>(vertices.size()) / 2;
  Polyhedron p;
  p.vertices = std::move(vertices);
  std::vector<int> front, back;
  for (int i = 0; i < n; ++i) front.push_back(i), back.push_back(2 * n - 1 - i);
  add_face(p, front), add_face(p, back);
  for (int i = 0; i < n; ++i) add_face(p, {i, i + n, (i + 1) % n + n, (i + 1) % n});
  p.link();
  return p;
}

template <int D>
Shape<D> solid_on(const Polygon& polygon, Real depth);
template <>
Shape<2> solid_on<2>(const Polygon& polygon, Real) {
  return polygon;
}
template <>
Shape<3> solid_on<3>(const Polygon& polygon, Real depth) {  // (x, z) counter-clockwise is seen from -y
  std::vector<Vec<3>> vertices;
  for (const Real y : {-depth / 2, depth / 2})
    for (const Vec<2>& x : polygon.vertices) vertices.push_back(from_plane(x, y));
  return prism_on(std::move(vertices));
}

}  // namespace

template <int D>
Block<D> stone(std::span<const Vec<2>> corners, Real depth) {
  auto given = Polygon::make(corners);
  CAIRN_CHECK(given, "a generator made a flat stone");
  const Vec<2> centre = given->mass_properties().centre;
  std::vector<Vec<2>> local;
  for (int i = 0; i < count(corners); ++i) local.push_back(corner(corners, i) - centre);
  auto polygon = Polygon::make(local);
  CAIRN_CHECK(polygon, "a generator made a flat stone");
  return {solid_on<D>(*polygon, depth), in_plane<D>(centre)};
}

Polyhedron upright_prism(std::span<const Vec<2>> corners, Real height) {
  std::vector<Vec<3>> vertices;
  for (const Real z : {height / 2, -height / 2})
    for (const Vec<2>& x : corners) vertices.push_back({x[0], x[1], z});
  return prism_on(std::move(vertices));
}

Polyhedron hexahedron(std::span<const Vec<3>, 8> corners) {
  const Polyhedron box = Polyhedron::box({1, 1, 1});
  Polyhedron p;
  p.vertices.assign(corners.begin(), corners.end());
  for (const Polyhedron::Face& face : box.faces) add_face(p, face.ring);
  p.link();
  return p;
}

template <int D>
Block<D> ground_at(Real height, int material) {
  Block<D> b{HalfSpace<D>{}, {}, 0, material, true, 0, "ground"};
  b.pose.x[D - 1] = height;
  return b;
}

template <int D>
Block<D> wall_at(Real x, int side, int material, std::string name) {
  Block<D> b{HalfSpace<D>{}, {}, 0, material, true, 0, std::move(name)};
  b.pose.x[0] = x;
  if constexpr (D == 2) {
    b.pose.R = {0, Real(-side)};  // takes up to +-x
  } else {
    b.pose.R = {std::sqrt(Real(0.5)), 0, side * std::sqrt(Real(0.5)), 0};
  }
  return b;
}

Faults& Faults::require(bool holds, const std::string& otherwise) {
  if (!holds && first_.empty()) first_ = otherwise;
  return *this;
}
Faults& Faults::positive(const char* what, Real found) {
  return require(std::isfinite(found) && found > 0, fmt::format("{} is {}, expected a positive number", what, found));
}
Faults& Faults::not_negative(const char* what, Real found) {
  return require(std::isfinite(found) && found >= 0,
                 fmt::format("{} is {}, expected 0 or a positive number", what, found));
}
Faults& Faults::between(const char* what, Real found, Real low, Real high) {
  return require(found >= low && found <= high,
                 fmt::format("{} is {}, expected between {} and {}", what, found, low, high));
}
Faults& Faults::at_least(const char* what, long found, long least) {
  return require(found >= least, fmt::format("{} is {}, expected at least {}", what, found, least));
}

Faults& Faults::matter(const Matter& matter) {
  positive("matter.density", matter.density).material("matter.material", matter.material);
  return material("matter.ground_material", matter.ground_material);
}

template struct Blocks<2>;
template struct Blocks<3>;
template Block<2> stone(std::span<const Vec<2>>, Real);
template Block<3> stone(std::span<const Vec<2>>, Real);
template Block<2> ground_at(Real, int);
template Block<3> ground_at(Real, int);
template Block<2> wall_at(Real, int, int, std::string);
template Block<3> wall_at(Real, int, int, std::string);

}  // namespace cairn::scene
