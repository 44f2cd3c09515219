// Islands at rest. Where the impulses of the last step hold bodies still, they are the answer, and the velocities are
// zero: nothing is solved and nothing creeps. No clock and no threshold on motion are involved: what moves by more than
// a part of its free velocity that the tolerance bears is solved for; or, where errors are over impulses, by more than
// such a part of what its impulses are as velocities.
//
// In a large island a few bodies may move while all others rest: a pebble that rolls on a heap. They are then solved
// for alone, against the others as if these were fixed; those that do not bear what is changed join them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn {
namespace {

// Errors are those of all together: a body may be this much worse than all are.
constexpr Real worse = 100, worse2 = worse * worse;
constexpr int few = 32;           // of so many bodies one may move: these may take some hundred sweeps
constexpr int one_in = 8;         // of so many bodies one may do worse than so many times as all
constexpr Real most_load = 100;   // times what it takes to stop a body: impulses on it, at a first glance
constexpr int rounds = 4;         // of bodies that join those that move
constexpr long sweeps_worth = 8;  // sweeps over the island that solving for these alone may cost, in a round

// [N m s] of an impulse at the end of an arm.
Vec<1> torque_of(const Vec<2>& arm, const Vec<2>& P) { return {cross(arm, P)}; }
Vec<3> torque_of(const Vec<3>& arm, const Vec<3>& P) { return cross(arm, P); }

}  // namespace

template <int D>
Real Collection<D>::twice_energy(std::size_t b, const Vec<F>& u) const {
  if (round_[b]) return inertia_[b].mass * norm2(linear<D>(u)) + inertia_[b].moment * norm2(spin<D>(u));
  Real sum = 0;
  for (int k = 0; k < F; ++k) sum += model_.bodies[b].A(k) * u[k] * u[k];
  return sum;
}

// [1/kg] Of G A^-1 G^T: traces do not depend on axes.
template <int D>
Real Collection<D>::mean_diagonal(int a) const {
  Real sum = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (pairs_[at(a)][side] < 0) continue;
    const std::size_t b = at(ends_[at(a)][side]);
    const Vec<D>& arm = arm_[at(a)][side];
    const Real arm2 = norm2(arm);
    if (round_[b]) {
      sum += D * inertia_[b].inverse_mass + (D - 1) * arm2 * inertia_[b].inverse_moment;
      continue;
    }
    Vec<D> along{};  // axes of the spins; in the plane none is in it
    if constexpr (D == 3) along = to_body(pose_[b].R, arm);
    for (int k = 0; k < D; ++k) sum += inverse_[b][k];
    for (int k = 0; k < spins<D>; ++k) sum += inverse_[b][D + k] * (arm2 - along[k] * along[k]);
  }
  return sum / D;
}

// Adds an impulse at a contact to what holds its bodies.
template <int D>
void Collection<D>::hold(int a, const Vec<D>& S) {
  const Vec<D> P = frame_[at(a)] * S;
  for (std::size_t side = 0; side < 2; ++side) {
    const int i = pairs_[at(a)][side];
    if (i < 0) continue;
    const Vec<D> on = side == 0 ? P : -P;
    Vec<F>& sum = held_[at(i)];
    (linear<D>(sum) + on).store(sum.v);
    (spin<D>(sum) + torque_of(arm_[at(a)][side], on)).store(sum.v + D);
  }
}

// u_free + A^-1 G^T S, in principal axes.
template <int D>
Vec<Collection<D>::F> Collection<D>::held_velocity(int i) const {
  const std::size_t b = at(member_[at(i)]);
  Vec<F> u = held_[at(i)];
  to_body(pose_[b].R, spin<D>(u)).store(u.v + D);
  for (int k = 0; k < F; ++k) u[k] = u_free_[b][k] + inverse_[b][k] * u[k];  // locked: 0 + 0
  return u;
}

// Of a large island: few; of a small one none.
template <int D>
std::size_t Collection<D>::most_moving(int island) const {
  const bool large = static_cast<int>(sweeps_.contacts(island).size()) > options_.small;
  return large ? sweeps_.bodies(island).size() / few : 0;
}

