// What a scene file says of motions, joints and loads arrives in the model.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "cairn/input/test/read_world.hpp"

namespace cairn::input::test {
namespace {

using std::numbers::pi;

// --- motions ---------------------------------------------------------------------------------------------------------

// The excursions of a body that follows the motion written.
template <int D>
Drive<D> drive_of(const std::string& motion, const std::string& path = "scene.toml") {
  const auto world = read<D>(dimension(D) + "[parameters]\nk = 3\n[[motion]]\nname = \"m\"\n" + motion + free_ball +
                                 "[[body]]\nname = \"driven\"\nmotion = \"m\"\nshape = { kind = \"half-space\" }\n",
                             {}, path);
  const Body<D>& b = body(world, "driven");
  EXPECT_FALSE(b.free());
  return world.model.drives.at(static_cast<std::size_t>(b.drive));
}

Real speed(const Drive<2>& drive, Real t) {  // along x, shortly after t
  constexpr Real dt = 1e-7;
  return (drive(t + dt).shift[0] - drive(t).shift[0]) / dt;
}

const std::string harmonic_text = "kind = \"harmonic\"\namplitude = 0.2\nfrequency = 5\n";

TEST(ReadingMotion, harmonic_starts_at_full_speed_from_rest_or_by_a_ramp) {
  const Drive<2> sine = drive_of<2>(harmonic_text),
                 cosine = drive_of<2>(harmonic_text + "start = \"one-minus-cosine\""),
                 ramp = drive_of<2>(harmonic_text + "start = \"ramp\"\nramp_time = 2");
  for (const Drive<2>& d : {sine, cosine, ramp}) EXPECT_EQ(d(0).shift[0], 0);
  EXPECT_NEAR(speed(sine, 0), 0.2 * 2 * pi * 5, 1e-5);
  EXPECT_NEAR(speed(cosine, 0), 0, 1e-4);
  EXPECT_NEAR(speed(ramp, 0), 0, 1e-9);
  EXPECT_NEAR(sine(0.05).shift[0], 0.2, 1e-15);
  EXPECT_NEAR(cosine(0.1).shift[0], 0.4, 1e-15);
  EXPECT_NEAR(ramp(1.05).shift[0] / sine(1.05).shift[0], 0.5 + 15.0 / 8 * 0.025,
              1e-3);  // half of it after half the ramp
  for (const Real t : {2.0, 2.03, 7.1}) EXPECT_NEAR(ramp(t).shift[0], sine(t).shift[0], 1e-14);
  EXPECT_EQ(sine(0.3).shift[1], 0);
}

TEST(ReadingMotion, harmonic_has_phase_direction_and_terms) {
  const Drive<2> d = drive_of<2>(harmonic_text +
                                 "phase_deg = 90\ndirection = [0, 2]\n"
                                 "[[motion.term]]\namplitude = 0.1\nfrequency = 1\n");
  EXPECT_EQ(d(0).shift[1], 0);  // whatever the phase, it starts where the body is placed
  const Real t = 0.13;
  const Real expected = 0.2 * (std::cos(10 * pi * t) - 1) + 0.1 * std::sin(2 * pi * t);
  EXPECT_NEAR(d(t).shift[1], 2 * expected, 1e-14);
  EXPECT_EQ(d(t).shift[0], 0);
  expect_near<3>(drive_of<3>(harmonic_text + "direction = [0, 1, 0]")(0.05).shift, {0, 0.2, 0});
}

TEST(ReadingMotion, from_and_until_bound_every_motion) {
  const Drive<2> d = drive_of<2>("kind = \"velocity\"\nvelocity = [2, -1]\nspin = [3]\nfrom = 0.5\nuntil = 1.5\n");
  for (const Real t : {0.0, 0.25, 0.5}) expect_near<2>(d(t).shift, {0, 0});
  expect_near<2>(d(1).shift, {1, -0.5});
  for (const Real t : {1.5, 2.0, 9.0}) {
    expect_near<2>(d(t).shift, {2, -1});
    EXPECT_NEAR(d(t).turn[0], 3, 1e-15);
  }
  const Drive<2> shaken = drive_of<2>(harmonic_text + "from = 0.3\nuntil = 0.5\n");
  EXPECT_EQ(shaken(0.3).shift[0], 0);
  EXPECT_NEAR(shaken(0.35).shift[0], 0.2, 1e-15);
  EXPECT_NEAR(shaken(3).shift[0], 0, 1e-15);
}

TEST(ReadingMotion, velocity_in_space_spins) {
  const Drive<3> d = drive_of<3>("kind = \"velocity\"\nvelocity = [1, 2, 3]\nspin = [0.1, 0.2, 0.3]\n");
  expect_near<3>(d(2).shift, {2, 4, 6});
  expect_near<3>(d(2).turn, {0.2, 0.4, 0.6});
  expect_near<3>(drive_of<3>("kind = \"velocity\"\nspin = [0.5]\n")(2).turn, {0, -1, 0});  // from x towards up
}

TEST(ReadingMotion, expression_uses_parameters) {
  const Drive<2> plane = drive_of<2>("kind = \"expression\"\nx = \"k*t^2\"\nz = \"sin(k*t)\"\nturn = \"-t\"\n");
  expect_near<2>(plane(2).shift, {12, std::sin(6.0)});
  EXPECT_NEAR(plane(2).turn[0], -2, 1e-15);
  const Drive<3> space = drive_of<3>("kind = \"expression\"\ny = \"k\"\nz = \"t\"\nturn = \"t\"\nturn_z = \"2*t\"\n");
  expect_near<3>(space(0.5).shift, {0, 3, 0.5});
  expect_near<3>(space(0.5).turn, {0, -0.5, 1});
}

class ReadingTable : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "cairn-reading-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string scene() const { return (folder_ / "scene.toml").string(); }
  void write(const char* name, const char* text) const { std::ofstream(folder_ / name) << text; }

