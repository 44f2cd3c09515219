#include "cairn/record/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cairn/record/driver.hpp"
#include "cairn/record/store_parts.hpp"

namespace cairn::record {
namespace {

using hdf5::Failure;
using hdf5::Handle;
using namespace parts;

// The newest format alone has checksums on all it says about itself, and can be read while it grows.
Handle access() {
  Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(list.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_driver(list.get(), careful_driver(), nullptr);
  H5Pset_metadata_read_attempts(list.get(), 20);
  return list;
}

// A file, there and readable; HDF5's own words for that are of no help.
void refuse_unless_readable(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) throw Failure{std::strerror(errno)};
  if (!S_ISREG(about.st_mode)) throw Failure{"not a file"};
  if (::access(path.c_str(), R_OK) != 0) throw Failure{std::strerror(errno)};
}

Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), bytes);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

std::string up_to_padding(const char* text, std::size_t bytes) { return {text, ::strnlen(text, bytes)}; }

void write_new(hid_t file, const std::string& name, hid_t in_file, hid_t in_memory, hid_t space, const void* data) {
  const Handle links = creation();
  const Handle set(H5Dcreate2(file, name.c_str(), in_file, space, links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (!set) fail(name, "cannot be made");
  if (H5Sget_simple_extent_npoints(space) == 0) return;
  if (H5Dwrite(set.get(), in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail(name, "cannot be written");
}

}  // namespace

Store Store::create(const std::string& path) {
  // Anew under the name, so that whoever still reads the old file can go on with it.
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) throw Failure{"there is one already, and no file"};
  ::unlink(path.c_str());
  const int fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (fd < 0) throw Failure{fmt::format("cannot be made: {}", std::strerror(errno))};
  ::close(fd);
  const Handle list = access();
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list.get()), H5Fclose);
  if (!file) throw Failure{fmt::format("cannot be made ({})", hdf5::last_error())};
  return Store(std::move(file));
}

Store Store::open(const std::string& path) {
  refuse_unless_readable(path);
  const Handle list = access();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, list.get()), H5Fclose);
  if (!file)
    throw Failure{fmt::format("not a results file that can be read, or one just being made ({})", hdf5::last_error())};
  return Store(std::move(file));
}

Store Store::open_again(const std::string& path) {
  refuse_unless_readable(path);
  const Handle list = access();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, list.get()), H5Fclose);
  if (!file) throw Failure{fmt::format("cannot be opened to write on ({})", hdf5::last_error())};
  return Store(std::move(file));
}

void Store::let_read() {
  if (H5Fstart_swmr_write(file_.get()) < 0) fail("file", "cannot be offered to readers");
}

void Store::flush() {
  if (H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0) fail("file", "cannot be written");
}

void Store::synchronise() {
  if (const std::string bad = record::synchronise(file_.get()); !bad.empty()) throw Failure{"file: " + bad};
}

void Store::put_array(const std::string& name, const Number& type, const void* data, std::size_t count,
                      hsize_t columns) {
  const hsize_t extent[2] = {columns > 0 ? count / columns : count, columns};
  const Handle space(H5Screate_simple(columns > 0 ? 2 : 1, extent, nullptr), H5Sclose);
  write_new(file_.get(), name, type.in_file, type.in_memory, space.get(), data);
}

Handle Store::open_array(const std::string& name, const Number& type, hsize_t columns) const {
  Handle set = open_set(file_.get(), name);
  refuse_other_type(name, set, type);
  const std::vector<hsize_t> all = extents(name, set);
  if (all.size() != (columns > 0 ? 2u : 1u) || (columns > 0 && all[1] != columns))
    throw Failure{fmt::format("{}: {} extents, expected {}", name, all.size(), columns > 0 ? 2 : 1)};
  return set;
}

