#include "cairn/record/writer.hpp"

#include "cairn/base/replacement.hpp"
#include "cairn/record/copy.hpp"
#include "cairn/record/sink.hpp"

namespace cairn::record {
namespace {

using hdf5::Failure;

constexpr const char* closed = "results file: closed already, nothing can be added";

template <int D>
std::string complaint(const ResultInfo& info, const Cast<D>& cast, const WriterOptions& options) {
  if (info.dimension != D) return fmt::format("dimension {} given, expected {}", info.dimension, D);
  if (cast.bodies.empty()) return "no bodies given, expected at least one";
  if (cast.names.size() != cast.bodies.size() || cast.label.size() != cast.bodies.size())
    return fmt::format("{} names and {} labels given for {} bodies", cast.names.size(), cast.label.size(),
                       cast.bodies.size());
  if (info.probe_names.size() != info.probe_units.size())
    return fmt::format("{} probes with {} units given", info.probe_names.size(), info.probe_units.size());
  if (options.compression < 0 || options.compression > 9)
    return fmt::format("compression {} given, expected 0 to 9", options.compression);
  return "";
}

template <int D>
bool nothing_to_drop(const Content<D>& c, hsize_t frames, hsize_t rows) {
  const Sets& s = c.sets;
  bool same = s.contact_offset.rows() == frames + 1 && s.steps.rows() == rows;
  for (const Series* one : {&s.time, &s.step, &s.h, &s.x, &s.r, &s.u, &s.rows}) same = same && one->rows() == frames;
  if (s.probes) same = same && s.probes->rows() == rows;
  if (s.contacts)
    for (const Series* one : s.contacts->all()) same = same && one->rows() == static_cast<hsize_t>(c.offset.back());
  return same;
}

template <int D>
std::unique_ptr<Sink<D>> go_on(const std::string& path, long frames, long steps) {
  std::optional<Content<D>> from(Content<D>::open(path));
  const auto n = static_cast<hsize_t>(frames), rows = static_cast<hsize_t>(steps);
  if (frames < 0 || n > from->times.size() || steps < 0 || rows > from->steps)
    throw Failure{fmt::format("has {} frames and {} rows of steps, expected at least {} and {}", from->times.size(),
                              from->steps, frames, steps)};
  if (n > 0 && from->rows[n - 1] > steps)
    throw Failure{
        fmt::format("frame {} comes after row {}, but {} rows are to be kept", frames - 1, from->rows[n - 1], steps)};
  if (nothing_to_drop(*from, n, rows)) {
    const SetsShape shape = from->shape;
    const std::int64_t contacts = from->offset.back();
    from.reset();  // HDF5 opens a file once for the whole program
    if (auto sink = Sink<D>::in_place(path, shape, contacts)) return sink;
    from.emplace(Content<D>::open(path));
  }
  return copy_kept<D>(path, *from, n, rows);
}

}  // namespace

template <int D>
Expected<Writer<D>> Writer<D>::create(const std::string& path, const ResultInfo& info, const Cast<D>& cast,
                                      const WriterOptions& options) {
  if (const std::string bad = refuse_to_replace(path); !bad.empty()) return Error{path + ": " + bad};
  if (const std::string bad = complaint(info, cast, options); !bad.empty()) return Error{path + ": " + bad};
  std::unique_ptr<Sink<D>> sink;
  if (std::string bad = guarded(path, [&] { sink = Sink<D>::make(path, info, cast, options); }); !bad.empty())
    return Error{std::move(bad)};
  return Writer(std::move(sink));
}

template <int D>
Expected<Writer<D>> Writer<D>::reopen(const std::string& path, long frames, long steps) {
  std::unique_ptr<Sink<D>> sink;
  if (std::string bad = guarded(path, [&] { sink = go_on<D>(path, frames, steps); }); !bad.empty())
    return Error{std::move(bad)};
  return Writer(std::move(sink));
}

template <int D>
Writer<D>::Writer(std::unique_ptr<Sink<D>> sink) : sink_(std::move(sink)) {}
template <int D>
Writer<D>::Writer(Writer&&) noexcept = default;
template <int D>
Writer<D>& Writer<D>::operator=(Writer&& other) noexcept {
  const hdf5::Silence silence;
  sink_ = std::move(other.sink_), frames_ = other.frames_, steps_ = other.steps_;
  return *this;
}
template <int D>
Writer<D>::~Writer() {
  const hdf5::Silence silence;
  sink_.reset();
}

template <int D>
std::string Writer<D>::add_step(const StepRow& row, std::span<const Real> probes) {
  if (!sink_) return closed;
  if (!sink_->broken.empty()) return sink_->broken;
  if (probes.size() != sink_->shape.probes)
    return fmt::format("{}: {} probes given, expected {}", sink_->path, probes.size(), sink_->shape.probes);
  sink_->pending.push_back(row);
  sink_->pending_probes.insert(sink_->pending_probes.end(), probes.begin(), probes.end());
  return "";
}

template <int D>
std::string Writer<D>::add_frame(const Frame<D>& frame) {
  if (!sink_) return closed;
  if (std::string bad = sink_->refuse(frame); !bad.empty()) return bad;
  return sink_->attempt([&] { sink_->write_frame(frame); });
}

template <int D>
std::string Writer<D>::finish(const std::string& outcome) {
  if (!sink_) return closed;
  std::string bad = sink_->attempt([&] { sink_->write_outcome(outcome); });
  frames_ = frames(), steps_ = steps();
  const hdf5::Silence silence;
  sink_.reset();
  return bad;
}

template <int D>
long Writer<D>::frames() const {
  return sink_ ? static_cast<long>(sink_->sets.time.rows()) : frames_;
}
template <int D>
long Writer<D>::steps() const {
  return sink_ ? static_cast<long>(sink_->sets.steps.rows() + sink_->pending.size()) : steps_;
}

template class Writer<2>;
template class Writer<3>;

}  // namespace cairn::record
