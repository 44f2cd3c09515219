// From bodies to FCLIB forms, and changes of a problem that must not change its answer: order of contacts, units.
#pragma once

#include "cairn/problem/bodies.hpp"
#include "cairn/problem/fclib.hpp"

namespace cairn {

// M diagonal, H = G^T, f = M u_free. Bodies of PlaneProblem and SpaceProblem (problem/generate.hpp). The file format
// has one coefficient a contact: a Coulomb2 with mu_plus != mu_minus is a bug and aborts.
template <class P>
fclib::Problem to_fclib_global(const P& bodies);

// W = G A^-1 G^T, q = G u_free + w.
template <class P>
fclib::Problem to_fclib_local(const P& bodies);

// Contact k of the result is contact order[k] of the argument; `solution` follows.
fclib::Problem permute_contacts(const fclib::Problem& problem, const std::vector<int>& order);

// A fixed permutation of 0 .. n-1, the same on every platform.
std::vector<int> random_order(int n, unsigned long long seed);

// The same problem in other units: each number is multiplied by what `length` [1], `mass` [1] and `time` [1] say of its
// dimension (velocity length/time, impulse mass length/time, W 1/mass, mu_r length). Freedoms of global forms keep one
// unit: all velocities v scale as length/time, all inertias as mass. The file's `solution` is dropped.
fclib::Problem rescale(const fclib::Problem& problem, Real length, Real mass, Real time);

}  // namespace cairn