  std::filesystem::path folder_;
};

TEST_F(ReadingTable, places_of_a_file_are_reached_at_their_times) {
  write("places.txt", "# s m\n0 0\n0.5, 0.3\n1; -0.1\n");
  const Drive<2> d =
      drive_of<2>("kind = \"table\"\nfile = \"places.txt\"\ndirection = [1, 0.5]\nfactor = 2\n", scene());
  expect_near<2>(d(0).shift, {0, 0});
  expect_near<2>(d(0.5).shift, {0.6, 0.3});
  expect_near<2>(d(1).shift, {-0.2, -0.1});
  expect_near<2>(d(5).shift, {-0.2, -0.1});
  EXPECT_NEAR(speed(d, 0), 0, 1e-5);
}

TEST_F(ReadingTable, accelerogram_is_integrated_twice) {
  write("quake.txt", "0 2\n0.5 2\n1 2\n");
  const std::string text = "kind = \"accelerogram\"\nfile = \"quake.txt\"\nfactor = 0.5\n";
  const Drive<2> d = drive_of<2>(text, scene()), at_rest = drive_of<2>(text + "end_at_rest = true\n", scene());
  for (const Real t : {0.0, 0.2, 0.7, 1.0}) EXPECT_NEAR(d(t).shift[0], t * t / 2, 1e-14);
  EXPECT_NEAR(d(3).shift[0], 0.5 + 2, 1e-14);  // on with the velocity of the end
  EXPECT_NEAR(speed(at_rest, 1.5), 0, 1e-12);
}

TEST_F(ReadingTable, bodies_of_a_file_arrive) {
  write("bodies.csv",
        "x,y,z,size_x,size_y,size_z,angle_deg,vx,density\n"
        "1,2,3,1,1,2,90,0.5,100\n\n# one more\n-4,5,6,1,2,1,0,0,200\n");
  const std::string table = "[[table]]\nfile = \"bodies.csv\"\nname = \"b\"\nshape = \"box\"\n";
  const auto space = read<3>(dimension(3) + table, {}, scene());
  ASSERT_EQ(space.model.bodies.size(), 2u);
  expect_near<3>(place(space, "b.0"), {1, 2, 3});
  EXPECT_NEAR(body(space, "b.0").mass, 200, 1e-11);
  EXPECT_NEAR(velocity(space, "b.0")[0], 0.5, 1e-15);
  EXPECT_NEAR(body(space, "b.1").mass, 400, 1e-11);
  const auto plane = read<2>(table, {}, scene());
  expect_near<2>(place(plane, "b.1"), {-4, 6});
  expect_near<2>(plane.state.pose(0).R * Vec<2>{1, 0}, {0, 1});
}

// --- joints ----------------------------------------------------------------------------------------------------------

std::string joint_text(const char* kind, const char* more = "") {
  return std::string(free_ball) + R"(
[[body]]
name = "other"
position = [1, 100]
shape = { kind = "ball", radius = 0.1 }
[[joint]]
bodies = ["ball", "other"]
point = [0.5, 100]
kind = ")" +
         kind + "\"\n" + more;
}

template <int D>
Joint<D> joint_of(const char* kind, const char* more = "") {
  const auto world = read<D>(dimension(D) + joint_text(kind, more));
  EXPECT_EQ(world.model.joints.size(), 1u);
  const Joint<D> joint = world.model.joints.at(0);
  EXPECT_EQ(joint.body[0], find(world, "ball"));
  EXPECT_EQ(joint.body[1], find(world, "other"));
  for (const int i : {0, 1}) {
    const Vec<D> there = world.state.pose(joint.body[i]).to_world(joint.frame[i].x);
    EXPECT_NEAR(there[0], 0.5, 1e-13);
    EXPECT_NEAR(there[D - 1], 100, 1e-12);
  }
  return joint;
}

TEST(ReadingJoint, every_kind_arrives) {
  const std::pair<const char*, JointKind> both[] = {{"hinge", JointKind::hinge},
                                                    {"pin", JointKind::hinge},
                                                    {"slider", JointKind::slider},
                                                    {"fixed", JointKind::fixed},
                                                    {"weld", JointKind::fixed}};
  for (const auto& [name, kind] : both) {
    EXPECT_EQ(joint_of<2>(name).kind, kind) << name;
    EXPECT_EQ(joint_of<3>(name).kind, kind) << name;
  }
  EXPECT_EQ(joint_of<3>("ball").kind, JointKind::ball);
  EXPECT_EQ(joint_of<3>("universal").kind, JointKind::universal);
  scene::World<2> none;
  for (const char* name : {"ball", "universal"})
    EXPECT_NE(read_into<2>(none, joint_text(name)).find("[[joint]]"), std::string::npos) << name;
}

TEST(ReadingJoint, motor_limits_and_friction_arrive) {
  const Joint<2> driven = joint_of<2>("hinge", "motor = \"2*t\"\n");
  ASSERT_TRUE(driven.motor);
  EXPECT_EQ(driven.motor(1.5), 3);
  const Joint<2> hinge =
      joint_of<2>("hinge", "lower_deg = -90\nupper_deg = 45\nrestitution = 0.3\nfriction = 2\nfriction_arm = 0.01\n");
  EXPECT_NEAR(hinge.lower, -pi / 2, 1e-15);
  EXPECT_NEAR(hinge.upper, pi / 4, 1e-15);
  EXPECT_EQ(hinge.restitution, 0.3);
  EXPECT_EQ(hinge.friction, 2);
  EXPECT_EQ(hinge.friction_arm, 0.01);
  EXPECT_FALSE(hinge.collide);
  const Joint<3> slider = joint_of<3>("slider", "axis = [0, 0, 2]\nlower = -0.5\ncollide = true\n");
  EXPECT_EQ(slider.lower, -0.5);
  EXPECT_FALSE(std::isfinite(slider.upper));
  EXPECT_TRUE(slider.collide);
  expect_near<3>(slider.frame[0].R * Vec<3>{1, 0, 0}, {0, 0, 1});
}

TEST(ReadingJoint, the_world_may_be_one_of_the_two) {
  const auto world = read<2>(std::string(free_ball) +
                             "[[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"ball\"]\npoint = [0, 101]\n");
  EXPECT_EQ(world.model.joints.at(0).body[0], -1);
  EXPECT_EQ(world.model.joints.at(0).body[1], 0);
}

// --- loads -----------------------------------------------------------------------------------------------------------

// The force [N, N m] of the scene's loads on each body, at time t and with these velocities.
template <int D>
std::vector<Vec<freedoms<D>>> forces(const scene::World<D>& world, Real t) {
  std::vector<Pose<D>> poses;
  for (std::size_t b = 0; b < world.state.x.size(); ++b) poses.push_back(world.state.pose(static_cast<int>(b)));
  std::vector<Vec<freedoms<D>>> out(poses.size());
  for (const Load<D>& load : world.model.loads) load({t, poses, world.state.u, out});
  return out;
}

TEST(ReadingLoad, force_has_a_point_and_a_factor) {
  const std::string text = std::string("[parameters]\nk = 3\n") + free_ball +
                           "[[load]]\nkind = \"force\"\nbody = \"ball\"\nforce = [2, -4]\n";
  expect_near<3>(forces(read<2>(text), 7)[0], {2, -4, 0});
  expect_near<3>(forces(read<2>(text + "point = [0.5, 0]\nfactor = \"k*t\"\n"), 2)[0], {12, -24, -12});
  expect_near<6>(forces(read<3>(dimension(3) + text + "point = [0, 0.5, 0]\n"), 0)[0], {2, 0, -4, -2, 0, -1});
}

TEST(ReadingLoad, drag_opposes_velocity_and_spin) {
  const auto world = read<2>(R"(
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
velocity = [2, -1]
spin = [4]
[[load]]
kind = "drag"
body = "ball"
linear = 3
turning = 0.5
)");
  expect_near<3>(forces(world, 0)[0], {-6, 3, -2});
}

TEST(ReadingLoad, spring_and_damper_pull_along_their_line) {
  const auto world = read<2>(R"(
[[body]]
name = "a"
shape = { kind = "ball", radius = 0.1 }
velocity = [-1, 0]
[[body]]
name = "b"
position = [3, 0]
shape = { kind = "ball", radius = 0.1 }
[[load]]
kind = "spring"
bodies = ["a", "b"]
stiffness = 10
damping = 4
rest = 1
[[load]]
kind = "spring"
bodies = ["b", "world"]
second_point = [3, 2]
stiffness = 5
)");
  const auto f = forces(world, 0);
  expect_near<3>(f[0], {24, 0, 0});    // 10 (3 - 1) + 4
  expect_near<3>(f[1], {-24, 10, 0});  // and up to the world's point
}

}  // namespace
}  // namespace cairn::input::test
