// Depth of the origin in a convex set known by its support function (the expanding polytope): a polytope within the
// set, pushed out where its boundary is nearest to the origin until the set has nothing further there.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "cairn/detection/polish.hpp"

namespace cairn {

// The least depth of a facet of the polytope is never above that of the set, and the support along its normal never
// below.
template <int D>
class Polytope {
 public:
  template <class Set>
  ConvexContact<D> expand(const Set& set, const Vec<D>& start, Real size, Real accuracy) {
    begin(set, start);
    ConvexContact<D> best;
    Real least = std::numeric_limits<Real>::infinity();  // support found so far
    Vec<D> known{};                                      // where Newton's method led
    for (;;) {
      Facet& f = facets_[nearest_facet()];
      if (f.depth >= least - accuracy) return best;
      DifferencePoint<D> w = set.support(f.normal);
      const Real support = dot(w.w, f.normal), error = support - f.depth;
      if (support < least) least = support, best = contact(f, support);
      if (!(error > accuracy)) return best;
      const bool full = vertices_ == most_vertices;  // as good as it gets, where all directions are nearly equal
      Vec<D> n = full ? -best.normal : f.normal;
      if (full) w = set.support(n);
      if (!full && error <= near * size && norm(n - known) < same) {
        f.depth = std::numeric_limits<Real>::infinity();
      } else if ((full || error <= near * size) && polish<D>(set, size, n, w)) {
        known = n;
        f.depth = std::numeric_limits<Real>::infinity();  // nothing better below this facet
        if (const Real polished = dot(w.w, n); polished < least) {
          least = polished;
          best = {w.on_a, w.on_b, -n, -polished};
        }
        if (full) return best;
      } else if (full || !push_out(w)) {
        return best;
      }
    }
  }

 private:
  static constexpr Real near = 1e-4;   // relative to the size: close enough to try Newton's method
  static constexpr Real same = 0.005;  // [rad] facets this near to a polished direction lead to it too
  static constexpr int most_vertices = D == 2 ? 256 : 384;
  static constexpr int most_facets = 4 * most_vertices;

  struct Facet {
    int corner[D];
    Vec<D> normal;  // unit, outward
    Real depth;     // [m] of the origin behind it
  };
  struct Ridge {
    int corner[D];  // D - 1 of them
  };

  DifferencePoint<D> vertex_[most_vertices];
  Facet facets_[most_facets];
  Ridge ridges_[D * most_facets];
  int vertices_ = 0, count_ = 0;
  Vec<D> inside_{};

  const Vec<D>& at(int i) const { return vertex_[i].w; }

  static Vec<D> across(const Vec<D> (&edges)[D]) {  // perpendicular to the first D - 1
    if constexpr (D == 2)
      return {edges[0][1], -edges[0][0]};
    else
      return cross(edges[0], edges[1]);
  }

  void add_facet(const int (&corner)[D]) {
    Facet& f = facets_[count_++];
    Vec<D> edges[D]{};
    for (int i = 0; i < D; ++i) f.corner[i] = corner[i];
    for (int i = 1; i < D; ++i) edges[i - 1] = at(corner[i]) - at(corner[0]);
    const Vec<D> n = across(edges);
    const Real length = norm(n);
    f.normal = length > 0 ? (1 / length) * n : Vec<D>{};
    f.depth = dot(at(corner[0]), f.normal);
    if (f.depth < dot(inside_, f.normal)) f.normal *= -1, f.depth *= -1;
    if (!(length > 0)) f.depth = std::numeric_limits<Real>::infinity();  // a sliver: never the nearest
  }

