// A run that is killed at random moments and resumed gives the file of one that was never disturbed. CAIRN_KILLS says
// how many kills (scripts/kill-test asks for hundreds).
#include <random>

#include "run_program.hpp"
#include "wall_scene.hpp"

namespace {

using namespace cairn::test;

struct KillFolder : Folder {
  KillFolder() { write("killed.toml", wall_scene); }
};

TEST(Kill, a_run_killed_at_random_moments_and_resumed_equals_one_left_alone) {
  const char* asked = std::getenv("CAIRN_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 12;
  std::mt19937 random(static_cast<unsigned>(kills));
  const KillFolder folder;
  const std::string toml = folder.path / "killed.toml";
  const fs::path left_alone = folder.path / "alone.h5", killed = folder.path / "killed.h5";
  ASSERT_EQ(wait_for(start({CAIRN_PROGRAM, "run", toml, "--quiet", "--out", left_alone})), 0);

  int done = 0, rounds = 0, seen = 0;
  while (done < kills) {
    fs::remove(killed), fs::remove(folder.path / "killed.checkpoint");
    ++rounds, seen = 0;
    for (bool ended = false; !ended && done < kills;) {
      const bool fresh = !fs::exists(folder.path / "killed.checkpoint");
      const pid_t child = fresh ? start({CAIRN_PROGRAM, "run", toml, "--quiet", "--out", killed})
                                : start({CAIRN_PROGRAM, "resume", killed, "--quiet"});
      ::usleep(static_cast<useconds_t>(std::uniform_int_distribution<int>(1000, 250000)(random)));
      ::kill(child, SIGKILL);
      ended = wait_for(child) == 0;
      done += !ended;
      if (!fs::exists(killed)) continue;
      const int frames = frames_in(killed);
      ASSERT_GE(frames, fresh ? 0 : 1);
      seen = std::max(seen, frames);
    }
  }
  const bool resumable = fs::exists(folder.path / "killed.checkpoint");
  const pid_t last = resumable ? start({CAIRN_PROGRAM, "resume", killed, "--quiet"})
                               : start({CAIRN_PROGRAM, "run", toml, "--quiet", "--out", killed});
  const int code = wait_for(last);
  EXPECT_TRUE(code == 0 || code == 2) << code;  // 2: it had just ended when it was killed
  EXPECT_GT(seen, 1);
  RecordProperty("kills", done);
  RecordProperty("rounds", rounds);
  expect_same_results(left_alone, killed);
}

// What others see while it runs never grows less, and what is committed survives the kill.
TEST(Kill, frames_that_were_seen_stay) {
  const KillFolder folder;
  const fs::path results = folder.path / "killed.h5";
  const pid_t child = start({CAIRN_PROGRAM, "run", folder.path / "killed.toml", "--quiet", "--out", results});
  int seen = 0;
  for (int k = 0; k < 200 && seen < 20; ++k) {
    ::usleep(5000);
    if (!fs::exists(results)) continue;
    const int frames = frames_in(results);
    EXPECT_GE(frames, seen);
    seen = frames;
  }
  ::kill(child, SIGKILL);
  wait_for(child);
  EXPECT_GE(frames_in(results), seen);
  EXPECT_GE(seen, 20);
}

}  // namespace
