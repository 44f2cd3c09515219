#include "run_command.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "cairn/base/json.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/input/build.hpp"
#include "cairn/input/plan.hpp"
#include "cairn/record/reader.hpp"
#include "cairn/run/simulation.hpp"
#include "exit_code.hpp"
#include "interruption.hpp"
#include "progress.hpp"
#include "run_files.hpp"
#include "scene_source.hpp"
#include "view_command.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

// --- files -----------------------------------------------------------------------------------------------------------

// NAME.h5, or the first of NAME-2.h5, NAME-3.h5 ... that does not exist: no results are ever lost.
std::string free_name(const std::string& name) {
  std::string path = name + ".h5";
  for (int k = 2; fs::exists(path) || fs::exists(checkpoint_of(path)); ++k) path = fmt::format("{}-{}.h5", name, k);
  return path;
}

// Why results cannot be given that name; empty: they can. Results are replaced, other files never: not the scene
// itself.
std::string refusal_of(const std::string& out) {
  std::error_code none;
  if (out.ends_with('/') || fs::is_directory(out, none)) return out + ": a folder, expected the name of a file";
  if (!fs::exists(out, none) || (fs::is_regular_file(out, none) && fs::file_size(out, none) == 0)) return "";
  if (record::read_info(out)) return "";
  return out + ": exists and is no results file: not replaced";
}

class Log {
 public:
  explicit Log(const std::string& path, bool append) {
    if (!path.empty()) file_ = std::fopen(path.c_str(), append ? "a" : "w");
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (file_ != nullptr) std::fclose(file_);
  }
  void line(const std::string& text) {
    constexpr int most = 10000;  // lines: a run that always misses must not fill the disk
    if (file_ == nullptr || ++lines_ > most) return;
    std::fprintf(file_, "%s\n", lines_ == most ? "... no more of these" : text.c_str());
    std::fflush(file_);
  }

 private:
  FILE* file_ = nullptr;
  int lines_ = 0;
};

// --- what is shown ---------------------------------------------------------------------------------------------------

void show(const ProgressLine& line, const run::Progress& p) {
  const double left = static_cast<double>(p.end - p.t), rate = p.steps_per_second;
  const double per_step = p.step > 0 ? static_cast<double>(p.t) / static_cast<double>(p.step) : 0;
  const double speed = rate * per_step;  // simulated time over wall time
  line.show(
      fmt::format("t {:.3f} / {:g} s  {:3.0f} %  {:.0f} steps/s  {:.3g} x real time  {} contacts  error {:.1e}  "
                  "kinetic {:.3g} J  {} left",
                  p.t, p.end, 100 * p.t / p.end, rate, speed, p.contacts, p.error, p.kinetic,
                  duration_text(speed > 0 ? left / speed : INFINITY)));
}

std::string summary_json(const run::Summary& s, const run::Plan& plan) {
  const run::Totals& t = s.totals;
  JsonObject o;
  o.text("scene", plan.scene_name).raw("parameters", plan.parameters);
  o.number("time", s.time).integer("steps", t.steps).integer("bodies", s.bodies);
  o.integer("contacts_max", std::lround(t.contacts_max)).number("error_max", t.error_max);
  o.number("violation_max", t.violation_max).number("energy_defect", t.energy_defect());
  o.number("wall_seconds", s.wall_seconds).number("steps_per_second", s.steps_per_second());
  o.integer("missed", t.missed).integer("above_1e_4", t.poor).number("energy_gain_max", t.gain_max);
  JsonObject energy, seconds;
  energy.number("change", t.energy.change).number("applied", t.energy.applied).number("inertial", t.energy.inertial);
  energy.number("boundary", t.energy.boundary).number("dissipation", t.energy.dissipation);
  energy.number("defect", t.energy.defect()).number("correction", t.correction).number("exchanged", t.exchanged);
  seconds.number("broad", t.seconds.broad).number("narrow", t.seconds.narrow).number("assembly", t.seconds.assembly);
  seconds.number("solution", t.seconds.solution).number("correction", t.seconds.correction);
  seconds.number("certificate", t.seconds.certificate).number("recording", t.recording);
  o.raw("energy", energy.str()).raw("seconds", seconds.str());
  o.raw("outcome", run::outcome_json(s));
  o.text("stopped", s.stopped).raw("interrupted", s.interrupted ? "true" : "false");
  o.text("results", s.results).text("checkpoint", s.checkpoint);
  return o.str();
}

