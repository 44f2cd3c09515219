#include "cairn/solver/solve_local_any.hpp"

namespace cairn {

template Report solve_local(LocalProblem<MixedTorque<2>>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<MixedTorque<3>>, const SolverOptions&, std::vector<Real>&);

}  // namespace cairn
