#include "cairn/law/test/solution_suite.hpp"

namespace cairn::test {
INSTANTIATE_TYPED_TEST_SUITE_P(Torque6, Solution, ::testing::Types<Rolling6>);
}  // namespace cairn::test