void print_summary(const run::Summary& s, const run::Plan& plan) {
  const run::Totals& t = s.totals;
  const StageSeconds& c = t.seconds;
  fmt::print("{}: {}\n", plan.scene_name, plan.title);
  fmt::print("  {} t = {:.6g} s after {} steps of {:g} s{}\n", s.interrupted ? "interrupted at" : "ended at", s.time,
             t.steps, plan.h, s.stopped.empty() ? "" : ": " + s.stopped);
  fmt::print("  bodies {}, contacts at most {:.0f}\n\n", s.bodies, t.contacts_max);
  fmt::print("  certificate\n");
  fmt::print("    contact error, worst step      {:.2e}\n", t.error_max);
  fmt::print("    steps above the required error {} of {} ({} above 1e-4)\n", t.missed, t.steps, t.poor);
  fmt::print("    violation, deepest             {:.2e} m\n", t.violation_max);
  fmt::print("    energy defect                  {:.2e} of the energy at play\n\n", t.energy_defect());
  fmt::print("  energy [J]\n");
  fmt::print("    kinetic, change      {:+.6e}\n    work of forces       {:+.6e}\n", t.energy.change, t.energy.applied);
  fmt::print("    work of boundaries   {:+.6e}\n    lost in contacts     {:+.6e}\n", t.energy.boundary,
             -t.energy.dissipation);
  fmt::print("    work of corrections  {:+.6e}\n\n", t.correction);
  fmt::print(
      "  time {:.2f} s, {:.0f} steps/s: search {:.2f} s, assembly {:.2f} s, solution {:.2f} s, correction {:.2f} s, "
      "certificate {:.2f} s, recording {:.2f} s\n",
      s.wall_seconds, s.steps_per_second(), c.broad + c.narrow, c.assembly, c.solution, c.correction, c.certificate,
      t.recording);
  if (!s.outcome.empty()) fmt::print("\n  outcome\n");
  for (const auto& [name, value] : s.outcome) fmt::print("    {:<20} {}\n", name, run::json(value));
  if (s.results.empty()) return;
  fmt::print("\n  written: {}, {}, {}\n", s.results, s.checkpoint, log_of(s.results));
  if (s.interrupted)
    fmt::print("  go on:   cairn resume {}\n", s.results);
  else
    fmt::print(
        "  next:    cairn view {0}\n           cairn plot energy {0}\n           cairn export {0} --png pictures\n",
        s.results);
}

// Until Ctrl-C, which also ends the viewer, or the viewer ends.
void stay_open(Viewer& viewer) {
  fmt::print(stderr, "cairn: the page stays open: Ctrl-C ends it\n");
  while (!interruption() && viewer.running()) ::usleep(50000);
}

// What --view needs.
std::string refusal_of_view(const RunCommand& command, bool results) {
  if (command.view && !results) return "--view shows the results file: not with --no-results";
  return command.no_open && !command.view ? "--no-open goes with --view" : "";
}

// --- running ---------------------------------------------------------------------------------------------------------

struct Job {
  run::Plan plan;
  run::Files files;
  bool resumed = false;
};

template <int D>
int compute(Job& job, scene::World<D> world, const record::Checkpoint<D>* from, const RunCommand& command) {
  constexpr std::size_t large = 2000;  // bodies: with fewer, threads wait for each other more than they help
  set_threads(command.threads > 0 ? command.threads : world.model.bodies.size() < large ? 1 : hardware_threads());
  auto simulation = run::Simulation<D>::make(job.plan, std::move(world));
  if (!simulation) return complain(fmt::format("{}: {}", job.plan.scene_path, simulation.error()));
  const InterruptionWatch signals;  // Ctrl-C ends the run after its step
  Log log(job.files.results.empty() ? "" : log_of(job.files.results), from != nullptr);
  log.line(fmt::format("cairn {} {} {} parameters {}", job.plan.version, from ? "resumes" : "runs", job.plan.scene_name,
                       job.plan.parameters));
  const ProgressLine line(!command.json && !command.quiet);
  run::Watch watch;
  watch.interrupted = interruption;
  watch.log = [&log](const std::string& text) { log.line(text); };
  Viewer viewer;
  if (command.view) watch.started = [&] { viewer.start(job.files.results, command.no_open); };
  if (!command.json && !command.quiet) watch.show = [&line](const run::Progress& p) { show(line, p); };
  const auto summary =
      from != nullptr ? (*simulation)->resume(*from, job.files, watch) : (*simulation)->run(job.files, watch);
  line.clear();
  if (!summary) {
    log.line(summary.error());
    const bool kept = !job.files.checkpoint.empty() && fs::exists(job.files.checkpoint);
    return complain(
        fmt::format("{}{}", summary.error(),
                    kept ? fmt::format("\n  what was written before is whole; when the cause is gone: cairn resume {}",
                                       job.files.results)
                         : ""),
        failed);
  }
  log.line(summary_json(*summary, job.plan));
  if (command.json)
    fmt::print("{}\n", summary_json(*summary, job.plan));
  else if (!command.quiet || summary->interrupted)
    print_summary(*summary, job.plan);
  if (std::fflush(stdout) != 0) return complain("standard output cannot be written", failed);
  if (summary->interrupted) return interrupted;
  if (viewer.running()) stay_open(viewer);
  return done;
}

