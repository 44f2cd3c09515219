// Anisotropic Coulomb friction with a polygon D1 (M88 12.2-12.4): every mode is linear, so every solution is exact.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "cairn/base/expected.hpp"
#include "cairn/law/choice.hpp"

namespace cairn {

struct PolygonFriction {
  static constexpr int dim = 3;
  static constexpr int most_vertices = 16;
  Vec<2> v[most_vertices]{};  // vertices of D1, counterclockwise, strictly convex, 0 inside or on the border
  int n = 0;

  static Expected<PolygonFriction> make(std::span<const Vec<2>> vertices);

  struct Local {
    Inverse<3> inverse;
    bool unique;  // U_N(S_N) increases in every mode
  };

  // Nearest point: z itself, or the best of the points on the faces spanned by two neighbour rays (1, v_k).
  CAIRN_HD Vec<3> project(const Vec<3>& z) const {
    bool inside = true;
    for (int k = 0; k < n && inside; ++k) inside = above(z, k) <= 0;
    if (inside && z[0] >= 0) return z;
    // Each candidate p has p.(z - p) = 0, so that the nearest is the longest; distances would not tell short ones
    // apart.
    Vec<3> best{};
    for (int k = 0; k < n; ++k) {
      const Vec<3> p = nearest_on_face(z, ray(k), ray(next(k)));
      if (norm2(p) > norm2(best)) best = p;
    }
    return best;
  }

  CAIRN_HD Vec<3> shift(const Vec<3>& U) const {
    Real most = 0;
    for (int k = 0; k < n; ++k) {
      const Real d = -(U[1] * v[k][0] + U[2] * v[k][1]);
      most = d > most ? d : most;
    }
    return {most, 0, 0};
  }

  // Slopes of U_N as a function of S_N, S_T following: at a vertex A_k, on an edge and when sticking a Schur
  // complement.
  CAIRN_HD Local prepare(const Mat<3>& H) const {
    Local local{make_inverse(H), false};
    bool rising = !local.inverse.singular && local.inverse.inv(0, 0) > 0;
    for (int k = 0; k < n && rising; ++k) {
      const Mat<2> e = edge_matrix(H, k);
      rising = e(0, 0) > 0 && e(1, 1) > 0 && e(0, 0) * e(1, 1) - e(0, 1) * e(1, 0) > 0;
    }
    local.unique = rising;
    return local;
  }

  CAIRN_HD LocalSolution<3> solve(Local& local, const Vec<3>& b) const {
    const Mat<3>& H = local.inverse.H;
    Candidates choice(*this, H, b);
    if (b[0] >= 0) choice.offer({0, 0, 0}, Status::take_off, true);
    const auto done = [&] { return local.unique && choice.count() > 0; };
    if (!done() && !local.inverse.singular) {
      const Vec<3> S = local.inverse.solve(-b);
      bool inside = S[0] > 0;
      for (int k = 0; k < n && inside; ++k) inside = above(S, k) <= 0;
      choice.offer(S, Status::stick, inside);
    }
    for (int k = 0; k < n && !done(); ++k) offer_vertex(H, b, k, choice);
    for (int k = 0; k < n && !done(); ++k) offer_edge(H, b, k, choice);
    const LocalSolution<3> found = choice.result();
    if (found.count == 0 && local.inverse.singular) return solve_singular(*this, H, b);
    return found;
  }

 private:
  using Candidates =
      Choice<PolygonFriction, 2 * most_vertices + 2>;  // every mode at once, where rounding denies them all
  CAIRN_HD int next(int k) const { return k + 1 < n ? k + 1 : 0; }
  CAIRN_HD int before(int k) const { return k > 0 ? k - 1 : n - 1; }
  CAIRN_HD Vec<3> ray(int k) const { return {1, v[k][0], v[k][1]}; }
  CAIRN_HD Vec<2> edge(int k) const { return v[next(k)] - v[k]; }
  // How far z is beyond edge k (times its length): z_T - z_N v_k along the outward normal.
  CAIRN_HD Real above(const Vec<3>& z, int k) const {
    const Vec<2> d = edge(k);
    return d[1] * (z[1] - z[0] * v[k][0]) - d[0] * (z[2] - z[0] * v[k][1]);
  }

