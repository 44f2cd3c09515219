// What the command lines of both programs share. CLI11 costs seconds to compile: their main.cpp alone include this.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cairn::app {

inline constexpr int usage_error = 2;

inline std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// Each --set takes one key=value, so that a name may follow it.
inline void add_settings(CLI::App* command, std::vector<std::string>& settings) {
  command->add_option("--set", settings, "Change a parameter; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace cairn::app
