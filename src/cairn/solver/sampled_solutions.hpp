// Solutions of a step problem found from many random starts: all that can be done in space, where sliding is not
// linear, and an independent check of the enumeration in the plane.
#pragma once

#include <cstdint>

#include "cairn/base/expected.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/problem/local.hpp"
#include "cairn/solver/solution_set.hpp"

namespace cairn {

struct SampleOptions {
  int starts = 200;
  std::uint64_t seed = 1;  // the same seed gives the same bits
};

inline constexpr int max_sampled = 40;  // contacts: each start factorises full matrices

// Impulses with an error of 1e-10 at most, in the order found. The first start is what the solver gives; each other one
// is random, taken through some sweeps in random orders or to a random mode of each contact, then to Newton's method.
// Points closer than rounding are given once.
template <ContactLaw L>
std::vector<std::vector<Real>> sampled_points(const LocalProblem<L>& problem, const SampleOptions& options);

extern template std::vector<std::vector<Real>> sampled_points(const LocalProblem<Coulomb2>&, const SampleOptions&);
extern template std::vector<std::vector<Real>> sampled_points(const LocalProblem<Coulomb3>&, const SampleOptions&);

// Gathered by motion: one set for each velocity U, with one of its points; its dimension is that of the impulses seen.
// `complete` is false, except for one contact whose W is regular: its law lists all (coulomb3.hpp).
Expected<AllSolutions> sampled_solutions(const LocalProblem<Coulomb3>& problem, const SampleOptions& options = {});

}  // namespace cairn
