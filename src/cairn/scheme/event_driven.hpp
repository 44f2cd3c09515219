// The event-driven reference: smooth motion between events to a tolerance, events located on the dense output.
//
// Events: a gap reaches 0 (impact), a normal force reaches 0 (release), a slip reaches 0 (stop), a force that holds a
// contact reaches the border of its cone (slip), and the limit of infinitely many bounces (rest): when the flights of a
// contact shrink geometrically and are short, the limit is extrapolated and the contact closed. For few contacts and
// few events; it resolves what the time-stepping schemes step over, and is what they are measured against. Laws:
// Signorini, Coulomb2, Coulomb3. Accelerations that do not exist (Painleve) are a fault, unless a jump resolves them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "cairn/scheme/event.hpp"
#include "cairn/scheme/event_integrator.hpp"
#include "cairn/scheme/event_mode.hpp"
#include "cairn/scheme/step_report.hpp"

namespace cairn {

template <System S>
requires EventLaw<typename S::Law>
class EventDriven {
 public:
  static constexpr int D = S::Law::dim;
  using Options = EventOptions;
  // u_plus of an impact, from the contacts that touch; false: none. The default is the law on the weighted mean
  // velocity (JM92 6.1).
  using ImpactMap = std::function<bool(Real t, const Configuration<S>& q, const Velocity<S>& u_minus,
                                       const std::vector<int>& touching, Velocity<S>& u_plus)>;

  explicit EventDriven(const S& system, const EventOptions& options = {})
      : system_(system),
        options_(options),
        contacts_(system),
        mode_(system, options.difference_step, options.closing),
        integrator_(options.tolerance / 100, options.max_step),
        bounces_(static_cast<std::size_t>(system.contacts())) {}

  void set_impact(ImpactMap map) { impact_map_ = std::move(map); }

  StepReport step(State<S>& s, Real h) { return advance(s, s.t + h, {}, nullptr); }

  // To t_end; states at the given times, in increasing order, are appended to `samples`.
  StepReport advance(State<S>& s, Real t_end, const std::vector<Real>& times, std::vector<State<S>>* samples) {
    report_ = {};
    times_ = &times, samples_ = samples, next_sample_ = 0;
    const Real energy_old = kinetic_energy(system_, s.t, s.q, s.u);
    if (!(known_ && s.t == last_.t && s.q == last_.q && s.u == last_.u)) adopt(s);
    while (report_.fault == Fault::none && s.t < t_end) {
      const int event = move(s, t_end);
      if (event < 0) break;
      if (static_cast<long>(events_.size()) >= options_.max_events) report_.fault = Fault::no_solution;
      if (report_.fault == Fault::none) react(s, event);
    }
    known_ = report_.fault == Fault::none;
    last_ = s;
    report_.energy.change = kinetic_energy(system_, s.t, s.q, s.u) - energy_old;
    conclude(s);
    return report_;
  }

  const std::vector<Event<S>>& events() const { return events_; }
  const EventMode<S>& mode() const { return mode_; }  // contacts closed at the end, with their forces
  long accumulations() const { return accumulations_; }

 private:
  using Point = EventIntegrator::Point;
  using Contact = typename EventMode<S>::Contact;
  static std::size_t at(int a) { return static_cast<std::size_t>(a); }

  // --- smooth motion: x = (q, u, works of applied forces, of boundaries, dissipated) ---------------------------------

  Point pack(const State<S>& s) const {
    Point x(s.q.data(), s.q.data() + s.q.size());
    x.insert(x.end(), s.u.data(), s.u.data() + s.u.size());
    x.insert(x.end(), {report_.energy.applied, report_.energy.boundary, report_.energy.dissipation});
    return x;
  }
  void unpack(Real t, const Point& x, State<S>& s) const {
    s.t = t;
    std::copy_n(x.begin(), s.q.size(), s.q.data());
    std::copy_n(x.begin() + s.q.size(), s.u.size(), s.u.data());
  }

