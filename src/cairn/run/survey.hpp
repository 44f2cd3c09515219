// What measures, probes and stop rules ask of a scene again and again: which bodies are free, how large they are, where
// they have gone, which contacts carry force.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/check.hpp"
#include "cairn/run/moment.hpp"

namespace cairn::run {

inline constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

template <int D>
struct Touch {
  int body[2];
  Vec<D> impulse;  // [N s] on the first body, in the world's axes
  ContactKey key;
};

template <int D>
class Survey {
 public:
  explicit Survey(const scene::World<D>& world);

  std::vector<int> free;     // bodies
  std::vector<int> grains;   // free bodies that are not the lid or a wall of a box
  std::vector<char> grain;   // (bodies)
  std::vector<Real> size;    // [m] (bodies) largest extent along the body's own axes; infinite for half-spaces
  std::vector<Real> height;  // [m] (bodies) vertical extent at the start
  std::vector<Real> volume;  // [m^D] (bodies)
  int ground = -1;           // the body whose displacement counts as none: "ground", else "table", "terrain"
  Real mass = 0;             // [kg] of free bodies
  Real g = 0;                // [m/s^2]

  Bounds<D> box(const Moment<D>& now, int body) const { return box_at(now.world.model, body, now.state.pose(body)); }
  Bounds<D> box_at(const Model<D>& model, int body, const Pose<D>& pose) const;
  // [m] from the start, the ground's displacement taken off.
  Vec<D> moved(const Moment<D>& now, int body) const;
  Real fall(const Moment<D>& now, int body) const { return -moved(now, body)[D - 1]; }
  // Contacts with an impulse above 1e-6 of that of the mean free body's weight.
  std::vector<Touch<D>> carrying(const Moment<D>& now) const;
  // Where a wall's or a floor's face is along an axis: of a half-space its surface, else the side of its box that looks
  // to +axis (side > 0) or -axis.
  Real face(const Moment<D>& now, int body, int axis, int side) const;

 private:
  std::vector<std::vector<int>> parts_;  // (bodies)
};

template <int D>
Survey<D>::Survey(const scene::World<D>& world) : parts_(world.model.bodies.size()) {
  const Model<D>& model = world.model;
  for (std::size_t k = 0; k < model.parts.size(); ++k) parts_[at(model.parts[k].body)].push_back(static_cast<int>(k));
  g = norm(model.gravity);
  CAIRN_CHECK(world.names.size() == model.bodies.size(), "a world has a name, maybe empty, for each body");
  const auto boxed = [&](int b) {
    for (const char* name : {"lid", "left wall", "right wall", "front wall", "back wall", "ground"})
      if (world.names[at(b)] == name) return true;
    return false;
  };
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Bounds<D> own = box_at(model, b, {}), placed = box_at(model, b, world.state.pose(b));
    Real most = 0, v = 0;
    for (int i = 0; i < D; ++i) most = std::max(most, own.high[i] - own.low[i]);
    for (const int k : parts_[at(b)]) v += mass_properties<D>(model.parts[at(k)].shape).volume;
    size.push_back(most), height.push_back(placed.high[D - 1] - placed.low[D - 1]), volume.push_back(v);
    const bool loose = model.bodies[at(b)].free();
    if (loose) free.push_back(b), mass += model.bodies[at(b)].mass;
    grain.push_back(loose && !boxed(b));
    if (grain.back()) grains.push_back(b);
  }
  for (const char* name : {"terrain", "table", "ground"})
    if (const std::vector<int> found = world.find(name); !found.empty() && !model.bodies[at(found[0])].free())
      ground = found[0];
}

template <int D>
Bounds<D> Survey<D>::box_at(const Model<D>& model, int body, const Pose<D>& pose) const {
  Bounds<D> all;
  for (int i = 0; i < D; ++i) all.low[i] = all.high[i] = pose.x[i];
  bool first = true;
  for (const int k : parts_[at(body)]) {
    const Bounds<D> one = bounds<D>(model.parts[at(k)].shape, pose * model.parts[at(k)].pose);
    for (int i = 0; i < D; ++i) {
      all.low[i] = first ? one.low[i] : std::min(all.low[i], one.low[i]);
      all.high[i] = first ? one.high[i] : std::max(all.high[i], one.high[i]);
    }
    first = false;
  }
  return all;
}

template <int D>
Vec<D> Survey<D>::moved(const Moment<D>& now, int body) const {
  const Vec<D> d = now.state.x[at(body)] - now.world.state.x[at(body)];
  return ground < 0 ? d : d - (now.state.x[at(ground)] - now.world.state.x[at(ground)]);
}

template <int D>
std::vector<Touch<D>> Survey<D>::carrying(const Moment<D>& now) const {
  std::vector<Touch<D>> out;
  const Real least = free.empty() ? 0 : Real(1e-6) * g * now.h * mass / static_cast<Real>(free.size());
  const std::vector<BodyPart<D>>& parts = now.world.model.parts;
  for (std::size_t a = 0; a < now.state.contact.size(); ++a) {
    const ContactKey& key = now.state.contact[a];
    if (!(norm(now.state.impulse[a]) > least)) continue;
    out.push_back({{parts[at(key.first)].body, parts[at(key.second)].body}, now.state.impulse[a], key});
  }
  return out;
}

template <int D>
Real Survey<D>::face(const Moment<D>& now, int body, int axis, int side) const {
  const Bounds<D> b = box(now, body);
  const Real x = side > 0 ? b.high[axis] : b.low[axis];
  return std::isfinite(x) ? x : now.state.x[at(body)][axis];
}

template <int D>
Real kinetic_energy(const Model<D>& model, const ModelState<D>& state) {  // [J] of free bodies
  Real twice = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (int k = 0; k < freedoms<D> && model.bodies[b].free(); ++k)
      twice += model.bodies[b].A(k) * state.u[b][k] * state.u[b][k];
  return twice / 2;
}

// Of the free bodies' common centre of mass: [m], and [m/s].
template <int D>
Vec<D> centre(const Survey<D>& s, const Model<D>& model, const ModelState<D>& state) {
  Vec<D> sum{};
  for (const int b : s.free) sum += (model.bodies[at(b)].mass / s.mass) * state.x[at(b)];
  return sum;
}
template <int D>
Vec<D> velocity(const Survey<D>& s, const Model<D>& model, const ModelState<D>& state) {
  Vec<D> sum{};
  for (const int b : s.free) sum += (model.bodies[at(b)].mass / s.mass) * linear<D>(state.u[at(b)]);
  return sum;
}

// What a measure says that needs bodies of these names; empty: all are there.
template <int D>
std::string without(const scene::World<D>& world, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (world.find(name).empty()) return std::string("needs a body named \"") + name + "\", and the scene has none";
  return "";
}
template <int D>
std::string without_free(const scene::World<D>& world) {
  for (const Body<D>& b : world.model.bodies)
    if (b.free()) return "";
  return "needs a free body, and the scene has none";
}
template <int D>
std::string unless_single(const scene::World<D>& world) {
  int count = 0;
  for (const Body<D>& b : world.model.bodies) count += b.free();
  return count == 1 ? "" : "needs exactly one free body, and the scene has " + std::to_string(count);
}

}  // namespace cairn::run
