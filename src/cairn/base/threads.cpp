#include "cairn/base/threads.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <memory>
#include <thread>

#include "cairn/base/check.hpp"

namespace cairn {
namespace {
int count = 1;
std::unique_ptr<tbb::task_arena> arena;
}  // namespace

void set_threads(int wanted) {
  CAIRN_CHECK(wanted >= 1, "at least one thread");
  count = wanted;
  arena = wanted > 1 ? std::make_unique<tbb::task_arena>(wanted) : nullptr;
}
int threads() { return count; }
int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

namespace detail {

void share(int pieces, void* work, void (*piece)(void*, int)) {
  arena->execute([&] {
    tbb::parallel_for(
        0, pieces, [&](int i) { piece(work, i); }, tbb::static_partitioner());
  });
}

}  // namespace detail
}  // namespace cairn
