#include "cairn/solver/extreme_points.hpp"

#include <bit>
#include <cstdint>
#include <utility>

#include "cairn/base/check.hpp"

namespace cairn {
namespace {

constexpr Real tolerance = 1e-10;  // [-] on values of rows and rays whose largest entry is 1

// A ray (z0, z) of the cone over the polyhedron: the point z/z0, or a direction where z0 = 0.
struct Ray {
  Eigen::VectorXd r;
  std::uint64_t zero = 0;  // constraints that hold with equality
};

using Rays = std::vector<Ray>;

// Two rays span an edge when no third one has all their common equalities.
bool adjacent(const Rays& rays, std::size_t i, std::size_t j, int dimension) {
  const std::uint64_t common = rays[i].zero & rays[j].zero;
  if (std::popcount(common) < dimension - 2) return false;
  for (std::size_t k = 0; k < rays.size(); ++k)
    if (k != i && k != j && (rays[k].zero & common) == common) return false;
  return true;
}

// Cuts the cone by h.r >= 0, constraint number `bit`.
Rays cut(const Rays& rays, const Eigen::VectorXd& h, int bit) {
  const int dimension = static_cast<int>(h.size());
  std::vector<Real> value(rays.size());
  Rays kept;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    value[i] = h.dot(rays[i].r);
    if (std::abs(value[i]) <= tolerance) value[i] = 0;
    if (value[i] < 0) continue;
    kept.push_back(rays[i]);
    if (value[i] == 0) kept.back().zero |= std::uint64_t{1} << bit;
  }
  for (std::size_t i = 0; i < rays.size(); ++i)
    for (std::size_t j = 0; value[i] > 0 && j < rays.size(); ++j) {
      if (!(value[j] < 0) || !adjacent(rays, i, j, dimension)) continue;
      Ray edge{value[i] * rays[j].r - value[j] * rays[i].r, (rays[i].zero & rays[j].zero) | (std::uint64_t{1} << bit)};
      edge.r /= edge.r.maxCoeff();
      kept.push_back(std::move(edge));
    }
  return kept;
}

}  // namespace

ExtremePoints extreme_points(const Eigen::MatrixXd& C, const Eigen::VectorXd& c, std::size_t most) {
  const int k = static_cast<int>(C.cols()), rows = static_cast<int>(c.size());
  CAIRN_CHECK(k + 1 + rows <= 64, "each constraint is a bit");
  ExtremePoints out;
  Rays rays;
  const std::uint64_t all = (std::uint64_t{1} << (k + 1)) - 1;
  for (int i = 0; i <= k; ++i) rays.push_back({Eigen::VectorXd::Unit(k + 1, i), all & ~(std::uint64_t{1} << i)});
  for (int i = 0; i < rows; ++i) {
    Eigen::VectorXd h(k + 1);
    h << c(i), C.row(i).transpose();
    const Real size = h.cwiseAbs().maxCoeff();
    if (size <= tolerance) continue;  // holds everywhere
    rays = cut(rays, h / size, k + 1 + i);
    if (rays.size() > most) return {{}, {}, false};
  }
  for (const Ray& ray : rays) {
    const bool direction = ray.r(0) <= tolerance * Real(0.1);
    if (direction)
      out.rays.push_back(ray.r.tail(k));
    else
      out.points.push_back(ray.r.tail(k) / ray.r(0));
  }
  if (out.points.empty()) out.rays.clear();
  return out;
}

}  // namespace cairn