  void rate(Real t, const Point& x, Point& dx) {
    unpack(t, x, now_);
    if (!mode_.evaluate(t, now_.q, now_.u)) report_.fault = Fault::singular_inertia;
    const Velocity<S>& a = mode_.accelerate();
    Configuration<S> v = now_.q;
    if constexpr (requires { system_.drift(now_.q, now_.u, Real(0)); }) {
      const Real d = options_.difference_step;
      v = (system_.drift(now_.q, now_.u, d) - system_.drift(now_.q, now_.u, -d)) / (2 * d);
    } else {
      v = now_.u;
    }
    std::copy_n(v.data(), v.size(), dx.begin());
    std::copy_n(a.data(), a.size(), dx.begin() + v.size());
    Real* power = &dx[dx.size() - 3];
    power[0] = mode_.force().dot(now_.u), power[1] = 0, power[2] = 0;
    for (const Contact& k : mode_.closed) {
      power[1] -= k.R.dot(k.W);
      power[2] -= k.R.dot(mode_.local(k, now_.u));
    }
  }

  // Two values a contact, each positive while its mode lasts: gap and nothing where it is open; R_N, and slip along the
  // heading or margin in the cone, where it is closed.
  void watch(Real t) {
    integrator_.at(t, x_);
    watch_state(t);
  }
  void watch_state(Real t) {
    unpack(t, x_, now_);
    for (int a = 0; a < system_.contacts(); ++a)
      value_[at(2 * a)] = system_.gap(a, t, now_.q), value_[at(2 * a + 1)] = 1;
    if (mode_.closed.empty()) return;
    mode_.evaluate(t, now_.q, now_.u);
    mode_.accelerate();
    for (const Contact& k : mode_.closed) {
      value_[at(2 * k.index)] = k.R(0);
      if (D > 1)
        value_[at(2 * k.index + 1)] = k.slides ? mode_.local(k, now_.u).dot(k.heading) : cone_margin(k.law, k.R);
    }
  }

  // Below this, a value that has not been positive yet is one that rounding keeps from starting; a gap that is negative
  // at the start (of a state from outside) must not grow deeper.
  void set_noise() {
    noise_.resize(value_.size());
    for (std::size_t i = 0; i < value_.size(); ++i)
      noise_[i] = options_.touching / 1000 + std::max(Real(0), -value_[i]);
    for (const Contact& k : mode_.closed) {
      noise_[at(2 * k.index)] = noise_[at(2 * k.index + 1)] = Real(1e-12) * k.R.norm();
      if (k.slides) noise_[at(2 * k.index + 1)] = options_.closing;
    }
  }
  bool triggered(std::size_t i) const { return value_[i] < (seen_[i] ? Real(0) : -noise_[i]); }

  // Integrates until the next event or t_end; returns which value ended it, or -1.
  int move(State<S>& s, Real t_end) {
    now_ = s, value_.assign(at(2 * system_.contacts()), 0);
    x_ = pack(s);
    watch_state(s.t);
    set_noise();
    seen_.assign(value_.size(), 0);
    notice();
    integrator_.start([this](Real t, const Point& x, Point& dx) { rate(t, x, dx); }, s.t, x_, first_step(s, t_end));
    for (;;) {
      if (!integrator_.step() && report_.fault == Fault::none) report_.fault = Fault::not_finite;
      if (report_.fault != Fault::none) return -1;
      ++report_.iterations;
      const Real t0 = integrator_.begin(), t1 = std::min(integrator_.end(), t_end);
      Real t = t1;
      const int event = search(t0, t1, t);
      sample(t);
      if (event >= 0 || t1 == t_end) {
        integrator_.at(t, x_);
        unpack(t, x_, s);
        report_.energy.applied = x_[x_.size() - 3], report_.energy.boundary = x_[x_.size() - 2];
        report_.energy.dissipation = x_[x_.size() - 1];
        mode_.evaluate(s.t, s.q, s.u);
        mode_.accelerate();
        return event;
      }
      for (Contact& k : mode_.closed) mode_.turn(k, mode_.local(k, now_.u));
    }
  }

  void notice() {
    for (std::size_t i = 0; i < value_.size(); ++i) seen_[i] = seen_[i] || value_[i] > noise_[i];
  }

  // The first event in [t0, t1], its time in t.
  int search(Real t0, Real t1, Real& t) {
    constexpr int parts = 8;
    Real low = t0;
    for (int j = 1; j <= parts; ++j) {
      const Real high = j == parts ? t1 : t0 + (t1 - t0) * j / parts;
      watch(high);
      int first = -1;
      Real earliest = high;
      for (std::size_t i = 0; i < value_.size(); ++i) {
        if (!triggered(i)) continue;
        const Real found = locate(i, low, high);
        if (first < 0 || found < earliest) first = static_cast<int>(i), earliest = found;
        watch(high);
      }
      if (first >= 0) {
        t = earliest;
        return first;
      }
      notice();
      low = high;
    }
    return -1;
  }

