// `cairn check`: whether scene files are good, without running them; `cairn scenes`, `cairn keys`.
#pragma once

#include <string>
#include <vector>

namespace cairn::app {

struct CheckCommand {
  std::vector<std::string> scenes;
  std::vector<std::string> settings;
  bool all = false;  // builds scenes of any size
  bool json = false;
};
int run(const CheckCommand& command);

struct ScenesCommand {
  std::vector<std::string> names;  // to show; none: list all
  std::string copy;                // folder to copy them to
};
int run(const ScenesCommand& command);

struct KeysCommand {
  bool schema = false;
};
int run(const KeysCommand& command);

}  // namespace cairn::app
