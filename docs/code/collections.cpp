// An arch of 15 stones: it stands a little above the least thickness of statics and falls a little below.
#include <cstdio>

#include "cairn/scene/arch.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scheme/collection.hpp"

using namespace cairn;

int main() {
  for (const Real factor : {1.02, 0.98}) {
    scene::Arch arch;  // semicircular, mean radius 1 m
    arch.voussoirs = 15;
    arch.support = scene::ArchSupport::ground;
    arch.thickness = factor * least_thickness(arch);

    Model<2> model;
    ModelState<2> state;
    model.gravity = {0, -9.81};
    model.materials.standard.mu = 0.7;
    const auto blocks = scene::build<2>(arch);
    if (!blocks || !scene::add_blocks<2>(model, state, *blocks)) return 1;

    Collection<2> scheme(model);
    const Real crown = state.x[7][1];
    Real error = 0, violation = 0;
    for (int k = 0; k < 1000; ++k) {
      const CollectionReport step = scheme.step(state, 1e-3);
      error = std::max(error, step.error), violation = std::max(violation, step.violation);
    }
    const Real sunk = crown - state.x[7][1];
    std::printf("thickness %.5f m: after %.0f s the crown has sunk by %s; error %s, violation %s\n", arch.thickness,
                state.t,
                sunk < 1e-9  ? "less than a nanometre"
                : sunk > 0.1 ? "more than 10 cm"
                             : "something",
                error < 1e-6 ? "below 1e-6" : "large", violation < 1e-4 ? "below 0.1 mm" : "large");
  }
}
