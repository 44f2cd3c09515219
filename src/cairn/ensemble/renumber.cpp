#include "cairn/ensemble/renumber.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "cairn/base/at.hpp"
#include "cairn/base/check.hpp"

namespace cairn::ensemble {
namespace {

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> number(order.size(), -1);  // (bodies of the scene) the new one
  for (std::size_t k = 0; k < order.size(); ++k) number[at(order[k])] = static_cast<int>(k);
  return number;
}

// A load knows its bodies by the numbers of the scene: it sees them in that order.
template <int D>
Load<D> renumbered(Load<D> load, const std::vector<int>& order) {
  const auto kept = std::make_shared<const std::vector<int>>(order);
  return [load = std::move(load), kept](const LoadContext<D>& now) {
    const std::size_t n = kept->size();
    std::vector<Pose<D>> pose(n);
    std::vector<Vec<freedoms<D>>> u(n), force(n, Vec<freedoms<D>>{});
    for (std::size_t k = 0; k < n; ++k) pose[at((*kept)[k])] = now.pose[k], u[at((*kept)[k])] = now.u[k];
    load({now.t, pose, u, force});
    for (std::size_t k = 0; k < n; ++k) now.force[k] += force[at((*kept)[k])];
  };
}

// Bodies of one group keep their order: the places that the shuffle gave to the group are filled in ascending order.
void restore(std::vector<int>& order, const std::vector<int>& group) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (std::ranges::binary_search(group, order[k])) places.push_back(k);
  for (std::size_t k = 0; k < places.size(); ++k) order[places[k]] = group[k];
}

}  // namespace

template <int D>
std::vector<int> random_order(const scene::World<D>& world, bool keep_ends, RandomStream& random) {
  const int n = static_cast<int>(world.model.bodies.size());
  std::vector<int> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  for (int k = n - 1; k > 0; --k) std::swap(order[at(k)], order[at(random.below(k + 1))]);
  if (keep_ends) {
    const auto free = [&](int b) { return world.model.bodies[at(b)].free(); };
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < order.size(); ++k)
      if (free(order[k])) places.push_back(k);
    const auto bring = [&](bool last) {  // the first (last) free body of the scene to the first (last) of their places
      int body = last ? n - 1 : 0;
      while (!free(body)) body += last ? -1 : 1;
      std::iter_swap(std::ranges::find(order, body),
                     order.begin() + static_cast<long>(last ? places.back() : places[0]));
    };
    if (places.size() > 1) bring(false), bring(true);
  }
  std::map<std::string, std::vector<int>> named;
  for (int b = 0; b < n; ++b) named[world.names[at(b)]].push_back(b);
  for (const auto& [name, group] : named)
    if (group.size() > 1) restore(order, group);
  return order;
}

template <int D>
scene::World<D> renumbered(const scene::World<D>& world, const std::vector<int>& order) {
  const std::vector<int> number = inverse(order);
  CAIRN_CHECK(world.state.contact.empty() && world.state.joint.empty(), "only a scene at its start is renumbered");
  scene::World<D> out = world;
  Model<D>& model = out.model;
  std::vector<std::vector<BodyPart<D>>> parts(order.size());
  for (const BodyPart<D>& p : world.model.parts) parts[at(number[at(p.body)])].push_back(p);
  model.parts.clear();
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t from = at(order[k]);
    model.bodies[k] = world.model.bodies[from];
    out.state.x[k] = world.state.x[from], out.state.r[k] = world.state.r[from], out.state.u[k] = world.state.u[from];
    out.names[k] = world.names[from], out.part[k] = world.part[from];
    for (BodyPart<D>& p : parts[k]) p.body = static_cast<int>(k), model.parts.push_back(std::move(p));
  }
  for (Joint<D>& j : model.joints)
    for (int& b : j.body)
      if (b >= 0) b = number[at(b)];
  for (Load<D>& load : model.loads) load = renumbered<D>(std::move(load), order);
  return out;
}

template <int D>
void renumber_probes(std::vector<run::ProbeSpec>& probes, const scene::World<D>& world, const std::vector<int>& order) {
  const std::vector<int> number = inverse(order);
  for (run::ProbeSpec& p : probes) {
    const bool digits = !p.body.empty() && p.body.size() < 10 &&
                        std::ranges::all_of(p.body, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!digits || !world.find(p.body).empty()) continue;
    if (const int b = std::stoi(p.body); at(b) < number.size()) p.body = std::to_string(number[at(b)]);
  }
}

template std::vector<int> random_order(const scene::World<2>&, bool, RandomStream&);
template std::vector<int> random_order(const scene::World<3>&, bool, RandomStream&);
template scene::World<2> renumbered(const scene::World<2>&, const std::vector<int>&);
template scene::World<3> renumbered(const scene::World<3>&, const std::vector<int>&);
template void renumber_probes(std::vector<run::ProbeSpec>&, const scene::World<2>&, const std::vector<int>&);
template void renumber_probes(std::vector<run::ProbeSpec>&, const scene::World<3>&, const std::vector<int>&);

}  // namespace cairn::ensemble