std::size_t Store::entries(const Handle& set) {
  const Handle space(H5Dget_space(set.get()), H5Sclose);
  const hssize_t n = H5Sget_simple_extent_npoints(space.get());
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

void Store::get_array(const std::string& name, const Handle& set, const Number& type, void* data) {
  if (entries(set) == 0) return;
  if (H5Dread(set.get(), type.in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail(name, "cannot be read");
}

void Store::put_text(const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size() + 1), space(H5Screate(H5S_SCALAR), H5Sclose);
  write_new(file_.get(), name, type.get(), type.get(), space.get(), text.c_str());
}

bool Store::has(const std::string& name) const { return H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT) > 0; }

std::string Store::text(const std::string& name) const {
  const Handle set = open_set(file_.get(), name);
  const Handle type(H5Dget_type(set.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0 || entries(set) != 1)
    throw Failure{fmt::format("{}: expected one text of fixed length", name)};
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) fail(name, "cannot be read");
  return up_to_padding(text.data(), text.size());
}

void Store::put_texts(const std::string& name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& t : texts) longest = std::max(longest, t.size());
  std::vector<char> all(texts.size() * longest, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) std::copy(texts[i].begin(), texts[i].end(), &all[i * longest]);
  const hsize_t extent = texts.size();
  const Handle type = text_type(longest), space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  write_new(file_.get(), name, type.get(), type.get(), space.get(), all.data());
}

std::vector<std::string> Store::texts(const std::string& name) const {
  const Handle set = open_set(file_.get(), name);
  const Handle type(H5Dget_type(set.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0)
    throw Failure{fmt::format("{}: expected texts of fixed length", name)};
  const std::size_t n = entries(set), bytes = H5Tget_size(type.get());
  std::vector<char> all(n * bytes);
  if (n > 0 && H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0)
    fail(name, "cannot be read");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < n; ++i) texts.push_back(up_to_padding(&all[i * bytes], bytes));
  return texts;
}

void Store::put_attribute(const std::string& name, hid_t in_file, hid_t in_memory, hid_t space, const void* data) {
  const Handle a(H5Acreate2(file_.get(), name.c_str(), in_file, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!a || H5Awrite(a.get(), in_memory, data) < 0) fail(name, "attribute cannot be written");
}
void Store::put_attribute(const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size() + 1), space(H5Screate(H5S_SCALAR), H5Sclose);
  put_attribute(name, type.get(), type.get(), space.get(), text.c_str());
}
void Store::put_attribute(const std::string& name, std::span<const double> values) {
  const hsize_t extent = values.size();
  const Handle space(extent == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, nullptr), H5Sclose);
  put_attribute(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space.get(), values.data());
}
void Store::put_attribute(const std::string& name, int value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  put_attribute(name, H5T_STD_I32LE, H5T_NATIVE_INT, space.get(), &value);
}

Handle Store::attribute(const std::string& name, H5T_class_t kind) const {
  Handle a(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!a) throw Failure{fmt::format("attribute {}: missing; not a results file of Cairn?", name)};
  const Handle type(H5Aget_type(a.get()), H5Tclose);
  if (H5Tget_class(type.get()) != kind || (kind == H5T_STRING && H5Tis_variable_str(type.get()) > 0))
    throw Failure{fmt::format("attribute {}: of another type than expected", name)};
  return a;
}
std::string Store::text_attribute(const std::string& name) const {
  const Handle a = attribute(name, H5T_STRING), type(H5Aget_type(a.get()), H5Tclose);
  const Handle space(H5Aget_space(a.get()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 1) throw Failure{fmt::format("attribute {}: expected one", name)};
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(a.get(), type.get(), text.data()) < 0) fail(name, "attribute cannot be read");
  return up_to_padding(text.data(), text.size());
}
std::vector<double> Store::real_attribute(const std::string& name) const {
  const Handle a = attribute(name, H5T_FLOAT), space(H5Aget_space(a.get()), H5Sclose);
  std::vector<double> values(
      static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get()))));
  if (!values.empty() && H5Aread(a.get(), H5T_NATIVE_DOUBLE, values.data()) < 0) fail(name, "attribute cannot be read");
  return values;
}
int Store::int_attribute(const std::string& name) const {
  const Handle a = attribute(name, H5T_INTEGER), space(H5Aget_space(a.get()), H5Sclose);
  int value = 0;
  if (H5Sget_simple_extent_npoints(space.get()) != 1 || H5Aread(a.get(), H5T_NATIVE_INT, &value) < 0)
    fail(name, "attribute cannot be read, expected one integer");
  return value;
}

}  // namespace cairn::record
