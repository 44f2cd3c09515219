// A group of contacts in lanes: its bodies, and where its kind keeps what and how it moves them.
#pragma once

#include <type_traits>

#include "cairn/solver/sweep_kernel.hpp"

namespace cairn::detail {

// --- bodies ---------------------------------------------------------------------------------------------------------

template <int D, class L>
struct Motion {
  LaneVec<D, L> v;
  LaneVec<spins<D>, L> w;
  L inverse_mass, inverse_inertia;  // of round bodies
};

// Rows of the bodies of the lanes, and the columns of their first `count` numbers. Velocities begin at `body`; other
// numbers, so many a body, at that in proportion.
template <class L, class T = NumberOf<L>>
struct Rows {
  static constexpr int lanes = lanes_of<L>;
  T* row[lanes];
  CAIRN_LANES Rows(T* all, const int* body) {
    for (int i = 0; i < lanes; ++i) row[i] = all + body[i];
  }
  CAIRN_LANES Rows(T* all, const int* body, unsigned stride, unsigned velocities) {
    for (int i = 0; i < lanes; ++i) row[i] = all + static_cast<std::size_t>(body[i]) * stride / velocities;
  }
  template <int count>
  CAIRN_LANES void load(L* column) const {
    if constexpr (count == 8 && lanes == 16) return load_eight_columns(row, column);
    for (int k = 0; k < count; k += 4) {
      const NumberOf<L>* from[lanes];
      for (int i = 0; i < lanes; ++i) from[i] = row[i] + k;
      load_columns(from, column + k);
    }
  }
  template <int count>
  CAIRN_LANES void store(const L* column) const {
    if constexpr (count == 8 && lanes == 16) return store_eight_columns(column, row);
    for (int k = 0; k < count; k += 4) {
      NumberOf<L>* to[lanes];
      for (int i = 0; i < lanes; ++i) to[i] = row[i] + k;
      store_columns(column + k, to);
    }
  }
};
template <class L>
using ConstRows = Rows<L, const NumberOf<L>>;

template <int D, class L>
CAIRN_LANES Motion<D, L> motion(const NumberOf<L>* u, const int* body) {
  constexpr int stride = SweepBodies::velocity_stride[D];
  L a[stride];
  ConstRows<L>(u, body).template load<stride>(a);
  if constexpr (D == 2)
    return {{{a[0], a[1]}}, {{a[2]}}, a[3], a[3]};
  else
    return {{{a[0], a[1], a[2]}}, {{a[4], a[5], a[6]}}, a[3], a[7]};
}

// Whether any of the lanes' bodies, of either side, is the one that stands for boundaries.
template <class L>
CAIRN_LANES bool any_nothing(const int* body, int nothing) {
  typedef LanesOf<int, lanes_of<L>> Ints;
  const Ints first = load_lanes<Ints>(body), second = load_lanes<Ints>(body + group_of<NumberOf<L>>);
  const Ints equal = (first == nothing) | (second == nothing);
  long long part[sizeof(Ints) / sizeof(long long)], any = 0;
  __builtin_memcpy(part, &equal, sizeof equal);
  for (const long long p : part) any |= p;
  return any != 0;
}

template <int D, class L>
CAIRN_LANES void put(const Motion<D, L>& m, NumberOf<L>* u, const int* body) {
  constexpr int stride = SweepBodies::velocity_stride[D];
  L a[stride];
  for (int k = 0; k < D; ++k) a[k] = m.v[k];
  if constexpr (D == 3)
    for (int k = 0; k < 3; ++k) a[4 + k] = m.w[k];
  else
    a[2] = m.w[0];
  a[3] = m.inverse_mass, a[stride - 1] = m.inverse_inertia;
  Rows<L>(u, body).template store<stride>(a);
}

// What stands for boundaries is read by all and never written.
template <int D, class L>
CAIRN_LANES void put_without(int nothing, const Motion<D, L>& m, NumberOf<L>* u, const int* body) {
  constexpr int stride = SweepBodies::velocity_stride[D], count = lanes_of<L>;
  alignas(64) NumberOf<L> row[count][stride];
  int order[count];
  for (int i = 0; i < count; ++i) order[i] = i * stride;
  put(m, row[0], order);
  for (int i = 0; i < count; ++i)
    if (body[i] != nothing) __builtin_memcpy(u + body[i], row[i], sizeof row[i]);
}

template <int D, class L>
struct Inverse {                      // in space
  LaneVec<3, L> mass, diagonal, off;  // off: xy xz yz
  CAIRN_LANES explicit Inverse(const NumberOf<L>* inverse, const int* body) {
    L a[12];
    ConstRows<L>(inverse, body, 12, SweepBodies::velocity_stride[3]).template load<12>(a);
    mass = {{a[0], a[1], a[2]}}, diagonal = {{a[4], a[5], a[6]}}, off = {{a[8], a[9], a[10]}};
  }
  CAIRN_LANES LaneVec<3, L> spin(const LaneVec<3, L>& x) const {
    return {{diagonal[0] * x[0] + off[0] * x[1] + off[1] * x[2], off[0] * x[0] + diagonal[1] * x[1] + off[2] * x[2],
             off[1] * x[0] + off[2] * x[1] + diagonal[2] * x[2]}};
  }
};
template <class L>
struct Inverse<2, L> {
  LaneVec<2, L> mass;
  L inertia;
  CAIRN_LANES explicit Inverse(const NumberOf<L>* inverse, const int* body) {
    L a[4];
    ConstRows<L>(inverse, body, 4, SweepBodies::velocity_stride[2]).template load<4>(a);
    mass = {{a[0], a[1]}}, inertia = a[2];
  }
  CAIRN_LANES LaneVec<1, L> spin(const LaneVec<1, L>& x) const { return {{inertia * x[0]}}; }
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

// A field of a group, and vectors of fields.
template <class L>
CAIRN_LANES L lane(const NumberOf<L>* f, int field) {
  return load_lanes<L>(f + field * group_of<NumberOf<L>>);
}
template <class K, class L>
CAIRN_LANES LaneVec<K::D, L> vector(const NumberOf<L>* f, int field) {
  return LaneVec<K::D, L>::load(f + field * group_of<NumberOf<L>>, group_of<NumberOf<L>>);
}
template <int D, class L>
CAIRN_LANES void keep(const LaneVec<D, L>& x, NumberOf<L>* f, int field) {
  x.store(f + field * group_of<NumberOf<L>>, group_of<NumberOf<L>>);
}

template <class K>
constexpr bool is_round = std::is_same_v<K, Round>;

// Columns: normal, tangents. Between spheres the normal alone: what is local is in the world's axes.
template <class K, class L>
struct Frame {
  LaneVec<K::D, L> e[K::D];
  CAIRN_LANES explicit Frame(const NumberOf<L>* f) {
    e[0] = vector<K, L>(f, K::n);
    if constexpr (K::D == 2)
      e[1] = {{-e[0][1], e[0][0]}};
    else if constexpr (!is_round<K>)
      e[1] = vector<K, L>(f, K::t), e[2] = cross(e[0], e[1]);
  }
  CAIRN_LANES LaneVec<K::D, L> to_local(const LaneVec<K::D, L>& x) const {
    if constexpr (is_round<K>) return x;
    LaneVec<K::D, L> y;
    for (int i = 0; i < K::D; ++i) y[i] = dot(e[i], x);
    return y;
  }
  CAIRN_LANES LaneVec<K::D, L> to_world(const LaneVec<K::D, L>& x) const {
    if constexpr (is_round<K>) return x;
    LaneVec<K::D, L> y = x[0] * e[0];
    for (int i = 1; i < K::D; ++i) y = y + x[i] * e[i];
    return y;
  }
};

// Both bodies of a group.
template <class K, class L>
struct Sides {
  static constexpr int D = K::D, group = group_of<NumberOf<L>>;
  Motion<D, L> m[2];
  CAIRN_LANES Sides(const NumberOf<L>* u, const int* body) : m{motion<D, L>(u, body), motion<D, L>(u, body + group)} {}

