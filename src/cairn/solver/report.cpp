#include "cairn/solver/report.hpp"

#include <utility>

namespace cairn {

namespace {
constexpr std::pair<Method, const char*> methods[] = {
    {Method::automatic, "auto"}, {Method::gauss_seidel, "gauss_seidel"},     {Method::anderson, "anderson"},
    {Method::admm, "admm"},      {Method::interior_point, "interior_point"}, {Method::newton, "newton"},
};
}  // namespace

const char* name(Method method) {
  for (const auto& [m, text] : methods)
    if (m == method) return text;
  return "?";
}

const char* name(Stop status) {
  switch (status) {
    case Stop::converged: return "converged";
    case Stop::stalled: return "stalled";
    case Stop::infeasible: return "infeasible";
    case Stop::time: return "time";
  }
  return "?";
}

bool parse(const std::string& text, Method& method) {
  for (const auto& [m, known] : methods)
    if (text == known) {
      method = m;
      return true;
    }
  return false;
}

}  // namespace cairn
