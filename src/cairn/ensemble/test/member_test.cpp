// Members of an ensemble: what is perturbed and what is not, and that what is read back is what was written.
#include "cairn/ensemble/member.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cairn/base/test/share.hpp"
#include "cairn/ensemble/folder.hpp"
#include "cairn/ensemble/perturb.hpp"
#include "cairn/ensemble/renumber.hpp"
#include "cairn/ensemble/result.hpp"
#include "cairn/input/build.hpp"
#include "cairn/input/plan.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn::ensemble {
namespace {

namespace fs = std::filesystem;

// Blocks that fall on each other, a pendulum that a force drives: contacts, joints, loads and probes by number.
const char* const scene_text = R"(
outcome = ["drift", "stands"]
[parameters]
duration = 0.2
mu = { value = 0.4, least = 0 }
n = { value = 3, least = 1 }
[time]
step = 1e-3
duration = "=duration"
[[contact]]
mu = "=mu"
[[body]]
name = "ground"
fixed = true
shape = { kind = "half-space" }
[[body]]
name = "block"
position = [0, 0.11]
velocity = [0.5, 0]
shape = { kind = "box", size = [0.2, 0.2] }
repeat = "=n"
step = [0.02, 0.23]
[[body]]
name = "bob"
position = [2, 1]
shape = { kind = "disc", radius = 0.1 }
[[joint]]
kind = "pin"
bodies = ["bob", "world"]
point = [2, 1.5]
[[load]]
kind = "force"
body = "bob"
force = [3, 0]
[[probe]]
name = "second"
kind = "position"
body = "2"
component = "x"
)";

Design design_of(const std::vector<std::string>& kinds, const std::vector<std::string>& vary = {}) {
  Design d;
  d.scene = {"test.toml", "test", scene_text};
  const auto p = read_perturbation(kinds, vary);
  EXPECT_TRUE(p) << p.error();
  d.perturbation = *p, d.given = kinds;
  d.samples = 20;
  if (test::sanitized) d.settings = {"duration=0.05"};
  return d;
}

Layout layout_of(Design& design) {
  auto layout = lay_out(design);
  EXPECT_TRUE(layout) << layout.error();
  return layout ? *layout : Layout{};
}

Member ran(const Design& d, const Layout& l, int index, Reference& reference) {
  const auto m = run_member(d, l, index, reference, {});
  EXPECT_TRUE(m.has_value());
  EXPECT_EQ(m->failed, "");
  return *m;
}

scene::World<2> world_of(const Design& d) {
  input::Diagnostics out(d.scene.path, d.scene.text);
  const auto file = input::read_scene(d.scene, d.settings, out);
  EXPECT_TRUE(file.has_value()) << out.str();
  auto world = input::build_world<2>(*file, d.scene.path, out);
  EXPECT_TRUE(world.has_value()) << out.str();
  return *world;
}

constexpr std::size_t departure = 4, probe = 5;  // observables

// --- members ---------------------------------------------------------------------------------------------------------

TEST(Member, run_0_is_the_scene_as_it_stands) {
  Design d = design_of({"positions=1e-3", "h", "mu", "numbering"});
  const Layout l = layout_of(d);
  Reference reference;
  const Member m = ran(d, l, 0, reference);
  input::Diagnostics out(d.scene.path, d.scene.text);
  const auto file = input::read_scene(d.scene, d.settings, out);
  auto plain = run::Simulation<2>::make(input::plan_of(*file, d.scene, d.settings), world_of(d));
  const auto summary = (*plain)->run({}, {});
  ASSERT_TRUE(summary);
  EXPECT_EQ(m.time, summary->time);
  EXPECT_EQ(m.steps, summary->totals.steps);
  EXPECT_EQ(m.outcome[0].second.number, summary->outcome[0].second.number);
  EXPECT_EQ(m.error_max, summary->totals.error_max);
}

TEST(Member, is_the_same_whenever_it_runs_and_differs_from_its_neighbours) {
  Design d = design_of({"velocities=1e-2"});
  const Layout l = layout_of(d);
  Reference reference;
  ran(d, l, 0, reference);
  const Member first = ran(d, l, 5, reference), other = ran(d, l, 3, reference), again = ran(d, l, 5, reference);
  EXPECT_EQ(first.samples, again.samples);
  EXPECT_NE(first.samples, other.samples);
  d.seed = 2;
  EXPECT_NE(ran(d, l, 5, reference).samples, first.samples);
}

