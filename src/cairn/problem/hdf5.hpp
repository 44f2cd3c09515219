// A thin RAII layer on the HDF5 C API: what the files of Cairn need, and messages that name the object at fault.
// Functions throw Failure; whoever owns a file format catches it at its interface.
#pragma once

#include <fmt/format.h>
#include <hdf5.h>

#include <climits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn::hdf5 {

struct Failure {
  std::string message;  // object in the file: what was found, what was expected
};

// Owns an identifier and knows how to close it.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) closer_(id_);
  }

  explicit operator bool() const { return id_ >= 0; }
  operator hid_t() const = delete;  // pass get(): a hid_t made silently from a bool has been seen
  hid_t get() const { return id_; }

 private:
  hid_t id_;
  Closer closer_;
};

// While it lives HDF5 prints nothing: the messages are ours.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Root cause of the last failure, in the library's words.
inline std::string last_error() {
  std::string cause;
  const auto keep_first = [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
    auto& text = *static_cast<std::string*>(out);
    if (text.empty() && entry->desc != nullptr) text = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &cause);
  return cause.empty() ? "unknown cause" : cause;
}

// A group of a file and its path there, for messages.
class Group {
 public:
  Group(Handle handle, std::string path) : handle_(std::move(handle)), path_(std::move(path)) {}

  static Group root(const Handle& file) { return Group(Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose), ""); }

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_.empty() ? name : path_ + "/" + name; }
  bool has(const std::string& name) const { return H5Lexists(handle_.get(), name.c_str(), H5P_DEFAULT) > 0; }

  // False for a dataset declared but never filled, too: HDF5 would read it as zeros.
  bool has_data(const std::string& name) const {
    if (!has(name)) return false;
    const Handle set(H5Dopen2(handle_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    return set && H5Dget_storage_size(set.get()) > 0;
  }

  Group group(const std::string& name) const {
    if (!has(name)) throw Failure{fmt::format("{}: missing, expected a group", path_of(name))};
    Handle child(H5Gopen2(handle_.get(), name.c_str(), H5P_DEFAULT), H5Gclose);
    if (!child) throw Failure{fmt::format("{}: not a group that can be opened, expected a group", path_of(name))};
    return Group(std::move(child), path_of(name));
  }

  int scalar(const std::string& name) const {
    const Opened data = open(name, H5T_INTEGER, 4);
    if (data.entries != 1)
      throw Failure{fmt::format("{}: {} entries, expected one integer", path_of(name), data.entries)};
    int value = 0;
    fetch(name, data, H5T_NATIVE_INT, &value);
    return value;
  }

  std::vector<int> ints(const std::string& name) const { return array<int>(name, H5T_INTEGER, H5T_NATIVE_INT); }
  std::vector<Real> reals(const std::string& name) const { return array<Real>(name, H5T_FLOAT, H5T_NATIVE_DOUBLE); }

  // A string of fixed or variable length.
  std::string text(const std::string& name) const {
    const Opened data = open(name, H5T_STRING, 0);
    const Handle type(H5Dget_type(data.set.get()), H5Tclose);
    if (data.entries != 1) throw Failure{fmt::format("{}: {} entries, expected one", path_of(name), data.entries)};
    if (H5Tis_variable_str(type.get()) > 0) {
      char* chars = nullptr;
      const Handle memory(H5Tcopy(type.get()), H5Tclose);
      if (H5Dread(data.set.get(), memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &chars) < 0) unreadable(name);
      const std::string result = chars != nullptr ? chars : "";
      H5free_memory(chars);
      return result;
    }
    std::string result(H5Tget_size(type.get()), '\0');
    if (H5Dread(data.set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0) unreadable(name);
    return result.c_str();  // up to the padding
  }

  Group create(const std::string& name) const {
    Handle child(H5Gcreate2(handle_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (!child) unwritable(name);
    return Group(std::move(child), path_of(name));
  }
  void put(const std::string& name, int value) const { put(name, std::span<const int>(&value, 1)); }
  void put(const std::string& name, std::span<const int> values) const {
    store(name, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
  }
  void put(const std::string& name, std::span<const Real> values) const {
    store(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void put(const std::string& name, const std::string& value) const {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), value.size() + 1);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    write(name, type.get(), type.get(), space, value.c_str());
  }

 private:
  struct Opened {
    Handle set;
    hssize_t entries;
    int rank;
  };

  // Opens a dataset and checks its type; bytes = 0: any size.
  Opened open(const std::string& name, H5T_class_t wanted, std::size_t bytes) const {
    if (!has(name)) throw Failure{fmt::format("{}: missing, expected a dataset", path_of(name))};
    Handle set(H5Dopen2(handle_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set) throw Failure{fmt::format("{}: not a dataset that can be opened, expected a dataset", path_of(name))};
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    const H5T_class_t found = H5Tget_class(type.get());
    const std::size_t size = H5Tget_size(type.get());
    if (found != wanted || (bytes != 0 && size != bytes))
      throw Failure{fmt::format("{}: {}, expected {}", path_of(name), describe(found, size), describe(wanted, bytes))};
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    const hssize_t entries = H5Sget_simple_extent_npoints(space.get());
    if (entries < 0 || entries > INT_MAX)
      throw Failure{fmt::format("{}: {} entries, expected at most {}", path_of(name), entries, INT_MAX)};
    // Data never written (a writer that died) would read as zeros.
    if (entries > 0 && H5Dget_storage_size(set.get()) == 0)
      throw Failure{fmt::format("{}: no data stored, expected {} entries", path_of(name), entries)};
    return {std::move(set), entries, H5Sget_simple_extent_ndims(space.get())};
  }

  template <class T>
  std::vector<T> array(const std::string& name, H5T_class_t type, hid_t memory) const {
    const Opened data = open(name, type, sizeof(T));
    if (data.rank != 1)
      throw Failure{fmt::format("{}: an array of {} dimensions, expected 1", path_of(name), data.rank)};
    std::vector<T> values(static_cast<std::size_t>(data.entries));
    if (!values.empty()) fetch(name, data, memory, values.data());
    return values;
  }

  void fetch(const std::string& name, const Opened& data, hid_t memory, void* out) const {
    if (H5Dread(data.set.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) unreadable(name);
  }

  void store(const std::string& name, hid_t type, hid_t memory, std::size_t count, const void* values) const {
    const hsize_t extent = count;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    write(name, type, memory, space, count > 0 ? values : nullptr);
  }

  void write(const std::string& name, hid_t type, hid_t memory, const Handle& space, const void* values) const {
    const Handle set(H5Dcreate2(handle_.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
    if (!set) unwritable(name);
    if (values != nullptr && H5Dwrite(set.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) unwritable(name);
  }

  [[noreturn]] void unreadable(const std::string& name) const {
    throw Failure{fmt::format("{}: data cannot be read ({}), expected a whole dataset", path_of(name), last_error())};
  }
  [[noreturn]] void unwritable(const std::string& name) const {
    throw Failure{fmt::format("{}: cannot be written ({})", path_of(name), last_error())};
  }

  static std::string describe(H5T_class_t type, std::size_t bytes) {
    const char* word = type == H5T_INTEGER  ? "integer"
                       : type == H5T_FLOAT  ? "real"
                       : type == H5T_STRING ? "string"
                                            : "compound or other";
    const bool number = type == H5T_INTEGER || type == H5T_FLOAT;
    return number ? fmt::format("{}-bit {} values", 8 * bytes, word) : fmt::format("{} values", word);
  }

  Handle handle_;
  std::string path_;
};

}  // namespace cairn::hdf5
