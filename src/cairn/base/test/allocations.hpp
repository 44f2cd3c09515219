// Counts what a program allocates. It replaces operator new: include it in one unit of the program only.
#pragma once

#include <cstdlib>
#include <new>

namespace cairn::test {
inline long allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++cairn::test::allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