TEST(Member, of_a_pair_the_second_has_a_tenth_of_the_same) {
  Design d = design_of({"velocities=1e-4"});
  const Layout l = layout_of(d);
  Reference reference;
  ran(d, l, 0, reference);
  const Member full = ran(d, l, 1, reference), tenth = ran(d, l, 2, reference);
  // Until the blocks meet, departures are linear in the velocities.
  EXPECT_GT(full.samples[departure][1], 1e-8);
  EXPECT_NEAR(tenth.samples[departure][1] / full.samples[departure][1], 0.1, 1e-3);
  EXPECT_TRUE(d.full(1) && !d.full(2) && d.draw(1) == d.draw(2) && d.draw(3) != d.draw(2));
}

TEST(Member, other_steps_end_at_the_same_time) {
  Design d = design_of({"h=0.3"});
  const Layout l = layout_of(d);
  Reference reference;
  const Member zero = ran(d, l, 0, reference);
  for (const int k : {1, 3, 5}) {
    const Member m = ran(d, l, k, reference);
    EXPECT_LT(m.h, l.h);
    EXPECT_GT(m.h, 0.7 * l.h);
    EXPECT_NEAR(m.time, zero.time, 1e-12);
    EXPECT_TRUE(std::isfinite(m.samples[0].back()));
    EXPECT_LT(m.samples[departure][0], 1e-3);  // samples are those of the same times
  }
}

// Another order changes no more than rounding and the solver's tolerance do; names and numbers are those of the scene.
TEST(Member, another_numbering_is_the_same_motion) {
  Design d = design_of({"numbering"});
  const Layout l = layout_of(d);
  EXPECT_FALSE(d.paired());
  Reference reference;
  const Member zero = ran(d, l, 0, reference);
  for (const int k : {1, 2, 3}) {
    const Member m = ran(d, l, k, reference);
    EXPECT_LT(m.samples[departure].back(), 1e-6);
    EXPECT_NEAR(m.samples[probe].back(), zero.samples[probe].back(), 1e-6);
    EXPECT_NEAR(m.outcome[0].second.number, zero.outcome[0].second.number, 1e-6);
  }
}

TEST(Member, parameters_are_drawn_between_their_bounds) {
  Design d = design_of({}, {"mu=0.2:0.6", "n=1:4"});
  d.settings.push_back("duration=0.01");
  const Layout l = layout_of(d);
  EXPECT_TRUE(d.paired());
  Reference reference;
  ran(d, l, 0, reference);
  std::set<Real> counts;
  for (int k = 1; k <= 8; ++k) {
    const Member m = ran(d, l, k, reference);
    ASSERT_EQ(m.varied.size(), 2u);
    const Real mu = m.varied[0].second;
    EXPECT_TRUE(d.full(k) ? mu >= 0.2 && mu <= 0.6 : std::fabs(mu - 0.4) <= 0.02 + 1e-12) << mu;
    counts.insert(m.varied[1].second);
    EXPECT_EQ(std::isnan(m.samples[departure][0]), m.varied[1].second != 3);  // other bodies: no departure
  }
  EXPECT_GT(counts.size(), 1u);
  for (const Real n : counts) EXPECT_TRUE(n == 1 || n == 2 || n == 3 || n == 4) << n;
}

// --- what is perturbed -----------------------------------------------------------------------------------------------

TEST(Perturb, places_of_free_bodies_that_no_joint_holds) {
  const Design d = design_of({"positions"});
  const scene::World<2> before = world_of(d);
  scene::World<2> after = before;
  RandomStream random(1);
  move_bodies(after, {1e-2, false}, random);
  for (std::size_t b = 0; b < before.names.size(); ++b) {
    const Real moved = norm(after.state.x[b] - before.state.x[b]);
    const bool block = before.names[b].starts_with("block");
    EXPECT_EQ(moved > 0, block) << before.names[b];
    EXPECT_LE(moved, 1e-2 * 0.1415 * std::sqrt(2.0));  // of half a diagonal, each component
  }
}

TEST(Perturb, friction_of_every_pair) {
  scene::World<2> world = world_of(design_of({"mu"}));
  RandomStream random(1);
  change_friction(world, 0.1, random);
  const Real mu = world.model.materials.standard.mu;
  EXPECT_NE(mu, 0.4);
  EXPECT_NEAR(mu, 0.4, 0.04);
  EXPECT_LT(world.model.materials.standard.mu_dynamic, 0);  // still the same as mu
  world.change_surfaces(1);
  EXPECT_EQ(world.model.materials.standard.mu, mu);
}

