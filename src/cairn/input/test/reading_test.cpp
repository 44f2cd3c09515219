// What a scene file says of bodies, materials and parameters arrives in the model.
#include <cmath>
#include <numbers>

#include "cairn/input/test/read_world.hpp"

namespace cairn::input::test {
namespace {

using std::numbers::pi;

// --- shapes ----------------------------------------------------------------------------------------------------------

struct Volume {
  const char* shape;
  Real volume;  // [m^D]
};

template <int D>
void expect_masses(const std::vector<Volume>& all) {
  for (const Volume& v : all) {
    SCOPED_TRACE(v.shape);
    const auto world =
        read<D>(dimension(D) + "[[material]]\nname = \"stone\"\ndensity = 1500\n[[body]]\nshape = " + v.shape + "\n");
    ASSERT_EQ(world.model.bodies.size(), 1u);
    EXPECT_NEAR(world.model.bodies[0].mass, 1500 * v.volume, 1e-11 * 1500 * v.volume);
  }
}

TEST(Reading, shapes_of_the_plane_have_their_mass) {
  expect_masses<2>({{R"({ kind = "ball", radius = 0.5 })", pi / 4},
                    {R"({ kind = "disc", radius = 2 })", 4 * pi},
                    {R"({ kind = "sphere", radius = 1 })", pi},
                    {R"({ kind = "box", size = [2, 3] })", 6},
                    {R"({ kind = "box", size = [2, 9, 3] })", 6},
                    {R"({ kind = "box", size = [2, 3], radius = 0.1 })", 6 + 10 * 0.1 + 0.01 * pi},
                    {R"({ kind = "polygon", points = [0, 0, 1, 0, 0, 1, 0.2, 0.2] })", 0.5},
                    {R"({ kind = "polyhedron", points = [0, 0, 2, 0, 0, 1] })", 1},
                    {R"({ kind = "capsule", length = 2, radius = 0.5 })", 2 + pi / 4},
                    {R"({ kind = "ellipse", size = [2, 4] })", 2 * pi},
                    {R"({ kind = "ellipsoid", size = [1, 7, 4] })", pi}});
}

TEST(Reading, shapes_of_space_have_their_mass) {
  const Real rounded =
      6 + 22 * 0.1 + pi * 0.01 * 6 + 4 * pi / 3 * 0.001;  // Steiner: V + S r + pi r^2 (a + b + c) + ...
  expect_masses<3>({{R"({ kind = "ball", radius = 0.5 })", pi / 6},
                    {R"({ kind = "sphere", radius = 2 })", 32 * pi / 3},
                    {R"({ kind = "box", size = [1, 2, 3] })", 6},
                    {R"({ kind = "box", size = [1, 2, 3], radius = 0.1 })", rounded},
                    {R"({ kind = "polyhedron", points = [0,0,0, 1,0,0, 0,1,0, 0,0,1] })", 1.0 / 6},
                    {R"({ kind = "capsule", length = 2, radius = 0.5 })", pi / 2 + pi / 6},
                    {R"({ kind = "ellipsoid", size = [2, 4, 6] })", 8 * pi}});
}

TEST(Reading, terrain_is_fixed_ground) {
  const std::string line = "[[body]]\nname = \"land\"\nfixed = true\nshape = ";
  for (const char* shape : {R"({ kind = "half-space" })", R"({ kind = "polyline", points = [5, 0, 0, 1, -5, 0] })"}) {
    const auto world = read<2>(line + shape + free_ball);
    EXPECT_FALSE(body(world, "land").free());
    EXPECT_EQ(world.model.parts.size(), 2u);
  }
  const auto space = read<3>(dimension(3) + line +
                             R"({ kind = "mesh", points = [0,0,0, 1,0,0, 0,1,0], triangles = [0, 1, 2] })" + free_ball);
  EXPECT_FALSE(body(space, "land").free());
  scene::World<2> none;
  EXPECT_NE(read_into<2>(none, "[[body]]\nshape = { kind = \"half-space\" }\n"), "");
  EXPECT_NE(read_into<2>(none, line + R"({ kind = "mesh", points = [0,0,0, 1,0,0, 0,1,0], triangles = [0, 1, 2] })"),
            "");
}

TEST(Reading, parts_with_their_densities_and_places_make_one_body) {
  const auto world = read<2>(R"(
[[body]]
name = "hammer"
position = [10, 0]
[[body.part]]
kind = "box"
size = [1, 1]
density = 3
[[body.part]]
kind = "box"
size = [1, 1]
position = [2, 0]
angle_deg = 90
density = 1
)");
  EXPECT_DOUBLE_EQ(body(world, "hammer").mass, 4);
  expect_near<2>(place(world, "hammer"), {10.5, 0});  // the centre of mass
  EXPECT_NEAR(body(world, "hammer").inertia[0], 4.0 / 6 + 3 * 0.25 + 1 * 2.25, 1e-14);
}

// --- bodies ----------------------------------------------------------------------------------------------------------

TEST(Reading, vectors_serve_both_dimensions) {
  const char* const text = R"(
gravity = [0.5, -1.62]
[[body]]
name = "two"
shape = { kind = "ball", radius = 0.1 }
position = [1, 2]
velocity = [3, 4]
spin = [5]
[[body]]
name = "three"
shape = { kind = "ball", radius = 0.1 }
position = [-1, 7, -2]
velocity = [3, 8, 4]
spin = [1, 2, 3]
)";
  const auto plane = read<2>(dimension(2) + text);
  expect_near<2>(plane.model.gravity, {0.5, -1.62});
  expect_near<2>(place(plane, "two"), {1, 2});
  expect_near<2>(place(plane, "three"), {-1, -2});
  expect_near<3>(velocity(plane, "two"), {3, 4, 5});
  expect_near<3>(velocity(plane, "three"), {3, 4, -2});  // from x towards up is about -y
  const auto space = read<3>(dimension(3) + text);
  expect_near<3>(space.model.gravity, {0.5, 0, -1.62});
  expect_near<3>(place(space, "two"), {1, 0, 2});
  expect_near<3>(place(space, "three"), {-1, 7, -2});
  expect_near<6>(velocity(space, "two"), {3, 0, 4, 0, -5, 0});
  expect_near<6>(velocity(space, "three"), {3, 8, 4, 1, 2, 3});
}

TEST(Reading, gravity_points_down_where_none_is_given) {
  expect_near<2>(read<2>(free_ball).model.gravity, {0, -9.81});
  expect_near<3>(read<3>(dimension(3) + free_ball).model.gravity, {0, 0, -9.81});
}

TEST(Reading, angles_turn_from_x_towards_up) {
  const std::string turned = "[[body]]\nname = \"b\"\nshape = { kind = \"box\", size = [3, 2, 1] }\nangle_deg = 90\n";
  const auto plane = read<2>(turned);
  expect_near<2>(plane.state.pose(0).R * Vec<2>{1, 0}, {0, 1});
  const auto space = read<3>(dimension(3) + turned);
  expect_near<3>(space.state.pose(0).R * Vec<3>{1, 0, 0}, {0, 0, 1});
  const auto about_z = read<3>(dimension(3) +
                               "[[body]]\nshape = { kind = \"box\", size = [3, 2, 1] }\nrotation_deg = [0, 0, 90]\n"
                               "spin = [1, 0, 0]\n");
  expect_near<3>(about_z.state.pose(0).R * Vec<3>{1, 0, 0}, {0, 1, 0});
  expect_near<6>(about_z.state.u[0], {0, 0, 0, 0, -1, 0});  // given in the world's axes, kept in the body's
}

TEST(Reading, a_body_is_repeated) {
  const auto plane = read<2>(R"(
[[body]]
name = "brick"
shape = { kind = "box", size = [1, 1] }
position = [1, 2]
velocity = [0.5, 0]
repeat = 3
step = [2, 0.5]
)");
  ASSERT_EQ(plane.model.bodies.size(), 3u);
  expect_near<2>(place(plane, "brick.0"), {1, 2});
  expect_near<2>(place(plane, "brick.2"), {5, 3});
  expect_near<3>(velocity(plane, "brick.2"), {0.5, 0, 0});
  EXPECT_EQ(plane.part, (std::vector<int>{0, 1, 2}));
}

TEST(Reading, mass_and_inertia_are_taken_as_given) {
  const auto plane = read<2>(R"(
[[body]]
name = "mass"
shape = { kind = "box", size = [3, 4] }
mass = 6
[[body]]
name = "all"
position = [10, 0]
shape = { kind = "box", size = [1, 1] }
mass = 2
inertia = [7]
centre = [0.25, 0.5]
)");
  EXPECT_NEAR(body(plane, "mass").mass, 6, 1e-14);
  EXPECT_NEAR(body(plane, "mass").inertia[0], 6 * 25.0 / 12, 1e-13);  // scaled with it
  EXPECT_EQ(body(plane, "all").mass, 2);
  EXPECT_EQ(body(plane, "all").inertia[0], 7);
  expect_near<2>(place(plane, "all"), {10.25, 0.5});
  const auto space = read<3>(dimension(3) +
                             "[[body]]\nname = \"b\"\nshape = { kind = \"ball\", radius = 1 }\nmass = 2\n"
                             "inertia = [3, 4, 5]\n");
  expect_near<3>(body(space, "b").inertia, {3, 4, 5});
  scene::World<2> none;
  const std::string ball = "[[body]]\nshape = { kind = \"ball\", radius = 1 }\n";
  EXPECT_NE(read_into<2>(none, ball + "inertia = [1]\n").find("inertia is given, but not mass"), std::string::npos);
  EXPECT_NE(read_into<2>(none, ball + "mass = 1\ninertia = [1, 2]\n").find("2 entries, expected 1"), std::string::npos);
}

TEST(Reading, freedoms_are_locked) {
  const auto locked = [](int d, const char* names) {
    return dimension(d) + "[[body]]\nname = \"b\"\nshape = { kind = \"ball\", radius = 1 }\nlocked = " + names + "\n";
  };
  expect_near<3>(body(read<2>(locked(2, R"(["x"])")), "b").locked, {1, 0, 0});
  expect_near<3>(body(read<2>(locked(2, R"(["z", "turn"])")), "b").locked, {0, 1, 1});
  expect_near<6>(body(read<3>(locked(3, R"(["z"])")), "b").locked, {0, 0, 1, 0, 0, 0});
  expect_near<6>(body(read<3>(locked(3, R"(["x", "y", "turn_z"])")), "b").locked, {1, 1, 0, 0, 0, 1});
  expect_near<6>(body(read<3>(locked(3, R"(["turn"])")), "b").locked, {0, 0, 0, 1, 1, 1});
}

// --- generators and what adjusts them --------------------------------------------------------------------------------

const char* const column = R"(
[[material]]
name = "light"
density = 10
[[material]]
name = "dense"
density = 70
[[motion]]
name = "drive"
kind = "velocity"
velocity = [2, 0]
[[generate]]
kind = "column"
name = "cube"
count = 3
material = "dense"
position = [5, 0]
)";

