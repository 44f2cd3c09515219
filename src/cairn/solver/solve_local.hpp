// Solves a problem in local form with the method asked for; `auto` chooses and switches by watching the error.
#pragma once

#include <vector>

#include "cairn/problem/local.hpp"
#include "cairn/solver/report.hpp"

namespace cairn {

// S: impulses (rows), the start when options.warm_start, the best found on return. The problem is taken by value: it is
// brought to its own units inside.
template <ContactLaw L>
Report solve_local(LocalProblem<L> problem, const SolverOptions& options, std::vector<Real>& S);

}  // namespace cairn
