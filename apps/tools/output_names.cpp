#include "output_names.hpp"

#include <filesystem>
#include <set>

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

std::string unused_name(const std::string& stem, std::set<std::string>& used) {
  std::string name = stem + ".hdf5";
  for (int k = 2; !used.insert(name).second; ++k) name = stem + "-" + std::to_string(k) + ".hdf5";
  return name;
}

bool is_input(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code error;  // a file that does not exist yet is no input
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, error) && !error) return true;
  return false;
}

}  // namespace

Expected<std::vector<std::string>> output_names(const std::vector<std::string>& inputs, const std::string& out) {
  std::error_code error;
  std::vector<std::string> names;
  if (inputs.size() > 1 || out.ends_with('/') || fs::is_directory(out, error)) {
    if (fs::exists(out, error) && !fs::is_directory(out, error))
      return Error{out + ": is a file, expected a folder for several problems"};
    fs::create_directories(out, error);
    if (!fs::is_directory(out)) return Error{out + ": folder cannot be created (" + error.message() + ")"};
    std::set<std::string> used;
    for (const std::string& input : inputs)
      names.push_back((fs::path(out) / unused_name(fs::path(input).stem().string(), used)).string());
  } else {
    names.push_back(out);
  }
  for (const std::string& name : names)
    if (is_input(name, inputs)) return Error{name + ": is an input, expected another name for the output"};
  return names;
}

}  // namespace cairn::app
