// One contact whose set D1 is a product of discs and intervals: U = H S + b, |S_i| <= mu_i S_N block by block.
//
// newton(): semi-smooth Newton on the modes (each block sticks or slides), with the direction of a sliding block as
// unknown, so that S stays on the cone; quadratic, and its residual reaches rounding. scan(): the guaranteed way, a
// search for the zeros of phi(S_N) = U_N along the tangential solution x(S_N) of the convex problem
//   min 1/2 x.A x + (b_T + S_N H_TN).x   over |x_i| <= mu_i S_N,     A = H_TT,
// whose points start newton().
#pragma once

#include <cmath>
#include <initializer_list>

#include "cairn/law/law.hpp"
#include "cairn/law/linear.hpp"

namespace cairn {

// Where the blocks of a rolling contact lie: 1-2 tangential, 3-4 rolling, 5 drilling; in the plane (D = 3) 1
// tangential, 2 rolling.
template <int D>
struct Blocks {
  static_assert(D == 3 || D == 5 || D == 6);
  static constexpr int count = D == 6 ? 3 : 2;
  CAIRN_HD static constexpr int first(int i) { return D == 3 ? 1 + i : 1 + 2 * i; }
  CAIRN_HD static constexpr int size(int i) { return D == 3 || i == 2 ? 1 : 2; }
  CAIRN_HD static Real norm(const Vec<D>& x, int i) {
    const int o = first(i);
    return size(i) == 1 ? std::fabs(x[o]) : std::sqrt(x[o] * x[o] + x[o + 1] * x[o + 1]);
  }
  CAIRN_HD static Real dot(const Vec<D>& x, const Vec<D>& y, int i) {
    const int o = first(i);
    return size(i) == 1 ? x[o] * y[o] : x[o] * y[o] + x[o + 1] * y[o + 1];
  }
  CAIRN_HD static void scale(Vec<D>& x, int i, Real f) {
    for (int k = 0; k < size(i); ++k) x[first(i) + k] *= f;
  }
};

template <int D>
struct ProductKernel {
  using B = Blocks<D>;
  static constexpr int M = B::count;
  Inverse<D> inverse;
  Real mu[M];
  bool unique;  // one solution whatever b (sufficient condition, see is_unique)

  // A point of the search: block i slides in the direction e_i (the block of e), or sticks with its part of S.
  struct Point {
    Vec<D> S, e;
    bool slides[M];
    bool valid;
    CAIRN_HD bool slides_somewhere() const {
      bool any = false;
      for (bool s : slides) any = any || s;
      return any;
    }
  };

  CAIRN_HD ProductKernel(const Mat<D>& H, const Real* m) : inverse(make_inverse(H)) {
    for (int i = 0; i < M; ++i) mu[i] = m[i];
    unique = !inverse.singular && is_unique();
  }

  // First point: the frictionless normal impulse, every block against its slip.
  CAIRN_HD Point start(const Vec<D>& b) const {
    Point p;
    p.S = Vec<D>::zero();
    p.S[0] = -b[0] / inverse.H(0, 0);
    p.e = -(inverse.H * p.S + b);
    for (int i = 0; i < M; ++i) set_slide(p, i, p.e);
    return p;
  }

  enum class Modes { hold, change };
  CAIRN_HD bool newton(const Vec<D>& b, Point& p, Modes modes) const;
  template <class Offer>
  CAIRN_HD void scan(const Vec<D>& b, Real known, const Offer& offer) const;

 private:
  using T = Vec<D - 1>;

  // Block i slides along the block of d; where d has no direction, any will do.
  CAIRN_HD void set_slide(Point& p, int i, const Vec<D>& d) const {
    const Real length = B::norm(d, i);
    const int o = B::first(i);
    p.slides[i] = true;
    for (int k = 0; k < B::size(i); ++k) {
      p.e[o + k] = length > 0 ? d[o + k] / length : k == 0;
      p.S[o + k] = mu[i] * p.S[0] * p.e[o + k];
    }
  }

  CAIRN_HD bool is_unique() const;
  CAIRN_HD bool step(const Vec<D>& U, Point& p, bool hold_normal) const;
  CAIRN_HD void polish(const Vec<D>& b, Point& p) const;
  CAIRN_HD bool change_modes(const Vec<D>& b, Point& p) const;
  CAIRN_HD Real defect(const Vec<D>& b, const Vec<D>& U, const Point& p, bool all_rows) const;
  // State of the search for x(s).
  struct Dual {
    Real alpha[M], excess[M];  // multipliers; |x_i| / (mu_i s) - 1
    bool active[M];
    Vec<D> x;  // (s, x)
    Mat<D - 1> K_inv;
    Real value, worst;
    int worst_block;
  };
  CAIRN_HD bool invert_tangential(const Real* alpha, Mat<D - 1>& K, Mat<D - 1>& K_inv) const;
  CAIRN_HD bool multiplier_step(const Dual& now, Real* move) const;
  CAIRN_HD bool evaluate(const Vec<D>& g, Dual& d) const;
  CAIRN_HD void ascend(const Vec<D>& g, Dual& now) const;
  CAIRN_HD Point tangential(const Vec<D>& b, Real s, Real* alpha) const;
  CAIRN_HD Real phi(const Vec<D>& b, const Point& p) const {
    Real u = b[0];
    for (int j = 0; j < D; ++j) u += inverse.H(0, j) * p.S[j];
    return u;
  }
  struct Sample {
    Real s, phi;
    int modes;  // bit i: block i slides
  };
  struct Grid {  // samples with increasing s, from first to last
    static constexpr int below = 40, above = 60, room = 24;
    Sample at[below + above + room + 1];
    int first, last;
    CAIRN_HD void insert(const Sample& x) {
      if (!(x.s > at[first].s && x.s < at[last].s) || last + 1 >= below + above + room) return;
      int k = ++last;
      for (; at[k - 1].s > x.s; --k) at[k] = at[k - 1];
      at[k] = x;
    }
  };
  CAIRN_HD Sample sample(const Vec<D>& b, Real s, Real* alpha) const;
  CAIRN_HD void lay_grid(const Vec<D>& b, Real s, Grid& grid, Real* alpha) const;
  CAIRN_HD void split_at_corners(const Vec<D>& b, Grid& grid, Real* alpha) const;
  CAIRN_HD Sample dip(const Vec<D>& b, Sample low, Sample middle, Sample high, Real* alpha) const;
  template <class Offer>
  CAIRN_HD void scan_unique(const Vec<D>& b, Real s, const Offer& offer) const;
  template <class Offer>
  CAIRN_HD void narrow(const Vec<D>& b, Real low, Real high, bool rising, Real* alpha, const Offer& offer) const;
};

}  // namespace cairn

#include "cairn/law/product_modes.hpp"
#include "cairn/law/product_scan.hpp"
#include "cairn/law/product_tangential.hpp"