TEST(Renumber, keeps_who_is_who) {
  scene::World<2> world = world_of(design_of({"numbering"}));
  world.names[3] = world.names[1];  // two that share a name keep their order
  for (int seed = 1; seed <= 20; ++seed) {
    RandomStream random(static_cast<std::uint64_t>(seed));
    const std::vector<int> order = random_order(world, true, random);
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), world.names.size());
    const scene::World<2> other = renumbered(world, order);
    const auto place = [&](int b) { return std::find(order.begin(), order.end(), b) - order.begin(); };
    EXPECT_LT(place(1), place(3));
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto from = static_cast<std::size_t>(order[k]);
      EXPECT_EQ(other.names[k], world.names[from]);
      EXPECT_EQ(other.state.x[k][0], world.state.x[from][0]);
      EXPECT_EQ(other.model.bodies[k].mass, world.model.bodies[from].mass);
    }
    for (const BodyPart<2>& p : other.model.parts) {
      const bool round = std::holds_alternative<Ball<2>>(p.shape);
      EXPECT_EQ(round, other.names[static_cast<std::size_t>(p.body)] == "bob");
    }
    EXPECT_EQ(other.names[static_cast<std::size_t>(other.model.joints[0].body[0])], "bob");
  }
}

// --- the folder ------------------------------------------------------------------------------------------------------

class EnsembleFolder : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(path_); }
  void TearDown() override { fs::remove_all(path_); }
  std::string lines() const {
    std::ostringstream text;
    text << std::ifstream(path_ + "/members.jsonl").rdbuf();
    return text.str();
  }
  static Member member(int index) {
    Member m;
    m.index = index, m.h = 1e-3 / 3, m.time = 0.1, m.steps = 7, m.error_max = 1.0 / 7;
    m.outcome = {{"drift", run::Value::of(2.0 / 3)}, {"stands", run::Value::flag(true)}};
    m.varied = {{"mu", 1.0 / 3}};
    m.samples.assign(6, std::vector<Real>(20, 1e-17 / 3));
    m.samples[2][19] = std::nan("");
    return m;
  }

  std::string path_ = (fs::temp_directory_path() / ("cairn-folder-" + std::to_string(::getpid()))).string();
};

TEST_F(EnsembleFolder, members_read_back_to_the_same_bits) {
  const Member m = member(4);
  const auto back = read_member(member_json(m));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->index, 4);
  EXPECT_EQ(back->h, m.h);
  EXPECT_EQ(back->varied, m.varied);
  EXPECT_EQ(back->outcome[0].second.number, 2.0 / 3);
  EXPECT_TRUE(back->outcome[1].second.is_flag);
  EXPECT_EQ(back->samples[0], m.samples[0]);
  EXPECT_TRUE(std::isnan(back->samples[2][19]));
  EXPECT_EQ(member_json(*back), member_json(m));
}

TEST_F(EnsembleFolder, half_a_line_is_cut_off_and_the_rest_goes_on) {
  Design d = design_of({"positions"});
  const Layout l = layout_of(d);
  {
    auto folder = Folder::open(path_, d, l);
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_EQ(folder->add(member(2)), "");
    EXPECT_EQ(folder->add(member(0)), "");
    EXPECT_EQ(folder->members()[0].index, 0);
    EXPECT_FALSE(Folder::open(path_, d, l)) << "two commands at work in one folder";
  }
  const std::string whole = lines();
  std::ofstream(path_ + "/members.jsonl", std::ios::app) << member_json(member(3)).substr(0, 60);
  auto folder = Folder::open(path_, d, l);
  ASSERT_TRUE(folder) << folder.error();
  EXPECT_EQ(folder->members().size(), 2u);
  EXPECT_EQ(lines(), whole);
  EXPECT_EQ(folder->add(member(3)), "");
  EXPECT_TRUE(folder->has(3));
  EXPECT_EQ(lines(), whole + member_json(member(3)) + "\n");
}

TEST_F(EnsembleFolder, of_another_ensemble_is_refused) {
  Design d = design_of({"positions"});
  const Layout l = layout_of(d);
  ASSERT_TRUE(Folder::open(path_, d, l));
  d.seed = 7;
  const auto refused = Folder::open(path_, d, l);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("seed: 1, here 7"), std::string::npos) << refused.error();
  d.seed = 1;
  EXPECT_TRUE(Folder::open(path_, d, l));
}

