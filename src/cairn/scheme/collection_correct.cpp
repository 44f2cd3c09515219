// Correction of violations on positions.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "cairn/base/ask_for.hpp"
#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/scheme/contact_frame.hpp"
#include "cairn/scheme/pieces.hpp"
#include "cairn/solver/simplest.hpp"

namespace cairn {
namespace {
constexpr int pressed_ahead = 6;  // contacts asked for
constexpr Real furthest = 0.25;   // of the model's size: contacts that are linearised know nothing of moves beyond
}  // namespace

// Moves bodies at q_M to the nearest place, in the kinetic metric, where no violation is deeper than the slop, all
// contacts being linearised there; velocities are left alone (M88 Remark 11.1). Only the contacts that press are looked
// at: those that are deeper than they should be, and those that the moves of the others would make so. Islands of them
// apart; of a large one only as much as some sweeps do, and the next steps go on: what is left is seen in the
// certificate.
template <int D>
void Collection<D>::correct(ModelState<D>& s, CollectionReport& report) {
  const Real slop = this->slop();
  const int all = static_cast<int>(contacts_and_blocks());
  presses_.resize(at(all)), deepest_.assign(at((all + contacts_of_a_piece - 1) / contacts_of_a_piece), 0);
  share_range(all, contacts_of_a_piece, [&](int first, int last) {
    Real deepest = 0;
    for (int a = first; a < last; ++a) {
      const Real depth = -gap(at(a));
      deepest = std::max(deepest, depth);
      presses_[at(a)] = depth > slop / 2;
    }
    deepest_[at(first / contacts_of_a_piece)] = deepest;
  });
  for (const Real deepest : deepest_) report.deepest = std::max(report.deepest, deepest);
  if (!(report.deepest > slop)) return;
  move_.resize(s.x.size()), pressed_.resize(s.x.size());
  for (int round = 0;; ++round) {
    const auto pressing = std::count(presses_.begin(), presses_.end(), true);
    const bool whole = !blocks_.empty() || round == 20 || 4 * pressing > all;
    if (whole) presses_.assign(at(all), true);
    press();
    if (whole || !presses_more()) break;
  }
  for (const int b : pressed_body_) {
    const Vec<F>& move = move_[at(b)];
    s.x[at(b)] += linear<D>(move);
    s.r[at(b)].turn(spin<D>(move));
    report.correction_work += model_.bodies[at(b)].mass * dot(model_.gravity, linear<D>(move));
  }
  share_pressed([&](std::size_t a) {
    Contact<D>& c = active_[a];
    c.gap += dot(c.normal, relative_velocity(c, move_));
  });
  for (JointBlock<D>& b : blocks_)
    if (b.law.is_contact()) b.error[0] += b.velocity(move_)[0];
  for (const int b : pressed_body_) set_pose(b, s);
}

// The moves of the bodies whose contacts press.
template <int D>
void Collection<D>::press() {
  for (const int b : pressed_body_) move_[at(b)] = {}, pressed_[at(b)] = false;
  pressing_.clear(), pressing_pair_.clear(), pressed_body_.clear(), round_here_.clear();
  number_.assign(model_.bodies.size(), -1);
  const auto number = [&](int b) {
    if (b < 0 || !free_[at(b)]) return -1;
    if (number_[at(b)] < 0) {
      number_[at(b)] = static_cast<int>(pressed_body_.size());
      pressed_body_.push_back(b), round_here_.push_back(round_[at(b)]), pressed_[at(b)] = true;
    }
    return number_[at(b)];
  };
  for (std::size_t a = 0; a < presses_.size(); ++a) {
    if (!presses_[a]) continue;
    const int* body = a < active_.size() ? ends_[a].data() : blocks_[a - active_.size()].body;
    pressing_.push_back(static_cast<int>(a));
    const int first = number(body[0]), second = number(body[1]);
    pressing_pair_.push_back({first, second});
  }
  presser_.start(static_cast<int>(pressed_body_.size()), pressing_pair_, round_here_);
  for (int i = 0; i < presser_.islands(); ++i) {
    const std::span<const int> own = presser_.contacts(i);
    if (std::none_of(own.begin(), own.end(), [&](int k) { return -gap(at(pressing_[at(k)])) > slop(); })) continue;
    if (!press_by_sweeps(i)) press_exactly(i);
    shorten_moves(i);
  }
}

// Of an island all moves alike, if one of them goes too far, as where bodies are wedged: the next steps go on.
template <int D>
void Collection<D>::shorten_moves(int island) {
  const std::span<const int> bodies = presser_.bodies(island);
  const auto move = [&](int i) -> Vec<F>& { return move_[at(pressed_body_[at(i)])]; };
  Real longest2 = 0;
  for (const int i : bodies) longest2 = std::max(longest2, norm2(linear<D>(move(i))));
  const Real most = furthest * model_.size;
  if (!(longest2 > most * most)) return;
  const Real part = most / std::sqrt(longest2);
  for (const int i : bodies) move(i) = part * move(i);
}

// Takes in the contacts that the moves would make as deep as none should be. False: there are none.
template <int D>
bool Collection<D>::presses_more() {
  std::atomic<bool> more = false;
  share_pressed([&](std::size_t a) {
    const Contact<D>& c = active_[a];
    if (!presses_[a] && -(c.gap + dot(c.normal, relative_velocity(c, move_))) > slop() / 2) presses_[a] = more = true;
  });
  return more;
}

// f(a) for the contacts of bodies that may have moved: few of many, found without a branch that could not be foretold.
template <int D>
template <class Do>
void Collection<D>::share_pressed(Do&& f) {
  share_range(static_cast<int>(active_.size()), contacts_of_a_piece, [&](int first, int last) {
    int list[contacts_of_a_piece], count = 0;
    for (int a = first; a < last; ++a) {
      const auto [one, other] = ends_[at(a)];
      list[count] = a;
      count += pressed_[at(one)] | pressed_[at(other)];
    }
    for (int k = 0; k < count; ++k) {
      if (k + pressed_ahead < count) {
        ask_for(active_[at(list[k + pressed_ahead])]);
        for (const int b : ends_[at(list[k + pressed_ahead])]) ask_for(pose_[at(b)]), ask_for(move_[at(b)]);
      }
      f(at(list[k]));
    }
  });
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
// False: there are joints in it, or it is small and sweeps do not get there.
template <int D>
bool Collection<D>::press_by_sweeps(int island) {
  const std::span<const int> own = presser_.contacts(island);
  if (std::any_of(own.begin(), own.end(), [&](int k) { return at(pressing_[at(k)]) >= active_.size(); })) return false;
  const bool small = static_cast<int>(own.size()) <= options_.small;
  const Real room = slop() / 2;
  for (const int i : presser_.bodies(island)) presser_.set_body(i, sweep_body(at(pressed_body_[at(i)]), {}));
  Real all2 = 0, pressed2 = 0;
  for (const int k : own) {
    const Contact<D>& c = active_[at(pressing_[at(k)])];
    SweepContact<D> set{.frame = frame_of(c.normal, {}), .arm = {arm(c, 0), arm(c, 1)}};
    set.w[0] = c.gap + room;
    const Real w2 = set.w[0] * set.w[0];
    all2 += w2, pressed2 += set.w[0] < 0 ? w2 : 0;
    presser_.set_contact(k, set);
  }
  presser_.prepare(island);
  SweepLimits limits{.tolerance = Real(1e-6), .most = options_.iterations, .patience = 0};
  // Less would push others together. The error of sweeps is over all of w, gaps that are open included.
  if (!small) limits.tolerance = Real(1e-2) * std::sqrt(pressed2 / all2), limits.most = 300;
  if (!presser_.run(island, limits).reached && small) return false;
  for (const int i : presser_.bodies(island)) {
    const std::size_t b = at(pressed_body_[at(i)]);
    presser_.linear_velocity(i).store(move_[b].v);
    to_body(pose_[b].R, presser_.spin_velocity(i)).store(move_[b].v + D);
  }
  return true;
}

template <int D>
void Collection<D>::press_exactly(int island) {
  std::vector<int> contacts, bodies;
  for (const int k : presser_.contacts(island)) contacts.push_back(pressing_[at(k)]);
  gather();
  for (const int a : contacts) restrain(at(a), {}, gap(at(a)) + slop() / 2);
  Problem part = this->part(contacts, velocity_, bodies);
  std::ranges::fill(part.u_free, Real(0));
  std::vector<Real> S, d;
  if (solve_simplest(part, counted(Real(1e-6), options_.iterations), S, d).error > Real(1e-2))
    return;  // seen in the certificate
  for (std::size_t i = 0; i < bodies.size(); ++i) move_[at(member_[at(bodies[i])])] = Vec<F>::load(&d[i * F]);
}

template void Collection<2>::correct(ModelState<2>&, CollectionReport&);
template void Collection<3>::correct(ModelState<3>&, CollectionReport&);

}  // namespace cairn
