#include "cairn/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::run {
namespace {

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

void append(std::vector<Real>& out, const std::vector<Real>& part) {
  out.push_back(static_cast<Real>(part.size()));
  out.insert(out.end(), part.begin(), part.end());
}

// Takes what append() put there; false: it is not there.
bool take(std::span<const Real>& from, std::vector<Real>& part) {
  if (from.empty() || from[0] < 0 || from[0] > static_cast<Real>(from.size() - 1)) return false;
  const auto count = static_cast<std::size_t>(from[0]);
  part.assign(from.begin() + 1, from.begin() + 1 + static_cast<long>(count));
  from = from.subspan(count + 1);
  return true;
}

}  // namespace

template <int D>
Simulation<D>::Simulation(Plan plan, scene::World<D> world)
    : plan_(std::move(plan)), world_(std::move(world)), state_(world_.state), scheme_(world_.model, plan_.solver) {
  const Real steps = plan_.duration / plan_.h;
  last_step_ = std::max(1L, std::lround(plan_.land ? steps : std::ceil(steps - Real(1e-6))));
  frame_steps_ = std::max(1L, std::lround(plan_.frame_every / plan_.h));
}

template <int D>
Expected<std::unique_ptr<Simulation<D>>> Simulation<D>::make(Plan plan, scene::World<D> world) {
  std::unique_ptr<Simulation> made(new Simulation(std::move(plan), std::move(world)));
  if (const std::string bad = made->prepare(); !bad.empty()) return Error{bad};
  return made;
}

template <int D>
std::string Simulation<D>::prepare() {
  for (const ProbeSpec& spec : plan_.probes) {
    auto probe = make_probe<D>(spec, world_);
    if (!probe) return fmt::format("probe \"{}\": {}", spec.name, probe.error());
    probes_.push_back(std::move(*probe));
  }
  for (const std::string& name : plan_.outcome) {
    auto measure = make_measure<D>(name, world_);
    if (!measure) return fmt::format("outcome \"{}\": {}", name, measure.error());
    measures_.push_back(std::move(*measure));
  }
  if (const std::string bad = complaint(plan_.stop); !bad.empty()) return "stop: " + bad;
  stop_.emplace(plan_.stop, world_);
  return "";
}

template <int D>
Moment<D> Simulation<D>::now() const {
  return {world_, state_, report_ ? &scheme_ : nullptr, report_ ? &*report_ : nullptr, report_ ? h_ : 0, step_};
}

// --- files -----------------------------------------------------------------------------------------------------------

template <int D>
std::string Simulation<D>::start_files(const Files& files) {
  if (files.results.empty()) return "";
  record::ResultInfo info;
  info.dimension = D, info.title = plan_.title, info.scene_name = plan_.scene_name;
  info.scene_text = plan_.scene_text, info.parameters = plan_.parameters, info.version = plan_.version;
  info.h = plan_.h;
  for (const auto& probe : probes_) info.probe_names.push_back(probe->name), info.probe_units.push_back(probe->unit);
  auto writer = record::Writer<D>::create(files.results, info, record::cast_of<D>(world_), plan_.writer);
  if (!writer) return writer.error();
  writer_.emplace(std::move(*writer));
  return record_frame(false);
}

template <int D>
std::string Simulation<D>::record_frame(bool with_contacts) {
  pending_.clear(), pending_probes_.clear();
  if (!writer_) return "";
  return writer_->add_frame(
      record::frame_of<D>(world_.model, state_, with_contacts ? &scheme_ : nullptr, step_, report_ ? h_ : 0));
}

template <int D>
std::string Simulation<D>::save(const Files& files) {
  saved_ = Clock::now();
  if (files.checkpoint.empty()) return "";
  record::Checkpoint<D> c;
  c.state = state_, c.step = step_;
  c.frames = writer_ ? writer_->frames() : 0, c.rows = step_ - static_cast<long>(pending_.size());
  c.pending = pending_, c.pending_probes = pending_probes_;
  c.memory = memory();
  c.scene_text = plan_.scene_text, c.scene_path = plan_.scene_path, c.results_path = files.results;
  c.settings = plan_.settings, c.version = plan_.version;
  return record::write_checkpoint<D>(files.checkpoint, c);
}

template <int D>
std::vector<Real> Simulation<D>::memory() const {
  std::vector<Real> out;
  append(out, totals_.memory());
  append(out, stop_->memory());
  for (const auto& m : measures_) append(out, m->memory());
  for (const auto& p : probes_) append(out, p->memory());
  return out;
}

template <int D>
std::string Simulation<D>::recall(std::span<const Real> from) {
  const std::string bad = "the checkpoint does not fit the scene's outcomes and probes";
  std::vector<Real> part;
  if (!take(from, part) || part.size() != Totals::remembered()) return bad;
  totals_.recall(part);
  if (!take(from, part)) return bad;
  stop_->recall(part);
  for (auto& m : measures_) {
    if (!take(from, part)) return bad;
    m->recall(part);
  }
  for (auto& p : probes_) {
    if (!take(from, part)) return bad;
    p->recall(part);
  }
  return from.empty() ? "" : bad;
}

// --- running ---------------------------------------------------------------------------------------------------------

template <int D>
Expected<Summary> Simulation<D>::run(const Files& files, const Watch& watch) {
  for (auto& m : measures_) m->see(now());
  for (auto& p : probes_) p->see(now());
  if (observer_) observer_(now());
  if (const std::string bad = start_files(files); !bad.empty()) return Error{bad};
  if (const std::string bad = save(files); !bad.empty()) return Error{bad};
  return go(files, watch);
}

