#include "export_fclib.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cairn/export/fclib_step.hpp"
#include "cairn/input/build.hpp"
#include "cairn/record/checkpoint.hpp"
#include "run_files.hpp"

namespace cairn::app {
namespace {

// The text of a JSON string that starts at `at`, which moves behind it.
std::string string_at(const std::string& json, std::size_t& at) {
  std::string out;
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\' && at + 1 < json.size()) ++at;
    out += json[at];
  }
  ++at;
  return out;
}

}  // namespace

std::vector<std::string> settings_of(const std::string& json) {
  std::vector<std::string> settings;
  for (std::size_t at = json.find('"'); at < json.size(); at = json.find('"', at)) {
    const std::string name = string_at(json, at);
    at = json.find_first_not_of(": ", at);
    if (at >= json.size()) break;
    if (json[at] == '"') {
      settings.push_back(name + "=" + string_at(json, at));
      continue;
    }
    const std::size_t end = std::min(json.find_first_of(",}", at), json.size());
    settings.push_back(name + "=" + json.substr(at, end - at));
    at = end;
  }
  return settings;
}

std::string scene_path_of(const std::string& results, const record::ResultInfo& info) {
  std::string known;
  if (info.dimension == 2) {
    if (const auto c = record::read_checkpoint<2>(checkpoint_of(results))) known = c->scene_path;
  } else {
    if (const auto c = record::read_checkpoint<3>(checkpoint_of(results))) known = c->scene_path;
  }
  return known.empty() ? std::filesystem::path(results).replace_filename(info.scene_name + ".toml").string() : known;
}

template <int D>
std::string write_step_problem(const std::string& path, const std::string& scene_path, const record::ResultInfo& info,
                               const record::Frame<D>& frame) {
  const input::SceneText text{scene_path, info.scene_name, info.scene_text};
  input::Diagnostics out(text.path, text.text);
  const auto file = input::read_scene(text, settings_of(info.parameters), out);
  auto world = file ? input::build_world<D>(*file, text.path, out) : std::nullopt;
  if (!world) return "the scene in the results cannot be built again:\n" + out.str();
  ModelState<D>& state = world->state;
  if (state.x.size() != frame.x.size()) return "the scene in the results has other bodies than its frames";
  state.t = frame.t, state.x = frame.x, state.r = frame.r, state.u = frame.u;
  for (const record::ContactRow<D>& c : frame.contacts) {  // impulses to start from
    state.contact.push_back({c.part[0], c.part[1], c.feature});
    state.impulse.push_back(c.impulse);
    state.torque.push_back({});
    state.slid.push_back(c.status == Status::slide);
  }
  if (!std::ranges::is_sorted(state.contact)) return "the contacts of a frame are not in order";
  world->change_surfaces(frame.t + info.h / 2);
  Collection<D> scheme(world->model, file->solver.options);
  const CollectionReport report = scheme.step(state, info.h);
  if (report.fault != Fault::none) return describe(report.fault);
  if (scheme.contacts().empty()) return fmt::format("no contact in the step after t = {:g} s", frame.t);
  const auto written = exporting::write_fclib<D>(path, world->model, scheme,
                                                 fmt::format("{}, step from t = {:.9g} s", info.scene_name, frame.t));
  return written ? "" : written.error();
}

template std::string write_step_problem<2>(const std::string&, const std::string&, const record::ResultInfo&,
                                           const record::Frame<2>&);
template std::string write_step_problem<3>(const std::string&, const std::string&, const record::ResultInfo&,
                                           const record::Frame<3>&);

}  // namespace cairn::app
