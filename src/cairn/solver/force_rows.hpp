// The set of distributions (force_set.hpp) of a step problem over bodies whose solution is known.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "cairn/base/check.hpp"
#include "cairn/law/mixed.hpp"
#include "cairn/problem/bodies.hpp"
#include "cairn/solver/force_set.hpp"

namespace cairn {

// What is known of a contact's motion over the step, with which its impulse must agree.
enum class ContactState : unsigned char { opens, slides, sticks };

// S = T s maps the cone s_0 >= |(s_1, s_2)| on that of the law.
template <int D>
Mat<D> cone_map(const MixedLaw<D>& law) {
  Mat<D> T = Mat<D>::zero();
  T(0, 0) = 1;
  law.visit([&](const auto& l) {
    using L = std::decay_t<decltype(l)>;
    if constexpr (std::is_same_v<L, Coulomb2>) {
      T(1, 0) = (l.mu_plus - l.mu_minus) / 2, T(1, 1) = (l.mu_plus + l.mu_minus) / 2;
    } else if constexpr (std::is_same_v<L, Coulomb3>) {
      T(1, 1) = T(2, 2) = l.mu;
    } else if constexpr (std::is_same_v<L, EllipseFriction>) {
      for (int i = 0; i < 2; ++i) T(i + 1, 0) = l.center[i], T(i + 1, 1) = l.a[0] * l.axis[i];
      T(1, 2) = -l.a[1] * l.axis[1], T(2, 2) = l.a[1] * l.axis[0];
    }
  });
  return T;
}

namespace force_detail {

// Impulses S = sum of s_j times column j of T, the first `dim` of them.
template <int D, int F>
ForceUnknown unknown_along(const typename BodyProblem<MixedLaw<D>, F>::Contact& c, const Mat<D>& T, int dim) {
  ForceUnknown u;
  u.dim = dim;
  for (int j = 0; j < dim; ++j) {
    auto& column = u.column[static_cast<std::size_t>(j)];
    for (int side = 0; side < 2; ++side)
      for (int k = 0; c.body[side] >= 0 && k < F; ++k) {
        Real r = 0;
        for (int i = 0; i < D; ++i) r += c.G[side](i, k) * T(i, j);
        if (r != 0) column.push_back({c.body[side] * F + k, r});
      }
    for (int i = 0; i < dim; ++i)
      for (int m = 0; m < D; ++m) u.metric[static_cast<std::size_t>(3 * j + i)] += T(m, j) * T(m, i);
  }
  return u;
}

// Impulse over the normal impulse of a contact that slides with U (M88 12.4): the point of the section of the cone that
// takes most power out. A solution that has an impulse there tells it itself.
template <int D>
Vec<D> sliding_ray(const Mat<D>& T, const Vec<D>& S, const Vec<D>& U) {
  if (S[0] > 0) return (1 / S[0]) * S;
  Vec<D> push = Vec<D>::zero();  // T^T U, tangential
  for (int j = 1; j < D; ++j)
    for (int i = 1; i < D; ++i) push[j] += T(i, j) * U[i];
  const Real size = norm(push);
  Vec<D> s = Vec<D>::zero();
  s[0] = 1;
  for (int j = 1; j < D; ++j) s[j] = size > 0 ? -push[j] / size : 0;
  return T * s;
}

// Numbers s with T s = S; what rounding or a solver's error left outside the cone is brought back to it.
template <int D>
void set_value(ForceUnknown& u, const Mat<D>& T, const Vec<D>& S) {
  const Real n = std::max(S[0], Real(0));
  Vec<D> rest = S - n * Vec<D>::load(T.v), s = Vec<D>::zero();
  for (int j = 1; j < u.dim; ++j) {
    Real along = 0, size = 0;
    for (int i = 1; i < D; ++i) along += T(i, j) * rest[i], size += T(i, j) * T(i, j);
    s[j] = size > 0 ? along / size : 0;
  }
  const Real t = norm(s);
  if (t > n) s = n / t * s;
  s[0] = n;
  for (int j = 0; j < u.dim; ++j) u.value[static_cast<std::size_t>(j)] = s[j];
}

template <int D, int F>
ForceUnknown unknown_of(const BodyProblem<MixedLaw<D>, F>& p, int a, const Vec<D>& S, const Vec<D>& U,
                        ContactState state) {
  const auto& contact = p.contact[static_cast<std::size_t>(a)];
  Mat<D> T = cone_map(p.law[static_cast<std::size_t>(a)]);
  if (state == ContactState::opens) return {};
  bool flat = true;  // no friction: the cone is the normal
  for (int j = 1; j < D; ++j)
    for (int i = 1; i < D; ++i) flat = flat && T(i, j) == 0;
  if (flat || state == ContactState::slides) {
    if (!flat) sliding_ray(T, S, U).store(T.v);
    ForceUnknown u = unknown_along<D, F>(contact, T, 1);
    u.value[0] = std::max(S[0], Real(0));
    return u;
  }
  ForceUnknown u = unknown_along<D, F>(contact, T, D);
  set_value(u, T, S);
  return u;
}

}  // namespace force_detail

// Contact a of the problem is unknown a; rows of joints stand behind all of them, one unknown each. S, U: [N s], [m/s]
// (rows) the solution; state: (contacts). Dry friction of joints is not for this: its impulses are in no cone.
template <int D, int F>
ForceSet force_set(const BodyProblem<MixedLaw<D>, F>& p, const std::vector<Real>& S, const std::vector<Real>& U,
                   const std::vector<ContactState>& state) {
  ForceSet set;
  set.rows = F * p.bodies();
  std::vector<ForceUnknown> joints;
  for (int a = 0; a < p.contacts(); ++a) {
    const std::size_t i = static_cast<std::size_t>(a), first = i * D;
    const MixedLaw<D>& law = p.law[i];
    CAIRN_CHECK(law.kind != LawKind::dry, "dry friction of joints has no cone");
    if (law.is_contact()) {
      set.unknowns.push_back(
          force_detail::unknown_of<D, F>(p, a, Vec<D>::load(&S[first]), Vec<D>::load(&U[first]), state[i]));
      continue;
    }
    set.unknowns.emplace_back();
    for (int row = 0; row < D; ++row) {
      if (!law.data.joint.constrains(row)) continue;
      Mat<D> T = Mat<D>::zero();
      T(row, 0) = 1;
      joints.push_back(force_detail::unknown_along<D, F>(p.contact[i], T, 1));
      joints.back().free = true, joints.back().metric = {},
      joints.back().value[0] = S[first + static_cast<std::size_t>(row)];
    }
  }
  set.unknowns.insert(set.unknowns.end(), joints.begin(), joints.end());
  return set;
}

}  // namespace cairn
