#include "cairn/law/mixed.hpp"
#include "cairn/solver/solve_bodies_any.hpp"

namespace cairn {

template Report solve_bodies(const BodyProblem<Mixed2, 3>&, const SolverOptions&, std::vector<Real>&,
                             std::vector<Real>&);
template Report solve_bodies(const BodyProblem<Mixed3, 6>&, const SolverOptions&, std::vector<Real>&,
                             std::vector<Real>&);

}  // namespace cairn
