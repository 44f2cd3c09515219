#include "cairn/solver/sweep_kernel.hpp"

#include "cairn/solver/sweep_loops.hpp"

namespace cairn {
namespace {

using namespace detail;

template <class K>
CAIRN_LANES void prepare_group(const Real* f, const Frame<K, Lanes>& frame, const int* body, const Real* inverse,
                               Lanes (&H)[6]) {
  constexpr int D = K::D;
  for (Lanes& h : H) h = Lanes{};
  for (int s = 0; s < 2; ++s) {
    const Inverse<D, Lanes> A(inverse, body + s * group_of<Real>);
    LaneVec<spins<D>> arm[D], turned[D];
    LaneVec<D> moved[D];
    for (int i = 0; i < D; ++i) {
      arm[i] = cross(vector<K, Lanes>(f, K::r + s * D), frame.e[i]);
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
CAIRN_LANES Lanes prepare_inverses(Real* f, const Frame<K, Lanes>& frame, const int* body, const Real* inverse) {
  const auto keep = [f](int field, const Lanes& x) { store_lanes(x, f + field * group_of<Real>); };
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
  for_lanes<K, Lanes>(
      groups, u, first, last, [&](Real * f, const int* body) __attribute__((always_inline)) {
        const Frame<K, Lanes> frame(f);
        const Sides<K, Lanes> sides(u, body);
        Lanes trace;
        if constexpr (is_round<K>)
          trace = RoundBlock<Lanes>(f, sides).trace();
        else
          trace = prepare_inverses<K>(f, frame, body, inverse);
        store_lanes(trace / D, f + K::mean * group_of<Real>);
        traces += trace;
        const LaneVec<D> q = frame.to_local(sides.relative(f, frame)) + vector<K, Lanes>(f, K::w);
        speed2 += dot(q, q);
        const LaneVec<D> S = vector<K, Lanes>(f, K::S);
        impulse2 += dot(S, S);
      });
  return {sum_of(speed2), sum_of(traces), sum_of(impulse2)};
}

template <class K>
void apply(const SweepGroups<Real>& groups, Real* u, const Real* inverse, int first, int last) {
  for_lanes<K, Lanes>(
      groups, u, first, last, [&](const Real* f, const int* body) __attribute__((always_inline)) {
        const Frame<K, Lanes> frame(f);
        Sides<K, Lanes> sides(u, body);
        sides.push(f, frame, frame.to_world(vector<K, Lanes>(f, K::S)), inverse, body);
        sides.put_back(u, body, groups.nothing);
      });
}

template <class K>
void velocities(const SweepGroups<Real>& groups, const Real* u, int first, int last) {
  for_lanes<K, Lanes>(
      groups, u, first, last, [&](Real * f, const int* body) __attribute__((always_inline)) {
        const Frame<K, Lanes> frame(f);
        keep(frame.to_local(Sides<K, Lanes>(u, body).relative(f, frame)) + vector<K, Lanes>(f, K::w), f, K::move);
      });
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

// Groups of four contacts, one after the other, are parts of one of sixteen.
constexpr int wholes = group_of<float> / group_of<Real>;
template <class K>
void narrow(const SweepGroups<Real>& from, const SweepGroups<float>& to, const SweepUnits& units, int first, int last,
            int first_single) {
  Real per[K::single];
  for (int k = 0; k < K::single; ++k) per[k] = 1 / unit_of<K>(k, units);
  for (int g = first; g < last; ++g) {
    const Real* f = fields<K>(from, g);
    float* t = fields<K>(to, first_single + (g - first) / wholes) + (g - first) % wholes * group_of<Real>;
    for (int k = 0; k < K::single; ++k) {
      const int source = k >= K::w && k < K::w + K::D ? k - K::w + K::move : k;  // where q is
      const bool moves = k >= K::move;
      for (int i = 0; i < group_of<Real>; ++i)
        t[k * group_of<float> + i] = moves ? 0 : static_cast<float>(f[source * group_of<Real> + i] * per[k]);
    }
  }
}
template <class K>
void widen(const SweepGroups<float>& from, const SweepGroups<Real>& to, const SweepUnits& units, int first, int last,
           int first_single) {
  for (int g = first; g < last; ++g) {
    const float* f = fields<K>(from, first_single + (g - first) / wholes) + (g - first) % wholes * group_of<Real>;
    Real* t = fields<K>(to, g);
    for (int k = K::S; k < K::S + K::D; ++k)
      for (int i = 0; i < group_of<Real>; ++i)
        t[k * group_of<Real> + i] = static_cast<Real>(f[k * group_of<float> + i]) * units.impulse;
  }
}

template <class K>
SweepKernel kernel_of(SweepKind kind) {
  return {
      {K::n, K::t, K::r, K::w, K::mu, K::S, K::mean, K::move, K::count, K::single, is_round<K> ? 1 : K::D, is_round<K>},
      prepare<K>,
      apply<K>,
      velocities<K>,
      measure<K, Lanes, true>,
      loops_of<K, Lanes>,
      single_loops(kind, has_wide_lanes()),
      narrow<K>,
      widen<K>};
}

}  // namespace

const SweepLoops<float>& single_loops(SweepKind kind, bool wide) {
  return (wide ? wide_loops() : loops_of_kinds<LanesOf<float>>)[static_cast<int>(kind)];
}

bool has_wide_lanes() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return wide_loops() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

const SweepKernel& sweep_kernel(SweepKind kind) {
  static const SweepKernel kernels[] = {kernel_of<Plane>(SweepKind::plane), kernel_of<Solid>(SweepKind::solid),
                                        kernel_of<Round>(SweepKind::round)};
  return kernels[static_cast<int>(kind)];
}

}  // namespace cairn
