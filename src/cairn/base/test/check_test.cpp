#include "cairn/base/check.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Check, PassesInSilence) {
  int evaluated = 0;
  CAIRN_CHECK(++evaluated == 1, "evaluated once");
  EXPECT_EQ(evaluated, 1);
}

TEST(Check, NamesThePlaceTheConditionAndTheReason) {
  EXPECT_DEATH(CAIRN_CHECK(1 + 1 == 3, "sums must be right"),
               "check_test.cpp:[0-9]+: check failed: 1 \\+ 1 == 3: sums must be right");
}

}  // namespace