// What has moved in the last step will not rest in this one: where many have, nothing more need be looked at. A body
// that the same impulses act on keeps its velocity. So none may be fast but a few; and of the others in a large island,
// whose energies add up to no more than the bound allows, at most one in eight has more than eight times its share.
template <int D>
bool Collection<D>::may_rest(int island, Real bound2) const {
  const std::size_t moving = most_moving(island);
  const std::size_t bodies = sweeps_.bodies(island).size();
  std::size_t fast = moving, above = moving > 0 ? moving + bodies / one_in : bodies;  // so many more may be
  if (options_.scale == ErrorScale::impulses) bound2 *= most_load * most_load;
  for (const int i : sweeps_.bodies(island)) {
    const std::size_t b = at(member_[at(i)]);
    const Real v2 = norm2(linear<D>(velocity_[b])), free2 = bound2 * norm2(linear<D>(u_free_[b]));
    if (v2 <= one_in * free2) continue;
    if (above-- == 0 || (!(v2 <= worse2 * free2) && fast-- == 0)) return false;
  }
  return true;
}

// What the impulses as they are hold their bodies with, and what errors of these bodies are relative to.
template <int D>
void Collection<D>::hold_bodies(int island) {
  const bool over_impulses = options_.scale == ErrorScale::impulses;
  for (const int i : sweeps_.bodies(island)) {
    const std::size_t b = at(member_[at(i)]);
    held_[at(i)] = {}, mover_[at(i)] = -1, own_[at(i)] = over_impulses ? 0 : twice_energy(b, u_free_[b]);
  }
  for (const int a : sweeps_.contacts(island)) {
    U_[at(a)] = Vec<D>::load(&problem_.w[at(a) * D]), scale_[at(a)] = mean_diagonal(a);
    const Vec<D> S = impulse(a);
    if (!(norm2(S) > 0)) continue;
    hold(a, S);
    const SweepOrder::Pair& pair = pairs_[at(a)];
    const Real energy = scale_[at(a)] * norm2(S), part = pair[0] < 0 || pair[1] < 0 ? 1 : Real(0.5);
    for (const int i : pair)
      if (i >= 0 && over_impulses) own_[at(i)] += part * energy;
  }
}

// Adds those that move: that are left with more energy than a body may be, and as many of those left with most as it
// takes for the others together. Returns what part of their own energy all others are left with, squared velocities; or
// more than the bound: those that move are not few.
template <int D>
Real Collection<D>::choose_moving(int island, Real bound2) {
  constexpr Real many = std::numeric_limits<Real>::infinity();
  const std::size_t most = most_moving(island);
  const auto move = [&](int i) { mover_[at(i)] = static_cast<int>(moving_.size()), moving_.push_back(i); };
  Real left = 0, all = 0;
  restless_.clear();
  for (const int i : sweeps_.bodies(island)) {
    const Real own = own_[at(i)];
    all += own;
    if (mover_[at(i)] >= 0) continue;
    left_[at(i)] = twice_energy(at(member_[at(i)]), held_velocity(i));
    if (!(left_[at(i)] <= worse2 * bound2 * own)) {
      move(i);
      if (moving_.size() > most) return many;
      continue;
    }
    left += left_[at(i)];
    if (left_[at(i)] > bound2 * own) restless_.push_back(i);
  }
  const auto part = [&] { return left > 0 ? left / all : 0; };
  if (part() <= bound2) return part();
  std::ranges::stable_sort(restless_, std::greater{}, [&](int i) { return left_[at(i)]; });
  for (const int i : restless_) {
    if (part() <= bound2) break;
    left -= left_[at(i)];
    move(i);
    if (moving_.size() > most) return many;
  }
  return part();
}

