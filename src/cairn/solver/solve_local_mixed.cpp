#include "cairn/solver/solve_local_any.hpp"

namespace cairn {

template Report solve_local(LocalProblem<Mixed2>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Mixed3>, const SolverOptions&, std::vector<Real>&);

}  // namespace cairn