  // v_1 + w_1 x r_1 - v_2 - w_2 x r_2
  CAIRN_LANES LaneVec<D, L> relative(const NumberOf<L>* f, const Frame<K, L>& frame) const {
    const LaneVec<D, L> v = m[0].v - m[1].v;
    if constexpr (is_round<K>) {  // r_1 = -rho_1 n, r_2 = rho_2 n
      return v - cross(lane<L>(f, K::r) * m[0].w + lane<L>(f, K::r + 1) * m[1].w, frame.e[0]);
    } else {
      return v + spin_velocity(m[0].w, vector<K, L>(f, K::r)) - spin_velocity(m[1].w, vector<K, L>(f, K::r + D));
    }
  }
  CAIRN_LANES void push(const NumberOf<L>* f, const Frame<K, L>& frame, const LaneVec<D, L>& p,
                        const NumberOf<L>* inverse, const int* body) {
    if constexpr (is_round<K>) {
      const LaneVec<3, L> turn = cross(frame.e[0], p);
      for (int s = 0; s < 2; ++s) {
        m[s].v = s == 0 ? m[s].v + m[s].inverse_mass * p : m[s].v - m[s].inverse_mass * p;
        m[s].w = m[s].w - (m[s].inverse_inertia * lane<L>(f, K::r + s)) * turn;
      }
    } else {
      for (int s = 0; s < 2; ++s) {
        const Inverse<D, L> A(inverse, body + s * group);
        const LaneVec<spins<D>, L> turn = A.spin(cross(vector<K, L>(f, K::r + s * D), p));
        LaneVec<D, L> move;
        for (int i = 0; i < D; ++i) move[i] = A.mass[i] * p[i];
        m[s].v = s == 0 ? m[s].v + move : m[s].v - move;
        m[s].w = s == 0 ? m[s].w + turn : m[s].w - turn;
      }
    }
  }
  CAIRN_LANES void put_back(NumberOf<L>* u, const int* body, int nothing) const {
    if (any_nothing<L>(body, nothing)) [[unlikely]]
      put_without(nothing, m[0], u, body), put_without(nothing, m[1], u, body + group);
    else
      put(m[0], u, body), put(m[1], u, body + group);
  }
};

}  // namespace cairn::detail
