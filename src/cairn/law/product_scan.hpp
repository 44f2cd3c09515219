// Bodies of product_kernel.hpp: the search for the zeros of phi(S_N).
#pragma once

#include "cairn/law/product_kernel.hpp"

namespace cairn {

// One zero of phi between low and high: bisection (geometric, S_N spans decades) until newton() lands in the bracket;
// when rounding spoils that (condition numbers of 1e9 and more), newton() from points all over the bracket.
template <int D>
template <class Offer>
CAIRN_HD void ProductKernel<D>::narrow(const Vec<D>& b, Real low, Real high, bool rising, Real* alpha,
                                       const Offer& offer) const {
  const Real from = low * (1 - Real(1e-6)), to = high * (1 + Real(1e-6)), ratio = std::sqrt(std::sqrt(high / low));
  Point p;
  const auto lands = [&](Modes modes) {
    Point q = p;
    if (!newton(b, q, modes) || !q.valid || !(q.S[0] >= from && q.S[0] <= to)) return false;
    offer(q);
    return true;
  };
  for (int k = 0; k < 50; ++k) {
    const Real s = low * std::sqrt(high / low);
    p = tangential(b, s, alpha);
    if (lands(Modes::hold) || lands(Modes::change)) return;
    if (!(s > low && s < high)) break;
    ((phi(b, p) < 0) == rising ? low : high) = s;
  }
  const Point last = p;
  for (Real s = from; s <= to; s *= ratio) {
    Real none[M] = {};
    p = tangential(b, s, none);
    if (lands(Modes::hold) || lands(Modes::change)) return;
  }
  offer(last);
}

// Where phi turns back towards zero at a sample, the place between its neighbours where it passes zero, if it does: a
// pair of solutions in one cell of the grid.
template <int D>
CAIRN_HD typename ProductKernel<D>::Sample ProductKernel<D>::dip(const Vec<D>& b, Sample low, Sample middle,
                                                                 Sample high, Real* alpha) const {
  for (int k = 0; k < 16; ++k) {
    const bool upper = high.s * low.s > middle.s * middle.s;  // the wider side, in ratio
    const Sample& from = upper ? middle : low;
    const Sample x = sample(b, from.s * std::sqrt((upper ? high : middle).s / from.s), alpha);
    if ((x.phi < 0) != (middle.phi < 0)) return x;
    if (std::fabs(x.phi) < std::fabs(middle.phi)) {
      (upper ? low : high) = middle;
      middle = x;
    } else {
      (upper ? high : low) = x;
    }
  }
  return middle;
}

template <int D>
CAIRN_HD typename ProductKernel<D>::Sample ProductKernel<D>::sample(const Vec<D>& b, Real s, Real* alpha) const {
  const Point p = tangential(b, s, alpha);
  Sample x{s, phi(b, p), 0};
  for (int i = 0; i < M; ++i) x.modes |= p.slides[i] << i;
  return x;
}

// One zero, above s where phi(s) < 0, else below.
template <int D>
template <class Offer>
CAIRN_HD void ProductKernel<D>::scan_unique(const Vec<D>& b, Real s, const Offer& offer) const {
  Real alpha[M] = {};
  const bool up = sample(b, s, alpha).phi < 0;
  for (int k = 0; k < 60; ++k) {
    const Real next = up ? 16 * s : s / 16;
    if ((sample(b, next, alpha).phi < 0) != up) return narrow(b, up ? s : next, up ? next : s, true, alpha, offer);
    s = next;
  }
}

// A geometric grid about s, wide enough: outside it phi keeps the sign of b_N (below) or is positive (above).
template <int D>
CAIRN_HD void ProductKernel<D>::lay_grid(const Vec<D>& b, Real s, Grid& grid, Real* alpha) const {
  Real guess[M];
  grid.first = grid.last = Grid::below;
  grid.at[grid.first] = sample(b, s, alpha);
  for (int i = 0; i < M; ++i) guess[i] = alpha[i];
  for (int k = 0; k < Grid::above && (k < 17 || grid.at[grid.last].phi < 0); ++k, ++grid.last)
    grid.at[grid.last + 1] = sample(b, 4 * grid.at[grid.last].s, guess);
  for (int i = 0; i < M; ++i) guess[i] = alpha[i];
  for (int k = 0; k < Grid::below && (k < 8 || (grid.at[grid.first].phi < 0) != (b[0] < 0)); ++k, --grid.first)
    grid.at[grid.first - 1] = sample(b, grid.at[grid.first].s / 4, guess);
}

// Next to a change of sign, the S_N where a block begins to slide or to stick: phi has a corner there, and turns there.
template <int D>
CAIRN_HD void ProductKernel<D>::split_at_corners(const Vec<D>& b, Grid& grid, Real* alpha) const {
  const auto changes = [&](int k) {
    return k >= grid.first && k < grid.last && (grid.at[k].phi < 0) != (grid.at[k + 1].phi < 0);
  };
  for (int k = grid.last - 1; k >= grid.first; --k) {
    if (grid.at[k].modes == grid.at[k + 1].modes || !(changes(k - 1) || changes(k) || changes(k + 1))) continue;
    Sample low = grid.at[k], high = grid.at[k + 1];
    for (int j = 0; j < 14; ++j) {
      const Sample x = sample(b, low.s * std::sqrt(high.s / low.s), alpha);
      (x.modes == low.modes ? low : high) = x;
    }
    grid.insert(high);
    grid.insert(low);
  }
}

// The zeros of phi that a grid tells apart, and pairs within a cell that its turns betray; others go unseen, so that
// solutions may be undercounted. known: S_N of a solution that sticks (0: none), about which the grid is split.
template <int D>
template <class Offer>
CAIRN_HD void ProductKernel<D>::scan(const Vec<D>& b, Real known, const Offer& offer) const {
  const Real scale = max_abs(inverse.H);
  Real alpha[M] = {}, size = 0;
  for (int j = 0; j < D; ++j) size = std::fmax(size, std::fabs(b[j]));
  if (!(scale > 0) || !(size > 0)) return;
  if (unique) return scan_unique(b, size / scale, offer);
  Grid grid;
  lay_grid(b, size / scale, grid, alpha);
  if (known > 0)
    for (Real s : {known * (1 - Real(1e-3)), known * (1 + Real(1e-3))}) grid.insert(sample(b, s, alpha));
  split_at_corners(b, grid, alpha);
  const auto cross = [&](const Sample& p, const Sample& q) {
    if ((p.phi < 0) != (q.phi < 0)) narrow(b, p.s, q.s, p.phi < 0, alpha, offer);
  };
  for (int k = grid.first; k < grid.last; ++k) {
    cross(grid.at[k], grid.at[k + 1]);
    if (k == grid.first) continue;
    const Sample &p = grid.at[k - 1], &q = grid.at[k], &r = grid.at[k + 1];
    const bool same = (p.phi < 0) == (q.phi < 0) && (r.phi < 0) == (q.phi < 0);
    if (!same || !(std::fabs(q.phi) < std::fabs(p.phi) && std::fabs(q.phi) <= std::fabs(r.phi))) continue;
    const Sample x = dip(b, p, q, r, alpha);
    if ((x.phi < 0) == (q.phi < 0)) continue;
    cross(p, x);
    cross(x, r);
  }
}

}  // namespace cairn
