#include "cairn/base/threads.hpp"

#include <gtest/gtest.h>

#ifdef __unix__
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cairn/base/thread_team.hpp"

namespace cairn {
namespace {

class Threads : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam(), true); }
  void TearDown() override { set_threads(1); }
};

TEST_P(Threads, PiecesAreDoneOnceEach) {
  std::vector<int> done(1000, 0);
  share_pieces(1000, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
  EXPECT_EQ(done, std::vector<int>(1000, 1));
}

TEST_P(Threads, RangesCoverAll) {
  std::vector<int> done(1003, 0);
  share_range(1003, 10, [&](int first, int last) {
    EXPECT_LE(last - first, 10);
    for (int i = first; i < last; ++i) ++done[static_cast<std::size_t>(i)];
  });
  EXPECT_EQ(done, std::vector<int>(1003, 1));
}

// Every piece of a stage reads what those of the stage before have written, without atomics: a missing barrier is a
// wrong number here, and a race for the thread sanitizer.
TEST_P(Threads, StagesFollowEachOther) {
  for (const int width : {1, 2, 7, 40}) {
    constexpr int stages = 50;
    std::vector<int> first(stages + 1);
    for (int k = 0; k <= stages; ++k) first[static_cast<std::size_t>(k)] = 3 + k * width;  // not from zero
    std::vector<long> value(static_cast<std::size_t>(width), 1), next = value;
    std::vector<std::vector<long>> of(stages + 1, value);
    share_stages(first, [&](int i) {
      const int k = (i - 3) / width, j = (i - 3) % width;
      const std::vector<long>& before = of[static_cast<std::size_t>(k)];
      of[static_cast<std::size_t>(k) + 1][static_cast<std::size_t>(j)] =
          std::accumulate(before.begin(), before.end(), 0L) % 1000003 + j;
    });
    for (int k = 0; k < stages; ++k) {  // the same alone
      const long sum = std::accumulate(value.begin(), value.end(), 0L) % 1000003;
      for (int j = 0; j < width; ++j) next[static_cast<std::size_t>(j)] = sum + j;
      value = next;
    }
    EXPECT_EQ(of.back(), value) << width;
  }
}

TEST_P(Threads, PiecesMayShareWorkThemselves) {
  std::vector<std::vector<int>> done(20, std::vector<int>(300, 0));
  share_pieces(20, [&](int i) {
    auto& own = done[static_cast<std::size_t>(i)];
    share_pieces(300, [&](int k) { ++own[static_cast<std::size_t>(k)]; });
  });
  for (const auto& own : done) EXPECT_EQ(own, std::vector<int>(300, 1));
}

TEST_P(Threads, StagesMayBeEmpty) {
  const std::vector<int> first{0, 0, 5, 5, 5, 12, 12};
  std::atomic<int> done = 0;
  share_stages(first, [&](int i) {
    EXPECT_TRUE(i < 5 || done.load() >= 5) << i;
    ++done;
  });
  EXPECT_EQ(done.load(), 12);
  share_stages(std::vector<int>{4}, [&](int) { ADD_FAILURE() << "no stage, no piece"; });
}

TEST_P(Threads, TwoMayShareWorkAtOnce) {
  const auto one = [](long* sum) {
    for (int round = 0; round < 200; ++round) {
      std::vector<int> done(64, 0);
      share_pieces(64, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
      for (const int d : done) *sum += d;
    }
  };
  long first = 0, second = 0;
  std::thread other(one, &first);
  one(&second);
  other.join();
  EXPECT_EQ(first, 200 * 64);
  EXPECT_EQ(second, 200 * 64);
}

// Helpers that have gone to sleep come back.
TEST_P(Threads, WorkIsSharedAfterAPause) {
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::vector<int> done(100, 0);
    share_pieces(100, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(done, std::vector<int>(100, 1));
  }
}

TEST_P(Threads, WhatAPieceThrowsReachesWhoShares) {
  auto throw_one = [](int i) {
    if (i == 17) throw std::runtime_error("17");
  };
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(share_pieces(100, throw_one), std::runtime_error);
    std::atomic<int> done = 0;
    share_pieces(100, [&](int) { ++done; });  // and nothing is left of it
    EXPECT_EQ(done.load(), 100);
  }
}

#ifdef __unix__
TEST_P(Threads, AForkedProcessWorksAlone) {
  share_pieces(100, [](int) {});
  const pid_t child = ::fork();
  if (child == 0) {
    int done = 0;
    share_pieces(100, [&](int) { ++done; });
    set_threads(1);
    ::_exit(done == 100 && threads() == 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
#endif

// Each waits for others that do not run.
TEST(Team, OfMoreThreadsThanProcessorsDoesAllOnce) {
  ThreadTeam team(2 * hardware_threads() + 3);
  std::vector<int> first, sum(40, 0);
  for (int k = 0; k <= 30; ++k) first.push_back(40 * k);
  for (int round = 0; round < 20; ++round)
    ASSERT_TRUE(team.share(first, &sum, [](void* work, int i) {
      ++(*static_cast<std::vector<int>*>(work))[static_cast<std::size_t>(i % 40)];  // stages follow each other
    }));
  EXPECT_EQ(sum, std::vector<int>(40, 20 * 30));
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, ::testing::Values(1, 2, 3, 8));

}  // namespace
}  // namespace cairn
