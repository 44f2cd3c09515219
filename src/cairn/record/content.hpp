// A results file open to be read. Functions throw hdf5::Failure; Reader, Writer::reopen and repair catch it.
#pragma once

#include "cairn/record/driver.hpp"
#include "cairn/record/info.hpp"
#include "cairn/record/reader.hpp"
#include "cairn/record/sets.hpp"

namespace cairn::record {

// Format, texts and probes; not yet whether it is finished.
ResultInfo get_info(const Store& store);

// A file is known by these, whatever its name.
struct FileNumber {
  unsigned long device = 0, node = 0;
  bool operator==(const FileNumber&) const = default;
};

template <int D>
struct Content {
  FileNumber file;
  Store store;
  ResultInfo info;
  Cast<D> cast;
  SetsShape shape;
  Sets sets;
  std::vector<Real> times;              // [s] (frames) committed
  std::vector<std::int64_t> offset{0};  // (frames + 1) of contacts
  std::vector<std::int64_t> rows;       // (frames) steps written with it and before
  hsize_t steps = 0;                    // rows that belong to committed frames; of a finished file all

  static Content open(const std::string& path);
  void look_again();  // at a running file
  Frame<D> frame(hsize_t k, FrameParts parts = FrameParts::all) const;
  FrameMarks marks(hsize_t from) const;
  std::vector<Vec<D>> places(hsize_t body, std::span<const int> of_frames) const;
  std::vector<StepRow> step_rows(hsize_t first, hsize_t count) const;
  std::vector<Real> probe_rows(hsize_t first, hsize_t count) const;  // row after row
};

FileNumber file_number(const std::string& path);

// What `work` throws as a message that begins with the path; empty: nothing. HDF5 is silent meanwhile. A write that
// failed is the cause of all that went wrong, and counts even where HDF5 did not care.
template <class Work>
std::string guarded(const std::string& path, Work&& work) {
  const hdf5::Silence silence;
  std::string bad;
  take_write_failure();
  try {
    work();
  } catch (const hdf5::Failure& e) {
    bad = path + ": " + e.message;
  } catch (const std::exception& e) {  // memory, where a damaged file asks for more than there is
    bad = path + ": " + e.what();
  }
  const std::string cause = take_write_failure();
  return cause.empty() ? bad : path + ": cannot be written: " + cause;
}

}  // namespace cairn::record
