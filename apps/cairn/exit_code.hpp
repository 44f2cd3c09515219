// How a command ends, and how it says that something is wrong.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace cairn::app {

enum ExitCode { done = 0, failed = 1, bad_input = 2, interrupted = 130 };

inline int complain(const std::string& message, ExitCode code = bad_input) {
  fmt::print(stderr, "cairn: {}\n", message);
  return code;
}

}  // namespace cairn::app
