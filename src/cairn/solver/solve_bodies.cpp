#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/solver/solve_bodies_any.hpp"

namespace cairn {

template Report solve_bodies(const BodyProblem<Coulomb2, 3>&, const SolverOptions&, std::vector<Real>&,
                             std::vector<Real>&);
template Report solve_bodies(const BodyProblem<Coulomb3, 6>&, const SolverOptions&, std::vector<Real>&,
                             std::vector<Real>&);

}  // namespace cairn
