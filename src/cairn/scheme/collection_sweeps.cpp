// Islands of contacts with Coulomb friction alone: most of what a scene is made of.
#include <algorithm>
#include <cmath>

#include "cairn/base/ask_for.hpp"
#include "cairn/base/at.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/scheme/pieces.hpp"

namespace cairn {
namespace {

constexpr int listed_ahead = 12;

// f for each of the list, `ask` being called of it some before.
template <class Ask, class Do>
void share_list(std::span<const int> list, int grain, Ask&& ask, Do&& f) {
  share_range(static_cast<int>(list.size()), grain, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      if (k + listed_ahead < last) ask(list[at(k + listed_ahead)]);
      f(list[at(k)]);
    }
  });
}

// [1/(kg m^2)] in the world's axes.
Mat<1> world_inverse(const Body<2>& body, const Rotation<2>&) {
  return {{body.locked[2] != 0 ? 0 : 1 / body.inertia[0]}};
}
Mat<3> world_inverse(const Body<3>& body, const Rotation<3>& rotation) {
  const Mat<3> R = rotation.matrix();
  Mat<3> J{};
  for (int k = 0; k < 3; ++k) {
    if (body.locked[3 + k] != 0) continue;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) J(i, j) += R(i, k) * R(j, k) / body.inertia[k];
  }
  return J;
}

}  // namespace

// Coulomb's law alone.
template <int D>
bool Collection<D>::plain(int a) const {
  return a < static_cast<int>(active_.size()) && problem_.law[at(a)].kind == LawKind::coulomb && !resists_rolling(a);
}

template <int D>
void Collection<D>::plan_sweeps() {
  round_here_.resize(member_.size());
  for (std::size_t i = 0; i < member_.size(); ++i) round_here_[i] = round_[at(member_[i])];
  sweeps_.plan(static_cast<int>(member_.size()), pairs_, round_here_);
}

// With a free velocity u.
template <int D>
SweepBody<D> Collection<D>::sweep_body(std::size_t b, const Vec<F>& u) const {
  SweepBody<D> set;
  if (round_[b]) {
    for (int k = 0; k < D; ++k) set.inverse_mass[k] = inertia_[b].inverse_mass;
    for (int k = 0; k < spins<D>; ++k) set.inverse_inertia(k, k) = inertia_[b].inverse_moment;
  } else {
    for (int k = 0; k < D; ++k) set.inverse_mass[k] = inverse_[b][k];
    set.inverse_inertia = world_inverse(model_.bodies[b], pose_[b].R);
  }
  set.v = linear<D>(u), set.w = to_world(pose_[b].R, spin<D>(u));
  return set;
}

// Of one that has Coulomb's law alone.
template <int D>
SweepContact<D> Collection<D>::sweep_contact(int a) const {
  SweepContact<D> set;
  set.frame = frame_[at(a)];
  for (int side = 0; side < 2; ++side) set.arm[side] = arm_[at(a)][at(side)];
  set.w = Vec<D>::load(&problem_.w[at(a) * D]), set.S = impulse(a);
  const auto& law = problem_.law[at(a)].data.coulomb;
  if constexpr (D == 2)
    set.mu = law.mu_plus, set.mu_minus = law.mu_minus;
  else
    set.mu = law.mu;
  return set;
}

// Of body i of the problem, which is the given one of the sweeps; its spin in principal axes.
template <int D>
Vec<Collection<D>::F> Collection<D>::sweep_velocity(const BodySweeps<D>& sweeps, int number, int i) const {
  Vec<F> u;
  sweeps.linear_velocity(number).store(u.v);
  to_body(pose_[at(member_[at(i)])].R, sweeps.spin_velocity(number)).store(u.v + D);
  return u;
}

template <int D>
template <class Do>
void Collection<D>::share_contacts(int island, Do&& f) {
  const auto ask = [&](int a) { sweeps_.ask_for(a); };
  share_list(sweeps_.contacts(island), contacts_of_a_piece, ask, f);
}

template <int D>
template <class Do>
void Collection<D>::share_bodies(int island, Do&& f) {
  const auto ask = [&](int i) { ask_for(pose_[at(member_[at(i)])]), ask_for(u_free_[at(member_[at(i)])]); };
  share_list(sweeps_.bodies(island), bodies_of_a_piece, ask, f);
}

template <int D>
void Collection<D>::set_island(int island) {
  share_bodies(island, [&](int i) {
    const std::size_t b = at(member_[at(i)]);
    sweeps_.set_body(i, sweep_body(b, u_free_[b]));
  });
  share_contacts(island, [&](int a) { sweeps_.set_contact(a, sweep_contact(a)); });
}

