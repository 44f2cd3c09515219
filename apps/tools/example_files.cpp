#include "example_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cairn/base/closest.hpp"
#include "cairn/base/json.hpp"

namespace cairn::app {

namespace fs = std::filesystem;
using examples::Parameters;

Expected<const examples::Example*> choose_example(const std::string& name) {
  if (const examples::Example* found = examples::find(name)) return found;
  return Error{fmt::format("no example '{}', 'cairn example list' shows all{}", name, hint(name, examples::names()))};
}

Expected<std::pair<std::string, std::string>> split_setting(const std::string& option, const std::string& typed) {
  const auto sign = typed.find('=');
  if (sign == std::string::npos || sign == 0) return Error{fmt::format("{}: '{}', expected key=value", option, typed)};
  return std::pair{typed.substr(0, sign), typed.substr(sign + 1)};
}

Expected<bool> set_parameter(Parameters& parameters, const std::string& key, const std::string& value) {
  auto done = parameters.set(key, value);
  if (done || parameters.has(key)) return done;
  return Error{done.error() + hint(key, parameters.names())};
}

Expected<Parameters> choose_parameters(const examples::Example& example, const std::vector<std::string>& settings) {
  Parameters parameters(example.parameters);
  for (const std::string& typed : settings) {
    const auto pair = split_setting("--set", typed);
    if (!pair) return Error{pair.error()};
    if (const auto done = set_parameter(parameters, pair->first, pair->second); !done)
      return Error{"--set: " + done.error()};
  }
  return parameters;
}

std::string json_list(const std::vector<double>& numbers) {
  std::string out;
  for (const double number : numbers) out += (out.empty() ? "" : ", ") + json_number(number);
  return "[" + out + "]";
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + json_string(text);
  return "[" + out + "]";
}

std::string json_parameters(const Parameters& parameters) {
  JsonObject object;
  for (const examples::Parameter& p : parameters.all()) {
    if (const auto* number = std::get_if<double>(&p.value)) object.number(p.name.c_str(), *number);
    if (const auto* text = std::get_if<std::string>(&p.value)) object.text(p.name.c_str(), *text);
    if (const auto* list = std::get_if<std::vector<double>>(&p.value)) object.raw(p.name.c_str(), json_list(*list));
  }
  return object.str();
}

std::string make_folder(const OutputFolder& folder) {
  if (folder.path.empty()) return folder.png ? "--png: nowhere to write, expected --out DIR as well" : "";
  std::error_code error;
  if (fs::exists(folder.path, error) && !fs::is_directory(folder.path, error))
    return "--out: " + folder.path + " is a file, expected a folder";
  fs::create_directories(folder.path, error);
  if (!fs::is_directory(folder.path)) return "--out: " + folder.path + " cannot be created (" + error.message() + ")";
  return "";
}

Expected<std::vector<std::string>> write_files(const OutputFolder& folder, const examples::Output& output) {
  std::vector<std::string> files;
  if (folder.path.empty()) return files;
  const auto at = [&](const std::string& name) { return (fs::path(folder.path) / name).string(); };
  std::string error;
  const auto note = [&](const Expected<std::string>& written) {
    if (written)
      files.push_back(*written);
    else if (error.empty())
      error = written.error();
  };
  for (const examples::Table& table : output.tables) note(plot::write_text(at(table.name + ".csv"), to_csv(table)));
  for (const auto& [name, figure] : output.figures) {
    note(plot::write_svg(at(name + ".svg"), figure));
    if (folder.png) note(plot::write_png(at(name + ".png"), figure));
  }
  if (!error.empty()) return Error{error};
  return files;
}

}  // namespace cairn::app
