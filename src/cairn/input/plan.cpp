#include "cairn/input/plan.hpp"

#include "cairn/base/json.hpp"

namespace cairn::input {

std::string parameters_json(const std::vector<Parameter>& parameters) {
  JsonObject out;
  for (const Parameter& p : parameters) {
    if (const auto* x = std::get_if<Real>(&p.value)) out.number(p.name.c_str(), *x);
    if (const auto* on = std::get_if<bool>(&p.value)) out.raw(p.name.c_str(), *on ? "true" : "false");
    if (const auto* word = std::get_if<std::string>(&p.value)) out.text(p.name.c_str(), *word);
  }
  return out.str();
}

run::Plan plan_of(const SceneFile& file, const SceneText& scene, const std::vector<std::string>& settings) {
  run::Plan plan;
  plan.title = file.title.empty() ? scene.name : file.title;
  plan.scene_name = scene.name, plan.scene_path = scene.path, plan.scene_text = scene.text;
  plan.settings = settings, plan.parameters = parameters_json(file.parameters);
  plan.version = CAIRN_VERSION;
  plan.h = file.time.step, plan.duration = file.time.duration;
  plan.solver = file.solver.options;
  plan.frame_every = file.output.every;
  plan.writer.compression = file.output.compression, plan.writer.contacts = file.output.contacts;
  plan.checkpoint_every = file.output.checkpoint_every;
  for (const ProbeSpec& p : file.probes) {
    plan.probes.push_back(p);
    if (file.dimension == 2 && p.component == "z") plan.probes.back().component = "y";  // up is the second axis there
  }
  plan.stop = file.stop;
  plan.outcome = file.outcome;
  return plan;
}

}  // namespace cairn::input
