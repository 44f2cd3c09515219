// Reads a results file: finished, running, or left by a program that was killed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/record/frame.hpp"
#include "cairn/record/info.hpp"

namespace cairn::record {

Expected<ResultInfo> read_info(const std::string& path);

template <int D>
struct Content;

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
  Expected<Frame<D>> frame(int k) const;
  Expected<std::vector<StepRow>> steps() const;             // committed rows
  Expected<std::vector<std::vector<Real>>> probes() const;  // [probe][step]
  // Looks again at a running file, or at the one that has taken its name; the number of frames now.
  Expected<int> refresh();

 private:
  Reader(std::string path, std::unique_ptr<Content<D>> content);

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
