// Reads a results file: finished, running, or left by a program that was killed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/record/frame.hpp"
#include "cairn/record/info.hpp"

namespace cairn::record {

Expected<ResultInfo> read_info(const std::string& path);

template <int D>
struct Content;

enum class FrameParts { all, bodies, contacts };  // what is read; the rest of the frame stays empty

struct FrameMarks {
  std::vector<Real> h;             // [s] of the last step before each frame
  std::vector<std::int64_t> step;  // steps done
};

template <int D>
class Reader {
 public:
  static Expected<Reader> open(const std::string& path);

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  const ResultInfo& info() const;
  const Cast<D>& cast() const;
  const std::vector<Real>& times() const;  // [s] (frames) the committed ones only
  bool keeps_contacts() const;
  long rows() const;  // of steps, committed
  Expected<Frame<D>> frame(int k, FrameParts parts = FrameParts::all) const;
  Expected<FrameMarks> marks(int from) const;  // of frames from this one on
  // Of one body; what belongs to the others is not read.
  Expected<std::vector<Vec<D>>> places(int body, std::span<const int> of_frames) const;
  Expected<std::vector<StepRow>> steps() const;  // committed rows
  Expected<std::vector<StepRow>> steps(long first, long count) const;
  Expected<std::vector<Real>> probe_rows(long first, long count) const;  // row after row
  Expected<std::vector<std::vector<Real>>> probes() const;               // [probe][step]
  // Looks again at a running file, or at the one that has taken its name; the number of frames now.
  Expected<int> refresh();

 private:
  Reader(std::string path, std::unique_ptr<Content<D>> content);
  std::string refusal(int k) const;  // of a frame that is not there; empty: it is

  std::string path_;
  std::unique_ptr<Content<D>> content_;
};

struct Column {
  const char* name;
  const char* unit;
  const char* doc;
  Real StepRow::*member;
};
const std::vector<Column>& step_columns();  // of StepRow, in its order

}  // namespace cairn::record
