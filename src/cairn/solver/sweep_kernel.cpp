#include "cairn/solver/sweep_kernel.hpp"

#include <type_traits>

namespace cairn {
namespace {

// --- the bodies of a group ---------------------------------------------------------------------------------------

template <int D>
struct Motion {
  LaneVec<D> v;
  LaneVec<spins<D>> w;
  Lanes inverse_mass, inverse_inertia;  // of round bodies
};

// Rows of the four bodies, `stride` numbers each, from the number `first` on.
template <class T>
struct Rows {
  T* row[lane_count];
  CAIRN_LANES Rows(T* all, const int* body, int stride) {
    for (int i = 0; i < lane_count; ++i)
      row[i] = all + static_cast<std::size_t>(body[i]) * static_cast<unsigned>(stride);
  }
  CAIRN_LANES void load(int first, Lanes* column) const {
    const Real* const from[4] = {row[0] + first, row[1] + first, row[2] + first, row[3] + first};
    load_columns(from, column);
  }
  CAIRN_LANES void store(int first, const Lanes* column) const {
    Real* const to[4] = {row[0] + first, row[1] + first, row[2] + first, row[3] + first};
    store_columns(column, to);
  }
};

CAIRN_LANES Motion<3> motion(const Real* u, const int* body, const LaneVec<3>*) {
  Lanes a[8];
  const Rows<const Real> rows(u, body, 8);
  rows.load(0, a), rows.load(4, a + 4);
  return {{{a[0], a[1], a[2]}}, {{a[4], a[5], a[6]}}, a[3], a[7]};
}
CAIRN_LANES Motion<2> motion(const Real* u, const int* body, const LaneVec<2>*) {
  Lanes a[4];
  Rows<const Real>(u, body, 4).load(0, a);
  return {{{a[0], a[1]}}, {{a[2]}}, a[3], a[3]};
}

// What stands for boundaries is read by all and never written.
template <int D>
CAIRN_LANES void put(const Motion<D>& m, Real* u, const int* body, int nothing) {
  constexpr int stride = SweepBodies::velocity_stride[D];
  Lanes a[8];
  if constexpr (D == 3)
    for (int k = 0; k < 3; ++k) a[k] = m.v[k], a[4 + k] = m.w[k];
  else
    a[0] = m.v[0], a[1] = m.v[1], a[2] = m.w[0];
  a[3] = m.inverse_mass, a[7] = m.inverse_inertia;
  const bool whole = body[0] != nothing && body[1] != nothing && body[2] != nothing && body[3] != nothing;
  if (whole) [[likely]] {
    const Rows<Real> rows(u, body, stride);
    for (int k = 0; k < stride; k += 4) rows.store(k, a + k);
    return;
  }
  alignas(32) Real row[4][8];
  Real *const to[4] = {row[0], row[1], row[2], row[3]}, *const rest[4] = {row[0] + 4, row[1] + 4, row[2] + 4,
                                                                          row[3] + 4};
  store_columns(a, to);
  if constexpr (D == 3) store_columns(a + 4, rest);
  for (int i = 0; i < lane_count; ++i)
    if (body[i] != nothing)
      __builtin_memcpy(u + static_cast<std::size_t>(body[i]) * stride, row[i], stride * sizeof(Real));
}

struct Inverse3 {
  LaneVec<3> mass, diagonal, off;  // off: xy xz yz
  CAIRN_LANES LaneVec<3> spin(const LaneVec<3>& x) const {
    return {{diagonal[0] * x[0] + off[0] * x[1] + off[1] * x[2], off[0] * x[0] + diagonal[1] * x[1] + off[2] * x[2],
             off[1] * x[0] + off[2] * x[1] + diagonal[2] * x[2]}};
  }
};
CAIRN_LANES Inverse3 inverse_of(const Real* inverse, const int* body, const LaneVec<3>*) {
  Lanes a[12];
  const Rows<const Real> rows(inverse, body, 12);
  for (int k = 0; k < 12; k += 4) rows.load(k, a + k);
  return {{{a[0], a[1], a[2]}}, {{a[4], a[5], a[6]}}, {{a[8], a[9], a[10]}}};
}
struct Inverse2 {
  LaneVec<2> mass;
  Lanes inertia;
  CAIRN_LANES LaneVec<1> spin(const LaneVec<1>& x) const { return {{inertia * x[0]}}; }
};
CAIRN_LANES Inverse2 inverse_of(const Real* inverse, const int* body, const LaneVec<2>*) {
  Lanes a[4];
  Rows<const Real>(inverse, body, 4).load(0, a);
  return {{{a[0], a[1]}}, a[2]};
}

// --- kinds: where things are, and how a contact moves its bodies --------------------------------------------------

// normal: 1/H_NN; couple: H_TN; stick: H_TT^-1 (tt ts ss); slide: 1 over the larger eigenvalue of H_TT; mean: trace
// H/D.
struct Plane {
  static constexpr int D = 2;
  enum { n = 0, r = 2, w = 6, mu = 8, S = 10, normal = 12, couple, stick, mean, move, count = 18 };
  static constexpr int t = -1, slide = stick;
};
struct Solid {
  static constexpr int D = 3;
  enum { n = 0, t = 3, r = 6, w = 12, mu = 15, S, normal = 19, couple, stick = 22, slide = 25, mean, move, count = 30 };
};
struct Round {
  static constexpr int D = 3;
  enum { n = 0, t = 3, r = 6, w = 8, mu = 11, S, normal = 15, slide, mean, move, count = 21 };
};

template <class K>
CAIRN_LANES Lanes lane(const Real* f, int field) {
  return load_lanes(f + field * lane_count);
}
template <class K>
CAIRN_LANES LaneVec<K::D> vector(const Real* f, int field) {
  return LaneVec<K::D>::load(f + field * lane_count);
}

// Columns: normal, tangents.
template <class K>
struct Frame {
  LaneVec<K::D> e[K::D];
  CAIRN_LANES explicit Frame(const Real* f) {
    e[0] = vector<K>(f, K::n);
    if constexpr (K::D == 2)
      e[1] = {{-e[0][1], e[0][0]}};
    else
      e[1] = vector<K>(f, K::t), e[2] = cross(e[0], e[1]);
  }
  CAIRN_LANES LaneVec<K::D> to_local(const LaneVec<K::D>& x) const {
    LaneVec<K::D> y;
    for (int i = 0; i < K::D; ++i) y[i] = dot(e[i], x);
    return y;
  }
  CAIRN_LANES LaneVec<K::D> to_world(const LaneVec<K::D>& x) const {
    LaneVec<K::D> y = x[0] * e[0];
    for (int i = 1; i < K::D; ++i) y = y + x[i] * e[i];
    return y;
  }
};

// Both bodies of a group.
template <class K>
struct Sides {
  static constexpr int D = K::D;
  Motion<D> m[2];
  CAIRN_LANES Sides(const Real* u, const int* body)
      : m{motion(u, body, static_cast<LaneVec<D>*>(nullptr)),
          motion(u, body + lane_count, static_cast<LaneVec<D>*>(nullptr))} {}

