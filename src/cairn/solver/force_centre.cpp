#include "cairn/solver/force_centre.hpp"

#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>

#include "cairn/base/at.hpp"
#include "cairn/solver/force_barrier.hpp"

namespace cairn {
namespace {

constexpr Real dependent = Real(1e-9);  // [-] what elimination leaves of a column that depends on others

}  // namespace

std::vector<int> independent_rows(const std::vector<ForceUnknown>& unknowns, int rows) {
  std::vector<Eigen::Triplet<Real>> entries;
  int count = 0;
  for (const ForceUnknown& u : unknowns)
    for (std::size_t i = 0; i < at(u.dim); ++i, ++count)
      for (const ForceEntry& e : u.column[i]) entries.emplace_back(count, e.row, e.value);
  if (count == 0 || rows == 0) return {};
  Eigen::SparseMatrix<Real> G(count, rows);
  G.setFromTriplets(entries.begin(), entries.end());
  G.makeCompressed();
  Eigen::SparseQR<Eigen::SparseMatrix<Real>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(dependent);
  qr.compute(G);
  const auto& order = qr.colsPermutation().indices();
  std::vector<int> found(order.data(), order.data() + qr.rank());
  std::ranges::sort(found);
  return found;
}

void ForceInterior::add(int k, const std::array<Real, 3>& s, bool boundary) {
  ForceUnknown u = given_[at(k)];
  u.value = s;
  if (boundary && u.dim > 1) {  // one ray: s = s_0 (1, c, s)
    const Real part[3] = {1, s[1] / s[0], u.dim > 2 ? s[2] / s[0] : 0};
    ForceUnknown ray;
    ray.dim = 1, ray.value[0] = s[0];
    for (std::size_t i = 0; i < at(u.dim); ++i) {
      for (const ForceEntry& e : u.column[i]) ray.column[0].push_back({e.row, part[i] * e.value});
      for (std::size_t j = 0; j < at(u.dim); ++j) ray.metric[0] += part[i] * u.metric[3 * i + j] * part[j];
    }
    u = ray;
  }
  unknown_.push_back(u), origin_.push_back(k);
}

int ForceInterior::dimension() {
  independent_ = independent_rows(unknown_, rows_);
  return components() - static_cast<int>(independent_.size());
}

int ForceInterior::components() const {
  int sum = 0;
  for (const ForceUnknown& u : unknown_) sum += u.dim;
  return sum;
}

std::vector<Real> ForceInterior::normals(const std::vector<Real>& x) const {
  std::vector<Real> normal(given_.size(), 0);
  std::size_t first = 0;
  for (std::size_t a = 0; a < unknown_.size(); ++a) {
    normal[at(origin_[a])] = x[first];
    first += at(unknown_[a].dim);
  }
  return normal;
}

std::vector<Real> ForceInterior::centre() const {
  ForceBarrier barrier(unknown_, independent_);
  std::vector<Real> x = barrier.start();
  if (!barrier.minimise(0, 1, x)) return {};
  return normals(x);
}

// Along the central path, towards where the barriers count for nothing: |S|^2 / 2 is then within degree * part of its
// least. Cones that are thin beside rounding end the path sooner.
ForceInterior::Least ForceInterior::least_norm() const {
  ForceBarrier barrier(unknown_, independent_);
  std::vector<Real> x = barrier.start();
  Least found;
  for (Real part = 1; part > Real(1e-11); part /= 20) {
    std::vector<Real> next = x;
    if (!barrier.minimise(1, part, next)) break;
    x = next;
    found.normal = normals(x), found.gap = barrier.degree() * part;
  }
  return found;
}

}  // namespace cairn
