// Planted mistakes: each message names the right line and says what was expected.
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/input/build.hpp"
#include "cairn/input/plan.hpp"

namespace cairn::input {
namespace {

const char* const good_scene = R"toml(title = "A scene without mistakes"
dimension = 2
gravity = [0, -9.81]
outcome = ["stands", "drift"]

[parameters]
mu = { value = 0.5, least = 0, doc = "friction" }
n = 3
start = { value = "sine", choices = ["sine", "ramp"] }

[time]
step = 1e-3
duration = "=n*0.1"

[solver]
tolerance = 1e-9

[output]
every = 0.01
contacts = true

[[material]]
name = "stone"
density = 2500

[[material]]
name = "steel"

[[contact]]
between = ["stone", "steel"]
mu = "=mu"
restitution = 0.1

[[motion]]
name = "shake"
kind = "harmonic"
amplitude = 0.01
frequency = 2
start = "=start"

[[motion]]
name = "lift"
kind = "expression"
z = "0.1*t^2"

[[body]]
name = "ground"
fixed = true
shape = { kind = "half-space" }
motion = "shake"

[[body]]
name = "brick"
position = [0, 0.5]
material = "stone"
shape = { kind = "box", size = [1, 1] }
velocity = [0, 0]

[[body]]
name = "ball"
position = [3, 1]
mass = 2
[[body.part]]
kind = "disc"
radius = 0.5

[[generate]]
kind = "column"
name = "drum"
count = 3
width = 0.5
height = 0.5
position = [10, 0]
ground = false

[[joint]]
kind = "hinge"
bodies = ["ball", "world"]
point = [3, 2]

[[load]]
kind = "force"
body = "brick"
force = [1, 0]
factor = "sin(t)"

[[adjust]]
body = "drum.1"
velocity = [0.1, 0]

[[probe]]
name = "height"
kind = "position"
body = "brick"
component = "z"

[stop]
rest_speed = 0
)toml";

struct Mistake {
  const char* find;                 // in the good scene
  const char* replace;              // by this
  const char* mark;                 // the message points at the line with this
  std::vector<const char*> expect;  // and says these
};

// What is wrong with a scene, as a user would see it; empty: nothing.
std::string faults(const std::string& text, const std::vector<std::string>& settings = {}) {
  Diagnostics out("scene.toml", text);
  const SceneText scene{"scene.toml", "scene", text};
  const auto file = read_scene(scene, settings, out);
  if (!file) return out.str();
  const bool built = file->dimension == 2 ? build_world<2>(*file, scene.path, out, quick_build).has_value()
                                          : build_world<3>(*file, scene.path, out, quick_build).has_value();
  EXPECT_EQ(built, !out.any());
  return out.str();
}

int line_of(const std::string& text, const std::string& mark) {
  const auto at = text.find(mark);
  return at == std::string::npos
             ? -1
             : 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      // keys
      {"tolerance = 1e-9", "tolerence = 1e-9", "tolerence", {"unknown key 'tolerence'", "did you mean 'tolerance'"}},
      {"[time]", "[tiem]", "[tiem]", {"unknown key 'tiem'", "did you mean 'time'"}},
      {"[[generate]]", "[[genrate]]", "[[genrate]]", {"did you mean 'generate'"}},
      {"count = 3", "cuont = 3", "cuont", {"[[generate]] of kind column", "did you mean 'count'"}},
      {"density = 2500", "densty = 2500", "densty", {"did you mean 'density'"}},
      {"title =", "titel =", "titel", {"did you mean 'title'"}},
      {"rest_speed = 0", "rest = 0", "rest = 0", {"unknown key 'rest' in [stop]", "rest_speed"}},
      {"radius = 0.5", "diameter = 1", "diameter", {"unknown key 'diameter'", "radius"}},
      {"frequency = 2\n", "frequency = 2\nphase = 3\n", "phase = 3", {"did you mean 'phase_deg'"}},
      {"velocity = [0, 0]", "speed = [0, 0]", "speed =", {"unknown key 'speed' in [[body]]"}},
      // types
      {"step = 1e-3", "step = \"1e-3\"", "step = \"1e-3\"", {"step is the text", "without quotes"}},
      {"step = 1e-3", "step = true", "step = true", {"step is true, expected a number"}},
      {"count = 3", "count = 3.5", "count = 3.5", {"whole number"}},
      {"contacts = true", "contacts = 1", "contacts = 1", {"expected true or false"}},
      {"gravity = [0, -9.81]", "gravity = -9.81", "gravity", {"expected a list of numbers"}},
      {"gravity = [0, -9.81]", "gravity = [0, \"down\"]", "gravity", {"is the text \"down\", expected a number"}},
      {"title = \"A scene without mistakes\"", "title = 5", "title = 5", {"expected a text in quotes"}},
      {"outcome = [\"stands\", \"drift\"]", "outcome = \"stands\"", "outcome", {"expected a list of texts"}},
      {"[[material]]\nname = \"steel\"", "[[material]]\nname = 7", "name = 7", {"name is the number 7"}},
      {"[solver]", "[[solver]]", "[[solver]]", {"[solver] is a list of 1, expected a table"}},
      {"[[joint]]", "[joint]", "[joint]", {"expected tables: write [[joint]]"}},
      {"position = [0, 0.5]",
       "position = [0, 0.5, 0, 0]",
       "position = [0, 0.5, 0, 0]",
       {"has 4 entries, expected 2 to 3"}},
      {"between = [\"stone\", \"steel\"]", "between = [\"stone\"]", "between", {"has 1 entries, expected 2"}},
      {"every = 0.01", "every = 2026-11-15", "every =", {"every is a date"}},
      // values
      {"mass = 2", "mass = -2", "mass = -2", {"mass is -2, expected a number above 0 [kg]"}},
      {"density = 2500", "density = 0", "density = 0", {"expected a number above 0"}},
      {"restitution = 0.1", "restitution = 1.5", "restitution", {"from 0 to 1"}},
      {"mu = \"=mu\"", "mu = -0.1", "mu = -0.1", {"mu is -0.1, expected a number 0 or more"}},
      {"dimension = 2", "dimension = 4", "dimension = 4", {"from 2 to 3"}},
      {"step = 1e-3", "step = 0", "step = 0", {"step is 0"}},
      {"step = 1e-3", "step = inf", "step = inf", {"finite number"}},
      {"width = 0.5", "width = -0.5", "width = -0.5", {"from 1e-09"}},
      {"radius = 0.5", "radius = 0", "radius = 0", {"from 1e-09", "[m]"}},
      {"size = [1, 1]", "size = [1, -1]", "size = [1, -1]", {"from 1e-09"}},
      {"every = 0.01", "every = 0.01\ncompression = 12", "compression", {"from 0 to 9"}},
      // words
      {"kind = \"harmonic\"",
       "kind = \"harmonics\"",
       "harmonics",
       {"no kind \"harmonics\"", "did you mean 'harmonic'"}},
      {"kind = \"column\"", "kind = \"colum\"", "colum\"", {"did you mean 'column'"}},
      {"kind = \"disc\"", "kind = \"disk\"", "disk", {"did you mean 'disc'"}},
      {"kind = \"hinge\"", "kind = \"hing\"", "hing\"", {"did you mean 'hinge'"}},
      {"kind = \"force\"", "kind = \"forces\"", "forces", {"did you mean 'force'"}},
      {"kind = \"position\"", "kind = \"positon\"", "positon", {"did you mean 'position'"}},
      {"outcome = [\"stands\", \"drift\"]", "outcome = [\"stand\"]", "outcome", {"did you mean 'stands'"}},
      {"start = \"=start\"", "start = \"cosine\"", "start = \"cosine\"", {"expected one of sine"}},
      {"kind = \"expression\"\n", "", "[[motion]]\nname = \"lift\"", {"the key 'kind' is missing", "harmonic"}},
      // names
      {"material = \"stone\"", "material = \"ston\"", "ston\"", {"no material \"ston\"", "did you mean 'stone'"}},
      {"between = [\"stone\", \"steel\"]",
       "between = [\"stone\", \"stel\"]",
       "between",
       {"no material \"stel\"", "did you mean 'steel'"}},
      {"motion = \"shake\"",
       "motion = \"shaking\"",
       "motion = \"shaking\"",
       {"no [[motion]] \"shaking\"", "expected one of shake, lift"}},
      {"bodies = [\"ball\", \"world\"]",
       "bodies = [\"bal\", \"world\"]",
       "bodies",
       {"no body \"bal\"", "did you mean 'ball'"}},
      {"body = \"drum.1\"", "body = \"drum.9\"", "drum.9", {"no body \"drum.9\"", "did you mean 'drum."}},
      {"name = \"brick\"", "name = \"ground\"", "name = \"ground\"\nposition", {"already declared in line"}},
      {"name = \"steel\"",
       "name = \"stone\"",
       "name = \"stone\"\n\n[[contact]]",
       {"material \"stone\" is already declared"}},
      // required
      {", size = [1, 1] }", " }", "kind = \"box\"", {"the key 'size' is missing"}},
      {"bodies = [\"ball\", \"world\"]\n", "", "[[joint]]", {"the key 'bodies' is missing"}},
      {"force = [1, 0]\n", "", "[[load]]", {"the key 'force' is missing"}},
      {"name = \"shake\"\n", "", "[[motion]]\nkind = \"harmonic\"", {"the key 'name' is missing"}},
      {"shape = { kind = \"box\", size = [1, 1] }\n", "", "[[body]]\nname = \"brick\"", {"no shape"}},
      // formulas and parameters
      {"duration = \"=n*0.1\"",
       "duration = \"=m*0.1\"",
       "duration",
       {"formula \"m*0.1\": found \"m*0.1\"", "pi, mu, n"}},
      {"duration = \"=n*0.1\"", "duration = \"=n*\"", "duration", {"expected a value"}},
      {"duration = \"=n*0.1\"", "duration = \"=0.1/(n-3)\"", "duration", {"the formula gives inf"}},
      {"z = \"0.1*t^2\"", "z = \"0.1*tt^2\"", "z = \"0.1*tt^2\"", {"found \"tt^2\""}},
      {"z = \"0.1*t^2\"", "y = \"0.1*t^2\"", "y = \"0.1*t^2\"", {"the plane has the axes x and z"}},
      {"factor = \"sin(t)\"", "factor = \"sin(t\"", "factor", {"closing parenthesis"}},
      {"mu = { value = 0.5, least = 0",
       "mu = { value = -0.5, least = 0",
       "mu = {",
       {"parameter mu is -0.5, expected a number 0 or more"}},
      {"mu = { value = 0.5", "mu = { valu = 0.5", "mu = {", {"the key 'value' is missing"}},
      {"n = 3\n", "n = [3]\n", "n = [3]", {"parameter n is a list"}},
      {"n = 3\n", "t = 3\nn = 3\n", "t = 3", {"parameter 't'", "not t or pi"}},
      {"start = { value = \"sine\"", "start = { value = \"sin\"", "start = {", {"did you mean 'sine'"}},
      // geometry
      {"position = [0, 0.5]",
       "position = [0, 0.4]",
       "[[body]]\nname = \"brick\"",
       {"overlap", "\"ground\" and \"brick\"", "0.1 m"}},
      {"position = [3, 1]", "position = [0.8, 0.6]", "[[body]]\nname = \"ball\"", {"overlap", "\"ball\"", "\"brick\""}},
      {"name = \"lift\"\nkind = \"expression\"\nz = \"0.1*t^2\"",
       "name = \"lift\"\nkind = \"table\"\nfile = \"no-such.txt\"",
       "file = \"no-such.txt\"",
       {"no-such.txt"}},
      {"shape = { kind = \"box\", size = [1, 1] }",
       "shape = { kind = \"polygon\", points = [0, 0, 1, 0, 2, 0] }",
       "points",
       {"polygon"}},
      {"shape = { kind = \"box\", size = [1, 1] }",
       "shape = { kind = \"half-space\" }",
       "[[body]]\nname = \"brick\"",
       {"\"brick\""}},
      {"body = \"brick\"\nforce",
       "body = \"ground\"\nforce",
       "body = \"ground\"\nforce",
       {"\"ground\" is fixed, expected a free body"}},
      {"body = \"drum.1\"", "body = \"ground\"", "body = \"ground\"\nvelocity", {"is fixed"}},
      {"count = 3", "count = 100000000", "count = 100000000", {"expected a number from 1 to 2000000"}},
      {"count = 3", "count = 100000", "[[generate]]", {"about 100003 bodies", "check --all"}},
      // TOML itself
      {"[time]", "[time", "[time", {"not TOML"}},
      {"step = 1e-3", "step = 1e-3 s", "step = 1e-3 s", {"not TOML"}},
      {"step = 1e-3", "step = 1e-3\nstep = 2e-3", "step = 2e-3", {"not TOML"}},
      {"name = \"ball\"", "name = \"ball", "name = \"ball\n", {"not TOML"}},
  };
  return all;
}

