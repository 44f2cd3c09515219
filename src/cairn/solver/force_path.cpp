#include "cairn/solver/force_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/at.hpp"
#include "cairn/base/threads.hpp"

namespace cairn {
namespace {

constexpr int most_path_steps = 80;
constexpr Real first_size = Real(0.1);          // [-] impulses to start with, of the largest in the solution given
constexpr Real centred = Real(0.1);             // [-] of x . z in each cone from its target: near enough to start from
constexpr Real balanced = Real(1e-11);          // [-] b - A x of a centre
constexpr Real enough_gap = Real(1e-11);        // [-] between bounds: goes on no further
constexpr Real accepted_gap = Real(5e-9);       // [-] between bounds: counts as an answer
constexpr Real balance_rounding = Real(1e-13);  // [-] of equilibrium
constexpr int path_refinements = 3;
constexpr Real pivot = Real(1e-15);    // [-] of the diagonal: less is rounding
constexpr Real near_end = Real(1e-6);  // [-] between bounds: from here on rounding may win
constexpr Real shortest = Real(1e-6);  // [-] of steps that get somewhere

constexpr int functions_of_a_copy = 4;  // functions of one copy of the path

Real largest(const std::vector<Real>& v) {
  Real most = 0;
  for (const Real e : v) most = std::max(most, std::fabs(e));
  return most;
}

Real inner(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

ForcePath::ForcePath(const ForceCones& set)
    : set_(set),
      N_(set.pattern()),
      no_slack_(at(set.columns())),
      right_(no_slack_),
      t_(no_slack_),
      dx_(no_slack_),
      dy_(at(set.rows())),
      dz_(no_slack_),
      ratio_(at(set.rays())) {}

// x and z with A x = b, A^T y + z = 0, x o z = 1, by Newton's method from outside of F.
bool ForcePath::find_centre() {
  at_.x.ray.assign(at(set_.rays()), first_size);
  at_.x.cone.assign(at(set_.cones()), ConeElement<3>::identity(first_size));
  at_.z = at_.x;
  at_.z.scale(1 / (first_size * first_size));
  at_.y.assign(at(set_.rows()), 0);
  const std::vector<Real> c(at(set_.columns()), 0);
  for (int k = 0; k < most_path_steps; ++k) {
    measure(c);
    Real off = 0;  // of x . z
    for (std::size_t j = 0; j < at_.x.ray.size(); ++j) off = std::max(off, std::fabs(at_.x.ray[j] * at_.z.ray[j] - 1));
    for (std::size_t a = 0; a < at_.x.cone.size(); ++a)
      off = std::max(off, std::fabs(dot(at_.x.cone[a], at_.z.cone[a]) - 1));
    if (off < centred && largest(no_force_) < balanced && largest(no_slack_) < balanced * largest(t_)) {  // t: z
      centre_ = at_;
      return true;
    }
    if (!factorise()) return false;
    aim(1);
    direction();
    refine(balance_rounding);
    const Real primal = Real(0.9) * at_.x.reach(dx_), dual = Real(0.9) * at_.z.reach(dz_);
    if (!(std::min(primal, dual) > shortest)) return false;
    move(std::min(primal, Real(1)), std::min(dual, Real(1)));
  }
  return false;
}

// On the central path of c = 0, z of the centre times any number is in K as well, and plus c where the number is large:
// a point of both sets.
void ForcePath::start(const std::vector<Real>& c) {
  at_ = centre_;
  std::vector<Real> x;
  at_.x.values(x);
  const Real size = std::max(2 / at_.z.reach(c), std::fabs(inner(c, x)));
  at_.z.scale(size);
  at_.z.move(1, c);
  for (Real& y : at_.y) y *= size;
}

void ForcePath::measure(const std::vector<Real>& c) {
  at_.x.values(point_);
  no_force_ = set_.b();
  set_.subtract_product(point_, no_force_);
  set_.transposed_product(at_.y, no_slack_);
  at_.z.values(t_);
  for (std::size_t j = 0; j < c.size(); ++j) no_slack_[j] = c[j] - no_slack_[j] - t_[j];
}

bool ForcePath::factorise() {
  for (std::size_t j = 0; j < ratio_.size(); ++j) ratio_[j] = at_.x.ray[j] / at_.z.ray[j];
  scaling_.clear();
  for (std::size_t a = 0; a < at_.x.cone.size(); ++a) scaling_.emplace_back(at_.x.cone[a], at_.z.cone[a]);
  set_.assemble(ratio_, scaling_, N_);
  ++steps_;
  return N_.factorise(pivot);
}

// right = target x^-1 - z
void ForcePath::aim(Real target) {
  for (std::size_t j = 0; j < at_.x.ray.size(); ++j) right_[j] = target / at_.x.ray[j] - at_.z.ray[j];
  for (std::size_t a = 0; a < at_.x.cone.size(); ++a)
    (target * at_.x.cone[a].inverse() - at_.z.cone[a].x).store(&right_[at_.x.ray.size() + 3 * a]);
}

void ForcePath::times_square(std::vector<Real>& v) const {
  const std::size_t rays = ratio_.size();
  for (std::size_t j = 0; j < rays; ++j) v[j] *= ratio_[j];
  for (std::size_t a = 0; a < scaling_.size(); ++a) {
    Real* own = &v[rays + 3 * a];
    scaling_[a].times(scaling_[a].times(Vec<3>::load(own))).store(own);
  }
}

// F^-2 dx + dz = right,  A dx = b - A x,  A^T dy + dz = r:  A F^2 A^T dy = b - A x - A F^2 (right - r).
void ForcePath::direction() {
  for (std::size_t j = 0; j < t_.size(); ++j) t_[j] = right_[j] - no_slack_[j];
  times_square(t_);
  dy_ = no_force_;
  set_.subtract_product(t_, dy_);
  N_.solve(dy_.data(), dy_.data());
  set_.transposed_product(dy_, dz_);
  for (std::size_t j = 0; j < t_.size(); ++j) dz_[j] = no_slack_[j] - dz_[j], dx_[j] = right_[j] - dz_[j];
  times_square(dx_);
}

// F^2 carries the rounding of dz into A dx: taken off by F^2 A^T times what it takes.
void ForcePath::refine(Real exact) {
  for (int round = 0; round < path_refinements; ++round) {
    rest_ = no_force_;
    set_.subtract_product(dx_, rest_);
    if (largest(rest_) < exact) break;
    N_.solve(rest_.data(), rest_.data());
    set_.transposed_product(rest_, t_);
    for (std::size_t i = 0; i < dy_.size(); ++i) dy_[i] += rest_[i];
    for (std::size_t j = 0; j < t_.size(); ++j) dz_[j] -= t_[j];
    times_square(t_);
    for (std::size_t j = 0; j < t_.size(); ++j) dx_[j] += t_[j];
  }
}

void ForcePath::move(Real primal, Real dual) {
  at_.x.move(primal, dx_), at_.z.move(dual, dz_);
  for (std::size_t i = 0; i < dy_.size(); ++i) at_.y[i] += dual * dy_[i];
}

// Mehrotra's step: one that aims at x o z = 0 tells how far it would get, and the second order that it leaves out.
bool ForcePath::step(Real gap) {
  aim(0);
  direction();
  const Real primal = std::min(Real(1), at_.x.reach(dx_)), dual = std::min(Real(1), at_.z.reach(dz_));
  at_.z.values(t_);
  const Real ahead =  // (x + primal dx) . (z + dual dz)
      gap + primal * inner(dx_, t_) + dual * inner(dz_, point_) + primal * dual * inner(dx_, dz_);
  const Real part = std::clamp(ahead / gap, Real(1e-5), Real(1)), centering = part * part * part;
  const std::size_t rays = ratio_.size();
  for (std::size_t j = 0; j < rays; ++j) t_[j] = -dx_[j] * dz_[j] / at_.x.ray[j];
  for (std::size_t a = 0; a < scaling_.size(); ++a) {
    const std::size_t i = rays + 3 * a;
    scaling_[a].second_order(Vec<3>::load(&dx_[i]), Vec<3>::load(&dz_[i])).store(&t_[i]);
  }
  aim(centering * gap / at_.x.degree());
  for (std::size_t j = 0; j < t_.size(); ++j) right_[j] += t_[j];
  direction();
  refine(std::max(balance_rounding, Real(1e-8) * gap));
  const Real most = scaling_.empty() ? 1 - Real(1e-7) : Real(0.999);  // of the way to the boundary
  const Real near = std::clamp(1 - centering / 10, Real(0.95), most);
  const Real along = near * at_.x.reach(dx_), over = near * at_.z.reach(dz_);
  if (!(std::min(along, over) > shortest)) return false;
  move(std::min(along, Real(1)), std::min(over, Real(1)));
  return true;
}

ForcePath::Extreme ForcePath::minimise(const std::vector<ForceTerm>& terms) {
  const std::vector<Real> c = set_.weights(terms);
  const long before = steps_;
  start(c);
  Iterate best;
  Real least = std::numeric_limits<Real>::infinity();
  for (int k = 0; k < most_path_steps; ++k) {
    measure(c);
    const Real gap = dot(at_.x, at_.z), off = distance(c);
    if (least < near_end && off > 10 * least) break;  // rounding is all that is left
    if (off < least) {
      least = off;
      if (off < near_end) best = at_;
    }
    if (off < enough_gap || !factorise() || !step(gap)) break;
  }
  if (least < near_end) at_ = best;
  measure(c);
  Extreme found = judge(c);
  found.steps = steps_ - before;
  return found;
}

// Between c . x and b . y, and what b - A x may hide of it.
Real ForcePath::distance(const std::vector<Real>& c) const {
  Real sum = std::fabs(inner(c, point_) - inner(set_.b(), at_.y));
  for (std::size_t i = 0; i < at_.y.size(); ++i) sum += std::fabs(at_.y[i] * no_force_[i]);
  return sum;
}

// b . y is a bound whatever x is, but for z outside K; x misses A x = b by rounding alone.
ForcePath::Extreme ForcePath::judge(const std::vector<Real>& c) const {
  Extreme e;
  std::vector<Real> z(c.size());
  set_.transposed_product(at_.y, z);
  for (std::size_t j = 0; j < c.size(); ++j) z[j] = c[j] - z[j];
  Real left = 0;
  for (int n = 0; n < set_.rays() + set_.cones(); ++n) {
    const std::size_t rays = ratio_.size(), place = at(n) < rays ? at(n) : rays + 3 * (at(n) - rays);
    const Real least = at(n) < rays ? z[place] : z[place] - std::hypot(z[place + 1], z[place + 2]);
    if (least < 0) e.left.emplace_back(set_.member(n), -least), left += -least;
  }
  e.value = inner(c, point_), e.gap = distance(c);
  e.found = e.gap + left < accepted_gap;
  return e;
}

std::vector<ForcePath::Extreme> minimise_each(const ForcePath& path, const std::vector<ForceTerm>& functions) {
  std::vector<ForcePath::Extreme> found(functions.size());
  share_range(static_cast<int>(functions.size()), functions_of_a_copy, [&](int first, int last) {
    ForcePath own(path);
    for (int k = first; k < last; ++k) found[at(k)] = own.minimise({functions[at(k)]});
  });
  return found;
}

}  // namespace cairn
