// Reading FCLIB files. Everything is checked before it is used: files come from other codes, and from crashes.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "cairn/problem/fclib.hpp"
#include "cairn/problem/fclib_check.hpp"
#include "cairn/problem/hdf5.hpp"

namespace cairn::fclib {

using hdf5::Failure;
using hdf5::Group;
using hdf5::Handle;

namespace {

constexpr int compressed_rows = -2;  // codes of nz; -1: compressed columns; 0 or more: triplets

// A matrix as the file stores it: p, i, x mean what nz says.
struct Stored {
  int m = 0, n = 0, nzmax = 0, nz = 0;
  std::vector<int> p, i;
  std::vector<Real> x;
};

Vector to_vector(const std::vector<Real>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void check_capacity(const std::string& name, std::size_t length, long needed) {
  if (static_cast<long>(length) < needed)
    throw Failure{fmt::format("{}: {} entries, expected at least {}", name, length, needed)};
}

void check_indices(const std::string& name, const std::vector<int>& indices, int count, int bound) {
  for (int k = 0; k < count; ++k)
    if (indices[k] < 0 || indices[k] >= bound)
      throw Failure{fmt::format("{}: entry {} is {}, expected an index in [0, {})", name, k, indices[k], bound)};
}

// Offsets of compressed storage start at 0 and never decrease; returns the number of entries of the matrix.
int check_offsets(const std::string& name, const std::vector<int>& p, int outer) {
  if (static_cast<long>(p.size()) != outer + 1L)
    throw Failure{
        fmt::format("{}: {} entries, expected {} (one a column or row, and one)", name, p.size(), outer + 1L)};
  if (p[0] != 0) throw Failure{fmt::format("{}: entry 0 is {}, expected 0", name, p[0])};
  for (int k = 0; k < outer; ++k)
    if (p[k + 1] < p[k])
      throw Failure{fmt::format("{}: entry {} is {} after {}, expected offsets that never decrease", name, k + 1,
                                p[k + 1], p[k])};
  return p[outer];
}

Stored fetch_matrix(const Group& group) {
  Stored a;
  a.m = group.scalar("m");
  a.n = group.scalar("n");
  a.nzmax = group.scalar("nzmax");
  a.nz = group.scalar("nz");
  if (a.nz < compressed_rows)
    throw Failure{fmt::format("{}: {}, expected a count of triplets, -1 (compressed columns) or -2 (compressed rows)",
                              group.path_of("nz"), a.nz)};
  a.p = group.ints("p");
  a.i = group.ints("i");
  a.x = group.reals("x");
  return a;
}

// Number of stored entries, after a check of all that indexing relies on.
int check_storage(const Group& group, const Stored& a) {
  const bool triplets = a.nz >= 0, by_rows = a.nz == compressed_rows;
  const int count = triplets ? a.nz : check_offsets(group.path_of("p"), a.p, by_rows ? a.m : a.n);
  if (a.nzmax < count)
    throw Failure{fmt::format("{}: {}, expected at least {} (entries stored)", group.path_of("nzmax"), a.nzmax, count)};
  if (triplets) check_capacity(group.path_of("p"), a.p.size(), count);
  check_capacity(group.path_of("i"), a.i.size(), count);
  check_capacity(group.path_of("x"), a.x.size(), count);
  if (triplets) check_indices(group.path_of("p"), a.p, count, a.n);
  check_indices(group.path_of("i"), a.i, count, by_rows ? a.n : a.m);
  check_finite(group.path_of("x"), a.x.data(), count);
  return count;
}

Sparse assemble(const Stored& a, int count) {
  std::vector<Eigen::Triplet<Real>> entries;
  entries.reserve(static_cast<std::size_t>(count));
  if (a.nz >= 0) {
    for (int k = 0; k < count; ++k) entries.emplace_back(a.i[k], a.p[k], a.x[k]);
  } else {
    const bool by_rows = a.nz == compressed_rows;
    for (int outer = 0; outer + 1 < static_cast<int>(a.p.size()); ++outer)
      for (int k = a.p[outer]; k < a.p[outer + 1]; ++k)
        entries.emplace_back(by_rows ? outer : a.i[k], by_rows ? a.i[k] : outer, a.x[k]);
  }
  Sparse matrix(a.m, a.n);
  matrix.setFromTriplets(entries.begin(), entries.end());  // sums duplicates
  return matrix;
}

// The shape is known from the vectors beforehand: a damaged m or n is refused before it makes us allocate.
Sparse read_matrix(const Group& parent, const std::string& name, long rows, long columns) {
  const Group group = parent.group(name);
  const Stored a = fetch_matrix(group);
  check_shape(group.path_of("m, n"), a.m, a.n, rows, columns);
  return assemble(a, check_storage(group, a));
}

Kind find_kind(const Group& root) {
  std::string found;
  Kind kind = Kind::local;
  for (const Kind candidate : {Kind::local, Kind::global, Kind::global_rolling}) {
    if (!root.has(group_name(candidate))) continue;
    if (!found.empty())
      throw Failure{fmt::format("holds both {} and {}, expected one problem", found, group_name(candidate))};
    found = group_name(candidate);
    kind = candidate;
  }
  if (found.empty()) throw Failure{"no problem group, expected one of fclib_local, fclib_global, fclib_global_rolling"};
  return kind;
}

// All or none: an equality part is whole or absent.
bool whole(const Group& group, const Group& vectors, std::initializer_list<const char*> matrices, const char* vector) {
  std::string present, missing;
  const auto note = [&](bool there, const std::string& name) {
    std::string& list = there ? present : missing;
    list += (list.empty() ? "" : ", ") + name;
  };
  for (const char* name : matrices) note(group.has(name), name);
  note(vectors.has(vector), std::string("vectors/") + vector);
  if (!present.empty() && !missing.empty())
    throw Failure{fmt::format("{}: {} without {}, expected all or none", group.path(), present, missing)};
  return missing.empty();
}

void read_local(const Group& group, const Group& vectors, Problem& p) {
  p.q = to_vector(vectors.reals("q"));
  p.W = read_matrix(group, "W", p.rows(), p.rows());
  if (!whole(group, vectors, {"V", "R"}, "s")) return;
  p.s = to_vector(vectors.reals("s"));
  p.V = read_matrix(group, "V", p.rows(), p.s.size());
  p.R = read_matrix(group, "R", p.s.size(), p.s.size());
}

void read_global(const Group& group, const Group& vectors, Problem& p) {
  p.f = to_vector(vectors.reals("f"));
  p.w = to_vector(vectors.reals("w"));
  if (p.kind == Kind::global_rolling) {
    p.mu_r = to_vector(vectors.reals("mu_r"));
    // Some writers give the dimension of space, 3, where contacts have 5 rows: H's columns tell.
    const int columns = group.group("H").scalar("n");
    if (p.spacedim == 3 && p.contacts() > 0 && columns == 5L * p.contacts()) p.spacedim = 5;
  }
  p.M = read_matrix(group, "M", p.f.size(), p.f.size());
  p.H = read_matrix(group, "H", p.f.size(), p.rows());
  if (!whole(group, vectors, {"G"}, "b")) return;
  p.b = to_vector(vectors.reals("b"));
  p.G = read_matrix(group, "G", p.f.size(), p.b.size());
}

void read_info(const Group& group, Info& info) {
  if (!group.has("info")) return;
  const Group from = group.group("info");
  if (from.has("title")) info.title = from.text("title");
  if (from.has("description")) info.description = from.text("description");
  if (from.has("math_info")) info.math_info = from.text("math_info");
}

// Some codes declare u and r without ever filling them: such parts count as absent. Sizes must agree with the problem;
// values need not be good (a code that failed may have left NaN): such a solution is dropped, for it is never trusted
// anyway and the problem is worth having.
void read_solution(const Group& root, Problem& p) {
  if (!root.has("solution")) return;
  const Group from = root.group("solution");
  Solution solution;
  bool any = false, finite = true;
  const auto part = [&](const char* name, Vector& x) {
    if (!from.has_data(name)) return;
    x = to_vector(from.reals(name));
    any = true;
    finite = finite && x.allFinite();
  };
  part("u", solution.u);
  part("r", solution.r);
  part("v", solution.v);
  part("l", solution.l);
  check_solution(p, solution);
  if (any && finite) p.solution = std::move(solution);
}

Handle open_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Failure{"is a folder, expected an HDF5 file"};
  if (!std::ifstream(path)) throw Failure{fmt::format("cannot be opened ({}), expected a file", std::strerror(errno))};
  if (H5Fis_hdf5(path.c_str()) <= 0) throw Failure{"not an HDF5 file, expected an FCLIB file (HDF5)"};
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) throw Failure{fmt::format("truncated or damaged ({}), expected a whole HDF5 file", hdf5::last_error())};
  return file;
}

Problem read_file(const std::string& path) {
  const Handle file = open_file(path);
  const Group root = Group::root(file);
  Problem p;
  p.kind = find_kind(root);
  const Group group = root.group(group_name(p.kind));
  const Group vectors = group.group("vectors");
  p.spacedim = group.scalar("spacedim");
  check_spacedim(p);
  p.mu = to_vector(vectors.reals("mu"));
  if (p.kind == Kind::local)
    read_local(group, vectors, p);
  else
    read_global(group, vectors, p);
  read_info(group, p.info);
  check_all(p);
  read_solution(root, p);
  return p;
}

}  // namespace

Expected<Problem> read(const std::string& path) {
  const hdf5::Silence silence;
  try {
    return read_file(path);
  } catch (const Failure& failure) {
    return Error{path + ": " + failure.message};
  } catch (const std::bad_alloc&) {
    return Error{path + ": does not fit in memory"};
  }
}

}  // namespace cairn::fclib
