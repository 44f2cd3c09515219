// Every scene of scenes/ runs in a short form and comes out as mechanics says.
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>

#include "cairn/base/test/share.hpp"
#include "json_text.hpp"
#include "run_program.hpp"

namespace cairn::test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;  // [m/s^2]

// What the program printed at the end of a run.
struct Printed {
  std::string summary;                                                                   // JSON object
  double operator()(const char* name) const { return number(summary, name); }            // of the run
  double of(const char* name) const { return number(field(summary, "outcome"), name); }  // measured by the scene
  bool is(const char* name) const { return field(field(summary, "outcome"), name) == "true"; }
  bool finite(std::initializer_list<const char*> names) const {
    for (const char* n : names)
      if (!std::isfinite(of(n))) return false;
    return true;
  }
};

using Predicate = std::function<bool(const Printed&)>;

struct Case {
  std::string scene;
  std::vector<std::string> settings;
  Predicate good;
  long missed = 0;  // steps that may end above the required error
};

bool stands(const Printed& p) { return p.is("stands"); }
bool falls(const Printed& p) { return !p.is("stands") && field(field(p.summary, "outcome"), "stands") == "false"; }
bool near(double value, double expected, double tolerance) { return std::abs(value - expected) <= tolerance; }

std::string written(const char* name, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%s=%.17g", name, value);
  return text;
}

// --- one body --------------------------------------------------------------------------------------------------------

// g (sin theta - mu cos theta), and the way of it.
Case incline(double theta_deg, double mu, int dim) {
  const double theta = theta_deg * pi / 180;
  const double a = std::max(0.0, g * (std::sin(theta) - mu * std::cos(theta)));
  return {"incline",
          {written("theta_deg", theta_deg), written("mu", mu), written("dim", dim), "duration=0.3"},
          [a](const Printed& p) {
            return near(p.of("acceleration"), a, 1e-9) && near(p.of("drift"), a * 0.3 * 0.3 / 2, 1e-9);
          }};
}

// v = (v0 + 2/5 R omega0) / (7/5) from t = |v0 - R omega0| (2/7) / (mu g) on.
Case rolling_sphere(double v0, double omega0, double mu) {
  const double R = 0.1;
  return {"rolling-sphere",
          {written("v0", v0), written("omega0", omega0), written("mu", mu), written("R", R), "T=0.5"},
          [=](const Printed& p) {
            return near(p.of("v"), std::abs(v0 + 0.4 * R * omega0) / 1.4, 1e-9) &&
                   near(p.of("roll_time"), std::abs(v0 - R * omega0) * 2 / 7 / (mu * g), 1e-9);
          }};
}

struct TripodMotion {
  double x = 0, y = 0, theta = 0, vx = 0, vy = 0, omega = 0;

  TripodMotion plus(double s, const TripodMotion& d) const {
    return {x + s * d.x, y + s * d.y, theta + s * d.theta, vx + s * d.vx, vy + s * d.vy, omega + s * d.omega};
  }
  double speed(double R) const { return std::hypot(vx, vy, R * omega); }
};

// Each of the three feet carries m g / 3, and mu times that acts against its velocity; I = m R^2 / 2.
TripodMotion rate(const TripodMotion& s, double R, double mu) {
  TripodMotion d{s.vx, s.vy, s.omega, 0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    const double angle = s.theta + 2 * pi * k / 3, rx = R * std::cos(angle), ry = R * std::sin(angle);
    const double ux = s.vx - s.omega * ry, uy = s.vy + s.omega * rx, u = std::hypot(ux, uy);
    const double fx = -mu * g / 3 * ux / u, fy = -mu * g / 3 * uy / u;  // over m
    d.vx += fx, d.vy += fy, d.omega += 2 * (rx * fy - ry * fx) / (R * R);
  }
  return d;
}

// Runge-Kutta of fourth order in steps far below that of the run, until it stops: the speed then grows again.
TripodMotion tripod_at_rest(TripodMotion s, double R, double mu, double& stop_time) {
  constexpr double dt = 2e-5;  // [s]
  for (stop_time = 0;; stop_time += dt) {
    const TripodMotion a = rate(s, R, mu), b = rate(s.plus(dt / 2, a), R, mu), c = rate(s.plus(dt / 2, b), R, mu),
                       d = rate(s.plus(dt, c), R, mu);
    const TripodMotion next = s.plus(dt / 6, a).plus(dt / 3, b).plus(dt / 3, c).plus(dt / 6, d);
    if (!(next.speed(R) < s.speed(R))) return s;
    s = next;
  }
}

