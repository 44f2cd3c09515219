// Further rounds of a step: contacts that show up when the others have been solved for.
#include <algorithm>
#include <cmath>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/scheme/pieces.hpp"

namespace cairn {
namespace {

constexpr int rings_around = 4;  // of contacts around a new one that feel it

template <int D>
bool by_key(const Contact<D>& x, const Contact<D>& y) {
  return x.key < y.key;
}

}  // namespace

// Bodies that others push or throw back may go further than their own velocity would have led them: finds the contacts
// that the velocities u, those at the end of the step, would lead through. `nearby`: they are others than at the last
// look only of the bodies solved for nearby. False: there are none.
template <int D>
bool Collection<D>::push_on(const std::vector<Vec<F>>& u, Real h, bool nearby) {
  further_.resize(u.size());
  for (const int b : far_) further_[at(b)] = false;
  far_.clear();
  if (nearby) {
    for (const int i : near_body_)
      if (const int b = member_[at(i)]; goes_further(at(b), u[at(b)], h)) far_.push_back(b);
    for (const int b : far_) further_[at(b)] = true;
  } else {
    share_range(static_cast<int>(u.size()), bodies_of_a_piece, [&](int first, int last) {
      for (std::size_t b = at(first); b < at(last); ++b) further_[b] = free_[b] && goes_further(b, u[b], h);
    });
    for (std::size_t b = 0; b < u.size(); ++b)
      if (further_[b]) far_.push_back(static_cast<int>(b));
  }
  if (!far_.empty()) {
    idle_.erase(std::remove_if(idle_.begin() + static_cast<std::ptrdiff_t>(waiting_), idle_.end(),
                               [&](const Contact<D>& c) { return further_[at(c.body[0])] || further_[at(c.body[1])]; }),
                idle_.end());
    const std::vector<Contact<D>>& found = detector_.detect_of(far_, pose_, alert_);
    idle_.insert(idle_.end(), found.begin(), found.end());
  }
  closes_.resize(idle_.size());
  share_range(static_cast<int>(idle_.size()), contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t k = at(first); k < at(last); ++k) closes_[k] = closes(idle_[k], u, h);
  });
  more_.clear();
  for (std::size_t k = 0; k < idle_.size(); ++k)
    if (closes_[k]) more_.push_back(idle_[k]);
  std::ranges::sort(more_, by_key<D>);
  return !more_.empty();
}

// Whether the velocities u lead through a contact that does not take part yet, and it should.
template <int D>
bool Collection<D>::closes(const Contact<D>& c, const std::vector<Vec<F>>& u, Real h) const {
  const Real approach = dot(c.normal, relative_velocity(c, u));
  if (!(c.gap + h * approach < 0) || joints_.pass_through(c.body[0], c.body[1])) return false;
  const auto early = active_.begin() + static_cast<std::ptrdiff_t>(ordered_);
  if (std::binary_search(active_.begin(), early, c, by_key<D>)) return false;
  if (std::ranges::binary_search(late_, c.key, {}, [&](int a) { return active_[at(a)].key; })) return false;
  return takes_part(c.gap, model_.materials.between(c.material[0], c.material[1]).restitution, approach, h);
}

// Whether it does; it will then be looked around for as far as that.
template <int D>
bool Collection<D>::goes_further(std::size_t b, const Vec<F>& u, Real h) {
  const Real little = 10 * options_.closed * model_.size, alert = alert_of(b, u, h);
  if (!(alert > alert_[b] + little)) return false;
  alert_[b] = alert;
  return true;
}

template <int D>
void Collection<D>::take_in() {
  taken_in_ = active_.size();
  for (const Contact<D>& c : more_) {
    late_.push_back(static_cast<int>(active_.size()));
    active_.push_back(c), ends_.push_back(ends_of(c));
    for (const int b : c.body) cramped_[at(b)] = free_[at(b)];
  }
  std::ranges::sort(late_, {}, [&](int a) { return active_[at(a)].key; });
}

// The same of all that is known of contacts; those taken in have no impulse.
template <int D>
void Collection<D>::take_in_rows() {
  const auto take_in = [&]<class T>(std::vector<T>& list, int stride = 1) {  // before those of joints
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(taken_in_) * stride, more_.size() * at(stride), T{});
  };
  take_in(frame_), take_in(arm_), take_in(pairs_), take_in(W_), take_in(U_I_), take_in(problem_.w, D);
  take_in(problem_.law), take_in(S_, D), take_in(M_), take_in(U_), take_in(scale_);
  complete_ = false;
  for (std::size_t a = taken_in_; a < active_.size(); ++a) {
    for (const int b : ends_[a]) {
      if (!free_[at(b)] || number_[at(b)] >= 0) continue;
      number_[at(b)] = static_cast<int>(member_.size()), member_.push_back(b);
      u_.insert(u_.end(), u_free_[at(b)].v, u_free_[at(b)].v + F);
    }
    number_ends(a);
    gather_contact(a);
  }
}

