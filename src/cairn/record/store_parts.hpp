// What arrays and series of a store share.
#pragma once

#include "cairn/problem/hdf5.hpp"
#include "cairn/record/store.hpp"

namespace cairn::record::parts {

using hdf5::Failure;
using hdf5::Handle;

[[noreturn]] inline void fail(const std::string& name, const char* what) {
  throw Failure{fmt::format("{}: {} ({})", name, what, hdf5::last_error())};
}

inline Handle creation() {
  Handle list(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(list.get(), 1);
  return list;
}

inline Handle open_set(hid_t file, const std::string& name) {
  Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set) fail(name, "missing or damaged, expected a dataset");
  return set;
}

inline void refuse_other_type(const std::string& name, const Handle& set, const Number& wanted) {
  const Handle type(H5Dget_type(set.get()), H5Tclose);
  if (H5Tget_class(type.get()) != wanted.kind || H5Tget_size(type.get()) != wanted.bytes)
    throw Failure{fmt::format("{}: {} bytes of class {} each, expected {} of class {}", name, H5Tget_size(type.get()),
                              static_cast<int>(H5Tget_class(type.get())), wanted.bytes, static_cast<int>(wanted.kind))};
}

inline std::vector<hsize_t> extents(const std::string& name, const Handle& set) {
  const Handle space(H5Dget_space(set.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) fail(name, "has no extents");
  std::vector<hsize_t> all(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), all.data(), nullptr);
  return all;
}

}  // namespace cairn::record::parts
