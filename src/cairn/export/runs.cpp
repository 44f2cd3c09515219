#include "cairn/export/runs.hpp"

#include <algorithm>

namespace cairn::exporting {

template <int D>
Real coordination_number(const Cast<D>& cast, const Frame<D>& frame) {
  std::vector<std::pair<int, int>> pairs;
  for (const ContactRow<D>& c : frame.contacts)
    if (dot(c.impulse, c.normal) > 0)
      pairs.emplace_back(std::min(c.body[0], c.body[1]), std::max(c.body[0], c.body[1]));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const auto free = [&cast](int b) { return cast.bodies[static_cast<std::size_t>(b)].free(); };
  Real ends = 0, bodies = 0;
  for (const auto& [a, b] : pairs) ends += free(a) + free(b);
  for (const Body<D>& body : cast.bodies) bodies += body.free();
  return bodies > 0 ? ends / bodies : 0;
}

template <int D>
std::vector<Real> normal_forces(const Frame<D>& frame) {
  std::vector<Real> forces;
  for (const ContactRow<D>& c : frame.contacts)
    if (const Real S = dot(c.impulse, c.normal); S > 0 && frame.h > 0) forces.push_back(S / frame.h);
  return forces;
}

template <int D>
FrameSummary summary_of(const Cast<D>& cast, const Frame<D>& frame) {
  return {frame.t, coordination_number(cast, frame), normal_forces(frame)};
}

template Real coordination_number(const Cast<2>&, const Frame<2>&);
template Real coordination_number(const Cast<3>&, const Frame<3>&);
template std::vector<Real> normal_forces(const Frame<2>&);
template std::vector<Real> normal_forces(const Frame<3>&);
template FrameSummary summary_of(const Cast<2>&, const Frame<2>&);
template FrameSummary summary_of(const Cast<3>&, const Frame<3>&);

}  // namespace cairn::exporting
