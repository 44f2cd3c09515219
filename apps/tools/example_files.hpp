// What the commands on examples share: choosing one, setting its parameters, writing its tables and figures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "examples/example.hpp"

namespace cairn::app {

Expected<const examples::Example*> choose_example(const std::string& name);

// Its defaults, changed by what was typed as key=value.
Expected<examples::Parameters> choose_parameters(const examples::Example& example,
                                                 const std::vector<std::string>& settings);

// As key and value; without '=' or key: a message about the option that was given.
Expected<std::pair<std::string, std::string>> split_setting(const std::string& option, const std::string& typed);
// Sets one parameter; the message hints at names that look like the one typed.
Expected<bool> set_parameter(examples::Parameters& parameters, const std::string& key, const std::string& value);

std::string json_parameters(const examples::Parameters& parameters);
std::string json_list(const std::vector<double>& numbers);
std::string json_list(const std::vector<std::string>& texts);

struct OutputFolder {
  std::string path;  // created where it is not; empty: nothing is written
  bool png = false;  // figures also as PNG
};

// Empty where the folder can be had.
std::string make_folder(const OutputFolder& folder);
// The paths written: a CSV file a table, an SVG file a figure.
Expected<std::vector<std::string>> write_files(const OutputFolder& folder, const examples::Output& output);

}  // namespace cairn::app
