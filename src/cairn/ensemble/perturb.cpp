#include "cairn/ensemble/perturb.hpp"

#include <algorithm>
#include <map>

#include "cairn/base/at.hpp"
#include "cairn/model/reach.hpp"

namespace cairn::ensemble {
namespace {

void scale(Surface& s, Real factor) {
  s.mu *= factor;
  for (Real* more : {&s.mu_dynamic, &s.mu_across})  // negative: the same as mu
    if (*more > 0) *more *= factor;
}

}  // namespace

template <int D>
Real own_speed(const scene::World<D>& world) {
  Real speed = std::sqrt(norm(world.model.gravity) * world.model.size);
  for (std::size_t b = 0; b < world.model.bodies.size(); ++b) {
    Vec<D> v{};
    for (int i = 0; i < D; ++i) v[i] = world.state.u[b][i];
    if (world.model.bodies[b].free()) speed = std::max(speed, norm(v));
  }
  return speed;
}

template <int D>
void move_bodies(scene::World<D>& world, const Size& size, RandomStream& random) {
  const std::vector<Real> reach = reach_of_bodies(world.model);
  std::vector<char> held(world.model.bodies.size(), 0);
  for (const Joint<D>& j : world.model.joints)
    for (const int b : j.body)
      if (b >= 0) held[at(b)] = 1;
  for (std::size_t b = 0; b < held.size(); ++b) {
    const Body<D>& body = world.model.bodies[b];
    if (!body.free() || held[b]) continue;
    for (int i = 0; i < D; ++i) {
      const Real by = size.value * random.within(-1, 1) * (size.absolute ? 1 : reach[b]);
      if (body.locked[i] == 0) world.state.x[b][i] += by;
    }
  }
}

template <int D>
void push_bodies(scene::World<D>& world, const Size& size, RandomStream& random) {
  const std::vector<Real> reach = reach_of_bodies(world.model);
  const Real speed = size.value * (size.absolute ? 1 : own_speed(world));
  for (std::size_t b = 0; b < reach.size(); ++b) {
    const Body<D>& body = world.model.bodies[b];
    if (!body.free()) continue;
    for (int k = 0; k < freedoms<D>; ++k) {
      const Real by = speed * random.within(-1, 1) / (k < D || !(reach[b] > 0) ? 1 : reach[b]);
      if (body.locked[k] == 0) world.state.u[b][k] += by;
    }
  }
}

template <int D>
void change_friction(scene::World<D>& world, Real size, RandomStream& random) {
  std::map<std::pair<int, int>, Real> factors;
  const auto factor = [&](int a, int b) {
    const auto [found, fresh] = factors.try_emplace(std::minmax(a, b), 1);
    if (fresh) found->second = 1 + size * random.within(-1, 1);
    return found->second;
  };
  scale(world.model.materials.standard, factor(-1, -1));
  for (scene::SurfaceChange& c : world.changes) scale(c.surface, factor(c.a, c.b));
  world.change_surfaces(world.state.t);
}

template Real own_speed(const scene::World<2>&);
template Real own_speed(const scene::World<3>&);
template void move_bodies(scene::World<2>&, const Size&, RandomStream&);
template void move_bodies(scene::World<3>&, const Size&, RandomStream&);
template void push_bodies(scene::World<2>&, const Size&, RandomStream&);
template void push_bodies(scene::World<3>&, const Size&, RandomStream&);
template void change_friction(scene::World<2>&, Real, RandomStream&);
template void change_friction(scene::World<3>&, Real, RandomStream&);

}  // namespace cairn::ensemble