std::optional<input::SceneFile> read(const input::SceneText& text, const std::vector<std::string>& settings) {
  input::Diagnostics out(text.path, text.text);
  auto file = input::read_scene(text, settings, out);
  if (!file) fmt::print(stderr, "{}", out.str());
  return file;
}

template <int D>
std::optional<scene::World<D>> build(const input::SceneFile& file, const input::SceneText& text) {
  input::Diagnostics out(text.path, text.text);
  auto world = input::build_world<D>(file, text.path, out);
  if (!world) fmt::print(stderr, "{}", out.str());
  return world;
}

template <int D>
int run_fresh(const input::SceneFile& file, const input::SceneText& text, const RunCommand& command) {
  auto world = build<D>(file, text);
  if (!world) return bad_input;
  Job job;
  job.plan = input::plan_of(file, text, command.settings);
  if (fs::exists(text.path))
    job.plan.scene_path = fs::absolute(text.path).string();  // it may be resumed from elsewhere
  if (command.until > 0) job.plan.duration = command.until;
  if (!command.no_results) {
    job.files.results = command.out.empty() ? free_name(text.name) : command.out;
    if (const std::string bad = refusal_of(job.files.results); !bad.empty()) return complain(bad);
    job.files.checkpoint = checkpoint_of(job.files.results);
    std::error_code failure;
    if (const fs::path folder = fs::path(job.files.results).parent_path(); !folder.empty())
      fs::create_directories(folder, failure);
    if (failure)
      return complain(fmt::format("{}: its folder cannot be made ({})", job.files.results, failure.message()), failed);
  }
  return compute<D>(job, std::move(*world), nullptr, command);
}

// Also before its duration, where the scene says what ends it.
bool ended(const std::string& results) {
  if (results.empty()) return false;
  const auto info = record::read_info(results);
  return info && info->finished;
}

template <int D>
int resume_from(const std::string& path, const RunCommand& command) {
  const auto checkpoint = record::read_checkpoint<D>(path);
  if (!checkpoint) return complain(checkpoint.error());
  input::SceneText text{checkpoint->scene_path, fs::path(checkpoint->scene_path).stem().string(),
                        checkpoint->scene_text};
  const auto file = read(text, checkpoint->settings);
  if (!file) return bad_input;
  auto world = build<D>(*file, text);
  if (!world) return bad_input;
  Job job;
  job.plan = input::plan_of(*file, text, checkpoint->settings);
  if (command.until > 0) job.plan.duration = command.until;
  job.files = {checkpoint->results_path.empty() ? "" : results_of(path, checkpoint->results_path), path};
  if (const std::string bad = refusal_of_view(command, !job.files.results.empty()); !bad.empty()) return complain(bad);
  const bool reached = static_cast<Real>(checkpoint->step) * job.plan.h >= job.plan.duration * (1 - 1e-9);
  if (reached || (!(command.until > 0) && ended(job.files.results)))
    return complain(fmt::format("{}: has come to its end, t = {:g} s; --until T goes on to a later time", path,
                                checkpoint->state.t));
  if (checkpoint->version != job.plan.version)
    fmt::print(stderr, "cairn: {}: made by version {}, this is {}: bits may differ\n", path, checkpoint->version,
               job.plan.version);
  return compute<D>(job, std::move(*world), &*checkpoint, command);
}

}  // namespace

int run_scene(const RunCommand& command) {
  if (const std::string bad = refusal_of_view(command, !command.no_results); !bad.empty()) return complain(bad);
  const auto text = find_scene(command.scene);
  if (!text) return complain(text.error());
  const auto file = read(*text, command.settings);
  if (!file) return bad_input;
  return file->dimension == 2 ? run_fresh<2>(*file, *text, command) : run_fresh<3>(*file, *text, command);
}

int resume_scene(const RunCommand& command) {
  const std::string path = checkpoint_of(command.scene);
  const auto dimension = record::checkpoint_dimension(path);
  if (!dimension) return complain(dimension.error());
  return *dimension == 2 ? resume_from<2>(path, command) : resume_from<3>(path, command);
}

}  // namespace cairn::app