// All active contacts in the order of their keys; what is known of them has to follow.
template <int D>
void Collection<D>::put_in_order() {
  const auto early = active_.begin() + static_cast<std::ptrdiff_t>(ordered_);
  std::sort(early, active_.end(), by_key<D>);
  std::inplace_merge(active_.begin(), early, active_.end(), by_key<D>);
  ordered_ = active_.size(), late_.clear();
  list_ends();
}

// `nearby_`: the contacts taken in and those around them. `rim_`: the others that share a body with one of these.
template <int D>
void Collection<D>::look_around() {
  ring_.assign(member_.size(), 0), nearby_.clear(), rim_.clear();
  is_nearby_.assign(active_.size(), false);
  for (std::size_t a = taken_in_; a < active_.size(); ++a)
    for (const int i : pairs_[a])
      if (i >= 0) ring_[at(i)] = 1;
  const auto touches = [&](std::size_t a, int ring) {
    const auto within = [&](int i) { return i >= 0 && ring_[at(i)] > 0 && ring_[at(i)] <= ring; };
    return within(pairs_[a][0]) || within(pairs_[a][1]);
  };
  for (int ring = 1; ring <= rings_around; ++ring)
    for (std::size_t a = 0; a < active_.size(); ++a) {
      if (is_nearby_[a] || !touches(a, ring)) continue;
      is_nearby_[a] = true, nearby_.push_back(static_cast<int>(a));
      for (const int i : pairs_[a])
        if (i >= 0 && ring_[at(i)] == 0) ring_[at(i)] = ring + 1;
    }
  std::ranges::sort(nearby_);
  for (std::size_t a = 0; a < active_.size(); ++a)
    if (!is_nearby_[a] && touches(a, rings_around + 1)) rim_.push_back(static_cast<int>(a));
}

// Few contacts taken in move little: those around them are solved for again, the impulses of all others being what they
// are. False, and neither impulses nor velocities are changed, where that leaves too large an error or saves nothing.
template <int D>
bool Collection<D>::solve_nearby(const ModelState<D>& s, Real h, CollectionReport& report) {
  if (!blocks_.empty() || 100 * more_.size() > active_.size()) return false;
  look_around();
  if (4 * nearby_.size() > active_.size()) return false;
  for (const int a : nearby_) {
    const auto last = std::ranges::lower_bound(s.contact, active_[at(a)].key);
    const bool known = last != s.contact.end() && *last == active_[at(a)].key;
    assemble_contact(at(a), h, known && s.slid[static_cast<std::size_t>(last - s.contact.begin())] != 0);
    if (!plain(a)) return false;
  }
  // Their bodies, and pairs of these.
  near_body_.clear(), near_pair_.clear(), round_here_.clear();
  std::ranges::fill(ring_, -1);  // numbers from here on
  for (const int a : nearby_) {
    SweepOrder::Pair pair{-1, -1};
    for (std::size_t side = 0; side < 2; ++side) {
      const int i = pairs_[at(a)][side];
      if (i < 0) continue;
      if (ring_[at(i)] < 0) {
        ring_[at(i)] = static_cast<int>(near_body_.size()), near_body_.push_back(i);
        round_here_.push_back(round_[at(member_[at(i)])]);
      }
      pair[side] = ring_[at(i)];
    }
    near_pair_.push_back(pair);
  }
  near_sweeps_.start(static_cast<int>(near_body_.size()), near_pair_, round_here_);
  // Velocities without their impulses, then with them.
  for (const Real sign : {Real(-1), Real(1)}) {
    for (std::size_t k = 0; k < near_body_.size(); ++k) {
      const int i = near_body_[k], number = static_cast<int>(k);
      SweepBody<D> body = sweep_body(at(member_[at(i)]), Vec<F>::load(&u_[at(i) * F]));
      if (sign > 0) body.v = near_sweeps_.linear_velocity(number), body.w = near_sweeps_.spin_velocity(number);
      near_sweeps_.set_body(number, body);
    }
    for (std::size_t k = 0; k < nearby_.size(); ++k) {
      SweepContact<D> contact = sweep_contact(nearby_[k]);
      contact.S = sign * contact.S;
      near_sweeps_.set_contact(static_cast<int>(k), contact);
    }
    for (int i = 0; i < near_sweeps_.islands(); ++i) near_sweeps_.prepare(i);
  }
  const SweepLimits limits{.tolerance = options_.tolerance / 2,
                           .enough = options_.required / 2,
                           .most = options_.iterations,
                           .scale = options_.scale};
  for (int i = 0; i < near_sweeps_.islands(); ++i) {
    const SweepResult result = near_sweeps_.run(i, limits);
    report.count(result, near_sweeps_.contacts(i).size());
    if (!result.reached) return false;
    near_sweeps_.finish(i);
  }
  return take_nearby(report);
}

