#include "cairn/solver/solve_local_any.hpp"

namespace cairn {

template Report solve_local(LocalProblem<Coulomb2>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Coulomb3>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Rolling3>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Rolling5>, const SolverOptions&, std::vector<Real>&);

}  // namespace cairn
