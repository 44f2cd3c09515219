// Loops of sixteen lanes, compiled for AVX-512 where the compiler knows it (CMakeLists.txt): never called by a
// processor that has_wide_lanes() does not find. Nothing in here but these loops may be seen outside.
#include "cairn/solver/sweep_loops.hpp"

namespace cairn {

const SweepLoops<float>* wide_loops() {
#ifdef __AVX512F__
  return detail::loops_of_kinds<LanesOf<float, 16>>;
#else
  return nullptr;
#endif
}

}  // namespace cairn
