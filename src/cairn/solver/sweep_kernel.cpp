#include "cairn/solver/sweep_kernel.hpp"

#include <type_traits>

namespace cairn {
namespace {

// --- the bodies of a group ---------------------------------------------------------------------------------------

template <int D, class T>
struct Motion {
  LaneVec<D, T> v;
  LaneVec<spins<D>, T> w;
  LanesOf<T> inverse_mass, inverse_inertia;  // of round bodies
};

// Rows of the bodies of the lanes, `stride` numbers each, from the number `first` on.
template <class T, class Number = std::remove_const_t<T>>
struct Rows {
  static constexpr int count = lanes_of<Number>;
  T* row[count];
  CAIRN_LANES Rows(T* all, const int* body, int stride) {
    for (int i = 0; i < count; ++i) row[i] = all + static_cast<std::size_t>(body[i]) * static_cast<unsigned>(stride);
  }
  CAIRN_LANES void load(int first, LanesOf<Number>* column) const {
    const Number* from[count];
    for (int i = 0; i < count; ++i) from[i] = row[i] + first;
    load_columns(from, column);
  }
  CAIRN_LANES void store(int first, const LanesOf<Number>* column) const {
    Number* to[count];
    for (int i = 0; i < count; ++i) to[i] = row[i] + first;
    store_columns(column, to);
  }
};

template <int D, class T>
CAIRN_LANES Motion<D, T> motion(const T* u, const int* body) {
  LanesOf<T> a[8];
  const Rows<const T> rows(u, body, SweepBodies::velocity_stride[D]);
  rows.load(0, a);
  if constexpr (D == 2) {
    return {{{a[0], a[1]}}, {{a[2]}}, a[3], a[3]};
  } else {
    rows.load(4, a + 4);
    return {{{a[0], a[1], a[2]}}, {{a[4], a[5], a[6]}}, a[3], a[7]};
  }
}

// What stands for boundaries is read by all and never written.
template <int D, class T>
CAIRN_LANES void put(const Motion<D, T>& m, T* u, const int* body, int nothing) {
  constexpr int stride = SweepBodies::velocity_stride[D], count = lanes_of<T>;
  LanesOf<T> a[8];
  if constexpr (D == 3)
    for (int k = 0; k < 3; ++k) a[k] = m.v[k], a[4 + k] = m.w[k];
  else
    a[0] = m.v[0], a[1] = m.v[1], a[2] = m.w[0];
  a[3] = m.inverse_mass, a[7] = m.inverse_inertia;
  bool whole = true;
  for (int i = 0; i < count; ++i) whole &= body[i] != nothing;
  if (whole) [[likely]] {
    const Rows<T> rows(u, body, stride);
    for (int k = 0; k < stride; k += 4) rows.store(k, a + k);
    return;
  }
  alignas(32) T row[count][8];
  constexpr int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const Rows<T> rows(row[0], order, 8);
  for (int k = 0; k < stride; k += 4) rows.store(k, a + k);
  for (int i = 0; i < count; ++i)
    if (body[i] != nothing)
      __builtin_memcpy(u + static_cast<std::size_t>(body[i]) * stride, row[i], stride * sizeof(T));
}

template <int D, class T>
struct Inverse {                      // in space
  LaneVec<3, T> mass, diagonal, off;  // off: xy xz yz
  CAIRN_LANES explicit Inverse(const T* inverse, const int* body) {
    LanesOf<T> a[12];
    const Rows<const T> rows(inverse, body, SweepBodies::inverse_stride[3]);
    for (int k = 0; k < 12; k += 4) rows.load(k, a + k);
    mass = {{a[0], a[1], a[2]}}, diagonal = {{a[4], a[5], a[6]}}, off = {{a[8], a[9], a[10]}};
  }
  CAIRN_LANES LaneVec<3, T> spin(const LaneVec<3, T>& x) const {
    return {{diagonal[0] * x[0] + off[0] * x[1] + off[1] * x[2], off[0] * x[0] + diagonal[1] * x[1] + off[2] * x[2],
             off[1] * x[0] + off[2] * x[1] + diagonal[2] * x[2]}};
  }
};
template <class T>
struct Inverse<2, T> {
  LaneVec<2, T> mass;
  LanesOf<T> inertia;
  CAIRN_LANES explicit Inverse(const T* inverse, const int* body) {
    LanesOf<T> a[4];
    Rows<const T>(inverse, body, SweepBodies::inverse_stride[2]).load(0, a);
    mass = {{a[0], a[1]}}, inertia = a[2];
  }
  CAIRN_LANES LaneVec<1, T> spin(const LaneVec<1, T>& x) const { return {{inertia * x[0]}}; }
};

// --- kinds: where things are, and how a contact moves its bodies --------------------------------------------------

// normal: 1/H_NN; couple: H_TN; stick: H_TT^-1 (tt ts ss); slide: 1 over the larger eigenvalue of H_TT; mean: trace
// H/D.
struct Plane {
  static constexpr int D = 2;
  enum { n = 0, r = 2, w = 6, mu = 8, S = 10, normal = 12, couple, stick, mean, move, single = 18, count = single };
  static constexpr int t = -1, slide = stick;
};
struct Solid {
  static constexpr int D = 3;
  enum { n = 0, t = 3, r = 6, w = 12, mu = 15, S, normal = 19, couple, stick = 22, slide = 25, mean, move };
  enum { single = 30, count = single };
};
struct Round {
  static constexpr int D = 3;
  enum { n = 0, r = 3, w = 5, mu = 8, S, move = 12, single = 15, t = single, mean = 18, count };
};

template <class K, class T>
CAIRN_LANES LanesOf<T> lane(const T* f, int field) {
  return load_lanes(f + field * lanes_of<T>);
}
template <class K, class T>
CAIRN_LANES LaneVec<K::D, T> vector(const T* f, int field) {
  return LaneVec<K::D, T>::load(f + field * lanes_of<T>);
}

template <class K>
constexpr bool is_round = std::is_same_v<K, Round>;

// Columns: normal, tangents. Between spheres the normal alone: what is local is in the world's axes.
template <class K, class T>
struct Frame {
  LaneVec<K::D, T> e[K::D];
  CAIRN_LANES explicit Frame(const T* f) {
    e[0] = vector<K>(f, K::n);
    if constexpr (K::D == 2)
      e[1] = {{-e[0][1], e[0][0]}};
    else if constexpr (!is_round<K>)
      e[1] = vector<K>(f, K::t), e[2] = cross(e[0], e[1]);
  }
  CAIRN_LANES LaneVec<K::D, T> to_local(const LaneVec<K::D, T>& x) const {
    if constexpr (is_round<K>) return x;
    LaneVec<K::D, T> y;
    for (int i = 0; i < K::D; ++i) y[i] = dot(e[i], x);
    return y;
  }
  CAIRN_LANES LaneVec<K::D, T> to_world(const LaneVec<K::D, T>& x) const {
    if constexpr (is_round<K>) return x;
    LaneVec<K::D, T> y = x[0] * e[0];
    for (int i = 1; i < K::D; ++i) y = y + x[i] * e[i];
    return y;
  }
};

// Both bodies of a group.
template <class K, class T>
struct Sides {
  static constexpr int D = K::D;
  Motion<D, T> m[2];
  CAIRN_LANES Sides(const T* u, const int* body) : m{motion<D>(u, body), motion<D>(u, body + lanes_of<T>)} {}

