#include "cairn/solver/small_any.hpp"

#include "cairn/law/laws.hpp"

namespace cairn {

template class SmallSolver<Signorini>;
template class SmallSolver<Coulomb2>;
template class SmallSolver<Coulomb3>;
template class SmallSolver<EllipseFriction>;
template class SmallSolver<PolygonFriction>;
template class SmallSolver<StaticDynamic2>;
template class SmallSolver<StaticDynamic3>;
template class SmallSolver<Bilateral<1>>;
template class SmallSolver<Bilateral<2>>;
template class SmallSolver<Bilateral<3>>;
template class SmallSolver<Rolling3>;
template class SmallSolver<Rolling5>;
template class SmallSolver<Rolling6>;
template class SmallSolver<Mixed2>;
template class SmallSolver<Mixed3>;

}  // namespace cairn
