#include "cairn/solver/sweep_kernel.hpp"

#include "cairn/solver/sweep_contact.hpp"

namespace cairn {
namespace {

using namespace detail;

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