TEST(Reading, materials_give_their_density) {
  const auto world = read<2>(std::string(column) + R"(
[[body]]
name = "first"
position = [0, 1]
shape = { kind = "box", size = [1, 2] }
[[body]]
name = "dense"
material = "dense"
position = [-5, 1]
shape = { kind = "box", size = [1, 2] }
[[body]]
name = "own"
material = "dense"
position = [-8, 1]
shape = { kind = "box", size = [1, 2], density = 3 }
)");
  EXPECT_NEAR(body(world, "cube.0").mass, 70, 1e-12);
  EXPECT_NEAR(body(world, "first").mass, 20, 1e-12);
  EXPECT_NEAR(body(world, "dense").mass, 140, 1e-12);
  EXPECT_NEAR(body(world, "own").mass, 6, 1e-12);
  EXPECT_NEAR(place(world, "cube.0")[0], 5, 1e-14);
  const auto given = read<2>(std::string(column) + "density = 4\n");
  EXPECT_NEAR(body(given, "cube.2").mass, 4, 1e-12);
}

TEST(Reading, adjust_changes_generated_bodies) {
  const auto world = read<2>(std::string(column) + R"(
[[adjust]]
body = "ground"
motion = "drive"
[[adjust]]
body = "cube.1"
velocity = [0.1, 0.2]
spin = [0.3]
mass_times = 3
[[adjust]]
body = "cube.2"
locked = ["turn"]
)");
  const Body<2>& ground = body(world, "ground");
  ASSERT_GE(ground.drive, 0);
  expect_near<2>(world.model.drives[static_cast<std::size_t>(ground.drive)](0.5).shift, {1, 0});
  expect_near<3>(velocity(world, "cube.1"), {0.1, 0.2, 0.3});
  EXPECT_NEAR(body(world, "cube.1").mass, 3 * body(world, "cube.0").mass, 1e-11);
  EXPECT_NEAR(body(world, "cube.1").inertia[0], 3 * body(world, "cube.0").inertia[0], 1e-11);
  expect_near<3>(body(world, "cube.2").locked, {0, 0, 1});
  scene::World<2> none;
  EXPECT_NE(read_into<2>(none, std::string(column) + "[[adjust]]\nbody = \"cube.1\"\nmotion = \"drive\"\n")
                .find("is free, expected a fixed body"),
            std::string::npos);
  EXPECT_NE(read_into<2>(none, std::string(column) + "[[adjust]]\nbody = \"ground\"\nvelocity = [1, 0]\n")
                .find("only a motion"),
            std::string::npos);
}

