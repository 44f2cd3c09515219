#include "cairn/model/material.hpp"

#include <fmt/core.h>

#include <cmath>

namespace cairn {

std::string complaint(const Surface& s) {
  const struct {
    const char* name;
    Real value, least, most;
    bool optional;  // negative: not given
    const char* expected;
  } fields[] = {
      {"mu", s.mu, 0, HUGE_VAL, false, "a coefficient of at least 0"},
      {"mu_dynamic", s.mu_dynamic, 0, HUGE_VAL, true, "a coefficient of at least 0, or a negative one for mu"},
      {"mu_across", s.mu_across, 0, HUGE_VAL, true, "a coefficient of at least 0, or a negative one for mu"},
      {"restitution", s.restitution, 0, 1, false, "0 to 1"},
      {"restitution_tangent", s.restitution_tangent, 0, 1, false, "0 to 1"},
      {"rolling", s.rolling, 0, HUGE_VAL, false, "a length of at least 0 m"},
      {"drilling", s.drilling, 0, HUGE_VAL, false, "a length of at least 0 m"},
  };
  for (const auto& f : fields) {
    const bool given = !(f.optional && f.value < 0);
    if (!std::isfinite(f.value) || (given && !(f.value >= f.least && f.value <= f.most)))
      return fmt::format("{} of a surface is {}, expected {}", f.name, f.value, f.expected);
  }
  if (s.mu_across >= 0 && (s.rolling > 0 || s.drilling > 0))
    return "mu_across of a surface is given with rolling or drilling: expected one or the other";
  return "";
}

}  // namespace cairn
