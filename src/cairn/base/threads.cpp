#include "cairn/base/threads.hpp"

#ifdef __unix__
#include <pthread.h>
#endif

#include <memory>
#include <thread>

#include "cairn/base/check.hpp"
#include "cairn/base/thread_team.hpp"

namespace cairn {
namespace {

int in_use = 1, at_work = 1;
std::unique_ptr<ThreadTeam> team;

// A forked process has one thread, and no team to wait for.
void be_alone() {
  (void)team.release();
  in_use = at_work = 1;
}

}  // namespace

void set_threads(int wanted, bool crowded) {
  CAIRN_CHECK(wanted >= 1, "at least one thread");
#ifdef __unix__
  static const int told = ::pthread_atfork(nullptr, nullptr, be_alone);
  CAIRN_CHECK(told == 0, "room for what a fork does");
#endif
  // More than there are processors would take them from each other, and wait.
  const int useful = crowded ? wanted : std::min(wanted, hardware_threads());
  if (wanted == in_use && useful == at_work) return;
  in_use = wanted, at_work = useful;
  team.reset();
  if (useful > 1) team = std::make_unique<ThreadTeam>(useful);
}
int threads() { return in_use; }
int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

namespace detail {

// Where the team is at work already, or there is none, the thread that asks does all by itself.
void share_stages(std::span<const int> first, void* work, void (*piece)(void*, int)) {
  if (team && team->share(first, work, piece)) return;
  for (int i = first.front(); i < first.back(); ++i) piece(work, i);
}

void share(int pieces, void* work, void (*piece)(void*, int)) {
  const int stage[] = {0, pieces};
  share_stages(stage, work, piece);
}

}  // namespace detail
}  // namespace cairn
