#include "cairn/run/stop.hpp"

#include <fmt/format.h>

#include "cairn/base/check.hpp"
#include "cairn/model/reach.hpp"

namespace cairn::run {

std::string complaint(const StopSpec& s) {
  if (!(s.rest_speed >= 0)) return fmt::format("rest_speed is {}, expected 0 or more", s.rest_speed);
  if (!(s.rest_for >= 0)) return fmt::format("rest_for is {}, expected 0 or more", s.rest_for);
  if (s.fallen < 0) return fmt::format("fallen is {}, expected 0 or more", s.fallen);
  if (!(s.collapse >= 0)) return fmt::format("collapse is {}, expected 0 or more", s.collapse);
  return "";
}

template <int D>
StopRule<D>::StopRule(const StopSpec& spec, const scene::World<D>& world)
    : spec_(spec), survey_(world), reach_(reach_of_bodies(world.model)), moved_at_(world.state.t) {
  CAIRN_CHECK(complaint(spec).empty(), "the caller looks for complaints first");
}

template <int D>
std::string StopRule<D>::see(const Moment<D>& now) {
  if (!now.stepped()) return "";
  if (spec_.rest_speed > 0) {
    if (!(fastest(now) <= spec_.rest_speed)) moved_at_ = now.state.t;
    // Times are sums of steps, with their rounding.
    if (now.state.t - moved_at_ >= spec_.rest_for - Real(1e-6) * now.h)
      return fmt::format("at rest: slower than {} m/s for {} s", spec_.rest_speed, spec_.rest_for);
  }
  int fallen = 0;
  for (const int b : survey_.free) {
    fallen += survey_.fall(now, b) > survey_.height[at(b)] / 2;
    if (const Real d = norm(survey_.moved(now, b)); spec_.collapse > 0 && d > spec_.collapse)
      return fmt::format("collapse: body {} has moved by {:.3g} m", b, d);
  }
  if (spec_.fallen > 0 && fallen >= spec_.fallen) return fmt::format("fallen: {} bodies", fallen);
  return "";
}

template <int D>
Real StopRule<D>::fastest(const Moment<D>& now) const {
  Real most = 0;
  for (const int b : survey_.free) {
    const Vec<freedoms<D>>& u = now.state.u[at(b)];
    const Real speed = norm(linear<D>(u)) + reach_[at(b)] * norm(spin<D>(u));
    if (!(speed <= most)) most = speed;  // what is not a number is not at rest
  }
  return most;
}

template <int D>
void StopRule<D>::recall(std::span<const Real> memory) {
  CAIRN_CHECK(memory.size() == 1, "the memory is not one of a stop rule");
  moved_at_ = memory[0];
}

template class StopRule<2>;
template class StopRule<3>;

}  // namespace cairn::run
