// Arrays that loops stream through: they begin where a line of the cache does, so that no load of lanes straddles two,
// and large ones ask for large pages, which save look-ups of addresses.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace cairn {

template <class T>
struct LaneAllocator {
  using value_type = T;
  static constexpr std::size_t line = 64, page = std::size_t{1} << 21;  // bytes

  LaneAllocator() = default;
  template <class Other>
  LaneAllocator(const LaneAllocator<Other>&) {}

  T* allocate(std::size_t n) {
    void* p = ::operator new(n * sizeof(T), alignment(n));
#ifdef __linux__
    if (alignment(n) == std::align_val_t{page}) madvise(p, n * sizeof(T), MADV_HUGEPAGE);  // a wish: no matter if not
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n)); }
  bool operator==(const LaneAllocator&) const = default;

 private:
  static std::align_val_t alignment(std::size_t n) { return std::align_val_t{n * sizeof(T) >= 2 * page ? page : line}; }
};

template <class T>
using LaneVector = std::vector<T, LaneAllocator<T>>;

}  // namespace cairn
