#include "ensemble_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/base/threads.hpp"
#include "cairn/ensemble/figures.hpp"
#include "exit_code.hpp"
#include "interruption.hpp"
#include "member_pool.hpp"
#include "scene_source.hpp"

namespace cairn::app {
namespace {

using ensemble::Design;
using ensemble::Folder;
using ensemble::Layout;
using ensemble::Result;

Expected<Design> design_of(const EnsembleCommand& command) {
  auto scene = find_scene(command.scene);
  if (!scene) return Error{scene.error()};
  auto perturbation = ensemble::read_perturbation(command.perturb, command.vary);
  if (!perturbation) return Error{perturbation.error()};
  Design d;
  d.scene = std::move(*scene), d.settings = command.settings, d.perturbation = std::move(*perturbation);
  d.given = command.perturb;
  for (const std::string& v : command.vary) d.given.push_back("vary " + v);
  d.seed = static_cast<std::uint64_t>(command.seed), d.until = command.until;
  d.samples = command.samples, d.one_size = command.one_size;
  return d;
}

// Empty: all are written.
std::string write_results(const Folder& folder, const Design& design, const Layout& layout, const Result& result) {
  const auto good = [](const Expected<std::string>& written) { return written ? "" : written.error(); };
  std::string bad = good(plot::write_text(folder.at("ensemble.json"), result_json(design, layout, result) + "\n"));
  const auto svg = [&](const char* name, const plot::Figure& figure) {
    if (bad.empty()) bad = good(plot::write_svg(folder.at(name), figure));
  };
  svg("motion.svg", motion_figure(design, layout, result));
  svg("spread.svg", spread_figure(design, layout, result));
  if (const auto figure = outcome_figure(design, layout, result)) svg("outcomes.svg", *figure);
  return bad;
}

int report(const EnsembleCommand& command, const Folder& folder, const Design& design, const Layout& layout) {
  const auto result = result_of(design, layout, folder.members(), command.runs, command.tolerance);
  if (!result) return complain(fmt::format("{}: {}", design.scene.path, result.error()), failed);
  if (const std::string bad = write_results(folder, design, layout, *result); !bad.empty())
    return complain(bad, failed);
  if (command.json) {
    fmt::print("{}\n", result_json(design, layout, *result));
    return done;
  }
  fmt::print("{}\n  written: {}, {}, {}{}\n", result_text(design, layout, *result), folder.at("ensemble.json"),
             folder.at("motion.svg"), folder.at("spread.svg"),
             result->outcomes.empty() ? "" : ", " + folder.at("outcomes.svg"));
  return done;
}

// What the scene's reader found has lines of its own.
int complain_lines(const std::string& message) {
  if (!message.ends_with('\n')) return complain(message);
  fmt::print(stderr, "{}{}", message.starts_with("--") ? "cairn: " : "", message);
  return bad_input;
}

}  // namespace

int run(const EnsembleCommand& command) {
  auto design = design_of(command);
  if (!design) return complain(design.error());
  const auto layout = ensemble::lay_out(*design);
  if (!layout) return complain_lines(layout.error());
  const std::string path = command.out.empty() ? design->scene.name + "-ensemble" : command.out;
  auto folder = Folder::open(path, *design, *layout);
  if (!folder) return complain(folder.error());
  const int jobs = std::min(command.jobs > 0 ? command.jobs : hardware_threads(), command.runs);
  MemberPool pool(*design, *layout, *folder, jobs, command.runs, !command.json);
  const std::string bad = pool.go();
  if (interruption()) {
    fmt::print(stderr, "cairn: interrupted: {} of {} runs are done; the same command goes on\n", pool.done(),
               command.runs);
    return interrupted;
  }
  return bad.empty() ? report(command, *folder, *design, *layout) : complain(bad, failed);
}

}  // namespace cairn::app
