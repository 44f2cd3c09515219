#include "cairn/view/geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <unordered_map>

#include "cairn/base/at.hpp"
#include "cairn/export/mesh.hpp"
#include "cairn/view/floats.hpp"

namespace cairn::view {
namespace {

using exporting::in_space;
using exporting::Mesh;

// --- which shapes are the same ---------------------------------------------------------------------------------------

template <class T>
void put_bytes(std::string& key, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  key.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  key += '|';
}
template <int N>
void put_bytes(std::string& key, const Vec<N>& v) {
  key.append(reinterpret_cast<const char*>(v.v), sizeof v.v);
}
void put_bytes(std::string& key, Real value) { put_bytes(key, Vec<1>{value}); }

// All numbers that tell a shape: parts with the same are meshed once.
struct Numbers {
  std::string& key;

  template <int D>
  void operator()(const Ball<D>& b) const {
    put_bytes(key, b.radius);
  }
  template <int D>
  void operator()(const Capsule<D>& c) const {
    put_bytes(key, c.half_length), put_bytes(key, c.radius);
  }
  template <int D>
  void operator()(const Ellipsoid<D>& e) const {
    put_bytes(key, e.semi);
  }
  template <int D>
  void operator()(const HalfSpace<D>&) const {}
  void operator()(const Polygon& p) const { put_bytes(key, p.vertices), put_bytes(key, p.radius); }
  void operator()(const Polyline& p) const { put_bytes(key, p.points); }
  void operator()(const Polyhedron& p) const {
    put_bytes(key, p.vertices), put_bytes(key, p.radius);
    for (const Polyhedron::Face& face : p.faces) put_bytes(key, face.ring);
  }
  void operator()(const TriangleMesh& t) const { put_bytes(key, t.vertices), put_bytes(key, t.triangles); }
};

void put_bytes(std::string& key, const Rotation<2>& r) { put_bytes(key, Vec<2>{r.c, r.s}); }
void put_bytes(std::string& key, const Rotation<3>& r) { put_bytes(key, Vec<4>{r.w, r.x, r.y, r.z}); }

template <int D>
std::string numbers_of(const BodyPart<D>& part) {
  std::string key(1, static_cast<char>('a' + part.shape.index()));
  put_bytes(key, part.pose.x), put_bytes(key, part.pose.R);
  std::visit(Numbers{key}, part.shape);
  return key;
}

// --- edges to draw ---------------------------------------------------------------------------------------------------

using Edges = std::vector<std::uint32_t>;

void put_edge(Edges& edges, int a, int b) {
  edges.push_back(static_cast<std::uint32_t>(a)), edges.push_back(static_cast<std::uint32_t>(b));
}

Vec<3> normal_of(const Mesh& mesh, std::span<const int> ring) {
  Vec<3> sum{};  // twice the area
  for (std::size_t k = 1; k + 1 < ring.size(); ++k)
    sum += cross(mesh.points[at(ring[k])] - mesh.points[at(ring[0])],
                 mesh.points[at(ring[k + 1])] - mesh.points[at(ring[0])]);
  const Real length = norm(sum);
  return length > 0 ? (1 / length) * sum : sum;
}

// Where two cells meet at more than an angle, and where a cell has no neighbour.
Edges creases(const Mesh& mesh, Real cosine) {
  struct Meeting {
    int cells = 0;
    Vec<3> first{};
    bool sharp = false;
  };
  std::map<std::pair<int, int>, Meeting> meetings;
  for (int c = 0; c < mesh.cells(); ++c) {
    const auto ring = mesh.cell(c);
    const Vec<3> n = normal_of(mesh, ring);
    for (std::size_t k = 0; k < ring.size(); ++k) {
      Meeting& m = meetings[std::minmax({ring[k], ring[(k + 1) % ring.size()]})];
      if (m.cells++ == 0)
        m.first = n;
      else
        m.sharp |= dot(m.first, n) < cosine;
    }
  }
  Edges edges;
  for (const auto& [ends, m] : meetings)
    if (m.sharp || m.cells == 1) put_edge(edges, ends.first, ends.second);
  return edges;
}

Edges edges_of(const BodyPart<2>&, const Mesh& mesh) {
  Edges edges;
  for (int c = 0; c < mesh.cells(); ++c) {
    const auto ring = mesh.cell(c);
    for (std::size_t k = 0; k + 1 < ring.size(); ++k) put_edge(edges, ring[k], ring[k + 1]);
    if (!mesh.lines && ring.size() > 2) put_edge(edges, ring.back(), ring.front());
  }
  return edges;
}

// Polyhedra: where faces meet; terrain: where it bends by more than 60 degrees, which roughness does not, and its
// border; round bodies: none.
Edges edges_of(const BodyPart<3>& part, const Mesh& mesh) {
  if (std::holds_alternative<Polyhedron>(part.shape)) return creases(mesh, 2);
  if (std::holds_alternative<TriangleMesh>(part.shape)) return creases(mesh, Real(0.5));
  return {};
}

// --- polyhedra with a radius around them -----------------------------------------------------------------------------

struct Drawing {
  Mesh mesh;
  Edges edges;
};

// Faces moved out by the radius, a bevel of two strips along each edge, a fan at each corner: what the hull of
// exporting::mesh_of is, without the time that a hull takes. Edges to draw: the middles of the bevels.
class Rounded {
 public:
  explicit Rounded(const Polyhedron& p) : p_(p) {
    std::vector<Vec<3>> mean(p.vertices.size(), Vec<3>{});
    for (std::size_t f = 0; f < p.faces.size(); ++f)
      for (const int v : p.faces[f].ring) {
        mean[at(v)] += p.faces[f].normal;
        on_face_[{static_cast<int>(f), v}] = add(v, p.faces[f].normal);
      }
    corner_ = static_cast<int>(d_.mesh.points.size());
    for (std::size_t v = 0; v < mean.size(); ++v) add(static_cast<int>(v), normalised(mean[v]));
  }