TEST(Mistakes, the_scene_that_they_are_planted_in_is_good) { EXPECT_EQ(faults(good_scene), ""); }

TEST(Mistakes, each_gives_the_right_line_and_a_helpful_message) {
  int planted = 0;
  for (const Mistake& m : mistakes()) {
    std::string text = good_scene;
    const auto at = text.find(m.find);
    ASSERT_NE(at, std::string::npos) << m.find;
    text.replace(at, std::string(m.find).size(), m.replace);
    const std::string message = faults(text);
    SCOPED_TRACE(std::string(m.find) + " -> " + m.replace);
    EXPECT_NE(message.find("scene.toml:" + std::to_string(line_of(text, m.mark)) + ":"), std::string::npos)
        << "expected line " << line_of(text, m.mark) << ":\n"
        << message;
    for (const char* words : m.expect) EXPECT_NE(message.find(words), std::string::npos) << words << "\n" << message;
    EXPECT_NE(message.find("^"), std::string::npos) << message;
    ++planted;
  }
  EXPECT_GE(planted, 60);
}

TEST(Mistakes, a_message_shows_the_line_and_a_caret_under_the_fault) {
  std::string text = good_scene;
  text.replace(text.find("tolerance"), 9, "tolerence");
  EXPECT_NE(faults(text).find("   16 | tolerence = 1e-9\n      | ^~~~~~~~~\n"), std::string::npos) << faults(text);
}

