#include "solutions_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "cairn/base/json.hpp"
#include "cairn/solver/file_solutions.hpp"
#include "progress.hpp"
#include "solutions_print.hpp"

namespace cairn::app {
namespace {

enum ExitCode { all_found = 0, some_not = 1, bad_input = 2 };

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

void complain(const std::string& message) { fmt::print(stderr, "cairn: {}\n", message); }

std::string refused(const SolutionsCommand& command) {
  if (!(command.tolerance > 0)) return fmt::format("--tol: {}, expected more than 0", command.tolerance);
  if (command.starts < 1) return fmt::format("--starts: {}, expected at least 1", command.starts);
  return "";
}

// Reads and treats one file; an exception of the numerics (memory) costs that file, not the others.
Expected<ProblemSolutions> treat(const std::string& file, const SampleOptions& options) {
  const auto problem = fclib::read(file);
  if (!problem) return Error{problem.error()};
  try {
    const auto start = std::chrono::steady_clock::now();
    auto all = all_solutions(*problem, options);
    if (!all) return Error{fmt::format("{}: {}", file, all.error())};
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return ProblemSolutions{file, problem->contacts(), problem->spacedim, std::move(*all), seconds};
  } catch (const std::exception& failure) {
    return Error{fmt::format("{}: cannot be treated ({})", file, failure.what())};
  }
}

void tell_bad_file(const std::string& file, const std::string& message, bool json) {
  complain(message);
  if (!json) return;
  JsonObject object;
  object.text("problem", stem_of(file)).text("file", file).text("status", "error").text("message", message);
  fmt::print("{}\n", object.str());
}

}  // namespace

int run(const SolutionsCommand& command) {
  if (const std::string message = refused(command); !message.empty()) return complain(message), bad_input;
  const ProgressLine progress;
  int code = all_found;
  for (std::size_t k = 0; k < command.files.size(); ++k) {
    const std::string& file = command.files[k];
    progress.show(fmt::format("[{}/{}] {}", k + 1, command.files.size(), stem_of(file)));
    const auto found = treat(file, {command.starts, command.seed});
    progress.clear();
    if (!found) {
      tell_bad_file(file, found.error(), command.json);
      code = bad_input;
      continue;
    }
    fmt::print("{}{}", command.json ? solutions_json(*found) : solutions_table(*found), command.json ? "\n" : "");
    std::fflush(stdout);
    const bool good = !found->all.sets.empty() && found->all.error <= command.tolerance;
    code = std::max<int>(code, good ? all_found : some_not);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) return complain("standard output cannot be written"), bad_input;
  return code;
}

}  // namespace cairn::app
