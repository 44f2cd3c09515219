// FCLIB files: discrete friction-contact problems as exchanged between codes (HDF5).
//
//   local            u = W r + V l + q,   V^T r + R l + s = 0
//   global           M v = H r + G l + f, u = H^T v + w,   G^T v + b = 0
//   global_rolling   as global, with mu_r; 5 rows a contact (3 of force, 2 of rolling torque) or 3
// Law at each contact: v = u + mu |u_T| n (+ mu_r |u_R| n), K* contains v, v orthogonal to r, r in K; normal first.
#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/base/vec.hpp"

namespace cairn::fclib {

using Sparse = Eigen::SparseMatrix<Real>;  // compressed columns, duplicates summed
using Vector = Eigen::VectorXd;

enum class Kind { local, global, global_rolling };

struct Info {
  std::string title, description, math_info;
};

struct Solution {
  Vector u;  // (rows)      local velocities
  Vector r;  // (rows)      local impulses
  Vector v;  // (freedoms)  velocities, global forms only
  Vector l;  // (equations) multipliers of the bilateral constraints, where there are any
};

struct Problem {
  Kind kind = Kind::local;
  int spacedim = 3;  // rows a contact: 2, 3; 5 for rolling
  Sparse W, V, R;    // local; V, R empty (0 x 0) when there is no equality part
  Sparse M, H, G;    // global; G empty when there is no equality part
  Vector q, s;       // local: (rows), (equations)
  Vector f, w, b;    // global: (freedoms), (rows), (equations)
  Vector mu;         // (contacts)
  Vector mu_r;       // (contacts) [m], rolling only
  Info info;
  std::optional<Solution> solution;  // what the file's /solution holds; never trusted

  int contacts() const { return static_cast<int>(mu.size()); }
  int rows() const { return spacedim * contacts(); }
  int equations() const { return static_cast<int>(kind == Kind::local ? s.size() : b.size()); }
};

// Reads and validates; the message names the file, the dataset, what was found and what was expected.
Expected<Problem> read(const std::string& path);

// Writes problem and, where given, /solution; to a temporary name first, then renamed: never half a file.
// Returns an empty string, or the reason of failure.
std::string write(const std::string& path, const Problem& problem, const std::optional<Solution>& solution);

// Consistency of sizes and values of a problem made in memory (the checks that read() applies): empty string if good.
std::string validate(const Problem& problem);

}  // namespace cairn::fclib