TEST(Reading, pairs_of_materials_have_their_surface) {
  const auto world = read<2>(std::string(column) + R"(
[[contact]]
mu = 0.1
restitution = 0.2
[[contact]]
between = ["dense", "light"]
mu = 0.6
mu_dynamic = 0.4
rolling = 0.01
[[contact]]
between = ["dense", "dense"]
none = true
)");
  const Materials& m = world.model.materials;
  EXPECT_EQ(m.between(0, 0).mu, 0.1);
  EXPECT_EQ(m.between(0, 0).restitution, 0.2);
  EXPECT_EQ(m.between(0, 1).mu, 0.6);
  EXPECT_EQ(m.between(1, 0).mu_dynamic, 0.4);
  EXPECT_EQ(m.between(0, 1).rolling, 0.01);
  EXPECT_EQ(m.between(0, 1).restitution, 0);  // it has what it says, not what others say
  EXPECT_FALSE(m.between(0, 1).none);
  EXPECT_TRUE(m.between(1, 1).none);
}

// --- parameters ------------------------------------------------------------------------------------------------------

// Of the parameter in a scene, where settings are given.
Real value_of(const std::string& name, const std::vector<std::string>& settings) {
  const std::string text = std::string("[parameters]\na = 2\nb = \"=3*a\"\nc = { value = \"=a + b\", most = 1000 }\n") +
                           "on = true\nkind = \"ball\"\nd = \"=on ? c : -c\"\n" + free_ball;
  Diagnostics out("scene.toml", text);
  const auto file = read_scene({"scene.toml", "scene", text}, settings, out);
  EXPECT_TRUE(file) << out.str();
  return file ? constants_of(file->parameters).at(name) : NAN;
}

