// Vectors and shapes of a scene file.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cairn/input/build.hpp"

namespace cairn::input {
namespace {

// Points of the plane or of space, one after the other.
template <int D>
Expected<std::vector<Vec<D>>> points_of(const Numbers& flat) {
  if (flat.size() % D != 0)
    return Error{fmt::format("points has {} numbers, expected {} for each point", flat.size(), D)};
  std::vector<Vec<D>> points(flat.size() / D);
  for (std::size_t i = 0; i < flat.size(); ++i) points[i / D][static_cast<int>(i % D)] = flat[i];
  return points;
}

Expected<Vec<3>> space_size(const Numbers& size) {
  if (size.size() != 3) return Error{"size has two entries, expected three in space: (x, y, up)"};
  return Vec<3>{size[0] / 2, size[1] / 2, size[2] / 2};
}
template <int D>
Expected<Vec<D>> half_size(const Numbers& size) {
  if constexpr (D == 3)
    return space_size(size);
  else
    return Real(0.5) * vector_of<2>(size);
}

template <int D>
Expected<Shape<D>> box(const ShapeSpec& spec) {
  const Expected<Vec<D>> half = half_size<D>(spec.size);
  if (!half) return Error{half.error()};
  return Shape<D>{std::conditional_t<D == 2, Polygon, Polyhedron>::box(*half, spec.radius)};
}

template <int D>
Expected<Shape<D>> hull(const ShapeSpec& spec) {
  const auto points = points_of<D>(spec.points);
  if (!points) return Error{points.error()};
  auto made = std::conditional_t<D == 2, Polygon, Polyhedron>::make(std::span<const Vec<D>>(*points), spec.radius);
  if (!made) return Error{made.error()};
  return Shape<D>{std::move(*made)};
}

template <int D>
Expected<Shape<D>> ellipsoid(const ShapeSpec& spec) {
  const Expected<Vec<D>> half = half_size<D>(spec.size);
  if (!half) return Error{half.error()};
  return Shape<D>{Ellipsoid<D>{*half}};
}

Expected<Shape<2>> terrain(const ShapeSpec& spec, std::integral_constant<int, 2>) {
  if (spec.kind == "mesh") return Error{"a mesh is a terrain of space, expected polyline in the plane"};
  const auto points = points_of<2>(spec.points);
  if (!points) return Error{points.error()};
  return Shape<2>{Polyline{*points}};
}
Expected<Shape<3>> terrain(const ShapeSpec& spec, std::integral_constant<int, 3>) {
  if (spec.kind == "polyline") return Error{"a polyline is a terrain of the plane, expected mesh in space"};
  const auto points = points_of<3>(spec.points);
  if (!points) return Error{points.error()};
  if (spec.triangles.size() % 3 != 0)
    return Error{fmt::format("triangles has {} numbers, expected 3 for each", spec.triangles.size())};
  TriangleMesh mesh;
  mesh.vertices = *points;
  mesh.triangles.resize(spec.triangles.size() / 3);
  for (std::size_t i = 0; i < spec.triangles.size(); ++i) {
    const Real v = spec.triangles[i];
    if (v != std::floor(v) || v >= static_cast<Real>(points->size()))
      return Error{fmt::format("triangles: found corner {}, expected a whole number below {}", v, points->size())};
    mesh.triangles[i / 3][i % 3] = static_cast<int>(v);
  }
  return Shape<3>{std::move(mesh)};
}

template <int D>
Expected<Shape<D>> make_shape(const ShapeSpec& spec) {
  const std::string& k = spec.kind;
  if (k == "box") return box<D>(spec);
  if (k == "polygon" || k == "polyhedron") return hull<D>(spec);
  if (k == "capsule") return Shape<D>{Capsule<D>{spec.length / 2, spec.radius}};
  if (k == "ellipse" || k == "ellipsoid") return ellipsoid<D>(spec);
  if (k == "half-space") return Shape<D>{HalfSpace<D>{}};
  if (k == "polyline" || k == "mesh") return terrain(spec, std::integral_constant<int, D>{});
  return Shape<D>{Ball<D>{spec.radius}};
}

}  // namespace

template <>
Vec<2> vector_of<2>(const Numbers& v) {
  return v.empty() ? Vec<2>{} : Vec<2>{v[0], v.back()};
}
template <>
Vec<3> vector_of<3>(const Numbers& v) {
  return v.empty() ? Vec<3>{} : v.size() == 2 ? Vec<3>{v[0], 0, v[1]} : Vec<3>{v[0], v[1], v[2]};
}
template <>
Vec<1> spin_of<2>(const Numbers& v) {
  return v.size() == 3 ? Vec<1>{-v[1]} : v.empty() ? Vec<1>{} : Vec<1>{v[0]};
}
template <>
Vec<3> spin_of<3>(const Numbers& v) {
  return v.size() == 3 ? Vec<3>{v[0], v[1], v[2]} : v.empty() ? Vec<3>{} : Vec<3>{0, -v[0], 0};
}

template <int D>
Pose<D> pose_of(const Numbers& position, Real angle, const Numbers& rotation_deg) {
  Pose<D> pose = scene::in_plane<D>({}, angle);
  pose.x = vector_of<D>(position);
  if constexpr (D == 3)
    if (!rotation_deg.empty()) pose.R = Rotation<3>::by((std::numbers::pi / 180) * vector_of<3>(rotation_deg)) * pose.R;
  return pose;
}
template Pose<2> pose_of<2>(const Numbers&, Real, const Numbers&);
template Pose<3> pose_of<3>(const Numbers&, Real, const Numbers&);

template <int D>
Expected<Part<D>> make_part(const ShapeSpec& spec, Real density) {
  if (D == 2 && !spec.rotation.empty()) return Error{"rotation_deg is for space, expected angle_deg in the plane"};
  Expected<Shape<D>> shape = make_shape<D>(spec);
  if (!shape) return Error{shape.error()};
  return Part<D>{std::move(*shape), pose_of<D>(spec.position, spec.angle, spec.rotation),
                 spec.density.value_or(density)};
}
template Expected<Part<2>> make_part<2>(const ShapeSpec&, Real);
template Expected<Part<3>> make_part<3>(const ShapeSpec&, Real);

}  // namespace cairn::input
