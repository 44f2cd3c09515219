// Solves a problem over bodies, matrix-free, with the method asked for; `auto` chooses and switches by watching the
// error.
#pragma once

#include <vector>

#include "cairn/problem/bodies.hpp"
#include "cairn/solver/report.hpp"

namespace cairn {

// S: impulses (rows), the start when options.warm_start, the best found on return. u: velocities of bodies that S gives
// (bodies * F). Instantiated for PlaneProblem and SpaceProblem (problem/generate.hpp), and for MixedLaw
// (law/mixed.hpp) in their place.
template <ContactLaw L, int F>
Report solve_bodies(const BodyProblem<L, F>& problem, const SolverOptions& options, std::vector<Real>& S,
                    std::vector<Real>& u);

}  // namespace cairn