// Those that move, against the others as if these were fixed. False: not solved.
template <int D>
bool Collection<D>::solve_beside(int island, Real tolerance, CollectionReport& report) {
  beside_.clear(), beside_pair_.clear(), round_here_.clear();
  const auto mover = [&](int i) { return i < 0 ? -1 : mover_[at(i)]; };
  for (const int a : sweeps_.contacts(island)) {
    const SweepOrder::Pair pair{mover(pairs_[at(a)][0]), mover(pairs_[at(a)][1])};
    if (pair[0] >= 0 || pair[1] >= 0) beside_.push_back(a), beside_pair_.push_back(pair);
  }
  for (const int i : moving_) round_here_.push_back(round_[at(member_[at(i)])]);
  BodySweeps<D>& sweeps = beside_sweeps_;
  sweeps.start(static_cast<int>(moving_.size()), beside_pair_, round_here_);
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const std::size_t b = at(member_[at(moving_[k])]);
    sweeps.set_body(static_cast<int>(k), sweep_body(b, u_free_[b]));
  }
  for (std::size_t k = 0; k < beside_.size(); ++k) sweeps.set_contact(static_cast<int>(k), sweep_contact(beside_[k]));
  const long worth = sweeps_worth * static_cast<long>(sweeps_.contacts(island).size() / beside_.size());
  const SweepLimits limits{
      .tolerance = tolerance, .most = std::min(options_.iterations, worth), .scale = options_.scale};
  for (int i = 0; i < sweeps.islands(); ++i) {
    sweeps.prepare(i);
    const SweepResult result = sweeps.run(i, limits);
    report.count(result, sweeps.contacts(i).size());
    if (!result.reached) return false;
    sweeps.finish(i);
  }
  for (std::size_t k = 0; k < beside_.size(); ++k) {
    const int a = beside_[k], number = static_cast<int>(k);
    const Vec<D> S = sweeps.impulse(number);
    hold(a, S - impulse(a));
    S.store(&S_[at(a) * D]);
    U_[at(a)] = sweeps.velocity(number);
  }
  return true;
}

// Of the contacts of an island, as squared velocities relative to those that errors are relative to.
template <int D>
Real Collection<D>::rest_error2(int island) const {
  Real worst = 0, sum = 0, impulses = 0, fastest = 0;
  for (const int a : sweeps_.contacts(island)) {
    const Vec<D> S = scale_[at(a)] * impulse(a);
    const Real natural2 = norm2(natural_map(problem_.law[at(a)].data.coulomb, U_[at(a)], S));
    worst = std::max(worst, natural2), sum += natural2, impulses += norm2(S);
  }
  if (options_.scale == ErrorScale::impulses) return sum > 0 ? sum / impulses : 0;
  for (const int i : sweeps_.bodies(island)) fastest = std::max(fastest, norm2(linear<D>(u_free_[at(member_[at(i)])])));
  return worst > 0 ? worst / fastest : 0;
}

// All bodies but those that move are held still, all together to a tenth of the tolerance and none worse than to ten
// times the tolerance, and so are the laws of all contacts.
template <int D>
bool Collection<D>::rests(int island, CollectionReport& report) {
  const Real least = std::max(Real(1e-12), options_.tolerance / 10), least2 = least * least;
  if (!may_rest(island, least2)) return false;
  const std::size_t n = member_.size();
  held_.resize(n), left_.resize(n), mover_.resize(n), own_.resize(n);
  hold_bodies(island);
  moving_.clear();
  Real left2 = choose_moving(island, least2);
  for (std::size_t round = 0, known = 0; left2 <= least2 && moving_.size() > known; ++round) {
    known = moving_.size();
    if (round == rounds || !solve_beside(island, least, report)) return false;
    left2 = choose_moving(island, least2);
  }
  if (!(left2 <= least2)) return false;
  const Real error2 = rest_error2(island);
  if (!(error2 <= least2)) return false;
  for (const int i : sweeps_.bodies(island)) std::fill_n(&u_[at(i) * F], F, Real(0));
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const int i = moving_[k];
    sweep_velocity(beside_sweeps_, static_cast<int>(k), i).store(&u_[at(i) * F]);
  }
  report.error = std::max(report.error, std::sqrt(std::max(error2, left2)));
  report.at_rest += moving_.empty();
  return true;
}

template bool Collection<2>::rests(int, CollectionReport&);
template bool Collection<3>::rests(int, CollectionReport&);

}  // namespace cairn
