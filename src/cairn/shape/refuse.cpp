#include "cairn/shape/refuse.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cairn {

std::string refuse_unless_positive(const char* what, Real found) {
  if (std::isfinite(found) && found > 0) return "";
  return fmt::format("{}: found {} m, expected a finite length > 0", what, found);
}

std::string refuse_unless_not_negative(const char* what, Real found) {
  if (std::isfinite(found) && found >= 0) return "";
  return fmt::format("{}: found {} m, expected a finite length >= 0", what, found);
}

template <int D>
std::string refuse_unless_finite(const char* what, std::span<const Vec<D>> points) {
  for (std::size_t k = 0; k < points.size(); ++k)
    for (int i = 0; i < D; ++i)
      if (!std::isfinite(points[k][i]))
        return fmt::format("{}: coordinate {} of point {} is {}, expected a finite length", what, i, k, points[k][i]);
  return "";
}

namespace {

Real square(const Rotation<2>& R) { return R.c * R.c + R.s * R.s; }
Real square(const Rotation<3>& R) { return R.w * R.w + R.x * R.x + R.y * R.y + R.z * R.z; }

}  // namespace

template <int D>
std::string refuse_unless_placed(const char* what, const Pose<D>& pose) {
  for (int i = 0; i < D; ++i)
    if (!std::isfinite(pose.x[i]))
      return fmt::format("{}: coordinate {} is {} m, expected a finite length", what, i, pose.x[i]);
  const Real length = std::sqrt(square(pose.R));
  if (std::fabs(length - 1) <= 1e-9) return "";
  return fmt::format("{}: its rotation has length {}, expected 1", what, length);
}

template std::string refuse_unless_placed<2>(const char*, const Pose<2>&);
template std::string refuse_unless_placed<3>(const char*, const Pose<3>&);
template std::string refuse_unless_finite<2>(const char*, std::span<const Vec<2>>);
template std::string refuse_unless_finite<3>(const char*, std::span<const Vec<3>>);

}  // namespace cairn
