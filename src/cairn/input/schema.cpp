#include "cairn/input/schema.hpp"

#include <fmt/ranges.h>

#include <cmath>

namespace cairn::input {

std::string describe(const Limits& l) {
  const bool low = std::isfinite(l.least), high = std::isfinite(l.most);
  if (low && high)
    return l.open ? fmt::format("above {} and at most {}", l.least, l.most)
                  : fmt::format("from {} to {}", l.least, l.most);
  if (low) return l.open ? fmt::format("above {}", l.least) : fmt::format("{} or more", l.least);
  return high ? fmt::format("{} or less", l.most) : "";
}

bool Located::has(const std::string& key) const {
  for (const auto& k : keys)
    if (k.first == key) return true;
  return false;
}

Position Located::of(const std::string& key) const {
  for (const auto& k : keys)
    if (k.first == key) return k.second;
  return at;
}

std::string written(Real value) {
  if (!std::isfinite(value)) return value > 0 ? "inf" : "-inf";
  const std::string rounded = fmt::format("{:.12g}", value);  // radians back to degrees
  return rounded;
}
std::string written(const std::string& text) { return fmt::format("\"{}\"", text); }
std::string written(const std::vector<Real>& list) {
  std::vector<std::string> words;
  for (const Real x : list) words.push_back(written(x));
  return list.empty() ? "" : fmt::format("[{}]", fmt::join(words, ", "));
}
std::string written(const std::vector<std::string>& list) {
  std::vector<std::string> words;
  for (const std::string& x : list) words.push_back(written(x));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

}  // namespace cairn::input