TEST(Reading, parameters_follow_those_before_them) {
  EXPECT_EQ(value_of("c", {}), 8);
  EXPECT_EQ(value_of("d", {}), 8);
  EXPECT_EQ(value_of("c", {"a=10"}), 40);
  EXPECT_EQ(value_of("c", {"b=1"}), 3);             // its formula counts no more
  EXPECT_EQ(value_of("c", {"c=5", "a=100"}), 5);    // whatever the order
  EXPECT_EQ(value_of("b", {"b=a + 1", "a=7"}), 8);  // a setting may use those before, as they are set
  EXPECT_EQ(value_of("a", {"a=3", "a=4"}), 4);      // the last one holds
  EXPECT_EQ(value_of("d", {"on=false"}), -8);
}

TEST(Reading, formulas_may_stand_for_every_number) {
  const auto world = read<2>(R"(
[parameters]
n = 4
r = 0.25
shape = { value = "box", choices = ["box", "ellipse"] }
[[body]]
name = "b"
repeat = "=n - 1"
position = ["=-r", "=2*r"]
step = ["=n*r + 1", 0]
shape = { kind = "=shape", size = ["=r", "=n*r"] }
)",
                             {"shape=ellipse", "r=0.5"});
  ASSERT_EQ(world.model.bodies.size(), 3u);
  expect_near<2>(place(world, "b.1"), {2.5, 1});
  EXPECT_NEAR(body(world, "b.0").mass, 2000 * pi * 0.25 * 1, 1e-9);
}

}  // namespace
}  // namespace cairn::input::test
