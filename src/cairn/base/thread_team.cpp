#include "cairn/base/thread_team.hpp"

#include <chrono>
#include <utility>

namespace cairn {
namespace {

constexpr int looks_for_calls = 20000;  // some hundred microseconds: as long as what one thread does between calls
constexpr int yields_for_calls = 100;   // then others run; then the thread sleeps
constexpr int looks_at_a_stage = 2000;
constexpr int looks_before_help = 16;  // another's share is taken from where it is late, not where it is about to end

void pause_a_little() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

constexpr std::uint64_t word(std::uint32_t call, int count) {
  return std::uint64_t{call} << 32 | static_cast<std::uint32_t>(count);
}
constexpr std::uint32_t call_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
constexpr int count_of(std::uint64_t word) { return static_cast<int>(static_cast<std::uint32_t>(word)); }

}  // namespace

int ThreadTeam::Count::take(std::uint32_t call, int begin, int end) {
  std::uint64_t seen = word_.load(std::memory_order_relaxed);
  for (;;) {
    const int next = call_of(seen) == call ? count_of(seen) : begin;
    if (next >= end) return end;
    if (word_.compare_exchange_weak(seen, word(call, next + 1), std::memory_order_relaxed)) return next;
  }
}
void ThreadTeam::Count::add(std::uint32_t call, int n) {
  std::uint64_t seen = word_.load(std::memory_order_relaxed);
  while (!word_.compare_exchange_weak(seen, word(call, call_of(seen) == call ? count_of(seen) + n : n),
                                      std::memory_order_acq_rel, std::memory_order_relaxed)) {
  }
}
int ThreadTeam::Count::get(std::uint32_t call) const {
  const std::uint64_t seen = word_.load(std::memory_order_acquire);
  return call_of(seen) == call ? count_of(seen) : 0;
}

ThreadTeam::ThreadTeam(int threads) : threads_(threads), present_(static_cast<std::size_t>(threads)) {
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  looks_ = threads <= processors ? looks_at_a_stage : 0;  // else whoever is waited for may need this processor
  open_.store(0);
  for (int own = 1; own < threads; ++own) helper_.emplace_back([this, own] { help(own); });
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : helper_) t.join();
}

bool ThreadTeam::share(std::span<const int> first, void* work, Piece piece) {
  if (busy_.exchange(true, std::memory_order_acquire)) return false;
  const std::size_t shares = (first.size() - 1) * static_cast<std::size_t>(threads_);
  if (share_.size() < shares) share_ = std::vector<Share>(2 * shares);
  call_ = {first, work, piece, call_.number + 1};
  if (call_.number == 0) call_.number = 1;  // after four thousand million calls
  open_.store(call_.number);
  if (asleep_.load() > 0) {
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
  take_part(0);
  open_.store(0);
  for (const Presence& p : present_)  // whoever came late has nothing to do, but looks
    for (int look = 0; p.here.load(); ++look)
      if (look < looks_)
        pause_a_little();
      else
        std::this_thread::yield();
  const std::exception_ptr thrown = std::exchange(thrown_, nullptr);
  busy_.store(false, std::memory_order_release);
  if (thrown) std::rethrow_exception(thrown);
  return true;
}

// Each thread has its own share of every stage, the same from call to call, so that what it works on stays in its
// cache; it helps with those of the others, who may be late or never come.
void ThreadTeam::take_part(int own) {
  const int stages = static_cast<int>(call_.first.size()) - 1;
  for (int stage = 0; stage < stages; ++stage) {
    work_on(stage, own);
    finish(stage, own);
  }
}

// Waits for the other shares, and takes from those that take long.
void ThreadTeam::finish(int stage, int own) {
  for (int k = 1; k <= threads_; ++k) {  // its own last: others may have taken from it
    const int share = (own + k) % threads_;
    for (int look = 0; !is_done(stage, share); ++look) {
      if (look >= looks_before_help && work_on(stage, share) > 0) continue;
      if (look < looks_)
        pause_a_little();
      else
        std::this_thread::yield();
    }
  }
}

// Returns how many pieces of the share it did.
int ThreadTeam::work_on(int stage, int share) {
  Share& s = share_[static_cast<std::size_t>(stage * threads_ + share)];
  const int end = begin(stage, share + 1);
  int count = 0;
  for (int i = s.taken.take(call_.number, begin(stage, share), end); i < end;
       i = s.taken.take(call_.number, begin(stage, share), end), ++count) {
    try {
      call_.piece(call_.work, i);
    } catch (...) {
      const std::lock_guard lock(thrown_mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
  }
  if (count > 0) s.done.add(call_.number, count);
  return count;
}

int ThreadTeam::begin(int stage, int share) const {
  const long low = call_.first[static_cast<std::size_t>(stage)],
             high = call_.first[static_cast<std::size_t>(stage) + 1];
  return static_cast<int>(low + (high - low) * share / threads_);
}

bool ThreadTeam::is_done(int stage, int share) const {
  const int count = begin(stage, share + 1) - begin(stage, share);
  return count == 0 || share_[static_cast<std::size_t>(stage * threads_ + share)].done.get(call_.number) == count;
}

// Who says that he is here before he looks whether a call is open, and sees that it is, is waited for.
void ThreadTeam::help(int own) {
  std::atomic<bool>& here = present_[static_cast<std::size_t>(own)].here;
  for (std::uint32_t last = 0; (last = wait_for_call(last)) != 0;) {
    here.store(true);
    if (open_.load() == last) take_part(own);
    here.store(false);
  }
}

// Another one than the last; 0: there will be none.
std::uint32_t ThreadTeam::wait_for_call(std::uint32_t last) {
  const auto next = [&] {
    const std::uint32_t call = open_.load();
    return call != last ? call : 0;
  };
  const int looks = looks_ > 0 ? looks_for_calls : 0;
  for (int look = 0; look < looks + yields_for_calls; ++look) {
    if (const std::uint32_t call = next(); call != 0) return call;
    if (stop_.load(std::memory_order_relaxed)) return 0;
    if (look < looks)
      pause_a_little();
    else
      std::this_thread::yield();
  }
  std::unique_lock lock(mutex_);
  std::uint32_t call = 0;  // which may be over when this thread comes
  ++asleep_;
  wake_.wait(lock, [&] { return stop_ || (call = next()) != 0; });
  --asleep_;
  return stop_ ? 0 : call;
}

}  // namespace cairn