// Tolerances: twice the errors of the scheme, .1 h s, .05 h m, .7 h rad.
Case tripod(double v0, double omega0, double heading, double mu, double h) {
  const double R = 0.1;
  double stop_time = 0;
  const TripodMotion end =
      tripod_at_rest({0, 0, 0, v0 * std::cos(heading), v0 * std::sin(heading), omega0}, R, mu, stop_time);
  return {"tripod",
          {written("R", R), written("v0", v0), written("omega0", omega0), written("heading", heading),
           written("mu", mu), written("h", h)},
          [=](const Printed& p) {
            return near(p.of("stop_time"), stop_time, 0.2 * h) && near(p.of("x"), end.x, 0.1 * h) &&
                   near(p.of("y"), end.y, 0.1 * h) && near(p.of("theta"), end.theta, 1.4 * h);
          }};
}

// Moreau's law: the first k of n balls leave at (k (1 + e) - e n)/n, the others at (1 + e) k/n.
Case cradle(int n, int k, double e) {
  const double N = n, K = k;
  return {"cradle",
          {written("n", n), written("k", k), written("e", e), "gap=0", "v0=1", "duration=0.02"},
          [=](const Printed& p) {
            return near(p.of("first_speed"), (K * (1 + e) - e * N) / N, 1e-9) &&
                   near(p.of("last_speed"), (1 + e) * K / N, 1e-9) &&
                   near(p.of("energy_ratio"), K / N + e * e * (1 - K / N), 1e-9);
          }};
}

// With gaps the impacts come one after the other: of two equal balls the first keeps (1 - e)/2, the second takes
// (1 + e)/2; e = 1 hands the speed on to the last.
Case cradle_with_gaps(int n, double e) {
  return {
      "cradle", {written("n", n), "k=1", written("e", e), "gap=0.01", "v0=1", "duration=0.1"}, [=](const Printed& p) {
        return near(p.of("first_speed"), (1 - e) / 2, 1e-9) &&
               near(p.of("last_speed"), std::pow((1 + e) / 2, n - 1), 1e-9);
      }};
}

// --- the table -------------------------------------------------------------------------------------------------------

// A scene that stands or falls by one number, on both sides of its threshold. `apart`: part of the threshold; the
// further it is, the sooner it has fallen.
void add_threshold(std::vector<Case>& all, const std::string& scene, std::vector<std::string> settings,
                   const char* name, double threshold, double apart, bool stands_above) {
  for (const bool above : {true, false}) {
    settings.push_back(written(name, threshold * (above ? 1 + apart : 1 - apart)));
    all.push_back({scene, settings, above == stands_above ? stands : falls});
    settings.pop_back();
  }
}

