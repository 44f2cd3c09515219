// The HDF5 file under the results: arrays written once, texts, attributes, and series of rows that grow while others
// read them (SWMR). Functions throw hdf5::Failure; writer, reader and repair catch it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cairn/problem/hdf5.hpp"

namespace cairn::record {

struct Number {
  hid_t in_file, in_memory;
  H5T_class_t kind;
  std::size_t bytes;
};
template <class T>
Number number();
template <>
inline Number number<double>() {
  return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5T_FLOAT, 8};
}
template <>
inline Number number<std::int32_t>() {
  return {H5T_STD_I32LE, H5T_NATIVE_INT32, H5T_INTEGER, 4};
}
template <>
inline Number number<std::uint32_t>() {
  return {H5T_STD_U32LE, H5T_NATIVE_UINT32, H5T_INTEGER, 4};
}
template <>
inline Number number<std::int64_t>() {
  return {H5T_STD_I64LE, H5T_NATIVE_INT64, H5T_INTEGER, 8};
}
template <>
inline Number number<std::uint8_t>() {
  return {H5T_STD_U8LE, H5T_NATIVE_UINT8, H5T_INTEGER, 1};
}

class Store {
 public:
  static Store create(const std::string& path);      // replaces a file of that name
  static Store open(const std::string& path);        // to read: finished, running or killed
  static Store open_again(const std::string& path);  // to write on; only if it was closed properly

  void let_read();  // others may read from now on; nothing can be created any more, only series grow
  void flush();
  void synchronise();
  hid_t id() const { return file_.get(); }

  // Arrays of `columns` numbers a row (0: one dimension).
  template <class T>
  void put(const std::string& name, std::span<const T> values, hsize_t columns = 0) {
    put_array(name, number<T>(), values.data(), values.size(), columns);
  }
  template <class T>
  std::vector<T> get(const std::string& name, hsize_t columns = 0) const {
    const hdf5::Handle set = open_array(name, number<T>(), columns);
    std::vector<T> values(entries(set));
    get_array(name, set, number<T>(), values.data());
    return values;
  }
  bool has(const std::string& name) const;
  void put_text(const std::string& name, const std::string& text);
  std::string text(const std::string& name) const;
  void put_texts(const std::string& name, const std::vector<std::string>& texts);
  std::vector<std::string> texts(const std::string& name) const;

  // Of the root group.
  void put_attribute(const std::string& name, const std::string& text);
  void put_attribute(const std::string& name, std::span<const double> values);
  void put_attribute(const std::string& name, int value);
  std::string text_attribute(const std::string& name) const;
  std::vector<double> real_attribute(const std::string& name) const;
  int int_attribute(const std::string& name) const;

 private:
  explicit Store(hdf5::Handle file) : file_(std::move(file)) {}
  void put_array(const std::string& name, const Number& type, const void* data, std::size_t count, hsize_t columns);
  void put_attribute(const std::string& name, hid_t in_file, hid_t in_memory, hid_t space, const void* data);
  hdf5::Handle open_array(const std::string& name, const Number& type, hsize_t columns) const;
  hdf5::Handle attribute(const std::string& name, H5T_class_t kind) const;
  static std::size_t entries(const hdf5::Handle& set);
  static void get_array(const std::string& name, const hdf5::Handle& set, const Number& type, void* data);

  hdf5::Handle file_;
};

struct SeriesShape {
  std::vector<hsize_t> row;  // extents of a row; none: a row is one number
  hsize_t chunk_rows = 64;   // stored together
  hsize_t chunk_width = 0;   // of the row's first extent; 0: all
  int compression = 0;       // deflate level
  bool nan_first = false;    // what was not written reads as not a number
};

// A dataset that grows along its first extent.
class Series {
 public:
  template <class T>
  static void create(Store& store, const std::string& name, const SeriesShape& shape) {
    create(store, name, number<T>(), shape);
  }
  template <class T>
  static Series open(const Store& store, const std::string& name, const std::vector<hsize_t>& row) {
    return open(store, name, number<T>(), row);
  }

  hsize_t rows() const { return rows_; }
  void append(const void* data, hsize_t rows);
  void overwrite(const void* data, hsize_t rows);  // from the first on; grows where needed, never shrinks
  void read(hsize_t first, hsize_t rows, void* out) const;
  template <class T>
  std::vector<T> read(hsize_t first, hsize_t rows) const {
    std::vector<T> values(rows * width_);
    if (!values.empty()) read(first, rows, values.data());
    return values;
  }
  // One entry of the row's first extent.
  void read_entry(hsize_t row, hsize_t entry, void* out) const;
  void flush();
  void refresh();  // looks again at what a running program has written

 private:
  Series(hdf5::Handle set, std::string name, Number type, std::vector<hsize_t> row, hsize_t rows);
  static void create(Store& store, const std::string& name, const Number& type, const SeriesShape& shape);
  static Series open(const Store& store, const std::string& name, const Number& type, const std::vector<hsize_t>& row);
  void transfer(hsize_t first, hsize_t rows, const void* from, void* to) const;
  void transfer(std::span<const hsize_t> start, std::span<const hsize_t> count, const void* from, void* to) const;
  void grow(hsize_t rows);

  hdf5::Handle set_;
  std::string name_;
  Number type_;
  std::vector<hsize_t> row_;
  hsize_t width_ = 1;  // numbers in a row
  hsize_t rows_ = 0;
};

}  // namespace cairn::record