  Drawing drawn() {
    std::vector<int> ring;
    for (std::size_t f = 0; f < p_.faces.size(); ++f) {
      ring.clear();
      for (const int v : p_.faces[f].ring) ring.push_back(on_face_[{static_cast<int>(f), v}]);
      d_.mesh.add_cell(ring);
    }
    for (const Polyhedron::Edge& e : p_.edges) bevel(e);
    return std::move(d_);
  }

 private:
  int add(int v, const Vec<3>& n) {
    d_.mesh.points.push_back(p_.vertex(v) + p_.radius * n);
    return static_cast<int>(d_.mesh.points.size()) - 1;
  }
  // Seen from outside, a below and b above: left, middle and right of each end.
  void bevel(const Polyhedron::Edge& e) {
    const Vec<3> n = normalised(p_.face(e.left).normal + p_.face(e.right).normal);
    const int a = add(e.a, n), b = add(e.b, n), below = corner_ + e.a, above = corner_ + e.b;
    const int left_a = on_face_[{e.left, e.a}], left_b = on_face_[{e.left, e.b}];
    const int right_a = on_face_[{e.right, e.a}], right_b = on_face_[{e.right, e.b}];
    d_.mesh.add_cell(std::array{left_a, a, b, left_b});
    d_.mesh.add_cell(std::array{a, right_a, right_b, b});
    d_.mesh.add_cell(std::array{below, a, left_a});
    d_.mesh.add_cell(std::array{below, right_a, a});
    d_.mesh.add_cell(std::array{above, left_b, b});
    d_.mesh.add_cell(std::array{above, b, right_b});
    put_edge(d_.edges, below, a), put_edge(d_.edges, a, b), put_edge(d_.edges, b, above);
  }

