#include "cairn/export/chosen_frames.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::exporting {

std::vector<int> chosen_frames(const std::vector<Real>& recorded, const std::vector<double>& wanted, int every) {
  std::vector<int> chosen;
  if (recorded.empty()) return chosen;
  if (wanted.empty())
    for (int k = 0; k < static_cast<int>(recorded.size()); k += std::max(1, every)) chosen.push_back(k);
  for (const double t : wanted) {
    const auto nearer = [t](Real a, Real b) { return std::abs(a - t) < std::abs(b - t); };
    const auto nearest = std::min_element(recorded.begin(), recorded.end(), nearer);
    chosen.push_back(static_cast<int>(nearest - recorded.begin()));
  }
  return chosen;
}

}  // namespace cairn::exporting