  Real locate(std::size_t i, Real low, Real high) {
    for (int k = 0; k < 60; ++k) {
      const Real middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) break;
      watch(middle);
      (triggered(i) ? high : low) = middle;
    }
    return high;
  }

  // A contact that has just been left comes back after 2 U_N / -dU_N/dt: the first step must end before.
  Real first_step(const State<S>& s, Real t_end) {
    Real first = std::min(options_.max_step / 10, t_end - s.t);
    mode_.evaluate(s.t, s.q, s.u);
    const Velocity<S> a = mode_.accelerate();
    for (int k = 0; k < system_.contacts(); ++k) {
      if (is_closed(k) || system_.gap(k, s.t, s.q) > options_.touching) continue;
      const Real d = options_.difference_step;
      const auto normal = [&](Real dt) {  // U_N along the motion
        const auto kin = system_.kinematics(k, s.t + dt, drifted(system_, s.q, s.u, dt));
        return Real((kin.G * (s.u + dt * a) + kin.W)(0));
      };
      const Real U = normal(0), U_dot = (normal(d) - normal(-d)) / (2 * d);
      if (U > options_.closing && U_dot < 0) first = std::min(first, U / -U_dot / 2);
    }
    return first;
  }

  void sample(Real t) {
    if (samples_ == nullptr) return;
    while (next_sample_ < times_->size() && (*times_)[next_sample_] <= t) {
      const Real when = std::max((*times_)[next_sample_++], integrator_.begin());
      integrator_.at(when, x_);
      State<S> s = now_;
      unpack(when, x_, s);
      samples_->push_back(std::move(s));
    }
  }

  // --- events --------------------------------------------------------------------------------------------------------

  bool is_closed(int a) const {
    return std::any_of(mode_.closed.begin(), mode_.closed.end(), [a](const Contact& k) { return k.index == a; });
  }

  void react(State<S>& s, int value) {
    const int a = value / 2;
    const Velocity<S> before = s.u;
    const auto k =
        std::find_if(mode_.closed.begin(), mode_.closed.end(), [a](const Contact& c) { return c.index == a; });
    if (k == mode_.closed.end()) return collide(s, a);
    if (value % 2 == 0) {  // continuous: the forces of the others do not change
      mode_.closed.erase(k);
      return record(s.t, EventKind::release, a, before, s.u);
    }
    if (!k->slides) {  // continuous too: the force stays where it is, on the border of the cone
      k->slides = true;
      k->heading = -k->R, k->heading(0) = 0;
      k->heading.normalize();
      return record(s.t, EventKind::slip, a, before, s.u);
    }
    typename EventMode<S>::V slip = mode_.local(*k, s.u);
    slip(0) = 0;
    if (slip.norm() > std::sqrt(options_.closing)) {  // it has turned, not stopped
      *k = mode_.candidate(a, s.t, s.q, s.u);
      return;
    }
    k->slides = false;
    settle(s);
    record(s.t, EventKind::stop, a, before, s.u);
  }

  void record(Real t, EventKind kind, int a, const Velocity<S>& before, const Velocity<S>& after) {
    events_.push_back({t, kind, a, before, after});
  }

  // Modes of the contacts in mode_.closed, whose velocities are near zero, and the velocity that fits them.
  void settle(State<S>& s, bool may_jump = true) {
    if (!mode_.evaluate(s.t, s.q, s.u)) report_.fault = Fault::singular_inertia;
    s.u = mode_.project(s.u);
    if (!mode_.evaluate(s.t, s.q, s.u)) report_.fault = Fault::singular_inertia;
    if (!mode_.choose()) {
      if (may_jump) return collide(s, mode_.closed.front().index, true);  // a jump without collision (M88 14)
      report_.fault = Fault::no_solution;
    }
    s.u = mode_.project(s.u);
    if (!s.u.allFinite()) report_.fault = Fault::not_finite;
  }

  // A state from outside: what touches collides if it approaches, and is closed if it does not depart.
  void adopt(State<S>& s) {
    mode_.closed.clear();
    std::fill(bounces_.begin(), bounces_.end(), Bounces{});
    for (int a = 0; a < system_.contacts(); ++a)
      if (!(system_.gap(a, s.t, s.q) > options_.touching) && normal_velocity(a, s) < -options_.closing)
        return collide(s, a);
    for (int a = 0; a < system_.contacts(); ++a)
      if (!(system_.gap(a, s.t, s.q) > options_.touching) && normal_velocity(a, s) <= options_.closing)
        mode_.closed.push_back(mode_.candidate(a, s.t, s.q, s.u));
    settle(s);
  }

