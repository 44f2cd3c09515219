#include "info_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cairn/base/json.hpp"
#include "cairn/record/reader.hpp"
#include "cairn/record/repair.hpp"
#include "exit_code.hpp"

namespace cairn::app {
namespace {

struct Worst {
  Real error = 0, violation = 0, contacts = 0, missed = 0;
};

Worst worst_of(const std::vector<record::StepRow>& steps) {
  Worst w;
  for (const record::StepRow& r : steps) {
    w.error = std::max(w.error, r.error), w.violation = std::max({w.violation, r.violation, r.deepest});
    w.contacts = std::max(w.contacts, r.active), w.missed += r.missed;
  }
  return w;
}

template <int D>
std::string print(const std::string& path, bool json) {
  const auto reader = record::Reader<D>::open(path);
  if (!reader) return reader.error();
  const auto steps = reader->steps();
  if (!steps) return steps.error();
  const record::ResultInfo& info = reader->info();
  const Worst w = worst_of(*steps);
  const auto& times = reader->times();
  const auto& bodies = reader->cast().bodies;
  const long free = std::ranges::count_if(bodies, [](const Body<D>& b) { return b.free(); });
  const Real end = times.empty() ? 0 : times.back();
  if (json) {
    JsonObject o;
    o.text("file", path).text("scene", info.scene_name).text("title", info.title).integer("dimension", D);
    o.raw("parameters", info.parameters.empty() ? "{}" : info.parameters).text("version", info.version);
    o.raw("finished", info.finished ? "true" : "false").integer("frames", static_cast<long>(times.size()));
    o.number("time", end).integer("steps", static_cast<long>(steps->size())).number("h", info.h);
    o.integer("bodies", static_cast<long>(bodies.size())).integer("free", free);
    o.number("error_max", w.error)
        .number("violation_max", w.violation)
        .integer("contacts_max", std::lround(w.contacts));
    o.integer("missed", std::lround(w.missed)).raw("outcome", info.outcome.empty() ? "null" : info.outcome);
    fmt::print("{}\n", o.str());
    return "";
  }
  std::error_code ignored;
  fmt::print("{}: {}\n", path, info.title);
  fmt::print("  scene       {} ({}), parameters {}\n", info.scene_name, D == 2 ? "plane" : "space", info.parameters);
  fmt::print("  state       {}, {} frames to t = {:.6g} s, {} steps of {:g} s\n",
             info.finished ? "finished" : "not finished (running, interrupted or killed)", times.size(), end,
             steps->size(), info.h);
  fmt::print("  bodies      {} ({} free), contacts at most {:.0f}\n", bodies.size(), free, w.contacts);
  fmt::print("  certificate contact error at most {:.2e}, {:.0f} steps missed, violation at most {:.2e} m\n", w.error,
             w.missed, w.violation);
  for (std::size_t k = 0; k < info.probe_names.size(); ++k)
    fmt::print("  probe       {} [{}]\n", info.probe_names[k], info.probe_units[k]);
  if (!info.outcome.empty()) fmt::print("  outcome     {}\n", info.outcome);
  fmt::print("  written by  cairn {}, {} bytes\n", info.version, std::filesystem::file_size(path, ignored));
  return "";
}

}  // namespace

int run(const InfoCommand& command) {
  int code = done;
  for (const std::string& path : command.files) {
    const auto info = record::read_info(path);
    std::string bad = info ? "" : info.error();
    if (info && command.scene)
      fmt::print("{}", info->scene_text);
    else if (info)
      bad = info->dimension == 2 ? print<2>(path, command.json) : print<3>(path, command.json);
    if (bad.empty()) continue;
    code = complain(bad);
  }
  return code;
}

int run(const RepairCommand& command) {
  const std::string out = command.out.empty() ? command.file : command.out;
  const auto report = record::repair(command.file, out);
  if (!report) return complain(report.error());
  fmt::print(
      "{}: {} frames and {} steps are whole{}\n", out, report->frames, report->steps,
      report->lost_frames > 0 ? fmt::format("; {} frames were damaged and are left out", report->lost_frames) : "");
  return done;
}

}  // namespace cairn::app
