// Joints taken out of a step problem exactly. With their impulses eliminated, what is left is a problem of the contacts
// alone, in local form:
//   W' = W_CC - W_CJ W_JJ^-1 W_JC,   q' = q_C - W_CJ W_JJ^-1 q_J.
// Sweeps pass an impulse along a chain of joints one joint at a time; here a chain costs one sparse factorisation.
#pragma once

#include <vector>

#include "cairn/law/mixed.hpp"
#include "cairn/problem/bodies.hpp"
#include "cairn/solver/report.hpp"

namespace cairn {

// Whether there are joints, and not too many contacts for W', which has few zeros.
template <int D, int F>
bool suits_joint_elimination(const BodyProblem<MixedLaw<D>, F>& problem);

// Impulses of contacts (from S where options.warm_start) and joints, to the rounding of the factorisation.
template <int D, int F>
Report solve_without_joints(const BodyProblem<MixedLaw<D>, F>& problem, const SolverOptions& options,
                            std::vector<Real>& S);

}  // namespace cairn
