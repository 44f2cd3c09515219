// What a child process gets of this program, and what it does not.
#include "cairn/view/child.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace cairn::view {
namespace {

// A connection that the server had closed stayed open in the movie maker: the browser waited for its answer for ever.
TEST(Child, holds_no_file_of_ours_open) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);  // inherited by exec, as sockets of libraries may be
  auto child = Child::start({"sleep", {"/bin/sleep", "20"}, {0}});
  ASSERT_TRUE(child) << child.error();
  ::close(ends[1]);
  pollfd closed{ends[0], POLLIN, 0};
  EXPECT_EQ(::poll(&closed, 1, 5000), 1) << "the other end is still open somewhere";
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

}  // namespace
}  // namespace cairn::view
