#include "cairn/record/flat_shapes.hpp"

#include <algorithm>
#include <set>
#include <type_traits>

#include "cairn/problem/hdf5.hpp"

namespace cairn::record {
namespace {

using hdf5::Failure;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <int D>
void add_corners(FlatShapes<D>& flat, const std::vector<Vec<D>>& points) {
  flat.vertices.insert(flat.vertices.end(), points.begin(), points.end());
}

template <int D, class Ring>
void add_face(FlatShapes<D>& flat, const Ring& ring, const Vec<D>& normal, Real plane) {
  for (const int v : ring) flat.rings.push_back(v);
  flat.ring_offset.push_back(static_cast<std::int64_t>(flat.rings.size()));
  flat.face_normal.push_back(normal);
  flat.face_plane.push_back(plane);
}

template <int D>
void add_rest(FlatShapes<D>&, const Ball<D>&) {}
template <int D>
void add_rest(FlatShapes<D>&, const HalfSpace<D>&) {}
template <int D>
void add_rest(FlatShapes<D>& flat, const Capsule<D>& s) {
  flat.half_length.back() = s.half_length;
}
template <int D>
void add_rest(FlatShapes<D>& flat, const Ellipsoid<D>& s) {
  flat.semi.back() = s.semi;
}
void add_rest(FlatShapes<2>& flat, const Polygon& s) {
  add_corners(flat, s.vertices);
  for (int i = 0; i < s.size(); ++i)
    add_face(flat, std::array{i, s.next(i)}, s.normal(i), dot(s.normal(i), s.vertex(i)));
}
void add_rest(FlatShapes<2>& flat, const Polyline& s) { add_corners(flat, s.points); }
void add_rest(FlatShapes<3>& flat, const Polyhedron& s) {
  add_corners(flat, s.vertices);
  for (const Polyhedron::Face& f : s.faces) add_face(flat, f.ring, f.normal, f.offset);
}
void add_rest(FlatShapes<3>& flat, const TriangleMesh& s) {
  add_corners(flat, s.vertices);
  for (int i = 0; i < s.size(); ++i) add_face(flat, s.triangles[at(i)], s.normal(i), dot(s.normal(i), s.corner(i, 0)));
}

// A part's share of the flat arrays.
template <int D>
struct Share {
  const FlatShapes<D>& flat;
  std::size_t part;

