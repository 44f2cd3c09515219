#include "cairn/detection/terrain_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <type_traits>

#include "cairn/detection/pair.hpp"

namespace cairn {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

int corner(const Polyline&, int piece, int k) { return piece + k; }
int corner(const TriangleMesh& t, int piece, int k) { return t.triangles[index(piece)][index(k)]; }
const Vec<2>& place_of(const Polyline& t, int vertex) { return t.points[index(vertex)]; }
const Vec<3>& place_of(const TriangleMesh& t, int vertex) { return t.vertices[index(vertex)]; }

template <int D>
using Corners = std::array<Vec<D>, std::size_t{D}>;  // of a piece
template <int D>
using CoreStore = std::conditional_t<D == 2, PlanarStore, SolidStore>;

// What tells the points of one manifold apart, in 12 bits.
template <int D>
std::uint32_t local_part(std::uint32_t feature) {
  if constexpr (D == 2) return (feature >> 16 & 0x7ffU) << 1 | (feature & 1U);
  return (feature >> 30) | (feature >> 15 & 0xffU) << 2 | (feature & 3U) << 10;
}

// Terrain near a shape, in axes of the terrain with the origin at the shape's.
template <int D, class Terrain>
struct Nearby {
  const Terrain& terrain;
  Vec<D> origin;
  const std::vector<int>& pieces;
  Real size, alert;  // [m]
  std::vector<Manifold<D>>& found;

  Vec<D> at(int vertex) const { return place_of(terrain, vertex) - origin; }
  Corners<D> corners(int piece) const {
    Corners<D> x;
    for (int k = 0; k < D; ++k) x[index(k)] = at(corner(terrain, piece, k));
    return x;
  }

  // Whether all pieces around an edge or a corner, given by its vertices, lie behind the plane across n.
  bool sticks_out(const int* vertices, int count, const Vec<D>& n) const {
    const Vec<D> x = at(vertices[0]);
    for (const int piece : pieces) {
      int shared = 0;
      for (int k = 0; k < D; ++k)
        if (std::find(vertices, vertices + count, corner(terrain, piece, k)) != vertices + count) ++shared;
      if (shared < count) continue;
      for (int k = 0; k < D; ++k)
        if (const Vec<D> d = at(corner(terrain, piece, k)) - x; dot(d, n) > 1e-9 * norm(d)) return false;
    }
    return true;
  }

  // Whether a point found before, about there, is as deep.
  bool known(const ContactPoint<D>& p) const {
    const Real near = Real(0.2) * std::fabs(p.gap) + tolerance::join * size;
    for (const Manifold<D>& m : found)
      for (int i = 0; i < m.size; ++i)
        if (m.points[i].gap <= p.gap + tolerance::tie * size && norm(m.points[i].point - p.point) <= near) return true;
    return false;
  }

