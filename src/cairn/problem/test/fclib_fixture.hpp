// Problems, folders and changes to files, for the tests of FCLIB reading and writing.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "cairn/problem/fclib.hpp"
#include "cairn/problem/hdf5.hpp"

namespace cairn::fclib::test {

namespace fs = std::filesystem;
using hdf5::Group;
using hdf5::Handle;

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real inf = std::numeric_limits<Real>::infinity();

// A folder of its own for each test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "cairn-fclib-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::size_t count() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), {})); }

 private:
  fs::path path_;
};

// Values without pattern, the same on every machine.
class Numbers {
 public:
  Real next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<Real>(state_ >> 11) / 9007199254740992.0 - 0.5;
  }
  Vector vector(int size) {
    Vector x(size);
    for (Real& value : x) value = next();
    return x;
  }
  Sparse matrix(int rows, int columns) {
    std::vector<Eigen::Triplet<Real>> entries;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        if (i == j || next() > 0) entries.emplace_back(i, j, next());
    Sparse a(rows, columns);
    a.setFromTriplets(entries.begin(), entries.end());
    return a;
  }

 private:
  unsigned long long state_ = 1;
};

inline Problem make(Kind kind, int spacedim, int contacts, int equations) {
  Numbers numbers;
  Problem p;
  p.kind = kind;
  p.spacedim = spacedim;
  p.mu = numbers.vector(contacts).cwiseAbs();
  p.info = {"a title", "two\nlines", ""};
  const int rows = p.rows(), freedoms = 7;
  if (kind == Kind::local) {
    p.W = numbers.matrix(rows, rows);
    p.q = numbers.vector(rows);
    if (equations > 0) {
      p.V = numbers.matrix(rows, equations);
      p.R = numbers.matrix(equations, equations);
      p.s = numbers.vector(equations);
    }
    return p;
  }
  p.M = numbers.matrix(freedoms, freedoms);
  p.H = numbers.matrix(freedoms, rows);
  p.f = numbers.vector(freedoms);
  p.w = numbers.vector(rows);
  if (kind == Kind::global_rolling) p.mu_r = numbers.vector(contacts).cwiseAbs();
  if (equations > 0) {
    p.G = numbers.matrix(freedoms, equations);
    p.b = numbers.vector(equations);
  }
  return p;
}

inline Solution make_solution(const Problem& p) {
  Numbers numbers;
  Solution solution;
  solution.u = numbers.vector(p.rows());
  solution.r = numbers.vector(p.rows());
  if (p.kind != Kind::local) solution.v = numbers.vector(static_cast<int>(p.f.size()));
  if (p.equations() > 0) solution.l = numbers.vector(p.equations());
  return solution;
}

struct Form {
  Kind kind;
  int spacedim, contacts, equations;
};

inline void expect_same(const Sparse& a, const Sparse& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_EQ(a.nonZeros(), b.nonZeros());
  EXPECT_TRUE(Eigen::MatrixXd(a) == Eigen::MatrixXd(b));
}

inline void expect_same(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a == b);
}

inline void expect_same(const Problem& a, const Problem& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.spacedim, b.spacedim);
  for (const auto member : {&Problem::W, &Problem::V, &Problem::R, &Problem::M, &Problem::H, &Problem::G})
    expect_same(a.*member, b.*member);
  for (const auto member :
       {&Problem::q, &Problem::s, &Problem::f, &Problem::w, &Problem::b, &Problem::mu, &Problem::mu_r})
    expect_same(a.*member, b.*member);
  EXPECT_EQ(a.info.title, b.info.title);
  EXPECT_EQ(a.info.description, b.info.description);
  EXPECT_EQ(a.info.math_info, b.info.math_info);
}

inline void expect_same(const Solution& a, const Solution& b) {
  for (const auto member : {&Solution::u, &Solution::r, &Solution::v, &Solution::l}) expect_same(a.*member, b.*member);
}

inline Handle open_to_change(const std::string& path) {
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
}

inline void remove(const Handle& file, const std::string& name) {
  ASSERT_GE(H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT), 0);
}

// Puts `value` in place of a dataset; `name` is a path from the root.
template <class T>
void replace(const Handle& file, const std::string& name, const T& value) {
  if (H5Lexists(file.get(), name.c_str(), H5P_DEFAULT) > 0) remove(file, name);
  const auto slash = name.rfind('/');
  const std::string parent = name.substr(0, slash);
  Group(Handle(H5Gopen2(file.get(), parent.c_str(), H5P_DEFAULT), H5Gclose), parent).put(name.substr(slash + 1), value);
}

using Ints = std::vector<int>;
using Reals = std::vector<Real>;

}  // namespace cairn::fclib::test
