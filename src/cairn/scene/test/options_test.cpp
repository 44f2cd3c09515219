// Every generator refuses numbers that cannot be, by the name and the value of the option.
#include <functional>
#include <limits>

#include "cairn/scene/arch.hpp"
#include "cairn/scene/bed.hpp"
#include "cairn/scene/cards.hpp"
#include "cairn/scene/cell.hpp"
#include "cairn/scene/chute.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/discs.hpp"
#include "cairn/scene/dome.hpp"
#include "cairn/scene/dominoes.hpp"
#include "cairn/scene/drum.hpp"
#include "cairn/scene/hopper.hpp"
#include "cairn/scene/ladder.hpp"
#include "cairn/scene/overhang.hpp"
#include "cairn/scene/pyramid.hpp"
#include "cairn/scene/rocks.hpp"
#include "cairn/scene/test/touch.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn::scene {
namespace {

template <class Options>
struct Field {
  const char* name;
  std::function<void(Options&, Real)> set;
};

std::string written(Real value) { return std::isnan(value) ? "nan" : value > 0 ? "inf" : value < -1 ? "-inf" : "-1"; }

// Also where they are counts: -1 alone then.
template <class Options>
void expect_refused(const std::function<std::string(const Options&)>& refusal, const std::string& scene,
                    const std::vector<Field<Options>>& fields, bool counts = false, const Options& good = {}) {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN(), inf = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(refusal(good), "accepted") << scene;
  for (const Field<Options>& field : fields)
    for (const Real value : {Real(-1), nan, inf, -inf}) {
      if (counts && value != -1) continue;
      Options bad = good;
      field.set(bad, value);
      const std::string found = refusal(bad);
      EXPECT_EQ(found.find(scene + ": "), 0u) << field.name << ": " << found;
      EXPECT_NE(found.find(field.name), std::string::npos) << scene << " " << written(value) << ": " << found;
      EXPECT_NE(found.find(written(value)), std::string::npos) << scene << " " << field.name << ": " << found;
      EXPECT_NE(found.find("expected"), std::string::npos) << scene << " " << field.name << ": " << found;
    }
}

template <int D, class Options>
std::function<std::string(const Options&)> built_in() {
  return [](const Options& o) {
    const auto s = build<D>(o);
    return s ? std::string("accepted") : s.error();
  };
}

#define LENGTH(Type, path)                      \
  Field<Type> {                                 \
#path, [](Type & o, Real x) { o.path = x; } \
  }
#define COUNT(Type, path)                                         \
  Field<Type> {                                                   \
#path, [](Type & o, Real x) { o.path = static_cast<int>(x); } \
  }
#define MATTER(Type) LENGTH(Type, matter.density)
#define MATERIALS(Type) COUNT(Type, matter.material), COUNT(Type, matter.ground_material)
#define GRAIN_LENGTHS(Type) LENGTH(Type, grains.least), LENGTH(Type, grains.most), LENGTH(Type, grains.separation)
#define GRAIN_COUNTS(Type) COUNT(Type, grains.count), COUNT(Type, grains.tries)

TYPED_TEST_SUITE(Scenes, Dims);

TYPED_TEST(Scenes, refuse_lengths_that_cannot_be) {
  constexpr int D = TypeParam::value;
  const auto check = [](const char* name, const auto& fields, const auto& good) {
    using Options = std::decay_t<decltype(good)>;
    expect_refused<Options>(built_in<D, Options>(), name, fields, false, good);
  };
  check("column",
        std::vector{LENGTH(Column, width), LENGTH(Column, height), LENGTH(Column, depth), LENGTH(Column, ratio),
                    MATTER(Column)},
        Column{});
  check("wall",
        std::vector{LENGTH(Wall, length), LENGTH(Wall, height), LENGTH(Wall, depth), LENGTH(Wall, lap),
                    LENGTH(Wall, joint), LENGTH(Wall, uneven_height), LENGTH(Wall, uneven_length), MATTER(Wall)},
        Wall{});
  check("wall", std::vector{LENGTH(Wall, openings[0].width), LENGTH(Wall, openings[0].bearing)},
        Wall{.openings = {{}}});
  check("arch",
        std::vector{LENGTH(Arch, embrace), LENGTH(Arch, radius), LENGTH(Arch, thickness), LENGTH(Arch, depth),
                    LENGTH(Arch, piers.width), LENGTH(Arch, piers.height), MATTER(Arch)},
        Arch{.support = ArchSupport::piers});
  check("leaning cards",
        std::vector{LENGTH(LeaningCards, card.length), LENGTH(LeaningCards, card.thickness),
                    LENGTH(LeaningCards, card.radius), LENGTH(LeaningCards, card.depth), LENGTH(LeaningCards, angle),
                    MATTER(LeaningCards)},
        LeaningCards{});
  check("card house", std::vector{LENGTH(CardHouse, angle), LENGTH(CardHouse, gap), MATTER(CardHouse)}, CardHouse{});
  check("disc pile", std::vector{LENGTH(DiscPile, radius), MATTER(DiscPile)}, DiscPile{});
  check("dominoes",
        std::vector{LENGTH(Dominoes, thickness), LENGTH(Dominoes, height), LENGTH(Dominoes, depth),
                    LENGTH(Dominoes, spacing), LENGTH(Dominoes, tilt), MATTER(Dominoes)},
        Dominoes{});
  check("ladder", std::vector{LENGTH(Ladder, length), LENGTH(Ladder, radius), LENGTH(Ladder, angle), MATTER(Ladder)},
        Ladder{});
  check("overhang",
        std::vector{LENGTH(Overhang, fraction), LENGTH(Overhang, length), LENGTH(Overhang, height),
                    LENGTH(Overhang, depth), LENGTH(Overhang, table_height), MATTER(Overhang)},
        Overhang{});
  check("pyramid", std::vector{LENGTH(Pyramid, width), LENGTH(Pyramid, height), LENGTH(Pyramid, gap), MATTER(Pyramid)},
        Pyramid{});
  check("rocks",
        std::vector{LENGTH(Rocks, radius), LENGTH(Rocks, height), LENGTH(Rocks, slope), LENGTH(Rocks, length),
                    LENGTH(Rocks, run_out), LENGTH(Rocks, width), LENGTH(Rocks, step), LENGTH(Rocks, roughness),
                    MATTER(Rocks)},
        Rocks{});
}

TYPED_TEST(Scenes, of_grains_refuse_lengths_that_cannot_be) {
  constexpr int D = TypeParam::value;
  const auto check = [](const char* name, const auto& fields, auto good) {
    using Options = decltype(good);
    good.grains.count = 20;
    expect_refused<Options>(built_in<D, Options>(), name, fields, false, good);
  };
  check("packing", std::vector{LENGTH(Packing, width), LENGTH(Packing, depth), GRAIN_LENGTHS(Packing), MATTER(Packing)},
        Packing{});
  check("cell",
        std::vector{LENGTH(Cell, width), LENGTH(Cell, depth), LENGTH(Cell, lid_thickness), LENGTH(Cell, lid_density),
                    LENGTH(Cell, clearance), GRAIN_LENGTHS(Cell), MATTER(Cell)},
        Cell{});
  check("hopper",
        std::vector{LENGTH(Hopper, width), LENGTH(Hopper, depth), LENGTH(Hopper, opening), LENGTH(Hopper, slope),
                    LENGTH(Hopper, thickness), LENGTH(Hopper, fall), GRAIN_LENGTHS(Hopper), MATTER(Hopper)},
        Hopper{});
  check("drum",
        std::vector{LENGTH(Drum, radius), LENGTH(Drum, depth), LENGTH(Drum, thickness), GRAIN_LENGTHS(Drum),
                    MATTER(Drum)},
        Drum{});
  check("chute",
        std::vector{LENGTH(Chute, slope), LENGTH(Chute, length), LENGTH(Chute, stock), LENGTH(Chute, width),
                    LENGTH(Chute, thickness), GRAIN_LENGTHS(Chute), MATTER(Chute)},
        Chute{});
  expect_refused<Bed>(built_in<D, Bed>(), "bed", {LENGTH(Bed, amplitude), LENGTH(Bed, frequency)}, false,
                      Bed{.packing = {.grains = {.count = 20}}});
}

TYPED_TEST(Scenes, refuse_counts_and_materials_below_zero) {
  constexpr int D = TypeParam::value;
  const auto check = [](const char* name, const auto& fields, const auto& good) {
    using Options = std::decay_t<decltype(good)>;
    expect_refused<Options>(built_in<D, Options>(), name, fields, true, good);
  };
  check("column", std::vector{COUNT(Column, count), COUNT(Column, sides), MATERIALS(Column)}, Column{});
  check("wall", std::vector{COUNT(Wall, courses), COUNT(Wall, blocks), MATERIALS(Wall)}, Wall{});
  check("wall", std::vector{COUNT(Wall, openings[0].course), COUNT(Wall, openings[0].courses)}, Wall{.openings = {{}}});
  check("arch", std::vector{COUNT(Arch, voussoirs), COUNT(Arch, piers.courses), MATERIALS(Arch)},
        Arch{.support = ArchSupport::piers});
  check("leaning cards", std::vector{MATERIALS(LeaningCards)}, LeaningCards{});
  check("card house", std::vector{COUNT(CardHouse, levels), MATERIALS(CardHouse)}, CardHouse{});
  check("disc pile", std::vector{MATERIALS(DiscPile)}, DiscPile{});
  check("dominoes", std::vector{COUNT(Dominoes, count), MATERIALS(Dominoes)}, Dominoes{});
  check("ladder", std::vector{COUNT(Ladder, wall_material), MATERIALS(Ladder)}, Ladder{});
  check("overhang", std::vector{COUNT(Overhang, bricks), MATERIALS(Overhang)}, Overhang{});
  check("pyramid", std::vector{COUNT(Pyramid, courses), MATERIALS(Pyramid)}, Pyramid{});
  check("rocks",
        std::vector{COUNT(Rocks, count), COUNT(Rocks, corners), COUNT(Rocks, terrain_material), MATERIALS(Rocks)},
        Rocks{});
  check("packing", std::vector{GRAIN_COUNTS(Packing), COUNT(Packing, wall_material), MATERIALS(Packing)}, Packing{});
  check("cell", std::vector{GRAIN_COUNTS(Cell), COUNT(Cell, wall_material), COUNT(Cell, lid_material), MATERIALS(Cell)},
        Cell{});
  check("hopper", std::vector{GRAIN_COUNTS(Hopper), COUNT(Hopper, wall_material), MATERIALS(Hopper)}, Hopper{});
  check("drum", std::vector{GRAIN_COUNTS(Drum), COUNT(Drum, slabs), COUNT(Drum, drum_material), MATERIALS(Drum)},
        Drum{.grains = {.count = 20}});
  check("chute", std::vector{GRAIN_COUNTS(Chute), COUNT(Chute, wall_material), MATERIALS(Chute)}, Chute{});
}

TEST(Dome, refuses_numbers_that_cannot_be) {
  const std::function<std::string(const Dome&)> refusal = [](const Dome& o) {
    const auto s = build_dome(o);
    return s ? std::string("accepted") : s.error();
  };
  expect_refused<Dome>(
      refusal, "dome",
      {LENGTH(Dome, radius), LENGTH(Dome, thickness), LENGTH(Dome, springing), LENGTH(Dome, oculus), MATTER(Dome)});
  expect_refused<Dome>(refusal, "dome", {COUNT(Dome, courses), COUNT(Dome, sectors), MATERIALS(Dome)}, true);
}

// Cells of a search as fine as the grains would be 1e18.
TYPED_TEST(Scenes, of_few_grains_in_a_huge_box_take_little_memory) {
  constexpr int D = TypeParam::value;
  Packing o;
  o.grains = {.count = 50, .least = 0.01, .most = 0.01}, o.width = o.depth = 2e7;
  EXPECT_EQ(built<D>(o).blocks.size(), D == 2 ? 53u : 55u);
}

}  // namespace
}  // namespace cairn::scene