  [[noreturn]] void refuse(const char* why) const { throw Failure{fmt::format("parts: part {} {}", part, why)}; }
  std::vector<Vec<D>> corners(std::int64_t least) const {
    const std::int64_t from = flat.vertex_offset[part], to = flat.vertex_offset[part + 1];
    if (to - from < least) refuse("has too few vertices");
    return {flat.vertices.begin() + from, flat.vertices.begin() + to};
  }
  std::int64_t first_face() const { return flat.face_offset[part]; }
  std::int64_t faces() const { return flat.face_offset[part + 1] - first_face(); }
  std::vector<int> ring(std::int64_t face, std::size_t corners) const {
    const std::int64_t from = flat.ring_offset[at(face)], to = flat.ring_offset[at(face) + 1];
    std::vector<int> ring(flat.rings.begin() + from, flat.rings.begin() + to);
    for (const int v : ring)
      if (v < 0 || at(v) >= corners) refuse("has a face with a vertex that it has not");
    return ring;
  }
};

template <int D>
void rebuild(const Share<D>&, HalfSpace<D>&) {}
template <int D>
void rebuild(const Share<D>& from, Ball<D>& s) {
  s.radius = from.flat.radius[from.part];
}
template <int D>
void rebuild(const Share<D>& from, Capsule<D>& s) {
  s.radius = from.flat.radius[from.part], s.half_length = from.flat.half_length[from.part];
}
template <int D>
void rebuild(const Share<D>& from, Ellipsoid<D>& s) {
  s.radius = from.flat.radius[from.part], s.semi = from.flat.semi[from.part];
}
void rebuild(const Share<2>& from, Polygon& s) {
  s.radius = from.flat.radius[from.part];
  s.vertices = from.corners(3);
  if (at(from.faces()) != s.vertices.size()) from.refuse("is a polygon with more or fewer edges than corners");
  s.normals.assign(from.flat.face_normal.begin() + from.first_face(),
                   from.flat.face_normal.begin() + from.first_face() + from.faces());
}
void rebuild(const Share<2>& from, Polyline& s) { s.points = from.corners(2); }
void rebuild(const Share<3>& from, Polyhedron& s) {
  s.radius = from.flat.radius[from.part];
  s.vertices = from.corners(4);
  std::set<std::pair<int, int>> edges;  // directed: each once, and its opposite too
  std::size_t corners = 0;
  for (std::int64_t f = from.first_face(); f < from.first_face() + from.faces(); ++f) {
    const std::vector<int> ring = from.ring(f, s.vertices.size());
    for (std::size_t i = 0; i < ring.size(); ++i) edges.emplace(ring[i], ring[(i + 1) % ring.size()]);
    corners += ring.size();
    s.faces.push_back({ring, from.flat.face_normal[at(f)], from.flat.face_plane[at(f)]});
  }
  const bool closed = std::all_of(edges.begin(), edges.end(), [&](const auto& e) {
    return edges.contains({e.second, e.first});
  });
  if (corners == 0 || edges.size() != corners || !closed) from.refuse("is a polyhedron whose faces do not close");
  s.link();
}
void rebuild(const Share<3>& from, TriangleMesh& s) {
  s.vertices = from.corners(3);
  for (std::int64_t f = from.first_face(); f < from.first_face() + from.faces(); ++f) {
    const std::vector<int> ring = from.ring(f, s.vertices.size());
    if (ring.size() != 3) from.refuse("is a mesh with a face that is no triangle");
    s.triangles.push_back({ring[0], ring[1], ring[2]});
  }
  if (s.triangles.empty()) from.refuse("is a mesh without triangles");
}

template <int D, std::size_t... I>
Shape<D> rebuild_kind(const Share<D>& from, std::int32_t kind, std::index_sequence<I...>) {
  Shape<D> shape;
  const auto attempt = [&](auto index) {
    if (kind != static_cast<std::int32_t>(index)) return false;
    rebuild(from, shape.template emplace<decltype(index)::value>());
    return true;
  };
  if (!(attempt(std::integral_constant<std::size_t, I>{}) || ...)) from.refuse("is of no known kind");
  return shape;
}

// n + 1 numbers from 0 to the end that never go down.
void refuse_bad_offsets(const char* name, const std::vector<std::int64_t>& offset, std::size_t n, std::size_t end) {
  if (offset.size() != n + 1 || offset.front() != 0 || offset.back() != static_cast<std::int64_t>(end) ||
      !std::is_sorted(offset.begin(), offset.end()))
    throw Failure{fmt::format("parts/{}: expected {} numbers that rise from 0 to {}", name, n + 1, end)};
}

}  // namespace

template <int D>
void FlatShapes<D>::add(const Shape<D>& shape) {
  kind.push_back(static_cast<std::int32_t>(shape.index()));
  radius.push_back(0), half_length.push_back(0), semi.push_back({});
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.radius; }) radius.back() = s.radius;
        add_rest(*this, s);
      },
      shape);
  vertex_offset.push_back(static_cast<std::int64_t>(vertices.size()));
  face_offset.push_back(static_cast<std::int64_t>(face_normal.size()));
}

template <int D>
std::vector<Shape<D>> FlatShapes<D>::shapes() const {
  const std::size_t n = kind.size(), faces = face_normal.size();
  if (radius.size() != n || half_length.size() != n || semi.size() != n || face_plane.size() != faces)
    throw Failure{fmt::format("parts: arrays of unequal lengths, expected {} parts and {} faces", n, faces)};
  refuse_bad_offsets("vertex_offset", vertex_offset, n, vertices.size());
  refuse_bad_offsets("face_offset", face_offset, n, faces);
  refuse_bad_offsets("ring_offset", ring_offset, faces, rings.size());
  std::vector<Shape<D>> shapes;
  for (std::size_t i = 0; i < n; ++i)
    shapes.push_back(
        rebuild_kind(Share<D>{*this, i}, kind[i], std::make_index_sequence<std::variant_size_v<Shape<D>>>{}));
  return shapes;
}

template <>
std::vector<std::string> shape_names<2>() {
  return {"ball", "capsule", "polygon", "ellipsoid", "half_space", "polyline"};
}
template <>
std::vector<std::string> shape_names<3>() {
  return {"ball", "capsule", "polyhedron", "ellipsoid", "half_space", "triangle_mesh"};
}

template struct FlatShapes<2>;
template struct FlatShapes<3>;

}  // namespace cairn::record
