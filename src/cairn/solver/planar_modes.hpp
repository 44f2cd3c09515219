// Modes of contacts in the plane: their conditions, which of them a solution is in, and solutions made exact in a mode.
#pragma once

#include <span>
#include <vector>

#include "cairn/solver/mode_tableau.hpp"
#include "cairn/solver/solution_set.hpp"

namespace cairn {

unsigned conditions(ContactMode mode);

// The modes to be tried for a contact; with friction the one first whose points count as its own at the borders.
std::span<const ContactMode> modes_of(const Coulomb2& law);

// Modes as bits, 1 << mode, whose conditions (U, S) meets up to `slack`. They are cones: also for directions of a ray.
unsigned admitted(const Coulomb2& law, const Vec<2>& U, const Vec<2>& S, Real slack);

// The mode that is said of a point: take-off before stick before slide.
ContactMode shown_mode(unsigned admitted);

// U = W S + q, summed in higher precision: impulses may cancel.
Eigen::VectorXd velocity(const PlanarProblem& p, const Eigen::VectorXd& S);

Eigen::VectorXd impulses(const PlanarProblem& p, const Eigen::VectorXd& x);  // S of the multipliers x of generators

// Natural map (rho = 1, De Saxce) over |q|.
Real natural_error(const PlanarProblem& p, const Eigen::VectorXd& U, const Eigen::VectorXd& S);

// Newton on the equations of the modes, which are linear: what elimination has lost comes back. With `active` also
// inequalities that x meets as equalities are kept so: x is then an extreme point.
Eigen::VectorXd refined(const PlanarProblem& p, std::span<const ContactMode> modes, const Eigen::VectorXd& x,
                        bool active);

}  // namespace cairn
