// A results file open to be written. Functions throw hdf5::Failure; Writer and repair catch it.
#pragma once

#include <memory>

#include "cairn/record/content.hpp"
#include "cairn/record/writer.hpp"

namespace cairn::record {

template <int D>
struct Sink {
  std::string path;
  Store store;
  SetsShape shape;
  Sets sets;
  std::int64_t contacts = 0;              // rows of contacts written
  std::vector<StepRow> pending = {};      // since the last frame
  std::vector<Real> pending_probes = {};  // (pending, probes)
  std::string broken = {};                // what ended the writing
  bool at_once = true;                    // each frame is committed when it is added

  static std::unique_ptr<Sink> make(const std::string& path, const ResultInfo& info, const Cast<D>& cast,
                                    const WriterOptions& options);
  // The file as it is, if it was closed properly; null: it was not.
  static std::unique_ptr<Sink> in_place(const std::string& path, const SetsShape& shape, std::int64_t contacts);

  std::string refuse(const Frame<D>& f) const;  // what is wrong with it; empty: nothing
  void write_rows();
  void write_frame(const Frame<D>& f);  // all but the time; then the time, when the rest is in the file
  void write_outcome(const std::string& outcome);
  void mark(std::uint8_t finished);

  template <class Work>
  std::string attempt(Work&& work) {
    if (!broken.empty()) return broken;
    return broken = guarded(path, work);
  }
};

}  // namespace cairn::record
