#include <algorithm>
#include <cmath>

#include "examples/non_uniqueness.hpp"

namespace cairn::examples {

namespace {
constexpr int cells = 512;
constexpr Real width = Real(2) / cells;

// Gauss-Legendre with five points on [a, b].
template <class F>
Real quadrature(F f, Real a, Real b) {
  static constexpr Real x[] = {0, 0.5384693101056831, 0.9061798459386640};
  static constexpr Real w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const Real m = (a + b) / 2, r = (b - a) / 2;
  Real sum = w[0] * f(m);
  for (int i = 1; i < 3; ++i) sum += w[i] * (f(m - r * x[i]) + f(m + r * x[i]));
  return r * sum;
}
}  // namespace

Bump::Bump() : first_(cells + 1, 0), second_(cells + 1, 0) {
  for (std::size_t k = 0; k < cells; ++k) {
    const Real a = -1 + width * static_cast<Real>(k), b = a + width;
    first_[k + 1] = first_[k] + quadrature([&](Real s) { return raw(s); }, a, b);
    // int_a^b primitive = primitive(a) (b - a) + int_a^b (b - s) phi(s) ds
    second_[k + 1] = second_[k] + first_[k] * width + quadrature([&](Real s) { return (b - s) * raw(s); }, a, b);
  }
  total_ = first_[cells];
}

Real Bump::raw(Real s) const { return s <= -1 || s >= 1 ? 0 : std::exp(-1 / ((1 - s) * (1 + s))); }
Real Bump::value(Real s) const { return raw(s) / total_; }

Real Bump::primitive(Real s) const {
  if (s <= -1) return 0;
  if (s >= 1) return 1;
  const auto k = std::min(static_cast<std::size_t>((s + 1) / width), std::size_t(cells - 1));
  const Real a = -1 + width * static_cast<Real>(k);
  return (first_[k] + quadrature([&](Real x) { return raw(x); }, a, s)) / total_;
}

Real Bump::second_primitive(Real s) const {
  if (s <= -1) return 0;
  if (s >= 1) return s;  // symmetric: its integral on (-1, 1) is 1
  const auto k = std::min(static_cast<std::size_t>((s + 1) / width), std::size_t(cells - 1));
  const Real a = -1 + width * static_cast<Real>(k);
  return (second_[k] + first_[k] * (s - a) + quadrature([&](Real x) { return (s - x) * raw(x); }, a, s)) / total_;
}

namespace {
const Bump& bump() {
  static const Bump the_bump;
  return the_bump;
}
}  // namespace

Real PulsedForce::force(Real t) const {
  Real f = 0;
  for (const Pulse& p : pulses) f += p.impulse / p.half_width * bump().value((t - p.centre) / p.half_width);
  return f;
}
Real PulsedForce::impulse(Real t) const {
  Real sum = 0;
  for (const Pulse& p : pulses) sum += p.impulse * bump().primitive((t - p.centre) / p.half_width);
  return sum;
}
Real PulsedForce::double_impulse(Real t) const {
  Real sum = 0;
  for (const Pulse& p : pulses)
    sum += p.impulse * p.half_width * bump().second_primitive((t - p.centre) / p.half_width);
  return sum;
}

const PulsedMotion::Piece& PulsedMotion::piece(Real t) const {
  std::size_t k = 0;
  while (k + 1 < pieces.size() && pieces[k + 1].t <= t) ++k;
  return pieces[k];
}
Real PulsedMotion::q(Real t) const {
  const Piece& p = piece(t);
  if (p.rests) return 0;
  return p.q + p.v * (t - p.t) + force.double_impulse(t) - force.double_impulse(p.t) - force.impulse(p.t) * (t - p.t);
}
Real PulsedMotion::v(Real t) const {
  const Piece& p = piece(t);
  return p.rests ? 0 : p.v + force.impulse(t) - force.impulse(p.t);
}
std::vector<Real> PulsedMotion::changes() const {
  std::vector<Real> t;
  for (std::size_t k = 1; k < pieces.size(); ++k) t.push_back(pieces[k].t);
  return t;
}
Real PulsedMotion::v_left(Real t) const {
  std::size_t k = 0;
  while (k + 1 < pieces.size() && pieces[k + 1].t < t) ++k;
  return pieces[k].rests ? 0 : pieces[k].v + force.impulse(t) - force.impulse(pieces[k].t);
}

namespace {

Real instant(int n) { return std::ldexp(Real(1), -n); }    // t_n
Real speed(int n) { return std::ldexp(Real(1), -n * n); }  // v_n

// e > 0: one pulse an interval.
void bounce(NonUniqueness& out, Real e, int n) {
  for (int k = n; k >= 1; --k) {
    const Real up = e * speed(k), down = speed(k - 1), begin = instant(k), end = instant(k - 1);
    const Real centre = begin + begin * down / (up + down);
    out.force.pulses.push_back({centre, std::min(centre - begin, end - centre) / 2, -(up + down)});
    out.motion[1].pieces.push_back({begin, 0, up, false});
  }
  out.motion[1].pieces.push_back({1, 0, e * speed(0), false});
  out.motion[0].pieces.push_back({out.start, 0, 0, true});
}

// e = 0: two pulses an interval; y_n follows from the interval before, whose own y hardly counts.
struct Turn {
  Real height;            // y_n of the one that falls
  Real lift, land, sink;  // [s] centre of the pulse upward, landing, centre of the pulse downward
  Real next_height;
};
Turn turn(int n, Real height) {
  Turn t{};
  const Real begin = instant(n), length = begin, v = speed(n), next = speed(n - 1);
  const Real fall = height / (2 * v);  // to the obstacle, were there no pulse
  t.height = height;
  t.lift = begin + fall / 2, t.land = t.lift + fall;
  const Real left = v * length / (8 * next);
  t.sink = begin + length - left;
  t.next_height = v * (t.sink - t.lift) - 2 * next * left;
  return t;
}

void take_turns(NonUniqueness& out, int n) {
  Real height = 0;
  for (int k = n + 4; k > n; --k) height = turn(k, height).next_height;  // further back nothing changes any more
  out.motion[0].pieces.push_back({out.start, 0, 0, true});
  out.motion[1].pieces.push_back({out.start, height, -2 * speed(n), false});
  for (int k = n; k >= 1; --k) {
    const Turn t = turn(k, height);
    const Real up_width = (t.lift - instant(k)) / 2, down_width = (instant(k - 1) - t.sink) / 2;
    out.force.pulses.push_back({t.lift, up_width, speed(k)});
    out.force.pulses.push_back({t.sink, down_width, -(speed(k) + 2 * speed(k - 1))});
    PulsedMotion& rests = out.motion[(n - k) % 2];
    PulsedMotion& falls = out.motion[(n - k + 1) % 2];
    rests.pieces.push_back({instant(k), 0, 0, false});  // free from here on: the pulse lifts it
    falls.pieces.push_back({t.land, 0, 0, true});
    height = t.next_height;
  }
}

}  // namespace

NonUniqueness::NonUniqueness(Real e, int n) : start(instant(n)) {
  if (e > 0)
    bounce(*this, e, n);
  else
    take_turns(*this, n);
  motion[0].force = motion[1].force = force;
}

}  // namespace cairn::examples
