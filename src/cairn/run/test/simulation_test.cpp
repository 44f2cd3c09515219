// A scene run by its plan: surfaces that change in time, interruption and resumption.
#include "cairn/run/simulation.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "cairn/model/build.hpp"
#include "cairn/record/reader.hpp"

namespace cairn::run {
namespace {

namespace fs = std::filesystem;

constexpr Real inclined = 0.3, g = 9.81;  // [rad], [m/s^2]

// A block that friction holds on an incline until t = 0.1 s, when the incline turns to ice.
scene::World<2> block_on_ice() {
  scene::World<2> world;
  world.model.gravity = {0, -g};
  const Rotation<2> R = Rotation<2>::by(inclined);
  EXPECT_TRUE(add_boundary<2>(world.model, world.state, {{HalfSpace<2>{}, {}, 1}}, {{}, R}));
  EXPECT_TRUE(add_body<2>(world.model, world.state, {{Polygon::box({0.2, 0.05}), {}, 1000}}, {R * Vec<2>{0, 0.05}, R}));
  world.names = {"incline", "block"}, world.part = {0, 0};
  Surface rough, ice;
  rough.mu = 1, ice.mu = 0;
  world.changes = {{0, -1, -1, rough}, {0.1, -1, -1, ice}};
  return world;
}

Plan plan_for(Real duration) {
  Plan plan;
  plan.scene_name = plan.title = "ice", plan.h = 1e-3, plan.duration = duration;
  plan.frame_every = 5e-3, plan.outcome = {"drift"};
  return plan;
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("cairn-simulation-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Files files(const std::string& name) const { return {path / (name + ".h5"), path / (name + ".checkpoint")}; }
};

TEST(Simulation, friction_changes_when_the_scene_says_so) {
  const auto simulation = Simulation<2>::make(plan_for(0.3), block_on_ice());
  ASSERT_TRUE(simulation) << simulation.error();
  const auto summary = (*simulation)->run({}, {});
  ASSERT_TRUE(summary) << summary.error();
  // 200 steps of sliding: the midpoint scheme is exact for a constant force, but for the half step in which it sets in.
  const Real t = 0.2, exact = g * std::sin(inclined) * t * t / 2;
  EXPECT_NEAR(summary->outcome[0].second.number, exact, 1e-3 * g * t);
  EXPECT_GT(summary->outcome[0].second.number, 0.99 * exact);
}

// Interrupted before and after the change, and resumed by a fresh simulation each time.
TEST(Simulation, a_resumed_run_changes_friction_at_the_same_step) {
  const Folder folder;
  const auto alone = Simulation<2>::make(plan_for(0.2), block_on_ice());
  ASSERT_TRUE(alone && (*alone)->run(folder.files("alone"), {}));
  int left = 50;
  Watch watch;
  watch.interrupted = [&left] { return --left == 0; };
  const Files files = folder.files("broken");
  const auto first = Simulation<2>::make(plan_for(0.2), block_on_ice());
  auto summary = (*first)->run(files, watch);
  ASSERT_TRUE(summary) << summary.error();
  EXPECT_TRUE(summary->interrupted);
  while (summary->interrupted) {
    left = 73;
    const auto checkpoint = record::read_checkpoint<2>(files.checkpoint);
    ASSERT_TRUE(checkpoint) << checkpoint.error();
    const auto next = Simulation<2>::make(plan_for(0.2), block_on_ice());
    summary = (*next)->resume(*checkpoint, files, watch);
    ASSERT_TRUE(summary) << summary.error();
  }
  const auto a = record::Reader<2>::open(folder.files("alone").results), b = record::Reader<2>::open(files.results);
  ASSERT_TRUE(a && b);
  ASSERT_EQ(a->times(), b->times());
  EXPECT_EQ(a->info().outcome, b->info().outcome);
  const auto end = static_cast<int>(a->times().size()) - 1;
  EXPECT_EQ(a->frame(end)->x[1][0], b->frame(end)->x[1][0]);
  EXPECT_GT(std::abs(a->frame(end)->x[1][0] - a->frame(0)->x[1][0]), 1e-3);
}

}  // namespace
}  // namespace cairn::run
