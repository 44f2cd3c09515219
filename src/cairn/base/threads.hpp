// The threads that the work of a step is shared among. Work is cut into pieces whose number does not depend on that of
// the threads, and sums are added piece by piece: the same bits, however many threads there are.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

namespace cairn {

// At least 1, which is what it is until set; for the whole program, and not while work is shared. Of more than the
// machine has processors no more work at once; unless they are `crowded`, which only tests of sharing want.
void set_threads(int count, bool crowded = false);
int threads();
int hardware_threads();

namespace detail {
void share(int pieces, void* work, void (*piece)(void*, int));
void share_stages(std::span<const int> first, void* work, void (*piece)(void*, int));
}  // namespace detail

// f(0) ... f(pieces - 1), in any order and at once: none may touch what another one writes.
template <class F>
void share_pieces(int pieces, F&& f) {
  if (pieces <= 1 || threads() == 1) {
    for (int i = 0; i < pieces; ++i) f(i);
    return;
  }
  detail::share(pieces, &f, [](void* work, int i) { (*static_cast<std::remove_reference_t<F>*>(work))(i); });
}

// f(i) for the pieces of all stages, stage k being [first[k], first[k + 1]): a piece begins when those of the stages
// before it are done. One stage costs far less than a call of share_pieces().
template <class F>
void share_stages(std::span<const int> first, F&& f) {
  const int all = first.back() - first.front();
  if (threads() == 1 || all < 3 * static_cast<int>(first.size())) {  // few pieces a stage: not worth the waiting
    for (int i = first.front(); i < first.back(); ++i) f(i);
    return;
  }
  detail::share_stages(first, &f, [](void* work, int i) { (*static_cast<std::remove_reference_t<F>*>(work))(i); });
}

// f(first, last) for pieces of [0, n), each of `grain` at most.
template <class F>
void share_range(int n, int grain, F&& f) {
  share_pieces((n + grain - 1) / grain, [&](int i) { f(i * grain, std::min(n, (i + 1) * grain)); });
}

// to = from
template <class T>
void share_copy(const std::vector<T>& from, std::vector<T>& to) {
  to.resize(from.size());
  share_range(static_cast<int>(from.size()), 1024,
              [&](int first, int last) { std::copy(from.begin() + first, from.begin() + last, to.begin() + first); });
}

}  // namespace cairn