  CAIRN_HD static Vec<3> on_ray(const Vec<3>& z, const Vec<3>& r) {
    const Real t = dot(z, r) / norm2(r);
    return t > 0 ? t * r : Vec<3>::zero();
  }
  CAIRN_HD static Vec<3> nearest_on_face(const Vec<3>& z, const Vec<3>& p, const Vec<3>& q) {
    const Vec<3> d = q - p;  // orthonormalise in the well-conditioned order: p, then the edge
    const Vec<3> e = d - (dot(d, p) / norm2(p)) * p;
    const Real y = dot(z, e) / norm2(e);                    // coefficient of e, so of d
    const Real x = (dot(z, p) - y * dot(d, p)) / norm2(p);  // coefficient of p in x p + y d
    if (x >= y && y >= 0) return x * p + y * d;
    const Vec<3> a = on_ray(z, p), b = on_ray(z, q);
    return norm2(a) >= norm2(b) ? a : b;
  }

  // Rows (U_N, d.U_T), columns (S_N along v_k, t along the edge d).
  CAIRN_HD Mat<2> edge_matrix(const Mat<3>& H, int k) const {
    const Vec<2> d = edge(k);
    const Vec<3> p = H * ray(k), q = H * Vec<3>{0, d[0], d[1]};
    Mat<2> m;
    m(0, 0) = p[0];
    m(0, 1) = q[0];
    m(1, 0) = d[0] * p[1] + d[1] * p[2];
    m(1, 1) = d[0] * q[1] + d[1] * q[2];
    return m;
  }

  CAIRN_HD void offer_vertex(const Mat<3>& H, const Vec<3>& b, int k, Candidates& choice) const {
    const Vec<3> r = ray(k), column = H * r;
    const Real s = -b[0] / column[0];
    if (!(s > 0)) return;
    const Vec<2> ut{b[1] + s * column[1], b[2] + s * column[2]};
    choice.offer(s * r, Status::slide, dot(ut, edge(k)) >= 0 && dot(ut, edge(before(k))) <= 0);
  }

  CAIRN_HD void offer_edge(const Mat<3>& H, const Vec<3>& b, int k, Candidates& choice) const {
    const Vec<2> d = edge(k);
    const Mat<2> m = edge_matrix(H, k);
    const Real r0 = -b[0], r1 = -(d[0] * b[1] + d[1] * b[2]);
    const Real det = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
    Real s = 0, t = 0;
    for (int pass = 0; pass < 3; ++pass) {  // the second and third refine: det may cancel
      const Real e0 = r0 - (m(0, 0) * s + m(0, 1) * t), e1 = r1 - (m(1, 0) * s + m(1, 1) * t);
      s += (e0 * m(1, 1) - m(0, 1) * e1) / det;
      t += (m(0, 0) * e1 - m(1, 0) * e0) / det;
    }
    if (!(s > 0)) return;
    const Vec<3> S{s, s * v[k][0] + t * d[0], s * v[k][1] + t * d[1]};
    const Vec<3> U = H * S + b;
    const Real size = Real(1e-10) * (max_abs(H) * norm(S) + norm(b));
    if (std::fabs(U[0]) > size || std::fabs(d[0] * U[1] + d[1] * U[2]) > size * norm(d)) return;  // singular H
    const bool opposes = d[1] * U[1] - d[0] * U[2] <= 0;
    choice.offer(S, Status::slide, t >= 0 && t <= s && opposes);
  }
};

inline Expected<PolygonFriction> PolygonFriction::make(std::span<const Vec<2>> vertices) {
  const int n = static_cast<int>(vertices.size());
  const std::string who = "polygon of friction: ";
  if (n < 3) return Error{who + "needs at least 3 vertices, got " + std::to_string(n)};
  if (n > most_vertices)
    return Error{who + "at most " + std::to_string(most_vertices) + " vertices, got " + std::to_string(n)};
  PolygonFriction law;
  law.n = n;
  Real size = 0;
  for (int k = 0; k < n; ++k) {
    law.v[k] = vertices[k];
    if (!(norm2(vertices[k]) < INFINITY)) return Error{who + "vertex " + std::to_string(k) + " is not finite"};
    size = std::fmax(size, norm(vertices[k]));
  }
  Real turned = 0;
  for (int k = 0; k < n; ++k) {
    const Vec<2> d = law.edge(k), e = law.edge(law.next(k));
    const Real turn = d[0] * e[1] - d[1] * e[0];
    if (!(turn > Real(1e-12) * norm(d) * norm(e)))
      return Error{who + "must be strictly convex and counterclockwise; look at vertex " + std::to_string(law.next(k))};
    turned += std::atan2(turn, dot(d, e));
    if (!(law.above({1, 0, 0}, k) <= Real(1e-14) * size * norm(d)))
      return Error{who + "must contain 0; 0 is beyond the edge that starts at vertex " + std::to_string(k)};
  }
  if (!(turned < 7)) return Error{who + "must be convex, but it winds more than once"};
  return law;
}

static_assert(ContactLaw<PolygonFriction>);

}  // namespace cairn
