// Writes a results file (docs/results.md), so that it can be read while it grows, and after the program was killed.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "cairn/base/expected.hpp"
#include "cairn/record/frame.hpp"
#include "cairn/record/info.hpp"
#include "cairn/scene/world.hpp"

namespace cairn::record {

template <int D>
struct Sink;

struct WriterOptions {
  int compression = 0;  // deflate level 0..9
  bool contacts = true;
};

// Functions that return a string: empty, or what went wrong. After a failed write (disk full) all that follow fail with
// the same message; frames committed before stay readable.
template <int D>
class Writer {
 public:
  // Replaces a file of that name.
  static Expected<Writer> create(const std::string& path, const ResultInfo& info, const Cast<D>& cast,
                                 const WriterOptions& options);
  // Goes on with a file that ended, was interrupted or killed: keeps the first `frames` frames and `steps` rows, drops
  // what follows. In place where nothing is to be dropped; else what is kept is copied, and the copy takes the name.
  static Expected<Writer> reopen(const std::string& path, long frames, long steps);

  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();  // closes; without finish() the file stays marked as not finished

  std::string add_step(const StepRow& row, std::span<const Real> probes);  // kept in memory until the next frame
  std::string add_frame(const Frame<D>& frame);    // with the rows since; `time` last: the commit mark
  std::string finish(const std::string& outcome);  // outcome [JSON], finished mark, closes

  long frames() const;
  long steps() const;  // rows, with those in memory

 private:
  explicit Writer(std::unique_ptr<Sink<D>> sink);

  std::unique_ptr<Sink<D>> sink_;  // null: closed
  long frames_ = 0, steps_ = 0;    // when it was closed
};

template <int D>
Cast<D> cast_of(const scene::World<D>& world);

// Of the state after a step of that length; scheme: the one that made the step, null in frame 0 (no contacts).
template <int D>
Frame<D> frame_of(const Model<D>& model, const ModelState<D>& state, const Collection<D>* scheme, long step, Real h);

template <int D>
StepRow step_row(const Model<D>& model, const ModelState<D>& state, const CollectionReport& report, Real h);

}  // namespace cairn::record