TEST(Mistakes, settings_are_checked_too) {
  EXPECT_EQ(faults(good_scene, {"mu=0.4", "n=5", "start=ramp"}), "");
  EXPECT_NE(faults(good_scene, {"nu=0.4"}).find("--set nu: no such parameter; did you mean 'mu'?"), std::string::npos);
  EXPECT_NE(faults(good_scene, {"mu=abc"}).find("--set mu=abc: expected a number"), std::string::npos);
  EXPECT_NE(faults(good_scene, {"n=2.5"}).find("expected a whole number"), std::string::npos);
  EXPECT_NE(faults(good_scene, {"mu=-1"}).find("parameter mu is -1, expected a number 0 or more"), std::string::npos);
  EXPECT_NE(faults(good_scene, {"start=cosine"}).find("expected one of sine, ramp"), std::string::npos);
  EXPECT_NE(faults(good_scene, {"mu"}).find("--set mu: expected name=value"), std::string::npos);
}

TEST(Mistakes, several_are_told_at_once_in_the_order_of_the_file) {
  std::string text = good_scene;
  text.replace(text.find("tolerance"), 9, "tolerence");
  text.replace(text.find("mass = 2"), 8, "mass = -2");
  const std::string message = faults(text);
  EXPECT_LT(message.find("tolerence"), message.find("mass is -2"));
  EXPECT_NE(message.find("mass is -2"), std::string::npos);
}

}  // namespace
}  // namespace cairn::input
