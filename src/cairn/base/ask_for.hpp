// Asks the memory for what will be read soon: loops that go from contact to contact, or from pair to pair, meet bodies
// that the processor's own look ahead does not guess.
#pragma once

#include <cstddef>

namespace cairn {

inline constexpr std::size_t cache_line = 64;  // [bytes]

template <class T>
inline void ask_for(const T& x) {
  const char* const first = reinterpret_cast<const char*>(&x);
  for (std::size_t k = 0; k < sizeof(T); k += cache_line) __builtin_prefetch(first + k);
  __builtin_prefetch(first + sizeof(T) - 1);
}

}  // namespace cairn