void add_structures(std::vector<Case>& all) {
  add_threshold(all, "arch", {"voussoirs=15", "embrace_deg=180", "mu=0.7", "duration=3.5"}, "thickness_ratio", 0.106066,
                0.02, true);
  const double disc = 2 - std::sqrt(3.0);  // tan(30 degrees / 2)
  add_threshold(all, "discs3", {"mu_floor=0.2", "duration=0.8"}, "mu_disc", disc, 0.01, true);
  add_threshold(all, "discs3", {"mu_disc=0.4", "duration=0.8"}, "mu_floor", disc / 3, 0.01, true);
  const double sphere = std::tan(std::asin(1 / std::sqrt(3.0)) / 2);
  add_threshold(all, "spheres4", {"mu_floor=0.2", "duration=0.8"}, "mu_sphere", sphere, 0.02, true);
  add_threshold(all, "spheres4", {"mu_sphere=0.4", "duration=0.8"}, "mu_floor", sphere / 4, 0.02, true);
  const double ladder_deg = std::atan((1 - 0.4 * 0.3) / (2 * 0.4)) * 180 / pi;
  for (const char* dim : {"dim=2", "dim=3"}) {
    add_threshold(all, "ladder", {"mu_floor=0.4", "mu_wall=0.3", "duration=1.5", dim}, "theta_deg", ladder_deg, 0.02,
                  true);
    add_threshold(all, "cards", {"mu=0.3", "duration=1", dim}, "psi_deg", std::atan(0.6) * 180 / pi, 0.005, false);
    add_threshold(all, "overhang", {"bricks=6", "duration=1", dim}, "factor", 1, 0.005, false);
  }
  for (const char* heavy : {"none", "alternate", "bottom", "top"})
    for (const char* dim : {"2", "3"})
      all.push_back({"stack",
                     {"n=8", "ratio=1000", std::string("heavy=") + heavy, "duration=0.1", std::string("dim=") + dim},
                     [](const Printed& p) { return p.is("stands") && p.of("drift") < 1e-6; }});
  all.push_back({"wall", {"courses=4", "unevenness=0", "head_gap=0", "duration=0.5"}, [](const Printed& p) {
                   return p("bodies") == 44 && p.of("displaced") == 0 && p.of("fallen") == 0;
                 }});
  all.push_back({"wall",
                 {"courses=3", "unevenness=4e-4", "start=ramp", "seed=7", "dim=3", "duration=0.03"},
                 [](const Printed& p) {
                   return p.finite({"spread", "max_opening"}) && p.of("fallen") == 0;
                 }});
  all.push_back({"dome", {"courses=3", "sectors=8", "duration=0.05"}, [](const Printed& p) {
                   return p.is("stands") && p.of("sag") < 1e-6;
                 }});
  all.push_back(
      {"spreading-arch", {"voussoirs=7", "speed=0.05", "thickness_ratio=0.2", "duration=1"}, [](const Printed& p) {
         return p.of("sag") > 0.01 && p.of("fallen") == 0 && p.of("max_opening") > 0;
       }});
  all.push_back({"dominoes", {"n=5", "h=1e-3", "duration=1.5"}, [](const Printed& p) {
                   return p.of("toppled") == 5 && p.of("speed") > 0.1 && p.of("speed") < 5;
                 }});
  all.push_back({"rocking-column",  // ground that stays put leaves it alone; a strong pulse does not
                 {"drums=3", "amplitude=0", "duration=0.3"},
                 [](const Printed& p) { return p.of("tilt_max_deg") < 1e-3 && p.of("toppled") == 0; }});
  all.push_back({"rocking-column",
                 {"drums=2", "slenderness=4", "amplitude=0.4", "frequency=1", "duration=0.8"},
                 [](const Printed& p) {
                   return p.of("tilt_max_deg") > 1 && p.finite({"drift", "toppled"});
                 }});
}

