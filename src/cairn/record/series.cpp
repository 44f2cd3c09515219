#include <algorithm>
#include <limits>

#include "cairn/record/store.hpp"
#include "cairn/record/store_parts.hpp"

namespace cairn::record {

using hdf5::Failure;
using hdf5::Handle;
using namespace parts;

Series::Series(Handle set, std::string name, Number type, std::vector<hsize_t> row, hsize_t rows)
    : set_(std::move(set)), name_(std::move(name)), type_(type), row_(std::move(row)), rows_(rows) {
  for (const hsize_t n : row_) width_ *= n;
}

void Series::create(Store& store, const std::string& name, const Number& type, const SeriesShape& shape) {
  std::vector<hsize_t> now{0}, most{H5S_UNLIMITED}, chunk{shape.chunk_rows};
  for (const hsize_t n : shape.row) now.push_back(n), most.push_back(n), chunk.push_back(n);
  if (shape.chunk_width > 0) chunk[1] = std::min(chunk[1], shape.chunk_width);
  const int rank = static_cast<int>(now.size());
  const Handle space(H5Screate_simple(rank, now.data(), most.data()), H5Sclose), links = creation();
  const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(list.get(), rank, chunk.data());
  if (shape.nan_first) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    H5Pset_fill_value(list.get(), H5T_NATIVE_DOUBLE, &nan);
  }
  if (shape.compression > 0) {
    H5Pset_shuffle(list.get());
    H5Pset_deflate(list.get(), static_cast<unsigned>(shape.compression));
  }
  const Handle set(
      H5Dcreate2(store.id(), name.c_str(), type.in_file, space.get(), links.get(), list.get(), H5P_DEFAULT), H5Dclose);
  if (!set) fail(name, "cannot be made");
}

Series Series::open(const Store& store, const std::string& name, const Number& type, const std::vector<hsize_t>& row) {
  Handle set = open_set(store.id(), name);
  refuse_other_type(name, set, type);
  const std::vector<hsize_t> all = extents(name, set);
  if (all.size() != row.size() + 1 || !std::equal(row.begin(), row.end(), all.begin() + 1))
    throw Failure{fmt::format("{}: rows of another shape than expected", name)};
  return Series(std::move(set), name, type, row, all[0]);
}

void Series::transfer(hsize_t first, hsize_t rows, const void* from, void* to) const {
  std::vector<hsize_t> start{first}, count{rows};
  for (const hsize_t n : row_) start.push_back(0), count.push_back(n);
  transfer(start, count, from, to);
}

void Series::transfer(std::span<const hsize_t> start, std::span<const hsize_t> count, const void* from,
                      void* to) const {
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  const Handle space(H5Dget_space(set_.get()), H5Sclose);
  if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0)
    fail(name_, "has no such rows");
  const herr_t done = from != nullptr
                          ? H5Dwrite(set_.get(), type_.in_memory, memory.get(), space.get(), H5P_DEFAULT, from)
                          : H5Dread(set_.get(), type_.in_memory, memory.get(), space.get(), H5P_DEFAULT, to);
  if (done < 0) fail(name_, from != nullptr ? "cannot be written" : "cannot be read");
}

void Series::grow(hsize_t rows) {
  std::vector<hsize_t> all{rows};
  all.insert(all.end(), row_.begin(), row_.end());
  if (H5Dset_extent(set_.get(), all.data()) < 0) fail(name_, "cannot grow");
  rows_ = rows;
}

void Series::append(const void* data, hsize_t rows) {
  if (rows == 0) return;
  const hsize_t first = rows_;
  grow(first + rows);
  transfer(first, rows, data, nullptr);
}

void Series::overwrite(const void* data, hsize_t rows) {
  if (rows > rows_) grow(rows);
  if (rows > 0) transfer(0, rows, data, nullptr);
}

void Series::read(hsize_t first, hsize_t rows, void* out) const {
  if (first > rows_ || rows > rows_ - first)
    throw Failure{fmt::format("{}: {} rows from {} asked, found {}", name_, rows, first, rows_)};
  if (rows > 0) transfer(first, rows, nullptr, out);
}

void Series::read_entry(hsize_t row, hsize_t entry, void* out) const {
  if (row >= rows_ || row_.empty() || entry >= row_[0])
    throw Failure{fmt::format("{}: entry {} of row {} asked, which is not there", name_, entry, row)};
  std::vector<hsize_t> start{row, entry}, count{1, 1};
  for (std::size_t i = 1; i < row_.size(); ++i) start.push_back(0), count.push_back(row_[i]);
  transfer(start, count, nullptr, out);
}

void Series::refresh() {
  if (H5Drefresh(set_.get()) < 0) fail(name_, "cannot be looked at again");
  rows_ = extents(name_, set_)[0];
}

void Series::flush() {
  if (H5Dflush(set_.get()) < 0) fail(name_, "cannot be written");
}

}  // namespace cairn::record