// What was found, unless the natural maps of the contacts looked at have grown by more than the error of the step
// bears.
template <int D>
bool Collection<D>::take_nearby(CollectionReport& report) {
  if (std::ranges::any_of(rim_, [&](int a) { return !plain(a); })) return false;
  const Nearby before = measure_nearby();
  near_u_.clear(), near_S_.clear();  // as they were
  for (std::size_t k = 0; k < near_body_.size(); ++k) {
    const int i = near_body_[k], number = static_cast<int>(k);
    near_u_.push_back(Vec<F>::load(&u_[at(i) * F]));
    sweep_velocity(near_sweeps_, number, i).store(&u_[at(i) * F]);
  }
  for (std::size_t k = 0; k < nearby_.size(); ++k) {
    const int a = nearby_[k], number = static_cast<int>(k);
    near_S_.push_back(impulse(a));
    near_sweeps_.impulse(number).store(&S_[at(a) * D]);
    scale_[at(a)] = near_sweeps_.scale(number);
  }
  const Nearby after = measure_nearby();
  Real all = after.free2;
  if (options_.scale == ErrorScale::impulses) {
    all = 0;
    for (std::size_t a = 0; a < active_.size(); ++a) all += scale_[a] * scale_[a] * norm2(impulse(static_cast<int>(a)));
  }
  const Real more = std::max(Real(0), after.natural2 - before.natural2);
  const Real error = more > 0 ? std::sqrt(report.error * report.error + more / all) : report.error;
  if (error <= std::max(options_.tolerance, Real(1.01) * report.error)) return report.error = error, true;
  for (std::size_t k = 0; k < near_body_.size(); ++k) near_u_[k].store(&u_[at(near_body_[k]) * F]);
  for (std::size_t k = 0; k < nearby_.size(); ++k) near_S_[k].store(&S_[at(nearby_[k]) * D]);
  return false;
}

// Of the contacts solved for again and of those next to them, whose velocities follow; what is new counts for nothing
// before it has an impulse.
template <int D>
typename Collection<D>::Nearby Collection<D>::measure_nearby() {
  Real given = 0, own = 0;
  Nearby sum;
  const auto measure = [&](int a) {
    const auto c = rows(a);
    Vec<D> q = Vec<D>::load(&problem_.w[at(a) * D]), U = q;
    for (int side = 0; side < 2; ++side)
      if (const int i = c.body[side]; i >= 0) {
        U += c.G[side] * Vec<F>::load(&u_[at(i) * F]);
        q += c.G[side] * u_free_[at(member_[at(i)])];
      }
    U_[at(a)] = U;
    const auto& law = problem_.law[at(a)].data.coulomb;
    const Vec<D> S = impulse(a);
    sum.free2 += norm2(q);
    if (scale_[at(a)] > 0) given += norm2(natural_map(law, U, S)), own += norm2(natural_map(law, U, scale_[at(a)] * S));
  };
  for (const int a : nearby_) measure(a);
  for (const int a : rim_) measure(a);
  sum.natural2 = options_.scale == ErrorScale::impulses ? own : std::max(given, own);
  return sum;
}

template bool Collection<2>::push_on(const std::vector<Vec<3>>&, Real, bool);
template void Collection<2>::take_in();
template void Collection<2>::take_in_rows();
template void Collection<2>::put_in_order();
template bool Collection<2>::solve_nearby(const ModelState<2>&, Real, CollectionReport&);
template bool Collection<3>::push_on(const std::vector<Vec<6>>&, Real, bool);
template void Collection<3>::take_in();
template void Collection<3>::take_in_rows();
template void Collection<3>::put_in_order();
template bool Collection<3>::solve_nearby(const ModelState<3>&, Real, CollectionReport&);

}  // namespace cairn