  // v_1 + w_1 x r_1 - v_2 - w_2 x r_2
  CAIRN_LANES LaneVec<D, T> relative(const T* f, const Frame<K, T>& frame) const {
    const LaneVec<D, T> v = m[0].v - m[1].v;
    if constexpr (is_round<K>) {  // r_1 = -rho_1 n, r_2 = rho_2 n
      return v - cross(lane<K>(f, K::r) * m[0].w + lane<K>(f, K::r + 1) * m[1].w, frame.e[0]);
    } else {
      return v + spin_velocity(m[0].w, vector<K>(f, K::r)) - spin_velocity(m[1].w, vector<K>(f, K::r + D));
    }
  }
  CAIRN_LANES void push(const T* f, const Frame<K, T>& frame, const LaneVec<D, T>& p, const T* inverse,
                        const int* body) {
    if constexpr (is_round<K>) {
      const LaneVec<3, T> turn = cross(frame.e[0], p);
      for (int s = 0; s < 2; ++s) {
        m[s].v = s == 0 ? m[s].v + m[s].inverse_mass * p : m[s].v - m[s].inverse_mass * p;
        m[s].w = m[s].w - (m[s].inverse_inertia * lane<K>(f, K::r + s)) * turn;
      }
    } else {
      for (int s = 0; s < 2; ++s) {
        const Inverse<D, T> A(inverse, body + s * lanes_of<T>);
        const LaneVec<spins<D>, T> turn = A.spin(cross(vector<K>(f, K::r + s * D), p));
        LaneVec<D, T> move;
        for (int i = 0; i < D; ++i) move[i] = A.mass[i] * p[i];
        m[s].v = s == 0 ? m[s].v + move : m[s].v - move;
        m[s].w = s == 0 ? m[s].w + turn : m[s].w - turn;
      }
    }
  }
  CAIRN_LANES void put_back(T* u, const int* body, int nothing) const {
    put(m[0], u, body, nothing);
    put(m[1], u, body + lanes_of<T>, nothing);
  }
};

// --- one contact ----------------------------------------------------------------------------------------------------

template <class L>
CAIRN_LANES L positive_inverse(const L& x) {
  return x > 0 ? 1 / x : L{};
}

// The diagonal block of W between spheres: n n^T times the first number, and the second across n.
template <class T>
struct RoundBlock {
  LanesOf<T> along, across;
  CAIRN_LANES RoundBlock(const T* f, const Sides<Round, T>& sides) {
    along = sides.m[0].inverse_mass + sides.m[1].inverse_mass, across = along;
    for (int s = 0; s < 2; ++s) {
      const LanesOf<T> rho = lane<Round>(f, Round::r + s);
      across += rho * rho * sides.m[s].inverse_inertia;
    }
  }
  CAIRN_LANES LanesOf<T> trace() const { return along + 2 * across; }
};

// Between spheres, as below.
template <class T>
CAIRN_LANES LaneVec<3, T> solve_round(const T* f, const RoundBlock<T>& H, const LaneVec<3, T>& n,
                                      const LaneVec<3, T>& U, const LaneVec<3, T>& S) {
  const LanesOf<T> both = positive_inverse(H.along * H.across), normal = both * H.across, slide = both * H.along;
  const LanesOf<T> N = larger(dot(n, S) - dot(n, U) * normal, LanesOf<T>{}), most = lane<Round>(f, Round::mu) * N;
  const LaneVec<3, T> z = S - slide * U, y = z - dot(n, z) * n;
  const LanesOf<T> length2 = dot(y, y);
  const LanesOf<T> scale = length2 > most * most ? most / sqrt_lanes(length2) : all_lanes(T(1));
  return N * n + scale * y;
}

// The normal impulse with the friction held, then the friction with that: at a fixed point both hold, which is
// Coulomb's law. Friction that can stop the sliding does; else a step down the steepest descent, back onto the disc.
template <class K, class T>
CAIRN_LANES LaneVec<K::D, T> solve_contact(const T* f, LaneVec<K::D, T> U, const LaneVec<K::D, T>& S) {
  LaneVec<K::D, T> x = S;
  x[0] = larger(S[0] - U[0] * lane<K>(f, K::normal), LanesOf<T>{});
  const LanesOf<T> d = x[0] - S[0];
  if constexpr (K::D == 2) {
    U[1] += lane<K>(f, K::couple) * d;
    const LanesOf<T> high = lane<K>(f, K::mu) * x[0], low = -lane<K>(f, K::mu + 1) * x[0];
    const LanesOf<T> y = S[1] - U[1] * lane<K>(f, K::stick);
    x[1] = y > high ? high : y < low ? low : y;
  } else {
    for (int i = 1; i < 3; ++i) U[i] += lane<K>(f, K::couple + i - 1) * d;
    const LanesOf<T> most = lane<K>(f, K::mu) * x[0], slide = lane<K>(f, K::slide);
    const LanesOf<T> y1 = S[1] - slide * U[1], y2 = S[2] - slide * U[2], length2 = y1 * y1 + y2 * y2;
    const LanesOf<T> scale = length2 > most * most ? most / sqrt_lanes(length2) : all_lanes(T(1));
    x[1] = scale * y1, x[2] = scale * y2;
    const LanesOf<T> tt = lane<K>(f, K::stick), ts = lane<K>(f, K::stick + 1), ss = lane<K>(f, K::stick + 2);
    const LanesOf<T> z1 = S[1] - (tt * U[1] + ts * U[2]), z2 = S[2] - (ts * U[1] + ss * U[2]);
    const auto sticks = z1 * z1 + z2 * z2 <= most * most;
    x[1] = sticks ? z1 : x[1], x[2] = sticks ? z2 : x[2];
  }
  return x;
}

// Between spheres, as below.
template <class T>
CAIRN_LANES LanesOf<T> round_map2(const T* f, const LaneVec<3, T>& n, const LaneVec<3, T>& U, const LaneVec<3, T>& S) {
  const LanesOf<T> mu = lane<Round>(f, Round::mu);
  const LaneVec<3, T> sliding = U - dot(n, U) * n, V = U + (mu * sqrt_lanes(dot(sliding, sliding))) * n, x = S - V;
  const LanesOf<T> N = dot(n, x);
  const LaneVec<3, T> y = x - N * n;
  const LanesOf<T> t2 = dot(y, y), t = sqrt_lanes(t2), on = larger((N + mu * t) / (1 + mu * mu), LanesOf<T>{});
  const LaneVec<3, T> rest = S - on * n - (t > 0 ? mu * on / t : LanesOf<T>{}) * y;
  const LanesOf<T> most = mu * N;
  return (N < 0) | (t2 > most * most) ? dot(rest, rest) : dot(V, V);
}

// Square of S - P(S - V), V = U + shift(U) (law.hpp); V itself where S - V is admissible.
template <class K, class T>
CAIRN_LANES LanesOf<T> natural_map2(const T* f, const Frame<K, T>& frame, const LaneVec<K::D, T>& U,
                                    const LaneVec<K::D, T>& S) {
  if constexpr (is_round<K>) return round_map2(f, frame.e[0], U, S);
  constexpr int D = K::D;
  LaneVec<D, T> V = U, p;
  LanesOf<T> mu = lane<K>(f, K::mu);
  if constexpr (D == 2) {
    const LanesOf<T> minus = lane<K>(f, K::mu + 1);
    V[0] += U[1] > 0 ? minus * U[1] : -mu * U[1];
    mu = S[1] - V[1] > 0 ? mu : minus;
  } else {
    V[0] += mu * sqrt_lanes(U[1] * U[1] + U[2] * U[2]);
  }
  const LaneVec<D, T> x = S - V;
  LanesOf<T> t2 = x[1] * x[1];
  if constexpr (D == 3) t2 += x[2] * x[2];
  const LanesOf<T> t = sqrt_lanes(t2), on = (x[0] + mu * t) / (1 + mu * mu), n = larger(on, LanesOf<T>{});
  const LanesOf<T> scale = t > 0 ? mu * n / t : LanesOf<T>{};
  const LanesOf<T> most = mu * x[0];
  const auto outside = (x[0] < 0) | (t2 > most * most);
  p[0] = n;
  for (int i = 1; i < D; ++i) p[i] = scale * x[i];
  LanesOf<T> sum{};
  for (int i = 0; i < D; ++i) {
    const LanesOf<T> e = outside ? S[i] - p[i] : V[i];
    sum += e * e;
  }
  return sum;
}

// --- the functions of the table -------------------------------------------------------------------------------------

template <class K, class T>
constexpr int fields_of = sizeof(T) == sizeof(float) ? K::single : K::count;
template <class K, class T>
CAIRN_LANES T* fields(const SweepGroups<T>& groups, int g) {
  return groups.field + static_cast<std::size_t>(g) * (fields_of<K, T> * lanes_of<T>);
}
template <class T>
CAIRN_LANES const int* bodies(const SweepGroups<T>& groups, int g) {
  return groups.body + g * (2 * lanes_of<T>);
}

// Asks for what groups some way ahead need: the processor's own look ahead ends with a page of memory, and knows
// nothing of bodies.
template <class K, class T>
CAIRN_LANES void look_ahead(const T* f, const T* u, const int* body) {
  constexpr int size = fields_of<K, T> * lanes_of<T> * static_cast<int>(sizeof(T)), line = 64,
                stride = SweepBodies::velocity_stride[K::D];
  const char* const fields = reinterpret_cast<const char*>(f) + 8 * size;
  for (int k = 0; k < size; k += line) __builtin_prefetch(fields + k);
  const int* const next = body + groups_ahead * 2 * lanes_of<T>;
  for (int k = 0; k < 2 * lanes_of<T>; ++k) __builtin_prefetch(u + static_cast<std::size_t>(next[k]) * stride);
}

template <class K, class T>
CAIRN_LANES void prepare_group(T* f, const Frame<K, T>& frame, const int* body, const T* inverse, LanesOf<T> (&H)[6]) {
  constexpr int D = K::D;
  for (LanesOf<T>& h : H) h = LanesOf<T>{};
  for (int s = 0; s < 2; ++s) {
    const Inverse<D, T> A(inverse, body + s * lanes_of<T>);
    LaneVec<spins<D>, T> arm[D], turned[D];
    LaneVec<D, T> moved[D];
    for (int i = 0; i < D; ++i) {
      arm[i] = cross(vector<K>(f, K::r + s * D), frame.e[i]);
      turned[i] = A.spin(arm[i]);
      for (int k = 0; k < D; ++k) moved[i][k] = A.mass[k] * frame.e[i][k];
    }
    int at = 0;
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) H[at++] += dot(frame.e[i], moved[j]) + dot(arm[i], turned[j]);
  }
}

// What follows from the diagonal block of W, kept. Returns its trace.
template <class K>
CAIRN_LANES Lanes prepare_inverses(Real* f, const Frame<K, Real>& frame, const int* body, const Real* inverse) {
  const auto keep = [f](int field, const Lanes& x) { store_lanes(x, f + field * lane_count); };
  Lanes H[6], trace;  // NN Nt Ns tt ts ss; NN Nt tt in the plane
  prepare_group<K>(f, frame, body, inverse, H);
  keep(K::normal, positive_inverse(H[0]));
  if constexpr (K::D == 2) {
    keep(K::couple, H[1]), keep(K::stick, positive_inverse(H[2]));
    trace = H[0] + H[2];
  } else {
    const Lanes tt = H[3], ts = H[4], ss = H[5], half = (tt - ss) / 2;
    const Lanes slide = positive_inverse((tt + ss) / 2 + sqrt_lanes(half * half + ts * ts));
    const Lanes det = tt * ss - ts * ts;
    const auto regular = det > 1e-12 * (tt * ss);
    keep(K::slide, slide), keep(K::couple, H[1]), keep(K::couple + 1, H[2]);
    keep(K::stick, regular ? ss / det : slide);
    keep(K::stick + 1, regular ? -ts / det : Lanes{});
    keep(K::stick + 2, regular ? tt / det : slide);
    trace = H[0] + tt + ss;
  }
  return trace;
}

template <class K>
SweepData prepare(const SweepGroups<Real>& groups, const Real* u, const Real* inverse, int first, int last) {
  constexpr int D = K::D;
  Lanes speed2{}, traces{}, impulse2{};
  for (int g = first; g < last; ++g) {
    Real* f = fields<K>(groups, g);
    const int* body = bodies(groups, g);
    look_ahead<K>(f, u, body);
    const Frame<K, Real> frame(f);
    const Sides<K, Real> sides(u, body);
    Lanes trace;
    if constexpr (is_round<K>)
      trace = RoundBlock<Real>(f, sides).trace();
    else
      trace = prepare_inverses<K>(f, frame, body, inverse);
    store_lanes(trace / D, f + K::mean * lane_count);
    traces += trace;
    const LaneVec<D, Real> q = frame.to_local(sides.relative(f, frame)) + vector<K>(f, K::w);
    speed2 += dot(q, q);
    const LaneVec<D, Real> S = vector<K>(f, K::S);
    impulse2 += dot(S, S);
  }
  return {sum_of(speed2), sum_of(traces), sum_of(impulse2)};
}

template <class K>
void apply(const SweepGroups<Real>& groups, Real* u, const Real* inverse, int first, int last) {
  for (int g = first; g < last; ++g) {
    const Real* f = fields<K>(groups, g);
    const int* body = bodies(groups, g);
    look_ahead<K>(f, u, body);
    const Frame<K, Real> frame(f);
    Sides<K, Real> sides(u, body);
    sides.push(f, frame, frame.to_world(vector<K>(f, K::S)), inverse, body);
    sides.put_back(u, body, groups.nothing);
  }
}

template <class K, bool On, class T>
CAIRN_LANES Real sweep_groups(const SweepGroups<T>& groups, T* u, const T* inverse, int first, int last, T factor) {
  constexpr int D = K::D;
  LanesOf<T> sum{};
  for (int g = first; g < last; ++g) {
    T* f = fields<K>(groups, g);
    look_ahead<K>(f, u, bodies(groups, g));
    const int* body = bodies(groups, g);
    const Frame<K, T> frame(f);
    Sides<K, T> sides(u, body);
    const LaneVec<D, T> last_S = vector<K>(f, K::S);
    LaneVec<D, T> S = last_S;
    if constexpr (On) S = S + all_lanes(factor) * vector<K>(f, K::move);
    const LaneVec<D, T> U = frame.to_local(sides.relative(f, frame)) + vector<K>(f, K::w);
    LaneVec<D, T> found;
    LanesOf<T> mean;
    if constexpr (is_round<K>) {
      const RoundBlock<T> H(f, sides);
      found = solve_round(f, H, frame.e[0], U, S), mean = H.trace() / 3;
    } else {
      found = solve_contact<K>(f, U, S), mean = lane<K>(f, K::mean);
    }
    LaneVec<D, T> change = found - S;
    if constexpr (!On) change = all_lanes(factor) * change, found = S + change;
    found.store(f + K::S * lanes_of<T>), (found - last_S).store(f + K::move * lanes_of<T>);
    sides.push(f, frame, frame.to_world(change), inverse, body);
    sides.put_back(u, body, groups.nothing);
    sum += mean * dot(change, change);
  }
  return sum_of(sum);
}
template <class K, class T>
Real sweep(const SweepGroups<T>& groups, T* u, const T* inverse, int first, int last, Real relaxed) {
  return sweep_groups<K, false>(groups, u, inverse, first, last, static_cast<T>(relaxed));
}
template <class K, class T>
Real sweep_on(const SweepGroups<T>& groups, T* u, const T* inverse, int first, int last, Real beta) {
  return sweep_groups<K, true>(groups, u, inverse, first, last, static_cast<T>(beta));
}

template <class K, class T, bool Keep = false>
SweepErrors measure(const SweepGroups<T>& groups, const T* u, const SweepUnits* given_in, const SweepUnits& own_in,
                    int first, int last) {
  constexpr int D = K::D;
  const SweepUnits& in = given_in ? *given_in : own_in;
  const auto per = [](Real unit) { return all_lanes(static_cast<T>(1 / unit)); };
  const LanesOf<T> velocity = per(in.velocity), impulse = per(in.impulse), own_velocity = per(own_in.velocity),
                   own_impulse = per(own_in.impulse);
  const LanesOf<T> rounding2 = all_lanes(T(0x1p-104));  // what rounding hides beside a large impulse counts as error
  LanesOf<T> given{}, own{}, impulses{};
  for (int g = first; g < last; ++g) {
    T* f = fields<K>(groups, g);
    look_ahead<K>(f, u, bodies(groups, g));
    const Frame<K, T> frame(f);
    const LaneVec<D, T> U = frame.to_local(Sides<K, T>(u, bodies(groups, g)).relative(f, frame)) + vector<K>(f, K::w);
    if constexpr (Keep) U.store(f + K::move * lanes_of<T>);
    const LaneVec<D, T> S = vector<K>(f, K::S), R = own_impulse * S;
    if (given_in) given += natural_map2<K>(f, frame, velocity * U, impulse * S);
    const LanesOf<T> R2 = dot(R, R);
    own += natural_map2<K>(f, frame, own_velocity * U, R) + rounding2 * R2;
    impulses += R2;
  }
  return {sum_of(given), sum_of(own), sum_of(impulses)};
}

template <class K>
void velocities(const SweepGroups<Real>& groups, const Real* u, int first, int last) {
  for (int g = first; g < last; ++g) {
    Real* f = fields<K>(groups, g);
    look_ahead<K>(f, u, bodies(groups, g));
    const Frame<K, Real> frame(f);
    const LaneVec<K::D, Real> U =
        frame.to_local(Sides<K, Real>(u, bodies(groups, g)).relative(f, frame)) + vector<K>(f, K::w);
    U.store(f + K::move * lane_count);
  }
}

// By what a field is divided in the units given.
template <class K>
Real unit_of(int field, const SweepUnits& units) {
  const auto in = [&](int first, int count) { return first <= field && field < first + count; };
  if (in(K::w, K::D)) return units.velocity;
  if (in(K::S, K::D) || in(K::move, K::D)) return units.impulse;
  if constexpr (!is_round<K>) {
    if (field == K::mean || in(K::couple, K::D - 1)) return units.velocity / units.impulse;
    if (in(K::normal, K::mean - K::normal)) return units.impulse / units.velocity;
  }
  return 1;
}

// Two groups of four contacts after the other are one of eight.
template <class K>
void narrow(const SweepGroups<Real>& from, const SweepGroups<float>& to, const SweepUnits& units, int first, int last,
            int first_single) {
  Real per[K::single];
  for (int k = 0; k < K::single; ++k) per[k] = 1 / unit_of<K>(k, units);
  for (int g = first; g < last; ++g) {
    const Real* f = fields<K>(from, g);
    float* t = fields<K>(to, first_single + (g - first) / 2) + (g - first) % 2 * lane_count;
    for (int k = 0; k < K::single; ++k) {
      const int source = k >= K::w && k < K::w + K::D ? k - K::w + K::move : k;  // where q is
      const bool moves = k >= K::move;
      for (int i = 0; i < lane_count; ++i)
        t[k * lanes_of<float> + i] = moves ? 0 : static_cast<float>(f[source * lane_count + i] * per[k]);
    }
  }
}
template <class K>
void widen(const SweepGroups<float>& from, const SweepGroups<Real>& to, const SweepUnits& units, int first, int last,
           int first_single) {
  for (int g = first; g < last; ++g) {
    const float* f = fields<K>(from, first_single + (g - first) / 2) + (g - first) % 2 * lane_count;
    Real* t = fields<K>(to, g);
    for (int k = K::S; k < K::S + K::D; ++k)
      for (int i = 0; i < lane_count; ++i)
        t[k * lane_count + i] = static_cast<Real>(f[k * lanes_of<float> + i]) * units.impulse;
  }
}

template <class K>
constexpr SweepKernel table{
    {K::n, K::t, K::r, K::w, K::mu, K::S, K::mean, K::move, K::count, K::single, is_round<K> ? 1 : K::D, is_round<K>},
    prepare<K>,
    apply<K>,
    velocities<K>,
    measure<K, Real, true>,
    {sweep<K, Real>, sweep_on<K, Real>, measure<K, Real>},
    {sweep<K, float>, sweep_on<K, float>, measure<K, float>},
    narrow<K>,
    widen<K>};

}  // namespace

const SweepKernel& sweep_kernel(SweepKind kind) {
  switch (kind) {
    case SweepKind::plane: return table<Plane>;
    case SweepKind::solid: return table<Solid>;
    case SweepKind::round: return table<Round>;
  }
  __builtin_unreachable();
}

}  // namespace cairn