  // v_1 + w_1 x r_1 - v_2 - w_2 x r_2
  CAIRN_LANES LaneVec<D> relative(const Real* f, const Frame<K>& frame) const {
    const LaneVec<D> v = m[0].v - m[1].v;
    if constexpr (std::is_same_v<K, Round>) {  // r_1 = -rho_1 n, r_2 = rho_2 n
      return v - cross(lane<K>(f, K::r) * m[0].w + lane<K>(f, K::r + 1) * m[1].w, frame.e[0]);
    } else {
      return v + spin_velocity(m[0].w, vector<K>(f, K::r)) - spin_velocity(m[1].w, vector<K>(f, K::r + D));
    }
  }
  CAIRN_LANES void push(const Real* f, const Frame<K>& frame, const LaneVec<D>& p, const Real* inverse,
                        const int* body) {
    if constexpr (std::is_same_v<K, Round>) {
      const LaneVec<3> turn = cross(frame.e[0], p);
      for (int s = 0; s < 2; ++s) {
        m[s].v = s == 0 ? m[s].v + m[s].inverse_mass * p : m[s].v - m[s].inverse_mass * p;
        m[s].w = m[s].w - (m[s].inverse_inertia * lane<K>(f, K::r + s)) * turn;
      }
    } else {
      for (int s = 0; s < 2; ++s) {
        const auto A = inverse_of(inverse, body + s * lane_count, static_cast<LaneVec<D>*>(nullptr));
        const LaneVec<spins<D>> turn = A.spin(cross(vector<K>(f, K::r + s * D), p));
        LaneVec<D> move;
        for (int i = 0; i < D; ++i) move[i] = A.mass[i] * p[i];
        m[s].v = s == 0 ? m[s].v + move : m[s].v - move;
        m[s].w = s == 0 ? m[s].w + turn : m[s].w - turn;
      }
    }
  }
  CAIRN_LANES void put_back(Real* u, const int* body, int nothing) const {
    put(m[0], u, body, nothing);
    put(m[1], u, body + lane_count, nothing);
  }
};

// --- one contact ----------------------------------------------------------------------------------------------------

CAIRN_LANES Lanes positive_inverse(const Lanes& x) { return x > 0 ? 1 / x : Lanes{}; }

// The normal impulse with the friction held, then the friction with that: at a fixed point both hold, which is
// Coulomb's law. Friction that can stop the sliding does; else a step down the steepest descent, back onto the disc.
template <class K>
CAIRN_LANES LaneVec<K::D> solve_contact(const Real* f, LaneVec<K::D> U, const LaneVec<K::D>& S) {
  LaneVec<K::D> x = S;
  x[0] = larger(S[0] - U[0] * lane<K>(f, K::normal), Lanes{});
  const Lanes d = x[0] - S[0];
  if constexpr (K::D == 2) {
    U[1] += lane<K>(f, K::couple) * d;
    const Lanes high = lane<K>(f, K::mu) * x[0], low = -lane<K>(f, K::mu + 1) * x[0];
    const Lanes y = S[1] - U[1] * lane<K>(f, K::stick);
    x[1] = y > high ? high : y < low ? low : y;
  } else {
    if constexpr (std::is_same_v<K, Solid>)
      for (int i = 1; i < 3; ++i) U[i] += lane<K>(f, K::couple + i - 1) * d;
    const Lanes most = lane<K>(f, K::mu) * x[0], slide = lane<K>(f, K::slide);
    const Lanes y1 = S[1] - slide * U[1], y2 = S[2] - slide * U[2], length2 = y1 * y1 + y2 * y2;
    const Lanes scale = length2 > most * most ? most / sqrt_lanes(length2) : all_lanes(1);
    x[1] = scale * y1, x[2] = scale * y2;
    if constexpr (std::is_same_v<K, Solid>) {
      const Lanes tt = lane<K>(f, K::stick), ts = lane<K>(f, K::stick + 1), ss = lane<K>(f, K::stick + 2);
      const Lanes z1 = S[1] - (tt * U[1] + ts * U[2]), z2 = S[2] - (ts * U[1] + ss * U[2]);
      const auto sticks = z1 * z1 + z2 * z2 <= most * most;
      x[1] = sticks ? z1 : x[1], x[2] = sticks ? z2 : x[2];
    }
  }
  return x;
}

// Square of S - P(S - V), V = U + shift(U) (law.hpp); V itself where S - V is admissible.
template <class K>
CAIRN_LANES Lanes natural_map2(const Real* f, const LaneVec<K::D>& U, const LaneVec<K::D>& S) {
  constexpr int D = K::D;
  LaneVec<D> V = U, p;
  Lanes mu = lane<K>(f, K::mu);
  if constexpr (D == 2) {
    const Lanes minus = lane<K>(f, K::mu + 1);
    V[0] += U[1] > 0 ? minus * U[1] : -mu * U[1];
    mu = S[1] - V[1] > 0 ? mu : minus;
  } else {
    V[0] += mu * sqrt_lanes(U[1] * U[1] + U[2] * U[2]);
  }
  const LaneVec<D> x = S - V;
  Lanes t2 = x[1] * x[1];
  if constexpr (D == 3) t2 += x[2] * x[2];
  const Lanes t = sqrt_lanes(t2), on = (x[0] + mu * t) / (1 + mu * mu), n = larger(on, Lanes{});
  const Lanes scale = t > 0 ? mu * n / t : Lanes{};
  const Lanes most = mu * x[0];
  const auto outside = (x[0] < 0) | (t2 > most * most);
  p[0] = n;
  for (int i = 1; i < D; ++i) p[i] = scale * x[i];
  Lanes sum{};
  for (int i = 0; i < D; ++i) {
    const Lanes e = outside ? S[i] - p[i] : V[i];
    sum += e * e;
  }
  return sum;
}

// --- the functions of the table -------------------------------------------------------------------------------------

template <class K>
CAIRN_LANES Real* fields(const SweepGroups& groups, int g) {
  return groups.field + static_cast<std::size_t>(g) * (K::count * lane_count);
}
CAIRN_LANES const int* bodies(const SweepGroups& groups, int g) { return groups.body + g * (2 * lane_count); }

template <class K>
CAIRN_LANES void prepare_group(Real* f, const Frame<K>& frame, const int* body, const Real* inverse, Lanes (&H)[6]) {
  constexpr int D = K::D;
  for (Lanes& h : H) h = Lanes{};
  for (int s = 0; s < 2; ++s) {
    const auto A = inverse_of(inverse, body + s * lane_count, static_cast<LaneVec<D>*>(nullptr));
    LaneVec<spins<D>> arm[D], turned[D];
    LaneVec<D> moved[D];
    for (int i = 0; i < D; ++i) {
      if constexpr (std::is_same_v<K, Round>) {
        const Lanes rho = lane<K>(f, K::r + s);
        arm[i] = rho * cross(frame.e[0], frame.e[i]);  // either sign: it enters squared
      } else {
        arm[i] = cross(vector<K>(f, K::r + s * D), frame.e[i]);
      }
      turned[i] = A.spin(arm[i]);
      for (int k = 0; k < D; ++k) moved[i][k] = A.mass[k] * frame.e[i][k];
    }
    int at = 0;
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) H[at++] += dot(frame.e[i], moved[j]) + dot(arm[i], turned[j]);
  }
}

template <class K>
SweepData prepare(const SweepGroups& groups, const Real* u, const Real* inverse, int first, int last) {
  constexpr int D = K::D;
  Lanes speed2{}, traces{};
  const auto keep = [](Real* f, int field, const Lanes& x) { store_lanes(x, f + field * lane_count); };
  for (int g = first; g < last; ++g) {
    Real* f = fields<K>(groups, g);
    const int* body = bodies(groups, g);
    const Frame<K> frame(f);
    Lanes H[6];  // NN Nt Ns tt ts ss; NN Nt tt in the plane
    prepare_group<K>(f, frame, body, inverse, H);
    keep(f, K::normal, positive_inverse(H[0]));
    Lanes trace;
    if constexpr (D == 2) {
      keep(f, K::couple, H[1]), keep(f, K::stick, positive_inverse(H[2]));
      trace = H[0] + H[2];
    } else {
      const Lanes tt = H[3], ts = H[4], ss = H[5], half = (tt - ss) / 2;
      const Lanes slide = positive_inverse((tt + ss) / 2 + sqrt_lanes(half * half + ts * ts));
      keep(f, K::slide, slide);
      trace = H[0] + tt + ss;
      if constexpr (std::is_same_v<K, Solid>) {
        const Lanes det = tt * ss - ts * ts;
        const auto regular = det > 1e-12 * (tt * ss);
        keep(f, K::couple, H[1]), keep(f, K::couple + 1, H[2]);
        keep(f, K::stick, regular ? ss / det : slide);
        keep(f, K::stick + 1, regular ? -ts / det : Lanes{});
        keep(f, K::stick + 2, regular ? tt / det : slide);
      }
    }
    keep(f, K::mean, trace / D);
    traces += trace;
    const LaneVec<D> q = frame.to_local(Sides<K>(u, body).relative(f, frame)) + vector<K>(f, K::w);
    speed2 += dot(q, q);
  }
  return {sum_of(speed2), sum_of(traces)};
}

template <class K>
void apply(const SweepGroups& groups, Real* u, const Real* inverse, int first, int last) {
  for (int g = first; g < last; ++g) {
    const Real* f = fields<K>(groups, g);
    const int* body = bodies(groups, g);
    const Frame<K> frame(f);
    Sides<K> sides(u, body);
    sides.push(f, frame, frame.to_world(vector<K>(f, K::S)), inverse, body);
    sides.put_back(u, body, groups.nothing);
  }
}

template <class K, bool On>
CAIRN_LANES Real sweep_groups(const SweepGroups& groups, Real* u, const Real* inverse, int first, int last,
                              Real factor) {
  constexpr int D = K::D;
  Lanes sum{};
  for (int g = first; g < last; ++g) {
    Real* f = fields<K>(groups, g);
    const int* body = bodies(groups, g);
    const Frame<K> frame(f);
    Sides<K> sides(u, body);
    const LaneVec<D> last_S = vector<K>(f, K::S);
    LaneVec<D> S = last_S;
    if constexpr (On) S = S + all_lanes(factor) * vector<K>(f, K::move);
    const LaneVec<D> U = frame.to_local(sides.relative(f, frame)) + vector<K>(f, K::w);
    LaneVec<D> found = solve_contact<K>(f, U, S), change = found - S;
    if constexpr (!On) change = all_lanes(factor) * change, found = S + change;
    found.store(f + K::S * lane_count), (found - last_S).store(f + K::move * lane_count);
    sides.push(f, frame, frame.to_world(change), inverse, body);
    sides.put_back(u, body, groups.nothing);
    sum += lane<K>(f, K::mean) * dot(change, change);
  }
  return sum_of(sum);
}
template <class K>
Real sweep(const SweepGroups& groups, Real* u, const Real* inverse, int first, int last, Real relaxed) {
  return sweep_groups<K, false>(groups, u, inverse, first, last, relaxed);
}
template <class K>
Real sweep_on(const SweepGroups& groups, Real* u, const Real* inverse, int first, int last, Real beta) {
  return sweep_groups<K, true>(groups, u, inverse, first, last, beta);
}

template <class K>
SweepErrors measure(const SweepGroups& groups, const Real* u, const SweepUnits& units, int first, int last) {
  constexpr int D = K::D;
  const Lanes per_velocity = all_lanes(1 / units.velocity), per_impulse = all_lanes(1 / units.impulse);
  const Lanes rounding2 = all_lanes(0x1p-104);  // what rounding hides beside a large impulse counts as error
  Lanes given{}, own{}, impulse{};
  for (int g = first; g < last; ++g) {
    const Real* f = fields<K>(groups, g);
    const Frame<K> frame(f);
    const LaneVec<D> U = frame.to_local(Sides<K>(u, bodies(groups, g)).relative(f, frame)) + vector<K>(f, K::w);
    const LaneVec<D> S = vector<K>(f, K::S), R = per_impulse * S;
    given += natural_map2<K>(f, U, S);
    const Lanes R2 = dot(R, R);
    own += natural_map2<K>(f, per_velocity * U, R) + rounding2 * R2;
    impulse += R2;
  }
  return {sum_of(given), sum_of(own), sum_of(impulse)};
}

template <class K>
void velocities(const SweepGroups& groups, const Real* u, int first, int last) {
  for (int g = first; g < last; ++g) {
    Real* f = fields<K>(groups, g);
    const Frame<K> frame(f);
    const LaneVec<K::D> U = frame.to_local(Sides<K>(u, bodies(groups, g)).relative(f, frame)) + vector<K>(f, K::w);
    U.store(f + K::move * lane_count);
  }
}

template <class K>
constexpr SweepKernel table{
    {K::n, K::t, K::r, K::w, K::mu, K::S, K::mean, K::move, K::count, std::is_same_v<K, Round> ? 1 : K::D},
    prepare<K>,
    apply<K>,
    sweep<K>,
    sweep_on<K>,
    measure<K>,
    velocities<K>};

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