template <int D>
Expected<Summary> Simulation<D>::resume(const record::Checkpoint<D>& from, const Files& files, const Watch& watch) {
  if (from.state.x.size() != state_.x.size())
    return Error{fmt::format("the checkpoint has {} bodies, the scene {}", from.state.x.size(), state_.x.size())};
  if (const std::string bad = recall(from.memory); !bad.empty()) return Error{bad};
  state_ = from.state, step_ = first_step_ = from.step;
  if (!files.results.empty()) {
    auto writer = record::Writer<D>::reopen(files.results, from.frames, from.rows);
    if (!writer) return Error{writer.error()};
    writer_.emplace(std::move(*writer));
  }
  const std::size_t n = probes_.size();
  if (from.pending_probes.size() != n * from.pending.size()) return Error{"the checkpoint has not the scene's probes"};
  for (std::size_t k = 0; k < from.pending.size(); ++k) {
    const std::span<const Real> row(from.pending_probes.data() + k * n, n);
    if (!writer_) break;
    if (const std::string bad = writer_->add_step(from.pending[k], row); !bad.empty()) return Error{bad};
  }
  pending_ = from.pending, pending_probes_ = from.pending_probes;
  return go(files, watch);
}

template <int D>
bool Simulation<D>::at_frame() const {
  return step_ % frame_steps_ == 0 || step_ == last_step_ || !stopped_.empty();
}

template <int D>
Real Simulation<D>::next_h() const {
  const bool last = plan_.land && step_ + 1 == last_step_;
  return last ? plan_.duration - static_cast<Real>(step_) * plan_.h : plan_.h;
}

template <int D>
std::string Simulation<D>::step(const Watch& watch) {
  h_ = next_h();
  world_.change_surfaces(state_.t + h_ / 2);
  report_ = scheme_.step(state_, h_);
  ++step_;
  if (report_->fault != Fault::none)
    return fmt::format("step {} at t = {:.9g} s: {}", step_, state_.t, describe(report_->fault));
  if (report_->missed && watch.log)
    watch.log(fmt::format("step {} t {:.9g} s: contact error {:.3g} above the required {:.3g}", step_, state_.t,
                          report_->error, plan_.solver.required));
  for (auto& m : measures_) m->see(now());
  const std::size_t first = pending_probes_.size();
  for (auto& p : probes_) {
    p->see(now());
    pending_probes_.push_back(p->read(now()));
  }
  if (observer_) observer_(now());
  stopped_ = stop_->see(now());
  pending_.push_back(record::step_row<D>(world_.model, state_, *report_, h_));
  totals_.add(*report_, pending_.back().kinetic);
  if (!writer_) return "";
  return writer_->add_step(pending_.back(), std::span<const Real>(pending_probes_).subspan(first));
}

template <int D>
void Simulation<D>::show(const Watch& watch) {
  if (!watch.show || seconds_since(shown_) < 0.2) return;
  shown_ = Clock::now();
  const double wall = seconds_since(started_);
  const Real kinetic = pending_.empty() ? 0 : pending_.back().kinetic;
  watch.show({state_.t, end(), step_, static_cast<double>(step_ - first_step_) / std::max(wall, 1e-9), wall,
              report_->active, report_->error, kinetic});
}

template <int D>
Expected<Summary> Simulation<D>::go(const Files& files, const Watch& watch) {
  if (watch.started) watch.started();
  started_ = shown_ = saved_ = Clock::now();
  bool interrupted = false;
  while (step_ < last_step_ && stopped_.empty() && !interrupted) {
    if (const std::string bad = step(watch); !bad.empty()) return Error{bad};
    show(watch);
    const auto before = Clock::now();
    if (at_frame())
      if (const std::string bad = record_frame(true); !bad.empty()) return Error{bad};
    interrupted = watch.interrupted();
    if (interrupted || seconds_since(saved_) >= plan_.checkpoint_every)
      if (const std::string bad = save(files); !bad.empty()) return Error{bad};
    totals_.recording += seconds_since(before);
  }
  Summary s = summary(files);
  s.interrupted = interrupted && step_ < last_step_ && stopped_.empty();
  if (s.interrupted) return s;
  // The last checkpoint comes after the end of the results: a run killed between the two computes its tail again.
  if (writer_)
    if (const std::string bad = writer_->finish(outcome_json(s)); !bad.empty()) return Error{bad};
  if (const std::string bad = save(files); !bad.empty()) return Error{bad};
  return s;
}

template <int D>
Summary Simulation<D>::summary(const Files& files) const {
  Summary s;
  s.time = state_.t;
  s.bodies = std::ranges::count_if(world_.model.bodies, [](const Body<D>& b) { return b.free(); });
  s.totals = totals_;
  s.wall_seconds = seconds_since(started_);
  s.steps_now = step_ - first_step_;
  s.stopped = stopped_;
  for (std::size_t k = 0; k < measures_.size(); ++k)
    s.outcome.emplace_back(plan_.outcome[k], measures_[k]->result(now()));
  s.results = files.results, s.checkpoint = files.checkpoint;
  return s;
}

std::string outcome_json(const Summary& summary) {
  std::string out;
  for (const auto& [name, value] : summary.outcome)
    out += fmt::format("{}\"{}\": {}", out.empty() ? "" : ", ", name, json(value));
  return "{" + out + "}";
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace cairn::run
