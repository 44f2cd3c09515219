#include "check_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cairn/base/json.hpp"
#include "cairn/input/build.hpp"
#include "cairn/input/plan.hpp"
#include "cairn/input/reference.hpp"
#include "cairn/plot/figure.hpp"
#include "cairn/run/simulation.hpp"
#include "exit_code.hpp"
#include "own_scenes.hpp"
#include "scene_source.hpp"

namespace cairn::app {
namespace {

struct Found {
  int bodies = 0, free = 0;
};

template <int D>
std::optional<Found> built(const input::SceneFile& file, const input::SceneText& text,
                           const std::vector<std::string>& settings, const input::BuildLimits& limits,
                           input::Diagnostics& out) {
  auto world = input::build_world<D>(file, text.path, out, limits);
  if (!world) return std::nullopt;
  Found found{static_cast<int>(world->model.bodies.size()), 0};
  for (const Body<D>& b : world->model.bodies) found.free += b.free();
  const auto simulation = run::Simulation<D>::make(input::plan_of(file, text, settings), std::move(*world));
  if (simulation) return found;
  out.add(file.of(simulation.error().starts_with("probe") ? "probe" : "outcome"), simulation.error());
  return std::nullopt;
}

void print_parameters(const input::SceneFile& file) {
  if (file.parameters.empty()) return;
  std::size_t names = 4, values = 5;
  for (const auto& p : file.parameters) {
    names = std::max(names, p.name.size());
    values = std::max(values, input::value_text(p).size() + p.unit.size() + 1);
  }
  fmt::print("  parameters, to change by --set name=value:\n");
  for (const auto& p : file.parameters) {
    const std::string value = input::value_text(p) + (p.unit.empty() ? "" : " " + p.unit);
    const std::string choices = p.choices.empty() ? "" : fmt::format(" ({})", fmt::join(p.choices, ", "));
    fmt::print("    {:<{}}  {:<{}}  {}{}\n", p.name, names, value, values, p.doc, choices);
  }
}

void print_scene(const input::SceneFile& file, const input::SceneText& text, const Found& found) {
  fmt::print("{}: good{}\n", text.path, file.title.empty() ? "" : ": " + file.title);
  fmt::print("  {}, {} bodies ({} free), {:g} s in steps of {:g} s\n", file.dimension == 2 ? "plane" : "space",
             found.bodies, found.free, file.time.duration, file.time.step);
  if (!file.outcome.empty()) fmt::print("  outcome: {}\n", fmt::join(file.outcome, ", "));
  print_parameters(file);
}

void print_json(const input::SceneFile& file, const input::SceneText& text, const Found& found) {
  JsonObject o;
  o.text("scene", text.path).raw("good", "true").text("title", file.title).integer("dimension", file.dimension);
  o.integer("bodies", found.bodies).integer("free", found.free);
  o.number("duration", file.time.duration).number("h", file.time.step);
  o.raw("parameters", input::parameters_json(file.parameters));
  fmt::print("{}\n", o.str());
}

bool check(const std::string& scene, const CheckCommand& command) {
  const auto text = find_scene(scene);
  if (!text) {
    complain(text.error());
    return false;
  }
  input::Diagnostics out(text->path, text->text);
  const auto file = input::read_scene(*text, command.settings, out);
  const input::BuildLimits limits = command.all ? input::BuildLimits{} : input::quick_build;
  std::optional<Found> found;
  if (file)
    found = file->dimension == 2 ? built<2>(*file, *text, command.settings, limits, out)
                                 : built<3>(*file, *text, command.settings, limits, out);
  if (!found) {
    fmt::print(stderr, "{}", out.str());
    if (command.json)
      fmt::print("{}\n", JsonObject().text("scene", text->path).raw("good", "false").text("message", out.str()).str());
    return false;
  }
  if (command.json)
    print_json(*file, *text, *found);
  else
    print_scene(*file, *text, *found);
  return true;
}

std::string title_of(const OwnScene& own) {
  input::Diagnostics out(own.name, own.text);
  const auto file = input::read_scene({own.name + ".toml", own.name, own.text}, {}, out);
  return file ? file->title : "";
}

}  // namespace

int run(const CheckCommand& command) {
  bool all_good = true;
  for (const std::string& scene : command.scenes) all_good &= check(scene, command);
  return all_good ? done : bad_input;
}

int run(const ScenesCommand& command) {
  if (command.names.empty() && command.copy.empty()) {
    for (const OwnScene& own : own_scenes()) fmt::print("{:<16}  {}\n", own.name, title_of(own));
    fmt::print("\n'cairn run NAME' runs one, 'cairn check NAME' lists its parameters, 'cairn scenes NAME' shows it.\n");
    return done;
  }
  std::vector<std::string> names = command.names;
  if (names.empty())
    for (const OwnScene& own : own_scenes()) names.push_back(own.name);
  for (const std::string& name : names) {
    const auto text = find_scene(name);
    if (!text) return complain(text.error());
    if (command.copy.empty()) {
      fmt::print("{}", text->text);
      continue;
    }
    const std::string path = command.copy + "/" + text->name + ".toml";
    std::error_code failure;
    std::filesystem::create_directories(command.copy, failure);
    if (std::filesystem::exists(path, failure)) return complain(path + ": exists already, not replaced");
    if (const auto written = plot::write_text(path, text->text); !written) return complain(written.error());
    fmt::print("{}\n", path);
  }
  return done;
}

int run(const KeysCommand& command) {
  fmt::print("{}", command.schema ? input::json_schema() : input::reference_page());
  return done;
}

}  // namespace cairn::app
