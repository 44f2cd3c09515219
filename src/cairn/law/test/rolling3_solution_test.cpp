#include "cairn/law/test/solution_suite.hpp"

namespace cairn::test {
INSTANTIATE_TYPED_TEST_SUITE_P(Torque3, Solution, ::testing::Types<Rolling3>);
}  // namespace cairn::test