  Real normal_velocity(int a, const State<S>& s) const {
    const auto k = system_.kinematics(a, s.t, s.q);
    return (k.G * s.u + k.W)(0);
  }

  void collide(State<S>& s, int a, bool jump = false) {
    const Velocity<S> before = s.u;
    touching_.clear();
    for (int k = 0; k < system_.contacts(); ++k)
      if (k == a || is_closed(k) || !(system_.gap(k, s.t, s.q) > options_.touching)) touching_.push_back(k);
    if (!impact(s)) {
      report_.fault = Fault::no_solution;
      return;
    }
    record(s.t, EventKind::impact, a, before, s.u);
    State<S> incoming = s;
    incoming.u = before;
    mode_.closed.clear();
    for (const int k : touching_) {
      const bool departs = normal_velocity(k, s) > options_.closing;
      const bool ends = departs && normal_velocity(k, incoming) < -options_.closing && accumulates(k, s);
      if (departs && !ends) continue;
      mode_.closed.push_back(mode_.candidate(k, s.t, s.q, s.u));
      if (!ends) continue;
      if (!mode_.evaluate(s.t, s.q, s.u)) report_.fault = Fault::singular_inertia;
      s.u = mode_.close(mode_.closed.back(), s.u);
    }
    settle(s, !jump);
  }

  bool impact(State<S>& s) {
    const Velocity<S> before = s.u;
    const Real energy = kinetic_energy(system_, s.t, s.q, before);
    Real boundary = 0;
    if (impact_map_) {
      Velocity<S> after = before;
      if (!impact_map_(s.t, s.q, before, touching_, after)) return false;
      s.u = after;
    } else {
      if (!contacts_.begin(s.t, s.q)) return false;
      for (const int k : touching_) contacts_.add(k);
      if (!contacts_.solve(before, before).converged) return false;
      s.u = contacts_.velocity();
      for (int k = 0; k < contacts_.size(); ++k) boundary -= contacts_.impulse(k).dot(contacts_.contact(k).W);
    }
    report_.energy.boundary += boundary;
    report_.energy.dissipation += energy + boundary - kinetic_energy(system_, s.t, s.q, s.u);
    return s.u.allFinite();
  }

  // Flights in a ratio r that settles: t + flight (r + r^2 + ...) is their end.
  bool accumulates(int a, const State<S>& s) {
    Bounces& b = bounces_[at(a)];
    const Real flight = s.t - b.t, ratio = flight / b.flight, before = b.ratio;
    b = {s.t, flight, ratio};
    if (!(flight < options_.accumulation && ratio < Real(0.999) && std::abs(ratio - before) < Real(0.01))) return false;
    record(s.t + flight * ratio / (1 - ratio), EventKind::rest, a, s.u, s.u);
    ++accumulations_;
    b = {};
    return true;
  }

  void conclude(State<S>& s) {
    report_.active = report_.closed = static_cast<int>(mode_.closed.size());
    std::fill(s.status.begin(), s.status.end(), Status::take_off);
    if (!s.status.empty())
      for (const Contact& k : mode_.closed) s.status[at(k.index)] = k.slides ? Status::slide : Status::stick;
    for (int a = 0; a < system_.contacts(); ++a)
      report_.violation = std::max(report_.violation, -Real(system_.gap(a, s.t, s.q)));
  }

  struct Bounces {  // of one contact
    Real t = -std::numeric_limits<Real>::infinity(), flight = 0, ratio = 0;
  };

  const S& system_;
  EventOptions options_;
  ContactProblem<S> contacts_;
  EventMode<S> mode_;
  EventIntegrator integrator_;
  ImpactMap impact_map_;
  std::vector<Bounces> bounces_;  // (contacts)
  std::vector<Event<S>> events_;
  long accumulations_ = 0;
  bool known_ = false;  // mode_ fits last_
  State<S> last_, now_;
  Point x_;
  std::vector<Real> value_, noise_;  // (2 contacts) see watch()
  std::vector<char> seen_;           // (2 contacts) positive since the last event
  std::vector<int> touching_;
  const std::vector<Real>* times_ = nullptr;
  std::vector<State<S>>* samples_ = nullptr;
  std::size_t next_sample_ = 0;
  StepReport report_;
};

}  // namespace cairn
