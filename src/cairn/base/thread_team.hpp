// Threads that wait for work and share it, for stages of some microseconds: a step of a scene hands over work some
// hundred times, each time for as long as a general scheduler takes to wake a thread. These look for work all the time
// while there was some a moment ago, and go to sleep where there is none.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace cairn {

class ThreadTeam {
 public:
  using Piece = void (*)(void* work, int piece);

  explicit ThreadTeam(int threads);  // that of whoever calls among them
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // piece(work, i) for [first[k], first[k + 1]), stage after stage k, a stage when all of those before are done. False:
  // the team is at work already, for another thread or for the piece that asks; nothing has been done. What a piece
  // throws is thrown here, when all are done.
  bool share(std::span<const int> first, void* work, Piece piece);

 private:
  // How far a share of a stage is, of which call: one word, so that nothing need be reset between calls.
  class Count {
   public:
    int take(std::uint32_t call, int begin, int end);  // the next of [begin, end), which is then taken; end: none
    void add(std::uint32_t call, int n);
    int get(std::uint32_t call) const;

   private:
    std::atomic<std::uint64_t> word_{0};
  };
  struct alignas(64) OwnCount : Count {};  // a line of the cache each: threads that write side by side would wait
  struct Share {
    OwnCount taken, done;  // pieces
  };
  struct Call {
    std::span<const int> first;
    void* work = nullptr;
    Piece piece = nullptr;
    std::uint32_t number = 0;
  };
  struct alignas(64) Presence {
    std::atomic<bool> here = false;
  };

  void help(int own);
  std::uint32_t wait_for_call(std::uint32_t last);
  void take_part(int own);
  void finish(int stage, int own);
  int work_on(int stage, int share);
  int begin(int stage, int share) const;
  bool is_done(int stage, int share) const;

  const int threads_;
  int looks_;                                    // before a thread that waits lets others run
  std::vector<Share> share_;                     // (stages * threads)
  Call call_;                                    // written while nobody is here
  alignas(64) std::atomic<std::uint32_t> open_;  // the call that threads may join; 0: none
  std::atomic<bool> stop_ = false, busy_ = false;
  std::vector<Presence> present_;  // (threads)
  alignas(64) std::atomic<int> asleep_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::mutex thrown_mutex_;
  std::exception_ptr thrown_;
  std::vector<std::thread> helper_;
};

}  // namespace cairn
