#include "tools_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace cairn::app {

int run_tools_program(char** argv) {
  std::error_code failure;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", failure).parent_path() / "cairn-tools";
  ::execv(beside.c_str(), argv);
  fmt::print(stderr, "cairn: {}: {}; it is built by 'scripts/build release cairn_tools'\n", beside.string(),
             std::strerror(errno));
  return 1;
}

}  // namespace cairn::app