// In the plane and, where a scene has it, in space; a few dozen steps.
void add_grains(std::vector<Case>& all) {
  all.push_back({"packing", {"n=60", "dim=2", "mu=0.5", "seed=1", "duration=1"}, [](const Printed& p) {
                   return p.of("coordination") > 3 && p.of("coordination") < 4 && p.of("solid_fraction") > 0.6 &&
                          p.of("solid_fraction") < 0.9069 && p.of("kinetic") < 1e-6;  // 0.9069: the densest, of equals
                 }});
  all.push_back({"packing", {"n=20", "dim=3", "shape=polyhedron", "duration=0.05"}, [](const Printed& p) {
                   return p.of("kinetic") > 0 && p.of("solid_fraction") > 0 && p.of("solid_fraction") < 0.75;
                 }});
  all.push_back({"biaxial", {"n=30", "strain=0.01", "h=1e-3"}, [](const Printed& p) {
                   return p.of("phi_peak_deg") > 0 && p.of("phi_peak_deg") < 90 && p.of("phi_residual_deg") > 0 &&
                          std::abs(p.of("volume_change")) < 0.1;
                 }});
  for (const char* dim : {"dim=2", "dim=3"}) {
    all.push_back({"column-collapse", {"n=30", "aspect=2", "h=2e-3", dim}, [](const Printed& p) {
                     return p.of("runout") > -1 && p.finite({"runout", "kinetic"});
                   }});
    all.push_back({"drum", {"n=20", "duration=0.1", dim}, [](const Printed& p) {
                     return p.of("kinetic") > 0 && std::abs(p.of("slope_deg")) < 90;
                   }});
    all.push_back({"vibrated-bed", {"n=20", "duration=0.1", dim}, [](const Printed& p) {
                     return p.finite({"lift", "heap"}) && p.of("kinetic") > 0;
                   }});
    all.push_back({"rock-fall", {"n=2", "duration=0.3", "h=2e-3", dim}, [](const Printed& p) {
                     return p.finite({"reach", "bounces"}) && p.of("kinetic") > 0;
                   }});
  }
  for (const char* scene : {"silo", "hopper"})
    all.push_back({scene, {"n=40", "orifice=0", "duration=0.1"}, [](const Printed& p) {
                     return p.finite({"bottom_stress_ratio"}) && p.of("flow_rate") == 0;
                   }});
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> c;
    for (const int dim : {2, 3}) {
      c.push_back(incline(30, 0.5, dim));
      c.push_back(incline(20, 0.4, dim));  // sticks
    }
    c.push_back(rolling_sphere(2, 0, 0.2));
    c.push_back(rolling_sphere(1, 30, 0.3));   // it spins too fast: friction speeds it up
    c.push_back(rolling_sphere(1, -40, 0.5));  // it comes back
    c.push_back(tripod(1, 10, 0, 0.3, 1e-3));
    c.push_back(tripod(0.5, -12, 0.7, 0.2, 5e-4));
    for (const double e : {0.0, 0.6, 1.0}) c.push_back(cradle(5, 1, e)), c.push_back(cradle(7, 3, e));
    c.push_back(cradle_with_gaps(4, 1));
    c.push_back(cradle_with_gaps(2, 0.5));
    add_structures(c);
    add_grains(c);
    return c;
  }();
  return all;
}

// --- tests -----------------------------------------------------------------------------------------------------------

std::set<std::string> scene_files() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(CAIRN_SCENES_DIR))
    if (entry.path().extension() == ".toml") names.insert(entry.path().stem().string());
  return names;
}

TEST(Scenes, all_are_in_the_table) {
  std::set<std::string> tried;
  for (const Case& c : cases()) tried.insert(c.scene);
  EXPECT_EQ(scene_files(), tried);
}

TEST(Scenes, all_come_with_the_program) {
  const Folder folder;
  const Ran ran = cairn(folder, {"scenes"});
  EXPECT_EQ(ran.code, 0);
  for (const std::string& name : scene_files()) EXPECT_TRUE(has("\n" + ran.out, "\n" + name + " ")) << name;
}

void expect_certified(const Case& c, const Printed& p) {
  EXPECT_LE(p("missed"), static_cast<double>(c.missed));
  EXPECT_TRUE(std::isfinite(p("error_max")));
  const std::string energy = field(p.summary, "energy");  // of what was exchanged; elastic impacts exchange nothing
  EXPECT_LT(std::abs(number(energy, "defect")), 1e-10 * number(energy, "exchanged") + 1e-12);
  EXPECT_GT(p("steps"), 0);
}

class SceneRuns : public testing::TestWithParam<std::string> {};

TEST_P(SceneRuns, come_out_as_mechanics_says) {
  const Folder folder;
  for (const Case& c : cases()) {
    if (c.scene != GetParam()) continue;
    std::vector<std::string> words{"run", std::string(CAIRN_SCENES_DIR) + "/" + c.scene + ".toml", "--json",
                                   "--no-results"};
    for (const std::string& s : c.settings) words.push_back("--set"), words.push_back(s);
    const Ran ran = cairn(folder, words);
    std::string line = "cairn";
    for (const std::string& w : words) line += " " + w;
    SCOPED_TRACE(line);
    ASSERT_EQ(ran.code, 0) << ran.err;
    ASSERT_TRUE(is_json_line(ran.out)) << ran.out;
    const Printed printed{ran.out};
    expect_certified(c, printed);
    EXPECT_TRUE(c.good(printed)) << field(ran.out, "outcome");
    if (sanitized) return;  // the first alone
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, SceneRuns, testing::ValuesIn(scene_files()), test_name);

}  // namespace
}  // namespace cairn::test
