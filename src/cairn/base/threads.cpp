#include "cairn/base/threads.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cairn/base/check.hpp"

namespace cairn {
namespace {
int in_use = 1;
constexpr int patience = 2000;  // looks before a thread that waits lets others run
std::unique_ptr<tbb::task_arena> arena;
}  // namespace

void set_threads(int wanted) {
  CAIRN_CHECK(wanted >= 1, "at least one thread");
  in_use = wanted;
  arena = wanted > 1 ? std::make_unique<tbb::task_arena>(wanted) : nullptr;
}
int threads() { return in_use; }
int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

namespace detail {

void share(int pieces, void* work, void (*piece)(void*, int)) {
  const int stage[] = {0, pieces};
  share_stages(stage, work, piece);
}

// Each thread has its own share of every stage, the same from call to call, so that what it works on stays in its
// cache; it goes on with those of the others, who may be late or never come. Nobody holds what he does not work on: to
// wait for the end of a stage is safe. Pieces are short: waiting is spinning, at first.
void share_stages(std::span<const int> first, void* work, void (*piece)(void*, int)) {
  struct alignas(64) Counter {
    std::atomic<int> value;
  };
  static thread_local std::vector<Counter> kept;
  std::vector<Counter> counters = std::exchange(kept, {});  // (stages * threads) pieces taken of the share
  const int shares = in_use, stages = static_cast<int>(first.size()) - 1;
  if (counters.size() < static_cast<std::size_t>(stages * shares))
    counters = std::vector<Counter>(counters.size() + 2 * first.size() * static_cast<std::size_t>(shares));
  Counter* const taken = counters.data();
  const auto begin = [&](int stage, int share) {
    const long low = first[static_cast<std::size_t>(stage)], high = first[static_cast<std::size_t>(stage) + 1];
    return static_cast<int>(low + (high - low) * share / shares);
  };
  for (int k = 0; k < stages * shares; ++k)
    taken[k].value.store(begin(k / shares, k % shares), std::memory_order_relaxed);
  Counter done{first.front()};  // all pieces up to it, between stages
  const auto take_part = [&](int own) {
    for (int stage = 0; stage < stages; ++stage) {
      for (int look = 0; done.value.load(std::memory_order_acquire) < first[static_cast<std::size_t>(stage)]; ++look)
        if (look > patience) std::this_thread::yield();
      int mine = 0;
      for (int k = 0; k < shares; ++k) {
        const int share = (own + k) % shares, end = begin(stage, share + 1);
        std::atomic<int>& next = taken[stage * shares + share].value;
        if (next.load(std::memory_order_relaxed) >= end) continue;
        for (int i = next.fetch_add(1, std::memory_order_relaxed); i < end;
             i = next.fetch_add(1, std::memory_order_relaxed), ++mine)
          piece(work, i);
      }
      if (mine > 0) done.value.fetch_add(mine, std::memory_order_acq_rel);
    }
  };
  arena->execute([&] { tbb::parallel_for(0, in_use, take_part, tbb::static_partitioner()); });
  kept = std::move(counters);  // a piece that shares work itself had its own
}

}  // namespace detail
}  // namespace cairn
