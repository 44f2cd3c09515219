// Exact mass properties of a polyhedron thickened by a radius: tetrahedra of the core, a prism on each face, a wedge of
// a cylinder on each edge, a sector of a ball at each vertex.
#include <numbers>
#include <vector>

#include "cairn/shape/moments.hpp"
#include "cairn/shape/polyhedron.hpp"

namespace cairn {
namespace {

// The sector of the unit ball at a vertex: the directions u between the normals of its faces. The arc that crosses an
// edge from normal to normal is a piece of a great circle of angle t; m is the unit vector along the edge that points
// out of the vertex's end, and s the sum of the two normals. Then
//   integral of u       = sum of t/2 m                             (the sides of the sector close its cap)
//   integral of u_i u_j = (W I + sum of tan(t/2) s m^T)_ij / 3     (divergence of u_i grad u_j on the sphere)
// with W the solid angle, by Descartes 2 pi less the angles of the faces at the vertex.
struct Cap {
  Real solid_angle = 2 * std::numbers::pi;
  Vec<3> first{};
  Mat<3> second{};
};

Moments<3> moments_of(const Cap& cap, Real r) {
  const Real r3 = r * r * r;
  const Mat<3> sum = cap.solid_angle * Mat<3>::identity() + Real(0.5) * (cap.second + transpose(cap.second));
  return {r3 / 3 * cap.solid_angle, (r3 * r / 4) * cap.first, (r3 * r * r / 15) * sum};
}

Real angle_between(const Vec<3>& a, const Vec<3>& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

class RoundedMass {
 public:
  explicit RoundedMass(const Polyhedron& p) : p_(p), caps_(p.vertices.size()) {
    for (const Vec<3>& x : p.vertices) middle_ += (1 / static_cast<Real>(p.vertices.size())) * x;
  }

  MassProperties<3> sum() {
    for (const Polyhedron::Face& face : p_.faces) add_face(face);
    if (p_.radius > 0) {
      for (const Polyhedron::Edge& edge : p_.edges) add_edge(edge);
      for (std::size_t v = 0; v < caps_.size(); ++v)
        total_ += moments_of(caps_[v], p_.radius).shifted(place(static_cast<int>(v)));
    }
    MassProperties<3> properties = mass_properties_of(total_);
    properties.centre += middle_;
    return properties;
  }

 private:
  Vec<3> place(int vertex) const { return p_.vertex(vertex) - middle_; }  // moments about a far point lose digits

  void add_face(const Polyhedron::Face& face) {
    const std::size_t n = face.ring.size();
    const Vec<3> a = place(face.ring[0]);
    for (std::size_t i = 2; i < n; ++i) {
      const Vec<3> b = place(face.ring[i - 1]), c = place(face.ring[i]), area = Real(0.5) * cross(b - a, c - a);
      total_ += simplex_moments<3>(dot(a, area) / 3, {Vec<3>{}, a, b, c});
      if (p_.radius > 0) total_ += simplex_moments<3>(dot(area, face.normal), {a, b, c}).swept(face.normal, p_.radius);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const int v = face.ring[i];
      const Vec<3> x = place(v), before = place(face.ring[(i + n - 1) % n]), after = place(face.ring[(i + 1) % n]);
      caps_[static_cast<std::size_t>(v)].solid_angle -= angle_between(after - x, before - x);
    }
  }

  void add_edge(const Polyhedron::Edge& edge) {
    const Vec<3>&left = p_.face(edge.left).normal, &right = p_.face(edge.right).normal;
    const Vec<3> a = place(edge.a), ab = place(edge.b) - a, sum = left + right;
    const Real length = norm(ab), width = norm(right - left), half = std::atan2(width, norm(sum));
    const Vec<3> along = (1 / length) * ab;
    total_ += sector_moments(left, right, p_.radius).shifted(a).swept(along, length);
    const Mat<3> across = (width / norm(sum)) * outer(sum, along);
    Cap &at_a = caps_[static_cast<std::size_t>(edge.a)], &at_b = caps_[static_cast<std::size_t>(edge.b)];
    at_a.first -= half * along, at_a.second -= across;
    at_b.first += half * along, at_b.second += across;
  }

  const Polyhedron& p_;
  Vec<3> middle_{};
  std::vector<Cap> caps_;
  Moments<3> total_;
};

}  // namespace

MassProperties<3> Polyhedron::mass_properties() const { return RoundedMass(*this).sum(); }

}  // namespace cairn
