#include "cairn/law/mixed_torque.hpp"
#include "cairn/solver/solve_bodies_any.hpp"

namespace cairn {

template Report solve_bodies(const BodyProblem<MixedTorque<2>, 3>&, const SolverOptions&, std::vector<Real>&,
                             std::vector<Real>&);
template Report solve_bodies(const BodyProblem<MixedTorque<3>, 6>&, const SolverOptions&, std::vector<Real>&,
                             std::vector<Real>&);

}  // namespace cairn
