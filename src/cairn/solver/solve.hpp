// Solves a problem as it stands in an FCLIB file: reduces it to contacts, solves, recovers velocities and multipliers.
#pragma once

#include "cairn/problem/fclib.hpp"
#include "cairn/solver/report.hpp"

namespace cairn {

struct Solved {
  fclib::Solution solution;
  Report report;  // report.error is recomputed from the file's own data by error_of()
};

Solved solve(const fclib::Problem& problem, const SolverOptions& options = {});

// Norm of the natural map (rho = 1, De Saxce) over the norm of q, from the problem's own data and the impulses r alone:
// for global forms v solves M v = H r + G l + f with G^T v + b = 0, u = H^T v + w, and q is u at r = 0.
Real error_of(const fclib::Problem& problem, const fclib::Vector& r);

}  // namespace cairn
