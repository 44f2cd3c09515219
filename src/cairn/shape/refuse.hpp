// Messages for shapes that cannot be; an empty one means that nothing is wrong.
#pragma once

#include <span>
#include <string>

#include "cairn/base/pose.hpp"

namespace cairn {

std::string refuse_unless_positive(const char* what, Real found);      // finite and > 0
std::string refuse_unless_not_negative(const char* what, Real found);  // finite and >= 0

template <int D>
std::string refuse_unless_finite(const char* what, std::span<const Vec<D>> points);  // names the first that is not

template <int D>
std::string refuse_unless_placed(const char* what, const Pose<D>& pose);  // finite, with a unit rotation

}  // namespace cairn