TEST_F(EnsembleFolder, places_of_run_0_read_back) {
  Design d = design_of({"positions"});
  auto folder = Folder::open(path_, d, layout_of(d));
  ASSERT_TRUE(folder);
  EXPECT_FALSE(folder->reference());
  const Reference r{2, 3, {1.0 / 3, std::nan(""), 5}};
  EXPECT_EQ(folder->keep(r), "");
  const auto back = folder->reference();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->dimension, 2);
  EXPECT_EQ(back->bodies, 3u);
  EXPECT_EQ(back->x[0], 1.0 / 3);
  EXPECT_TRUE(std::isnan(back->x[1]));
}

// --- results ---------------------------------------------------------------------------------------------------------

// Members made by hand: an outcome proportional to the perturbation, an observable that forgets it.
TEST(Result, tells_what_is_determined_from_what_is_not) {
  Design d = design_of({"positions"});
  const Layout l = layout_of(d);
  RandomStream random(1);
  std::vector<Member> members;
  for (int k = 0; k < 21; ++k) {
    Member m;
    m.index = k;
    RandomStream own(1, static_cast<std::uint64_t>(d.draw(k)));
    const Real r = own.within(-1, 1);
    m.outcome = {{"drift", run::Value::of(1 + 0.1 * d.factor(k) * r)},
                 {"stands", run::Value::flag(k == 0 || random.unit() < 0.5)}};
    for (std::size_t i = 0; i < l.observables.size(); ++i) {
      std::vector<Real> s;
      for (const Real t : l.times)
        s.push_back(t + (k == 0 || t < 0.5 * l.end ? 0 : i == 0 ? 100 * random.normal() : 0));
      m.samples.push_back(s);
    }
    members.push_back(std::move(m));
  }
  const auto r = result_of(d, l, members, 21, 0.01);
  ASSERT_TRUE(r) << r.error();
  EXPECT_EQ(r->outcomes[0].judgement.verdict, Verdict::determined);
  EXPECT_EQ(r->outcomes[0].distribution.count, 10);  // those in full
  EXPECT_EQ(r->outcomes[1].judgement.verdict, Verdict::sensitive);
  EXPECT_EQ(r->observables[0].judgement.verdict, Verdict::sensitive);
  EXPECT_EQ(r->observables[0].parted, 10);
  EXPECT_GE(r->observables[0].times.least, 0.5 * l.end * (1 - 1e-12));
  EXPECT_EQ(r->observables[1].judgement.verdict, Verdict::determined);
  EXPECT_EQ(r->observables[1].parted, 0);
  members.erase(members.begin());
  EXPECT_FALSE(result_of(d, l, members, 21, 0.01)) << "nothing to compare with";
}

TEST(Perturbation, what_is_wrong_is_said) {
  const auto refused = [](const std::vector<std::string>& kinds, const std::vector<std::string>& vary,
                          const std::string& message) {
    const auto p = read_perturbation(kinds, vary);
    ASSERT_FALSE(p) << message;
    EXPECT_NE(p.error().find(message), std::string::npos) << p.error();
  };
  refused({}, {}, "nothing is perturbed");
  refused({"position"}, {}, "did you mean 'positions'?");
  refused({"h=-1"}, {}, "a size above 0");
  refused({"h=1e-3m"}, {}, "a size above 0");
  refused({"positions=1"}, {}, "a relative size up to 0.05");
  refused({"numbering=2"}, {}, "has no size");
  refused({"h", "h=1e-4"}, {}, "given twice");
  refused({}, {"mu"}, "expected NAME=low:high");
  refused({}, {"mu=0.5:0.3"}, "low < high");
  refused({}, {"mu=normal(0.5,0)"}, "normal(mean,deviation)");
  refused({}, {"mu=1:2", "mu=3:4"}, "given twice");
  const auto metres = read_perturbation({"positions=0.1m", "velocities=2m/s"}, {"a=normal(1,2)"});
  ASSERT_TRUE(metres);
  EXPECT_TRUE(metres->positions->absolute && metres->velocities->absolute && metres->vary[0].normal);
  EXPECT_EQ(metres->velocities->value, 2);
}

}  // namespace
}  // namespace cairn::ensemble
