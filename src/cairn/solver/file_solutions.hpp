// Every solution of a problem as it stands in an FCLIB file: enumerated in the plane, sampled in space.
#pragma once

#include "cairn/problem/fclib.hpp"
#include "cairn/solver/sampled_solutions.hpp"

namespace cairn {

// Errors of points are recomputed from the file's own data (error_of). Refused: rolling friction, singular data, more
// contacts than can be treated.
Expected<AllSolutions> all_solutions(const fclib::Problem& problem, const SampleOptions& options = {});

}  // namespace cairn