  // A simplex as large as the supports along a few directions make it.
  template <class Set>
  void begin(const Set& set, const Vec<D>& start) {
    vertices_ = count_ = 0;
    vertex_[vertices_++] = set.support(start);
    Vec<D> edges[D]{};
    for (int k = 0; k < D; ++k) {
      const Vec<D> d = k == 0 ? -start : k == D - 1 ? across(edges) : aside(edges[0]);
      const DifferencePoint<D> up = set.support(d), down = set.support(-d);
      const Real rise = dot(up.w - at(0), d), fall = dot(at(0) - down.w, d);
      vertex_[vertices_++] = rise >= fall ? up : down;
      edges[k] = at(k + 1) - at(0);
    }
    inside_ = {};
    for (int i = 0; i <= D; ++i) inside_ += Real(1) / (D + 1) * at(i);
    for (int skip = 0; skip <= D; ++skip) {
      int corner[D], n = 0;
      for (int i = 0; i <= D; ++i)
        if (i != skip) corner[n++] = i;
      add_facet(corner);
    }
  }

  static Vec<D> aside(const Vec<D>& u) {  // some direction perpendicular to u
    int least = 0;
    for (int i = 1; i < D; ++i)
      if (std::fabs(u[i]) < std::fabs(u[least])) least = i;
    Vec<D> e{};
    e[least] = 1;
    return e - (dot(e, u) / norm2(u)) * u;
  }

  int nearest_facet() const {
    int best = 0;
    for (int i = 1; i < count_; ++i)
      if (facets_[i].depth < facets_[best].depth) best = i;
    return best;
  }

  bool sees(const DifferencePoint<D>& w, const Facet& f) const { return dot(w.w - at(f.corner[0]), f.normal) > 0; }

  // Replaces the facets that the new vertex sees; false if it sees none.
  bool push_out(const DifferencePoint<D>& w) {
    int ridges = 0, seen = 0, kept = 0;
    for (int i = 0; i < count_; ++i) {
      if (!sees(w, facets_[i])) continue;
      ++seen;
      for (int skip = 0; skip < D; ++skip) toggle(facets_[i], skip, ridges);
    }
    if (seen == 0 || count_ - seen + ridges > most_facets) return false;
    for (int i = 0; i < count_; ++i)
      if (!sees(w, facets_[i])) facets_[kept++] = facets_[i];
    count_ = kept;
    const int added = vertices_++;
    vertex_[added] = w;
    for (int i = 0; i < ridges; ++i) {
      int corner[D];
      for (int k = 0; k < D - 1; ++k) corner[k] = ridges_[i].corner[k];
      corner[D - 1] = added;
      add_facet(corner);
    }
    return true;
  }

  // A ridge between two facets that go is inside; one that comes once is on the rim.
  void toggle(const Facet& f, int skip, int& ridges) {
    Ridge r{};
    int n = 0;
    for (int i = 0; i < D; ++i)
      if (i != skip) r.corner[n++] = f.corner[i];
    if (D == 3 && r.corner[0] > r.corner[1]) std::swap(r.corner[0], r.corner[1]);
    for (int i = 0; i < ridges; ++i)
      if (ridges_[i].corner[0] == r.corner[0] && (D == 2 || ridges_[i].corner[1] == r.corner[1])) {
        ridges_[i] = ridges_[--ridges];
        return;
      }
    ridges_[ridges++] = r;
  }

  // To the foot of the perpendicular from the origin on the facet.
  ConvexContact<D> contact(const Facet& f, Real depth) const {
    const Vec<D> foot = f.depth * f.normal, origin = at(f.corner[0]);
    Mat<D - 1, D - 1> gram;
    Mat<D - 1, 1> weight;
    for (int i = 1; i < D; ++i) {
      const Vec<D> e = at(f.corner[i]) - origin;
      for (int j = 1; j < D; ++j) gram(i - 1, j - 1) = dot(e, at(f.corner[j]) - origin);
      weight(i - 1, 0) = dot(e, foot - origin);
    }
    if (!solve_in_place(gram, weight)) weight = {};
    ConvexContact<D> c{vertex_[f.corner[0]].on_a, vertex_[f.corner[0]].on_b, -f.normal, -depth};
    for (int i = 1; i < D; ++i) {
      const DifferencePoint<D>&p = vertex_[f.corner[i]], &q = vertex_[f.corner[0]];
      c.on_a += weight(i - 1, 0) * (p.on_a - q.on_a);
      c.on_b += weight(i - 1, 0) * (p.on_b - q.on_b);
    }
    return c;
  }
};

}  // namespace cairn
