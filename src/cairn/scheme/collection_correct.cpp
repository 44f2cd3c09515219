// Correction of violations on positions.
#include <algorithm>

#include "cairn/base/body_rows.hpp"
#include "cairn/problem/islands.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/solver/simplest.hpp"

namespace cairn {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

// Moves bodies at q_M to the nearest place, in the kinetic metric, where no violation is deeper than the slop, all
// contacts being linearised there; velocities are left alone (M88 Remark 11.1). Islands apart; of a large one only as
// much as some sweeps do, and the next steps go on: what is left is seen in the certificate.
template <int D>
void Collection<D>::correct(ModelState<D>& s, CollectionReport& report) {
  const Real slop = this->slop();
  for (std::size_t a = 0; a < contacts_and_blocks(); ++a) report.deepest = std::max(report.deepest, -gap(a));
  if (!(report.deepest > slop)) return;
  gather();
  start_sweeps();
  move_.assign(member_.size() * F, 0);
  scaled_ = -1;  // bodies will have moved
  for (int i = 0; i < sweeps_.islands(); ++i) {
    const std::span<const int> contacts = sweeps_.contacts(i);
    if (std::none_of(contacts.begin(), contacts.end(), [&](int a) { return -gap(at(a)) > slop; })) continue;
    if (!correct_by_sweeps(i)) correct_exactly(i);
  }
  for (std::size_t i = 0; i < member_.size(); ++i) {
    const std::size_t b = at(member_[i]);
    const Vec<F> move = Vec<F>::load(&move_[i * F]);
    s.x[b] += linear<D>(move);
    s.r[b].turn(spin<D>(move));
    pose_[b] = s.pose(member_[i]);
    report.correction_work += model_.bodies[b].mass * dot(model_.gravity, linear<D>(move));
  }
}

template <int D>
Real Collection<D>::slop() const {
  const Real least = options_.scale == ErrorScale::impulses ? options_.tolerance : options_.tolerance / 10;
  return std::max(options_.slop, least) * model_.size;
}

// [m] of a contact or of a limit of a joint; none of what is held both ways.
template <int D>
Real Collection<D>::gap(std::size_t a) const {
  if (a < active_.size()) return active_[a].gap;
  const JointBlock<D>& block = blocks_[a - active_.size()];
  return block.law.is_contact() ? block.error[0] : 0;
}
template <int D>
void Collection<D>::set_gap(std::size_t a, Real gap) {
  if (a < active_.size())
    active_[a].gap = gap;
  else if (blocks_[a - active_.size()].law.is_contact())
    blocks_[a - active_.size()].error[0] = gap;
}

// False: there are joints in it, or it is small and sweeps do not get there.
template <int D>
bool Collection<D>::correct_by_sweeps(int island) {
  const std::span<const int> contacts = sweeps_.contacts(island);
  if (std::any_of(contacts.begin(), contacts.end(), [&](int a) { return at(a) >= active_.size(); })) return false;
  const bool small = static_cast<int>(contacts.size()) <= options_.small;
  const Real room = slop() / 2;
  for (const int i : sweeps_.bodies(island)) sweeps_.set_body(i, sweep_body(at(member_[at(i)]), {}));
  Real all2 = 0, pressed2 = 0;
  for (const int a : contacts) {
    SweepContact<D> set = sweep_contact(a);
    set.w = {}, set.w[0] = active_[at(a)].gap + room;
    const Real w2 = set.w[0] * set.w[0];
    all2 += w2, pressed2 += set.w[0] < 0 ? w2 : 0;
    sweeps_.set_contact(a, set);
  }
  sweeps_.prepare(island);
  SweepLimits limits{.tolerance = Real(1e-6), .most = options_.iterations, .patience = 0};
  // Less would push others together. The error of sweeps is over all of w, gaps that are open included.
  if (!small) limits.tolerance = Real(1e-2) * std::sqrt(pressed2 / all2), limits.most = 300;
  if (!sweeps_.run(island, limits).reached && small) return false;
  sweeps_.finish(island);
  for (const int a : contacts) set_gap(at(a), sweeps_.velocity(a)[0] - room);
  for (const int i : sweeps_.bodies(island)) sweep_velocity(i).store(&move_[at(i) * F]);
  return true;
}

template <int D>
void Collection<D>::correct_exactly(int island) {
  const std::span<const int> own = sweeps_.contacts(island);
  const std::vector<int> contacts(own.begin(), own.end());
  const Real room = slop() / 2;
  complete_problem(velocity_);
  std::fill(problem_.u_free.begin(), problem_.u_free.end(), Real(0));
  for (const int a : contacts) restrain(at(a), {}, gap(at(a)) + room);
  std::vector<int> bodies;
  const Problem part = part_of(problem_, contacts, bodies);
  std::vector<Real> S, d;
  if (solve_simplest(part, counted(Real(1e-6), options_.iterations), S, d).error > Real(1e-2))
    return;  // seen in the certificate
  for (std::size_t i = 0; i < contacts.size(); ++i)
    set_gap(at(contacts[i]), part.velocity(static_cast<int>(i), d.data())[0] - room);
  for (std::size_t i = 0; i < bodies.size(); ++i) std::copy_n(&d[i * F], F, &move_[at(bodies[i]) * F]);
}

template void Collection<2>::correct(ModelState<2>&, CollectionReport&);
template void Collection<3>::correct(ModelState<3>&, CollectionReport&);

}  // namespace cairn
