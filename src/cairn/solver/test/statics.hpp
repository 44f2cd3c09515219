// Bodies at rest under impulses given, for tests of undetermined forces.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cairn/base/body_rows.hpp"
#include "cairn/solver/force_range.hpp"
#include "cairn/solver/force_rows.hpp"
#include "cairn/solver/simplest.hpp"

namespace cairn {

// One or several bodies, contacts given by point, normal and impulse; states follow.
template <int D>
struct Statics {
  static constexpr int F = freedoms<D>;
  BodyProblem<MixedLaw<D>, F> problem;
  std::vector<Real> S, U;
  std::vector<ContactState> state;
  std::vector<Vec<D>> centre;

  explicit Statics(std::vector<Vec<D>> centres) : centre(std::move(centres)) {
    problem.inverse_inertia.assign(centre.size() * F, 1);
  }

  static Mat<D> axes(const Vec<D>& n) {
    if constexpr (D == 2) {
      return {{n[0], n[1], -n[1], n[0]}};
    } else {
      Vec<3> t = std::fabs(n[0]) < 0.6 ? Vec<3>{1, 0, 0} : Vec<3>{0, 1, 0};
      t = normalised(t - dot(t, n) * n);
      const Vec<3> s = cross(n, t);
      return {{n[0], n[1], n[2], t[0], t[1], t[2], s[0], s[1], s[2]}};
    }
  }

  // The impulse, in local axes, acts on the first body; -1: the ground.
  void add(int first, int second, const Vec<D>& point, const Vec<D>& normal, Real mu, const Vec<D>& impulse,
           ContactState how = ContactState::sticks) {
    typename decltype(problem)::Contact c{};
    const int body[2] = {first, second};
    for (int side = 0; side < 2; ++side) {
      c.body[side] = body[side];
      if (body[side] < 0) continue;
      const Pose<D> pose{centre[static_cast<std::size_t>(body[side])], {}};
      c.G[side] = Real(side == 0 ? 1 : -1) * point_rows(pose, point, axes(normal));
    }
    problem.contact.push_back(c), problem.law.push_back(MixedLaw<D>::coulomb(mu));
    S.insert(S.end(), impulse.v, impulse.v + D), U.insert(U.end(), D, 0), state.push_back(how);
  }

  // Impulses that stop bodies which would move with `velocity`.
  void solve(const Vec<F>& velocity) {
    for (std::size_t b = 0; b < centre.size(); ++b)
      problem.u_free.insert(problem.u_free.end(), velocity.v, velocity.v + F);
    problem.w.assign(S.size(), 0);
    SolverOptions options;
    options.tolerance = 1e-13;
    std::vector<Real> u;
    const Report report = solve_simplest(problem, options, S, u);
    ASSERT_LT(report.error, 1e-11);
  }

  ForceSet set() const { return force_set<D, F>(problem, S, U, state); }
  ForceReport ranges(const ForceOptions& options = {}) const { return force_ranges(set(), options); }
};

}  // namespace cairn
