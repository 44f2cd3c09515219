#include "cairn/law/test/solution_suite.hpp"

namespace cairn::test {
INSTANTIATE_TYPED_TEST_SUITE_P(Torque5, Solution, ::testing::Types<Rolling5>);
}  // namespace cairn::test
