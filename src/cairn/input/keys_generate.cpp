// The generators of scene/ as tables of a scene file: [[generate]] kind = "wall" ...
#include "cairn/input/scene_file.hpp"

namespace cairn::input {
namespace {

using namespace scene;

// Makes the alternative T of a generator, and gives it to its keys.
template <class T>
T* choose(GenerateSpec& g) {
  g.generator = T{};
  return &std::get<T>(g.generator);
}

template <class T>
Keys<T>& matter(Keys<T>& keys, bool ground = true) {
  keys.number(
          "density", [](T& o) -> Real& { return o.matter.density; }, "kg/m^D",
          "of the blocks or grains; not given: that of their material", positive)
      .material(
          "material", [](T& o) -> int& { return o.matter.material; }, "of the blocks or grains");
  if (ground)
    keys.flag(
            "ground", [](T& o) -> bool& { return o.matter.ground; }, "whether they stand on a half-space \"ground\"")
        .material(
            "ground_material", [](T& o) -> int& { return o.matter.ground_material; }, "of that ground");
  return keys;
}

constexpr Limits counted{1, 2e6, false};

const Section& opening_keys() {
  static const Section s =
      Keys<Opening>("A hole in a wall, with a lintel over it.")
          .integer("course", &Opening::course, "its lowest course, from 0", not_negative)
          .integer("courses", &Opening::courses, "its height in courses", counted)
          .number("left", &Opening::left, "m", "its left side; the wall's middle is at 0", a_place)
          .number("width", &Opening::width, "m", "its width", a_length)
          .number("bearing", &Opening::bearing, "m", "of the lintel on each side; 0: no lintel", a_length_or_0);
  return s;
}

const Section& wall_keys() {
  static const Section s = [] {
    Keys<Wall> k("Masonry wall without mortar. The defaults are the wall of Jean and Moreau (1992), example 1.");
    k.integer("courses", &Wall::courses, "courses of blocks", counted)
        .integer("blocks", &Wall::blocks, "whole blocks in a course", counted)
        .number("length", &Wall::length, "m", "of a block", a_length)
        .number("height", &Wall::height, "m", "of a block", a_length)
        .number("depth", &Wall::depth, "m", "of a block, in space", a_length)
        .number("lap", &Wall::lap, "", "part of a block's length by which courses are shifted; 0: no bond",
                {0, 1, false})
        .number("joint", &Wall::joint, "m", "left open between the blocks of a course", a_length_or_0)
        .number("uneven_height", &Wall::uneven_height, "m", "a block is lower by a random part of this", a_length_or_0)
        .number("uneven_length", &Wall::uneven_length, "m", "a block is shorter by a random part of this",
                a_length_or_0)
        .integer("seed", &Wall::seed, "of the random parts", not_negative)
        .tables("opening", &Wall::openings, opening_keys(), "holes in the wall");
    return Section(matter(k));
  }();
  return s;
}

const Section& arch_keys() {
  static const Section s = [] {
    Keys<Arch> k("Arch of equal voussoirs with radial joints.");
    k.integer("voussoirs", &Arch::voussoirs, "number of stones", counted)
        .degrees("embrace_deg", &Arch::embrace, "angle between the springing joints", {0, 360, true})
        .number("radius", &Arch::radius, "m", "mean radius", a_length)
        .number("thickness", &Arch::thickness, "m", "of the ring", a_length)
        .number("depth", &Arch::depth, "m", "in space", a_length)
        .choice(
            "support", &Arch::support,
            std::vector<std::pair<const char*, ArchSupport>>{
                {"springers", ArchSupport::springers}, {"ground", ArchSupport::ground}, {"piers", ArchSupport::piers}},
            "fixed blocks \"left springer\" and \"right springer\", the ground, or piers of blocks")
        .integer(
            "pier_courses", [](Arch& a) -> int& { return a.piers.courses; }, "blocks in a pier", counted)
        .number(
            "pier_width", [](Arch& a) -> Real& { return a.piers.width; }, "m", "of a pier", a_length)
        .number(
            "pier_height", [](Arch& a) -> Real& { return a.piers.height; }, "m", "of a block of it", a_length);
    return Section(matter(k));
  }();
  return s;
}

const Section& column_keys() {
  static const Section s = [] {
    Keys<Column> k("Blocks or drums, one on the other.");
    k.integer("count", &Column::count, "number of blocks", counted)
        .number("width", &Column::width, "m", "of a brick, or across the corners of a drum", a_length)
        .number("height", &Column::height, "m", "of a block", a_length)
        .number("depth", &Column::depth, "m", "of a brick, in space", a_length)
        .integer("sides", &Column::sides, "of a drum, in space; 0: bricks", not_negative)
        .choice("heavy", &Column::heavy,
                std::vector<std::pair<const char*, Column::Heavy>>{{"none", Column::none},
                                                                   {"alternate", Column::alternate},
                                                                   {"bottom", Column::bottom},
                                                                   {"top", Column::top}},
                "which blocks are denser; alternate: every second, from the second on")
        .number("ratio", &Column::ratio, "", "by how many times", positive);
    return Section(matter(k));
  }();
  return s;
}

const Section& overhang_keys() {
  static const Section s = [] {
    Keys<Overhang> k("Bricks that overhang the edge of a table.");
    k.integer("bricks", &Overhang::bricks, "number of bricks", counted)
        .number("fraction", &Overhang::fraction, "", "of the overhang that balance allows, at every level",
                not_negative)
        .number("length", &Overhang::length, "m", "of a brick", a_length)
        .number("height", &Overhang::height, "m", "of a brick", a_length)
        .number("depth", &Overhang::depth, "m", "of a brick, in space", a_length)
        .number("table_height", &Overhang::table_height, "m", "of the fixed \"table\"", a_length);
    return Section(matter(k));
  }();
  return s;
}

template <class T>
void card(Keys<T>& k) {
  k.number(
       "length", [](T& o) -> Real& { return o.card.length; }, "m", "of a card", a_length)
      .number(
          "thickness", [](T& o) -> Real& { return o.card.thickness; }, "m", "of a card", a_length)
      .number(
          "radius", [](T& o) -> Real& { return o.card.radius; }, "m", "of its edges, below half the thickness",
          a_length_or_0)
      .number(
          "depth", [](T& o) -> Real& { return o.card.depth; }, "m", "of a card, in space", a_length)
      .degrees("angle_deg", &T::angle, "of a card from the vertical", {0, 45, true});
}

const Section& cards_keys() {
  static const Section s = [] {
    Keys<LeaningCards> k("Two cards that lean against each other.");
    card(k);
    return Section(matter(k));
  }();
  return s;
}

const Section& card_house_keys() {
  static const Section s = [] {
    Keys<CardHouse> k("House of cards.");
    card(k);
    k.integer("levels", &CardHouse::levels, "rows of leaning pairs", counted)
        .number("gap", &CardHouse::gap, "m", "between level cards of one row", a_length);
    return Section(matter(k));
  }();
  return s;
}

const Section& ladder_keys() {
  static const Section s = [] {
    Keys<Ladder> k("Ladder on the ground against a \"wall\".");
    k.number("length", &Ladder::length, "m", "between the centres of its ends", a_length)
        .number("radius", &Ladder::radius, "m", "of its ends", a_length)
        .degrees("angle_deg", &Ladder::angle, "from the horizontal", {0, 90, true})
        .material("wall_material", &Ladder::wall_material, "of the wall");
    return Section(matter(k));
  }();
  return s;
}

const Section& discs_keys() {
  static const Section s = [] {
    Keys<DiscPile> k("One disc on two that touch; in space one ball on three.");
    k.number("radius", &DiscPile::radius, "m", "of each", a_length);
    return Section(matter(k));
  }();
  return s;
}

const Section& dominoes_keys() {
  static const Section s = [] {
    Keys<Dominoes> k("Row of dominoes.");
    k.integer("count", &Dominoes::count, "number of them", counted)
        .number("thickness", &Dominoes::thickness, "m", "along the row", a_length)
        .number("height", &Dominoes::height, "m", "of a domino", a_length)
        .number("depth", &Dominoes::depth, "m", "of a domino, in space", a_length)
        .number("spacing", &Dominoes::spacing, "m", "free between two", a_length)
        .degrees("tilt_deg", &Dominoes::tilt, "of the first, about its lower edge", {0, 90, false});
    return Section(matter(k));
  }();
  return s;
}

const Section& pyramid_keys() {
  static const Section s = [] {
    Keys<Pyramid> k("Pyramid of bricks, each on two below (four in space).");
    k.integer("courses", &Pyramid::courses, "number of courses", {1, 1000, false})
        .number("width", &Pyramid::width, "m", "of a brick", a_length)
        .number("height", &Pyramid::height, "m", "of a brick", a_length)
        .number("gap", &Pyramid::gap, "m", "between the bricks of a course; 0: they touch", a_length_or_0);
    return Section(matter(k));
  }();
  return s;
}

const Section& dome_keys() {
  static const Section s = [] {
    Keys<Dome> k("Dome of blocks, in space.");
    k.integer("courses", &Dome::courses, "number of courses", {1, 1000, false})
        .integer("sectors", &Dome::sectors, "blocks in a course", {3, 1000, false})
        .number("radius", &Dome::radius, "m", "mean", a_length)
        .number("thickness", &Dome::thickness, "m", "of the shell", a_length)
        .number("springing_deg", &Dome::springing, "degrees", "of the lowest joint, from the axis", {0, 90, true})
        .number("oculus_deg", &Dome::oculus, "degrees", "of the opening at the top, from the axis", {0, 90, true});
    return Section(matter(k));
  }();
  return s;
}

// --- grains ----------------------------------------------------------------------------------------------------------

template <class T, class A>
void grains(Keys<T>& k, A g) {
  k.integer(
       "count", [g](T& o) -> int& { return g(o).count; }, "number of grains", counted)
      .number(
          "least_radius", [g](T& o) -> Real& { return g(o).least; }, "m", "smallest radius", a_length)
      .number(
          "most_radius", [g](T& o) -> Real& { return g(o).most; }, "m", "largest radius", a_length)
      .choice(
          "shape", [g](T& o) -> Grains::Kind& { return g(o).kind; },
          std::vector<std::pair<const char*, Grains::Kind>>{{"balls", Grains::balls},
                                                            {"disc", Grains::balls},
                                                            {"sphere", Grains::balls},
                                                            {"angular", Grains::angular},
                                                            {"polygon", Grains::angular},
                                                            {"polyhedron", Grains::angular}},
          "of the grains: balls (disc, sphere), or angular (polygon, polyhedron)")
      .choice(
          "sizes", [g](T& o) -> Grains::Sizes& { return g(o).sizes; },
          std::vector<std::pair<const char*, Grains::Sizes>>{{"even", Grains::even}, {"by_volume", Grains::by_volume}},
          "radii evenly between the two, or as much volume between r and 2 r for every r")
      .integer("corners", [g](T& o) -> int& { return g(o).corners; }, "of angular grains", {3, 64, false})
      .number(
          "separation", [g](T& o) -> Real& { return g(o).separation; }, "", "free room, of a grain's radius",
          not_negative)
      .integer("tries", [g](T& o) -> int& { return g(o).tries; }, "places tried for a grain: more is denser",
               {1, 10000, false})
      .integer(
          "seed", [g](T& o) -> std::uint64_t& { return g(o).seed; }, "of the random numbers", not_negative);
}

template <class T>
Grains& own_grains(T& o) {
  return o.grains;
}

template <class T>
void box(Keys<T>& k) {
  k.number("width", &T::width, "m", "between the walls", a_length)
      .number("depth", &T::depth, "m", "between front and back, in space", a_length)
      .material("wall_material", &T::wall_material, "of the walls");
}

const Section& packing_keys() {
  static const Section s = [] {
    Keys<Packing> k("Grains dropped one after the other into a box.");
    grains(k, own_grains<Packing>);
    box(k);
    k.flag("walls", &Packing::walls,
           "half-spaces \"left wall\", \"right wall\", in space \"front wall\", \"back wall\"");
    return Section(matter(k));
  }();
  return s;
}

const Section& cell_keys() {
  static const Section s = [] {
    Keys<Cell> k("Schneebeli's biaxial cell: grains between walls, under a \"lid\".");
    grains(k, own_grains<Cell>);
    box(k);
    k.number("lid_thickness", &Cell::lid_thickness, "m", "of the lid", a_length)
        .number("lid_density", &Cell::lid_density, "kg/m^D", "of the lid; its weight loads the grains", positive)
        .number("clearance", &Cell::clearance, "m", "between the lid and each wall", a_length_or_0)
        .material("lid_material", &Cell::lid_material, "of the lid");
    return Section(matter(k));
  }();
  return s;
}

const Section& hopper_keys() {
  static const Section s = [] {
    Keys<Hopper> k("Hopper or silo: grains above two slabs that leave an opening.");
    grains(k, own_grains<Hopper>);
    box(k);
    k.number("opening", &Hopper::opening, "m", "between the slabs; 0: closed", a_length_or_0)
        .degrees("slope_deg", &Hopper::slope, "of the slabs; 0: a flat bottom", {0, 89, false})
        .number("thickness", &Hopper::thickness, "m", "of the slabs", a_length)
        .number("fall", &Hopper::fall, "m", "from the opening to the ground", a_length);
    return Section(matter(k));
  }();
  return s;
}

const Section& drum_keys() {
  static const Section s = [] {
    Keys<Drum> k("Drum about a horizontal axis, with grains inside; its slabs are called \"drum\".");
    grains(k, own_grains<Drum>);
    k.number("radius", &Drum::radius, "m", "inside", a_length)
        .number("depth", &Drum::depth, "m", "in space", a_length)
        .integer("slabs", &Drum::slabs, "around", {3, 10000, false})
        .number("thickness", &Drum::thickness, "m", "of the slabs", a_length)
        .material("drum_material", &Drum::drum_material, "of the slabs");
    return Section(matter(k, false));
  }();
  return s;
}

const Section& rocks_keys() {
  static const Section s = [] {
    Keys<Rocks> k("Rocks above a rough slope, the \"terrain\".");
    k.integer("count", &Rocks::count, "number of rocks", counted)
        .number("radius", &Rocks::radius, "m", "of a rock", a_length)
        .integer("corners", &Rocks::corners, "of a rock", {3, 200, false})
        .number("height", &Rocks::height, "m", "from the terrain to the lowest rock", a_length)
        .degrees("slope_deg", &Rocks::slope, "of the terrain", {0, 89, false})
        .number("length", &Rocks::length, "m", "of the slope, along x", a_length)
        .number("run_out", &Rocks::run_out, "m", "of the level ground after it", a_length_or_0)
        .number("width", &Rocks::width, "m", "along y, in space", a_length)
        .number("step", &Rocks::step, "m", "between the points of the terrain", a_length)
        .number("roughness", &Rocks::roughness, "m", "points are that much higher or lower", a_length_or_0)
        .material("terrain_material", &Rocks::terrain_material, "of the terrain")
        .integer("seed", &Rocks::seed, "of the random numbers", not_negative);
    return Section(matter(k, false));
  }();
  return s;
}

const Section& chute_keys() {
  static const Section s = [] {
    Keys<Chute> k("Grains let go at the upper end of an \"incline\".");
    grains(k, own_grains<Chute>);
    k.degrees("slope_deg", &Chute::slope, "of the incline", {0, 89, true})
        .number("length", &Chute::length, "m", "of the incline", a_length)
        .number("stock", &Chute::stock, "m", "of its upper end, where the grains lie at first", a_length)
        .number("width", &Chute::width, "m", "between the side walls, in space", a_length)
        .number("thickness", &Chute::thickness, "m", "of the slab", a_length)
        .material("wall_material", &Chute::wall_material, "of the slab and the side walls");
    return Section(matter(k));
  }();
  return s;
}

const Section& bed_keys() {
  static const Section s = [] {
    Keys<Bed> k("Grains in a box that moves up and down harmonically.");
    grains(k, [](Bed& b) -> Grains& { return b.packing.grains; });
    k.number(
         "width", [](Bed& b) -> Real& { return b.packing.width; }, "m", "of the box", a_length)
        .number(
            "depth", [](Bed& b) -> Real& { return b.packing.depth; }, "m", "of the box, in space", a_length)
        .material(
            "wall_material", [](Bed& b) -> int& { return b.packing.wall_material; }, "of the walls")
        .number(
            "density", [](Bed& b) -> Real& { return b.packing.matter.density; }, "kg/m^D",
            "of the grains; not given: that of their material", positive)
        .material(
            "material", [](Bed& b) -> int& { return b.packing.matter.material; }, "of the grains")
        .material(
            "ground_material", [](Bed& b) -> int& { return b.packing.matter.ground_material; }, "of the floor")
        .number("amplitude", &Bed::amplitude, "m", "of the motion", a_length_or_0)
        .number("frequency", &Bed::frequency, "Hz", "of the motion", positive);
    return Section(k);
  }();
  return s;
}

}  // namespace

const Section& generate_section() {
  static const Section s =
      Keys<GenerateSpec>("Many bodies from a few numbers.")
          .text("name", &GenerateSpec::name,
                "of bodies without a name of their own: name.0, name.1 ...; not given: the kind")
          .text("motion", &GenerateSpec::motion, "name of a [[motion]] for all that is fixed")
          .vector("position", &GenerateSpec::position, "m", "by which everything is shifted", a_place)
          .kind("wall", wall_keys().doc.c_str(), wall_keys(), choose<Wall>)
          .kind("arch", arch_keys().doc.c_str(), arch_keys(), choose<Arch>)
          .kind("column", column_keys().doc.c_str(), column_keys(), choose<Column>)
          .kind("overhang", overhang_keys().doc.c_str(), overhang_keys(), choose<Overhang>)
          .kind("cards", cards_keys().doc.c_str(), cards_keys(), choose<LeaningCards>)
          .kind("card-house", card_house_keys().doc.c_str(), card_house_keys(), choose<CardHouse>)
          .kind("ladder", ladder_keys().doc.c_str(), ladder_keys(), choose<Ladder>)
          .kind("discs", discs_keys().doc.c_str(), discs_keys(), choose<DiscPile>)
          .kind("dominoes", dominoes_keys().doc.c_str(), dominoes_keys(), choose<Dominoes>)
          .kind("pyramid", pyramid_keys().doc.c_str(), pyramid_keys(), choose<Pyramid>)
          .kind("dome", dome_keys().doc.c_str(), dome_keys(), choose<Dome>)
          .kind("packing", packing_keys().doc.c_str(), packing_keys(), choose<Packing>)
          .kind("cell", cell_keys().doc.c_str(), cell_keys(), choose<Cell>)
          .kind("hopper", hopper_keys().doc.c_str(), hopper_keys(), choose<Hopper>)
          .kind("drum", drum_keys().doc.c_str(), drum_keys(), choose<Drum>)
          .kind("rocks", rocks_keys().doc.c_str(), rocks_keys(), choose<Rocks>)
          .kind("chute", chute_keys().doc.c_str(), chute_keys(), choose<Chute>)
          .kind("bed", bed_keys().doc.c_str(), bed_keys(), choose<Bed>);
  return s;
}

}  // namespace cairn::input
