// The waist, as solvers see it: contacts with laws, the map from impulses to local velocities, and its diagonal blocks.
// Three forms satisfy it or become one that does: local (problem/local.hpp), bodies (problem/bodies.hpp), and the
// global form of FCLIB files, which problem/reduce.hpp turns into the local one.
#pragma once

#include <concepts>
#include <vector>

#include "cairn/law/law.hpp"

namespace cairn {

template <class P>
concept StepProblem = ContactLaw<typename P::Law> && requires(const P& p, int a, const Real* S, Real* U) {
  { p.contacts() } -> std::convertible_to<int>;
  { p.law[a] } -> std::convertible_to<const typename P::Law&>;
  { p.diagonal_block(a) } -> std::same_as<Mat<P::Law::dim>>;  // H_aa = G_a A^-1 G_a^T
  p.velocities(S, U);                                         // U_a = G_a u + w_a with u from all impulses
  typename P::Sweep;                                          // what a Gauss-Seidel sweep reads and updates
};

// A sweep of P:  Sweep(p);  restart(S);  Vec velocity_without(a, S);  changed(a, S_new - S_old).

}  // namespace cairn