  const Polyhedron& p_;
  Drawing d_;
  int corner_ = 0;                              // where the points of the corners begin
  std::map<std::pair<int, int>, int> on_face_;  // of face and vertex
};

Drawing drawing_of(const BodyPart<2>& part, int around) {
  Drawing d{exporting::mesh_of<2>(part, around, Pose<2>{}, Bounds<2>{}), {}};
  d.edges = edges_of(part, d.mesh);
  return d;
}
Drawing drawing_of(const BodyPart<3>& part, int around) {
  const Polyhedron* const p = std::get_if<Polyhedron>(&part.shape);
  if (p != nullptr && p->radius > 0) {
    Drawing d = Rounded(*p).drawn();
    for (Vec<3>& x : d.mesh.points) x = part.pose.to_world(x);
    return d;
  }
  Drawing d{exporting::mesh_of<3>(part, around, Pose<3>{}, Bounds<3>{}), {}};
  d.edges = edges_of(part, d.mesh);
  return d;
}

// --- gathering -------------------------------------------------------------------------------------------------------

// The cells are convex.
std::vector<std::uint32_t> fans(const Mesh& mesh) {
  std::vector<std::uint32_t> triangles;
  if (mesh.lines) return triangles;
  for (int c = 0; c < mesh.cells(); ++c) {
    const auto ring = mesh.cell(c);
    for (std::size_t k = 1; k + 1 < ring.size(); ++k)
      for (const int v : {ring[0], ring[k], ring[k + 1]}) triangles.push_back(static_cast<std::uint32_t>(v));
  }
  return triangles;
}

template <int D>
bool is_round(const Shape<D>& shape) {
  return std::holds_alternative<Capsule<D>>(shape) || std::holds_alternative<Ellipsoid<D>>(shape);
}

template <int D>
class Gathering {
 public:
  explicit Gathering(const record::Cast<D>& cast) {
    // Fewer facets where round bodies are many: they may all be different.
    const auto round = std::ranges::count_if(cast.parts, [](const auto& p) { return is_round<D>(p.shape); });
    around_ = D == 2 || round < 2000 ? 24 : round < 8000 ? 16 : 12;
  }

  void add(const BodyPart<D>& part) {
    const auto body = static_cast<std::uint32_t>(part.body);
    if (const auto* const ball = std::get_if<Ball<D>>(&part.shape)) {
      g.ball_body.push_back(body), g.ball_radius.push_back(static_cast<float>(ball->radius));
      append(g.ball_centre, in_space(part.pose.x));
    } else if (std::holds_alternative<HalfSpace<D>>(part.shape)) {
      g.plane_body.push_back(body);
      append(g.plane_point, in_space(part.pose.x));
      append(g.plane_normal, in_space(part.pose.R * HalfSpace<D>::normal()));
    } else {
      g.mesh_body.push_back(body), g.mesh_shape.push_back(shape_of(part));
    }
  }

  Geometry g;

 private:
  std::uint32_t shape_of(const BodyPart<D>& part) {
    const auto [known, fresh] = meshed_.try_emplace(numbers_of(part), 0);
    if (fresh) known->second = add_shape(part);
    return known->second;
  }

  // Numbers that differ may still be the same as they are sent.
  std::uint32_t add_shape(const BodyPart<D>& part) {
    const auto [mesh, edges] = drawing_of(part, around_);
    const std::vector<std::uint32_t> triangles = fans(mesh);
    std::vector<float> points;
    for (const Vec<3>& p : mesh.points) append(points, p);
    std::string key;
    put_bytes(key, points), put_bytes(key, triangles), put_bytes(key, edges);
    const auto [known, fresh] = sent_.try_emplace(std::move(key), static_cast<std::uint32_t>(sent_.size()));
    if (!fresh) return known->second;
    const auto append = [](auto& all, const auto& more, auto& ends, std::size_t width) {
      all.insert(all.end(), more.begin(), more.end());
      ends.push_back(static_cast<std::uint32_t>(all.size() / width));
    };
    append(g.vertex, points, g.shape_vertex, 3);
    append(g.triangle, triangles, g.shape_triangle, 3);
    append(g.edge, edges, g.shape_edge, 2);
    return known->second;
  }

  int around_ = 24;  // facets of a full circle
  std::unordered_map<std::string, std::uint32_t> meshed_, sent_;
};

}  // namespace

template <int D>
Geometry geometry_of(const record::Cast<D>& cast) {
  Gathering<D> gathering(cast);
  for (const BodyPart<D>& part : cast.parts) gathering.add(part);
  return std::move(gathering.g);
}

template Geometry geometry_of(const record::Cast<2>&);
template Geometry geometry_of(const record::Cast<3>&);

}  // namespace cairn::view
