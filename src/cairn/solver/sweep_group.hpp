// A group of contacts in lanes: its bodies, and where its kind keeps what and how it moves them.
#pragma once

#include <type_traits>

#include "cairn/solver/sweep_kernel.hpp"

namespace cairn::detail {

// --- bodies ---------------------------------------------------------------------------------------------------------

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

}  // namespace cairn::detail
