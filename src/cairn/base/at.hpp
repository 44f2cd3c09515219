// An int as what containers count with.
#pragma once

#include <cstddef>

namespace cairn {

[[gnu::always_inline]] constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace cairn