  // Without the points known from elsewhere; as many manifolds as it takes.
  void keep(const Vec<D>& normal, std::span<const ContactPoint<D>> points, std::uint32_t number) {
    Manifold<D> fresh;
    fresh.normal = normal;
    for (const ContactPoint<D>& p : points) {
      if (known(p)) continue;
      fresh.add({p.point, p.gap, number | local_part<D>(p.feature)});
      if (fresh.size < Manifold<D>::capacity) continue;
      found.push_back(fresh);
      fresh.size = 0;
    }
    if (fresh.size > 0) found.push_back(fresh);
  }
  void keep(const Manifold<D>& m, std::uint32_t number) {
    keep(m.normal, {m.points, static_cast<std::size_t>(m.size)}, number);
  }
};

// Ends or corners of a flat piece as a core with a front (edge or face 0) and a back.
PlanarCore piece_core(const Corners<2>& x, const Vec<2>& n, PlanarStore& store) {
  store.vertices.assign({x[1], x[0]});
  store.normals.assign({n, -n});
  return {store.vertices, store.normals, 0};
}
SolidCore piece_core(const Corners<3>& x, const Vec<3>& n, SolidStore& store) {
  static const std::vector<Polyhedron::Face> faces{{{0, 1, 2}, {}, 0}, {{0, 2, 1}, {}, 0}};
  static constexpr Polyhedron::Edge edges[3] = {{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};
  store.vertices.assign(x.begin(), x.end());
  store.normals.assign({n, -n});
  return {store.vertices, store.normals, faces, edges, 0};
}
void rest(const PlanarCore& a, const PlanarCore& b, Real alert, Real depth, std::vector<ContactPoint<2>>& points) {
  const Manifold<2> m = rest_on_edge(a, b, 0, alert, depth);
  points.assign(m.points, m.points + m.size);
}
void rest(const SolidCore& a, const SolidCore& b, Real alert, Real depth, std::vector<ContactPoint<3>>& points) {
  rest_on_face(a, b, 0, alert, depth, points);
}

template <int D>
Real depth_of(const Manifold<D>& m) {
  Real least = 0;
  for (int i = 0; i < m.size; ++i) least = std::min(least, m.points[i].gap);
  return -least;
}

// A piece of terrain by its support function.
template <int D>
struct Piece {
  const Corners<D>& x;

  Vec<D> support(const Vec<D>& d) const {
    return *std::max_element(x.begin(), x.end(), [&](const auto& p, const auto& q) { return dot(p, d) < dot(q, d); });
  }
};

// Whether the point is above the piece, seen along its normal.
bool is_above(const Corners<2>& x, const Vec<2>&, const Vec<2>& p) {
  return dot(p - x[0], x[1] - x[0]) >= 0 && dot(p - x[1], x[0] - x[1]) >= 0;
}
bool is_above(const Corners<3>& x, const Vec<3>& n, const Vec<3>& p) {
  for (std::size_t k = 0; k < 3; ++k)
    if (dot(cross(x[(k + 1) % 3] - x[k], n), p - x[k]) > 0) return false;
  return true;
}

// How deep the shape is in a piece, whichever way out is shortest; 0 if it is not.
template <int D, class T>
Real depth_in(const T& shape, const Pose<D>& pose, const Corners<D>& x, const Vec<D>& n) {
  if constexpr (PlanarShape<T> || SolidShape<T>) {
    thread_local CoreStore<D> stores[2];
    return depth_of(collide_cores(place(shape, pose, stores[0]), piece_core(x, n, stores[1]), 0));
  } else {
    const Piece<D> piece{x};
    return std::max(Real(0),
                    shape.radius - contact_of_cores<D>(core_of(shape, pose), core_of(piece, Pose<D>{})).distance);
  }
}

// On the plane of a piece, at the lowest point of the shape.
template <int D, class T>
ContactPoint<D> lowest_point(const T& shape, const Pose<D>& pose, const Corners<D>& x, const Vec<D>& n) {
  const Vec<D> low = pose.to_world(shape.support(pose.R.inverse() * -n));
  const Real gap = dot(low - x[0], n) - shape.radius;
  return {low - (shape.radius + gap / 2) * n, gap, 0};
}

// With the front of a piece alone.
template <int D, class T>
void list_front_points(const T& shape, const Pose<D>& pose, const Corners<D>& x, const Vec<D>& n, Real alert,
                       std::vector<ContactPoint<D>>& points) {
  points.clear();
  if constexpr (PlanarShape<T> || SolidShape<T>) {
    thread_local CoreStore<D> stores[2];
    const Real depth = depth_in<D>(shape, pose, x, n);
    rest(place(shape, pose, stores[0]), piece_core(x, n, stores[1]), alert, depth, points);
  } else {
    const ContactPoint<D> p = lowest_point<D>(shape, pose, x, n);
    const Real slack = tolerance::merge * norm(p.point - x[0]);
    if (p.gap > alert || !is_above(x, n, p.point)) return;
    if (p.gap < 0 && p.gap < -tolerance::facing * depth_in<D>(shape, pose, x, n) - slack) return;
    points.push_back(p);
  }
}

// A rotation that takes the first axis to the direction.
Rotation<3> turn_along(const Vec<3>& d) {
  const Vec<3> u = normalised(d);
  if (u[0] < Real(-0.5))
    return turn_along(-d) * Rotation<3>{0, 0, 0, 1};  // half a turn first: the axis to its opposite
  return Rotation<3>{1 + u[0], 0, -u[2], u[1]}.unit();
}

enum Feature { front = 0, edge = 1, point = 2 };
std::uint32_t number_of(Feature kind, int id) {
  return static_cast<std::uint32_t>(kind) << 30 | (static_cast<std::uint32_t>(id) & 0x3ffffU) << 12;
}
// Edges of the mesh near the shape, each once, by vertices, with a number.
using MeshEdge = std::array<int, 3>;
void list_edges(const TriangleMesh& mesh, const std::vector<int>& pieces, std::vector<MeshEdge>& edges) {
  edges.clear();
  for (const int piece : pieces)
    for (int k = 0; k < 3; ++k) {
      const int v = corner(mesh, piece, k), w = corner(mesh, piece, (k + 1) % 3);
      edges.push_back({std::min(v, w), std::max(v, w), 3 * piece + k});
    }
  std::sort(edges.begin(), edges.end());
  const auto same = [](const MeshEdge& a, const MeshEdge& b) { return a[0] == b[0] && a[1] == b[1]; };
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
}

template <int D, class Terrain>
void list_vertices(const Terrain& terrain, const std::vector<int>& pieces, std::vector<int>& vertices) {
  vertices.clear();
  for (const int piece : pieces)
    for (int k = 0; k < D; ++k) vertices.push_back(corner(terrain, piece, k));
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

template <class T, class Terrain>
void add_edges(const T& shape, const Pose<3>& pose, Nearby<3, Terrain>& near) {
  thread_local std::vector<MeshEdge> edges;
  list_edges(near.terrain, near.pieces, edges);
  for (const MeshEdge& e : edges) {
    const Vec<3> x = near.at(e[0]), d = near.at(e[1]) - x;
    const Pose<3> place{x + Real(0.5) * d, turn_along(d)};
    const Manifold<3> m = collide_pair<3>(shape, pose, Capsule<3>{norm(d) / 2, 0}, place, near.alert);
    if (m.size > 0 && std::fabs(dot(m.normal, d)) <= 1e-9 * norm(d) && near.sticks_out(e.data(), 2, m.normal))
      near.keep(m, number_of(edge, e[2]));
  }
}

template <int D, class T, class Terrain>
void add_vertices(const T& shape, const Pose<D>& pose, Nearby<D, Terrain>& near) {
  thread_local std::vector<int> vertices;
  list_vertices<D>(near.terrain, near.pieces, vertices);
  for (const int v : vertices) {
    const Manifold<D> m = collide_pair<D>(shape, pose, Ball<D>{0}, Pose<D>{near.at(v), {}}, near.alert);
    if (m.size > 0 && near.sticks_out(&v, 1, m.normal)) near.keep(m, number_of(point, v));
  }
}

template <int D, class Terrain>
Bounds<D> bounds_of_piece(const Terrain& terrain, int piece) {
  const Vec<D>& first = place_of(terrain, corner(terrain, piece, 0));
  Bounds<D> box{first, first};
  for (int k = 1; k < D; ++k) {
    const Vec<D>& x = place_of(terrain, corner(terrain, piece, k));
    join(box, Bounds<D>{x, x});
  }
  return box;
}

// The pieces whose boxes meet that of the shape, ascending.
template <int D, class Terrain>
void list_pieces(const Terrain& terrain, const BoundsTree<D>* tree, const Bounds<D>& box, std::vector<int>& pieces) {
  pieces.clear();
  const auto meets = [&](const Bounds<D>& piece) { return overlap(piece, box); };
  if (tree) {
    tree->search(meets, [&](int i) { pieces.push_back(i); });
    std::sort(pieces.begin(), pieces.end());
  } else {
    for (int i = 0; i < terrain.size(); ++i)
      if (meets(bounds_of_piece<D>(terrain, i))) pieces.push_back(i);
  }
}

template <int D, class T, class Terrain>
void add_parts(const T& shape, const Pose<D>& pose, Nearby<D, Terrain>& near) {
  thread_local std::vector<ContactPoint<D>> points;
  for (const int piece : near.pieces) {
    const Vec<D> n = near.terrain.normal(piece);
    list_front_points<D>(shape, pose, near.corners(piece), n, near.alert, points);
    near.keep(n, points, number_of(front, piece));
  }
  if constexpr (D == 3) add_edges(shape, pose, near);
  add_vertices<D>(shape, pose, near);
}

// Corner in corner: no front holds the shape, and no corner sticks out into it. Moved out by a little it touches as it
// did on its way in.
template <int D, class T, class Terrain>
void add_way_out(const T& shape, const Pose<D>& pose, Nearby<D, Terrain>& near) {
  Vec<D> out{};
  Real depth = 0;
  for (const int piece : near.pieces) {
    const Vec<D> n = near.terrain.normal(piece);
    const Real d = depth_in<D>(shape, pose, near.corners(piece), n);
    if (d > 0) out += n;
    depth = std::max(depth, d);
  }
  if (!(norm(out) > 1e-3)) return;
  out = normalised(out);
  const Real alert = near.alert;
  Real shift = 2 * depth + tolerance::merge * near.size;
  for (int attempt = 0; attempt < 5 && near.found.empty(); ++attempt, shift *= 4) {
    near.alert = alert + 2 * shift;
    add_parts<D>(shape, Pose<D>{pose.x + shift * out, pose.R}, near);
    for (Manifold<D>& m : near.found)
      for (int i = 0; i < m.size; ++i) {
        m.points[i].gap -= shift * dot(out, m.normal);
        m.points[i].point -= (shift / 2) * out;
      }
  }
}

// The shape with its origin at that of the axes.
template <int D, class T, class Terrain>
void add_all(const T& shape, const Pose<D>& pose, Nearby<D, Terrain>& near) {
  if constexpr (!is_terrain<T> && !is_ground<T, D>) {
    add_parts<D>(shape, pose, near);
    if (near.found.empty()) add_way_out<D>(shape, pose, near);
  }
}

}  // namespace

template <int D, class Terrain>
void collide_terrain(const Shape<D>& shape, const Pose<D>& pose, const Terrain& terrain, const Pose<D>& pt, Real alert,
                     std::vector<Manifold<D>>& out, const BoundsTree<D>* tree) {
  if (!bounded(shape)) return;
  thread_local std::vector<int> pieces;
  thread_local std::vector<Manifold<D>> found;
  found.clear();
  const Pose<D> local = pt.inverse() * pose;
  list_pieces<D>(terrain, tree, grown(bounds<D>(shape, local), alert), pieces);
  if (pieces.empty()) return;
  Nearby<D, Terrain> near{terrain, local.x, pieces, reach<D>(shape), alert, found};
  std::visit([&](const auto& s) { add_all<D>(s, Pose<D>{{}, local.R}, near); }, shape);
  for (const Manifold<D>& m : found) {
    Manifold<D>& placed = out.emplace_back();
    placed.normal = pt.R * m.normal;
    for (int i = 0; i < m.size; ++i)
      if (const ContactPoint<D>& p = m.points[i]; p.gap <= alert)
        placed.add({pt.to_world(local.x + p.point), p.gap, p.feature});
    if (placed.size == 0) out.pop_back();
  }
}

template <int D, class Terrain>
BoundsTree<D> tree_of_terrain(const Terrain& terrain) {
  std::vector<int> pieces;
  std::vector<Bounds<D>> boxes;
  for (int i = 0; i < terrain.size(); ++i) pieces.push_back(i), boxes.push_back(bounds_of_piece<D>(terrain, i));
  BoundsTree<D> tree;
  tree.build(pieces, boxes);
  return tree;
}

template void collide_terrain<2, Polyline>(const Shape<2>&, const Pose<2>&, const Polyline&, const Pose<2>&, Real,
                                           std::vector<Manifold<2>>&, const BoundsTree<2>*);
template void collide_terrain<3, TriangleMesh>(const Shape<3>&, const Pose<3>&, const TriangleMesh&, const Pose<3>&,
                                               Real, std::vector<Manifold<3>>&, const BoundsTree<3>*);
template BoundsTree<2> tree_of_terrain(const Polyline&);
template BoundsTree<3> tree_of_terrain(const TriangleMesh&);

}  // namespace cairn
