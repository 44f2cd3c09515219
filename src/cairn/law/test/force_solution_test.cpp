#include "cairn/law/test/solution_suite.hpp"

namespace cairn::test {
INSTANTIATE_TYPED_TEST_SUITE_P(Force, Solution, AsTypes<ForceLaws>::type);
}  // namespace cairn::test
