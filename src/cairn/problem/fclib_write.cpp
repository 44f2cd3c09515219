// Writing FCLIB files. The file is made in memory, then written, synced and renamed: a full disk or a crash leaves
// either the old file or the new one.
#include <fmt/format.h>

#include <new>

#include "cairn/base/replacement.hpp"
#include "cairn/problem/fclib.hpp"
#include "cairn/problem/fclib_check.hpp"
#include "cairn/problem/hdf5.hpp"

namespace cairn::fclib {

using hdf5::Failure;
using hdf5::Group;
using hdf5::Handle;

namespace {

std::span<const Real> view(const Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

void put_matrix(const Group& parent, const std::string& name, Sparse matrix) {
  matrix.makeCompressed();
  const auto count = static_cast<std::size_t>(matrix.nonZeros());
  const Group group = parent.create(name);
  group.put("nzmax", static_cast<int>(count));
  group.put("m", static_cast<int>(matrix.rows()));
  group.put("n", static_cast<int>(matrix.cols()));
  group.put("nz", -1);  // compressed columns
  group.put("p", std::span<const int>(matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.cols()) + 1));
  group.put("i", std::span<const int>(matrix.innerIndexPtr(), count));
  group.put("x", std::span<const Real>(matrix.valuePtr(), count));
}

void put_local(const Group& group, const Group& vectors, const Problem& p) {
  put_matrix(group, "W", p.W);
  vectors.put("q", view(p.q));
  if (p.equations() == 0) return;
  put_matrix(group, "V", p.V);
  put_matrix(group, "R", p.R);
  vectors.put("s", view(p.s));
}

void put_global(const Group& group, const Group& vectors, const Problem& p) {
  put_matrix(group, "M", p.M);
  put_matrix(group, "H", p.H);
  vectors.put("f", view(p.f));
  vectors.put("w", view(p.w));
  if (p.kind == Kind::global_rolling) vectors.put("mu_r", view(p.mu_r));
  if (p.equations() == 0) return;
  put_matrix(group, "G", p.G);
  vectors.put("b", view(p.b));
}

void put_info(const Group& group, const Info& info) {
  if (info.title.empty() && info.description.empty() && info.math_info.empty()) return;
  const Group to = group.create("info");
  to.put("title", info.title);
  to.put("description", info.description);
  to.put("math_info", info.math_info);
}

void put_solution(const Group& root, const Solution& solution) {
  const Group to = root.create("solution");
  const auto part = [&to](const char* name, const Vector& x) {
    if (x.size() > 0) to.put(name, view(x));
  };
  part("v", solution.v);
  part("u", solution.u);
  part("r", solution.r);
  part("l", solution.l);
}

void put_all(const Handle& file, const Problem& p, const std::optional<Solution>& solution) {
  const Group root = Group::root(file);
  const Group group = root.create(group_name(p.kind));
  group.put("spacedim", p.spacedim);
  const Group vectors = group.create("vectors");
  vectors.put("mu", view(p.mu));
  if (p.kind == Kind::local)
    put_local(group, vectors, p);
  else
    put_global(group, vectors, p);
  put_info(group, p.info);
  if (solution) put_solution(root, *solution);
}

// The bytes of the file, made in memory.
std::string image(const Problem& p, const std::optional<Solution>& solution) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t increment = 1 << 20;
  if (H5Pset_fapl_core(access.get(), increment, false) < 0) throw Failure{"HDF5 has no memory driver"};
  const Handle file(H5Fcreate("fclib", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  if (!file) throw Failure{"HDF5 cannot make a file in memory: " + hdf5::last_error()};
  put_all(file, p, solution);
  H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
  if (size <= 0) throw Failure{"HDF5 cannot give the file: " + hdf5::last_error()};
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file.get(), bytes.data(), bytes.size()) != size)
    throw Failure{"HDF5 cannot give the file: " + hdf5::last_error()};
  return bytes;
}

}  // namespace

std::string write(const std::string& path, const Problem& problem, const std::optional<Solution>& solution) {
  const hdf5::Silence silence;
  std::string failure;
  try {
    check_all(problem);
    if (solution) check_solution(problem, *solution);
    failure = replace_on_disk(path, image(problem, solution));
  } catch (const Failure& caught) {
    failure = caught.message;
  } catch (const std::bad_alloc&) {
    failure = "does not fit in memory";
  }
  return failure.empty() ? failure : path + ": " + failure;
}

}  // namespace cairn::fclib
