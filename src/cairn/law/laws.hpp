// The one list of laws. A new law: write its file, add its name here and a maker of random ones in test/random_law.hpp;
// the typed tests of law/test/ then apply to it.
#pragma once

#include "cairn/law/anisotropic.hpp"
#include "cairn/law/bilateral.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/law/mixed.hpp"
#include "cairn/law/polygon.hpp"
#include "cairn/law/rolling.hpp"
#include "cairn/law/signorini.hpp"
#include "cairn/law/static_dynamic.hpp"

namespace cairn {

template <class... T>
struct TypeList {};

template <class... A, class... B>
TypeList<A..., B...> joined(TypeList<A...>, TypeList<B...>);

using ForceLaws = TypeList<Signorini, Coulomb2, Coulomb3, EllipseFriction, PolygonFriction, StaticDynamic2,
                           StaticDynamic3, Bilateral<1>, Bilateral<2>, Bilateral<3>, Mixed2, Mixed3>;
using TorqueLaws = TypeList<Rolling3, Rolling5, Rolling6>;  // apart: their tests take longest, a file each
using AllLaws = decltype(joined(ForceLaws{}, TorqueLaws{}));

}  // namespace cairn
