// The list of the examples. A new one: its declaration, and its name in the list.
#include "examples/example.hpp"

namespace cairn::examples {

Example bouncing_ball();
Example sweeping_disc();
Example non_uniqueness();
Example guided_contact();
Example catastrophe();
Example painleve_rod();
Example painleve_outcomes();
Example kane();
Example kane_map();
Example sleigh();
Example rolling_disc();
Example wedge();
Example cradle();
Example break_shot();
Example hammer_table();
Example driven_pendulum();
Example incline();
Example sliding_ball();
Example slope_particle();
Example anisotropic_slider();
Example belt();
Example rocking_block();
Example spinning_disc();
Example vibrating_table();
Example chalk();

const std::vector<Example>& all() {
  // clang-format off
  static const std::vector<Example> list{
      bouncing_ball(),
      sweeping_disc(),
      non_uniqueness(),
      guided_contact(),
      catastrophe(),
      painleve_rod(),
      painleve_outcomes(),
      kane(),
      kane_map(),
      sleigh(),
      rolling_disc(),
      wedge(),
      cradle(),
      break_shot(),
      hammer_table(),
      driven_pendulum(),
      incline(),
      sliding_ball(),
      slope_particle(),
      anisotropic_slider(),
      belt(),
      rocking_block(),
      spinning_disc(),
      vibrating_table(),
      chalk(),
  };
  // clang-format on
  return list;
}

}  // namespace cairn::examples
