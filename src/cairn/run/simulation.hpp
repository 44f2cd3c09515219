// A scene run by its plan: steps, frames, checkpoints, outcomes. A run that goes on from a checkpoint gives the same
// bits, in the results file too, as one that was never interrupted.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "cairn/record/checkpoint.hpp"
#include "cairn/run/plan.hpp"
#include "cairn/run/summary.hpp"

namespace cairn::run {

struct Progress {
  Real t, end;  // [s]
  long step;
  double steps_per_second, wall_seconds;
  int contacts;
  Real error, kinetic;  // of the last step; [J]
};

struct Watch {
  std::function<bool()> interrupted = [] { return false; };  // asked after every step
  std::function<void(const Progress&)> show = {};            // a few times a second
  std::function<void(const std::string&)> log = {};          // lines worth keeping
  std::function<void()> started = {};                        // the results file, where there is one, can be read
};

struct Files {
  std::string results, checkpoint;  // empty: none
};

template <int D>
class Simulation {
 public:
  // Errors: a probe or a measure that does not fit the scene.
  static Expected<std::unique_ptr<Simulation>> make(Plan plan, scene::World<D> world);

  const scene::World<D>& world() const { return world_; }
  // Sees the start and every step; to be given before the run.
  void observe(std::function<void(const Moment<D>&)> observer) { observer_ = std::move(observer); }

  // From the start, to the plan's duration.
  Expected<Summary> run(const Files& files, const Watch& watch);
  // From a checkpoint of the same plan.
  Expected<Summary> resume(const record::Checkpoint<D>& from, const Files& files, const Watch& watch);

 private:
  using Clock = std::chrono::steady_clock;

  Simulation(Plan plan, scene::World<D> world);
  std::string prepare();
  std::string start_files(const Files& files);
  Expected<Summary> go(const Files& files, const Watch& watch);
  std::string step(const Watch& watch);
  std::string record_frame(bool with_contacts);
  std::string save(const Files& files);
  void show(const Watch& watch);
  bool at_frame() const;
  Real next_h() const;
  Moment<D> now() const;
  std::vector<Real> memory() const;
  std::string recall(std::span<const Real> memory);
  Summary summary(const Files& files) const;
  Real end() const { return plan_.land ? plan_.duration : static_cast<Real>(last_step_) * plan_.h; }

  Plan plan_;
  scene::World<D> world_;  // its state is that of the start
  ModelState<D> state_;
  Collection<D> scheme_;
  std::optional<CollectionReport> report_;  // of the last step
  std::vector<std::unique_ptr<Measure<D>>> measures_;
  std::vector<std::unique_ptr<Probe<D>>> probes_;
  std::optional<StopRule<D>> stop_;
  std::function<void(const Moment<D>&)> observer_;
  std::optional<record::Writer<D>> writer_;
  std::vector<record::StepRow> pending_;  // rows since the last frame, for checkpoints
  std::vector<Real> pending_probes_;
  Totals totals_;
  Real h_ = 0;  // [s] of the last step
  long step_ = 0, first_step_ = 0, last_step_ = 0, frame_steps_ = 1;
  Clock::time_point started_, shown_, saved_;
  std::string stopped_;
};

std::string outcome_json(const Summary& summary);

}  // namespace cairn::run