// By sweeps. A small island that they do not solve goes by any other method; a large one by those that factorise, where
// that is cheap, and by more sweeps.
template <int D>
void Collection<D>::sweep_island(int island, CollectionReport& report) {
  if (rests(island, report)) return;
  set_island(island);
  sweeps_.prepare(island);
  const std::span<const int> list = sweeps_.contacts(island);
  const int contacts = static_cast<int>(list.size());
  const bool large = contacts > options_.small, grains = large && sweeps_.round(island), structure = large && !grains;
  // Errors of a step are the work of the next. A structure that is solved closely moves as one and needs few sweeps;
  // one that trembles, as above this error, needs many at every step. So more is sought of it than is asked for, and
  // above this error it is factorised soon where sweeps are slow: what comes of it is calm for long.
  constexpr Real calm = Real(1e-5);
  const bool trembles = structure && options_.required > calm;
  SolverOptions o = counted(options_.tolerance, options_.iterations);
  o.swept = large, o.enough = large ? options_.required : 0;
  if (trembles) o.enough = std::min(o.enough, 5 * calm);
  if (structure) o.tolerance = std::min(o.tolerance, std::max(o.enough / (trembles ? 25 : 100), calm / 100));
  const bool warm = std::any_of(list.begin(), list.end(), [&](int a) { return norm2(impulse(a)) > 0; });
  o.warm_start = warm;
  SweepLimits limits{
      .tolerance = o.tolerance, .enough = o.enough, .most = options_.iterations, .scale = options_.scale};
  if (!large) limits.tolerance *= Real(1e-4), limits.enough = o.tolerance;  // it costs next to nothing
  if (trembles) limits.patience = 30, limits.single = false;                // what it leaves is enough to tremble
  if (grains) limits.patience = limits.most, limits.steady = true;          // no factors worth their price
  if (grains && !again_) limits.least = 8;                                  // they come to rest
  Outcome best{false, std::numeric_limits<Real>::infinity(), Method::gauss_seidel};
  // Of the answers that a small structure has, sweeps from nothing would find one that leans to the first contacts.
  const bool fresh = !large && !warm && !sweeps_.round(island);
  if (!fresh) best = swept(island, limits, report);
  if (!best.reached && !grains) best = solve_island(island, o, report);
  if (large && best.error > options_.required) {
    set_island(island);
    sweeps_.prepare(island);
    limits = {.tolerance = options_.required, .most = 4 * options_.iterations, .patience = 0, .scale = options_.scale};
    best = swept(island, limits, report);
  }
  // In the plane factors are cheap for grains too.
  if (best.error > options_.required && contacts <= (structure || D == 2 ? 40 : 10) * options_.small) {
    o = counted(options_.required, 20 * options_.iterations);
    o.warm_start = true;
    best = solve_island(island, o, report);
  }
  if (best.error >= report.error) report.error = best.error, report.method = best.method;
}

template <int D>
typename Collection<D>::Outcome Collection<D>::swept(int island, const SweepLimits& limits, CollectionReport& report) {
  const SweepResult result = sweeps_.run(island, limits);
  report.count(result, sweeps_.contacts(island).size());
  take_island(island);
  return {result.reached, result.error, Method::gauss_seidel};
}

template <int D>
void Collection<D>::take_island(int island) {
  sweeps_.finish(island);
  share_contacts(island, [&](int a) {
    sweeps_.impulse(a).store(&S_[at(a) * D]);
    U_[at(a)] = sweeps_.velocity(a), scale_[at(a)] = sweeps_.scale(a);
  });
  share_bodies(island, [&](int i) { sweep_velocity(sweeps_, i, i).store(&u_[at(i) * F]); });
}

template bool Collection<2>::plain(int) const;
template void Collection<2>::plan_sweeps();
template SweepBody<2> Collection<2>::sweep_body(std::size_t, const Vec<3>&) const;
template SweepContact<2> Collection<2>::sweep_contact(int) const;
template Vec<3> Collection<2>::sweep_velocity(const BodySweeps<2>&, int, int) const;
template void Collection<2>::sweep_island(int, CollectionReport&);
template bool Collection<3>::plain(int) const;
template void Collection<3>::plan_sweeps();
template SweepBody<3> Collection<3>::sweep_body(std::size_t, const Vec<6>&) const;
template SweepContact<3> Collection<3>::sweep_contact(int) const;
template Vec<6> Collection<3>::sweep_velocity(const BodySweeps<3>&, int, int) const;
template void Collection<3>::sweep_island(int, CollectionReport&);

}  // namespace cairn
