#include "cairn/solver/solve_local_any.hpp"

namespace cairn {

template Report solve_local(LocalProblem<Signorini>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<EllipseFriction>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<PolygonFriction>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<StaticDynamic2>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<StaticDynamic3>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Bilateral<1>>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Bilateral<2>>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Bilateral<3>>, const SolverOptions&, std::vector<Real>&);
template Report solve_local(LocalProblem<Rolling6>, const SolverOptions&, std::vector<Real>&);

}  // namespace cairn
