#include "cairn/base/closest.hpp"

#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

// Insertions, deletions and replacements that lead from one to the other.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string closest(const std::string& typed, const std::vector<std::string>& names) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const std::string& name : names) {
    // A beginning, however short, is as good as one typing error.
    const std::size_t distance = !typed.empty() && name.starts_with(typed) ? 1 : edits(typed, name);
    if (distance < fewest) {
      fewest = distance;
      best = name;
    }
  }
  return best;
}

std::string hint(const std::string& typed, const std::vector<std::string>& names) {
  const std::string best = closest(typed, names);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

}  // namespace cairn
