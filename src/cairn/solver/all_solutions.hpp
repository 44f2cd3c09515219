// Every solution of a step problem in the plane: exact Coulomb friction may leave several motions possible, or none,
// and impulses undetermined (M88 14).
//
// The modes of the contacts are searched depth first (mode_tableau.hpp). In a mode everything is linear: one point
// where its equations are regular, a polyhedron otherwise, given by its extreme points and rays.
#pragma once

#include "cairn/base/expected.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/signorini.hpp"
#include "cairn/problem/local.hpp"
#include "cairn/solver/solution_set.hpp"

namespace cairn {

inline constexpr int max_enumerated = 12;  // contacts

// Refused: more contacts than that, numbers that are not finite, or a polyhedron with too many extreme points. W need
// not be symmetric. The answer does not depend on the units of mass, length and time.
Expected<AllSolutions> all_solutions(const LocalProblem<Coulomb2>& problem);
Expected<AllSolutions> all_solutions(const LocalProblem<Signorini>& problem);  // rows of sets: one a contact

// Whether (W S + q, S) meets the conditions of the set's modes up to `slack`, relative to the size of q and of S in the
// problem's own units.
bool contains(const LocalProblem<Coulomb2>& problem, const SolutionSet& set, const std::vector<Real>& S, Real slack);

}  // namespace cairn
