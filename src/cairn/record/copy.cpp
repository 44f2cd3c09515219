#include "cairn/record/copy.hpp"

#include "cairn/base/replacement.hpp"

namespace cairn::record {
namespace {

using hdf5::Failure;

template <int D>
std::unique_ptr<Sink<D>> start(const std::string& path, const Content<D>& from) {
  auto sink = Sink<D>::make(path, from.info, from.cast, {from.shape.compression, from.shape.contacts});
  sink->at_once = false;  // nobody knows its name yet
  return sink;
}

void settle(Store& store, Replacement& replacement) {
  store.flush();
  store.synchronise();
  if (const std::string bad = replacement.commit_to_disk(); !bad.empty()) throw Failure{"cannot be replaced: " + bad};
}

// Rows of steps [from.., end); false: they cannot be read.
template <int D>
bool take_rows(Sink<D>& sink, const Content<D>& from, hsize_t first, hsize_t end) {
  try {
    sink.pending = from.step_rows(first, end - first), sink.pending_probes = from.probe_rows(first, end - first);
    return true;
  } catch (const Failure&) {
    sink.pending.clear(), sink.pending_probes.clear();
    return false;
  }
}

template <int D>
std::optional<Frame<D>> take_frame(const Content<D>& from, hsize_t k) {
  try {
    return from.frame(k);
  } catch (const Failure&) {
    return {};
  }
}

}  // namespace

template <int D>
std::unique_ptr<Sink<D>> copy_kept(const std::string& to, const Content<D>& from, hsize_t frames, hsize_t steps) {
  Replacement replacement(to);
  auto sink = start(replacement.temporary(), from);
  hsize_t row = 0;
  const auto take = [&](hsize_t end) {
    sink->pending = from.step_rows(row, end - row), sink->pending_probes = from.probe_rows(row, end - row);
    row = end;
  };
  for (hsize_t k = 0; k < frames; ++k) {
    take(static_cast<hsize_t>(from.rows[k]));
    sink->write_frame(from.frame(k));
  }
  take(steps);
  sink->write_rows();
  settle(sink->store, replacement);
  sink->path = to, sink->at_once = true;
  return sink;
}

// Rows follow each other without a gap: after the first that cannot be read none is kept.
template <int D>
Salvaged copy_readable(const std::string& to, const Content<D>& from) {
  Replacement replacement(to);
  auto sink = start(replacement.temporary(), from);
  Salvaged kept;
  bool rows_good = true;
  const auto take = [&](hsize_t end) {
    rows_good = rows_good && take_rows(*sink, from, kept.steps, end);
    if (rows_good) kept.steps = end;
  };
  for (hsize_t k = 0; k < from.times.size(); ++k) {
    const std::optional<Frame<D>> frame = take_frame(from, k);
    if (!frame) continue;
    take(static_cast<hsize_t>(from.rows[k]));
    sink->write_frame(*frame);
    ++kept.frames;
  }
  take(from.steps);
  if (from.info.finished)
    sink->write_outcome(from.info.outcome);
  else
    sink->write_rows();
  settle(sink->store, replacement);
  return kept;
}

template std::unique_ptr<Sink<2>> copy_kept(const std::string&, const Content<2>&, hsize_t, hsize_t);
template std::unique_ptr<Sink<3>> copy_kept(const std::string&, const Content<3>&, hsize_t, hsize_t);
template Salvaged copy_readable(const std::string&, const Content<2>&);
template Salvaged copy_readable(const std::string&, const Content<3>&);

}  // namespace cairn::record
