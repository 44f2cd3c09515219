// Measures of packings of grains at rest.
#pragma once

#include "cairn/run/measure_base.hpp"

namespace cairn::run {

template <int D>
class Kinetic : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override { return Value::of(kinetic_energy(last.world.model, last.state)); }
};

template <int D>
class SettleTime : public Keeping<D> {
 public:
  explicit SettleTime(const scene::World<D>& world) : Keeping<D>(world, {world.state.t}) {
    for (const int b : this->survey.free)
      quiet_ += Real(1e-6) * this->survey.g * world.model.bodies[at(b)].mass * this->survey.size[at(b)];
  }
  void see(const Moment<D>& now) override {
    if (moves(now)) this->kept[0] = now.state.t;
  }
  Value result(const Moment<D>& last) const override { return Value::of(moves(last) ? not_a_number : this->kept[0]); }

 private:
  bool moves(const Moment<D>& now) const { return !(kinetic_energy(now.world.model, now.state) <= quiet_); }
  Real quiet_ = 0;  // [J]
};

template <int D>
class ActiveContacts : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override { return Value::count(this->survey.carrying(last).size()); }
};

template <int D>
class FloorOnly : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  static std::string lacks(const scene::World<D>& world) { return without(world, {"ground"}); }
  Value result(const Moment<D>& last) const override {
    std::vector<int> on_ground(last.state.x.size(), 0), elsewhere = on_ground;
    const auto is_ground = [&](int b) { return last.world.names[at(b)] == "ground"; };
    for (const Touch<D>& t : this->survey.carrying(last))
      for (const int side : {0, 1}) ++(is_ground(t.body[1 - side]) ? on_ground : elsewhere)[at(t.body[side])];
    std::size_t count = 0;
    for (const int b : this->survey.free) count += on_ground[at(b)] > 0 && elsewhere[at(b)] == 0;
    return Value::count(count);
  }
};

// Twice the contacts that carry force, over the grains, without rattlers: grains with fewer than D contacts, and their
// contacts, are left out until there are none. Contacts with walls count as the others, since statics counts forces:
// rest needs more than D + 1 in packings that nothing but friction and weight hold (3 in the plane, 4 in space).
template <int D>
Real coordination(const Survey<D>& survey, const Moment<D>& now) {
  std::vector<Touch<D>> touches = survey.carrying(now);
  std::vector<char> held = survey.grain;
  const auto grain = [&](int b) { return survey.grain[at(b)] != 0; };
  for (bool changed = true; changed;) {
    std::erase_if(touches, [&](const Touch<D>& t) {
      const bool any = grain(t.body[0]) || grain(t.body[1]);
      return !any || (grain(t.body[0]) && !held[at(t.body[0])]) || (grain(t.body[1]) && !held[at(t.body[1])]);
    });
    std::vector<int> count(held.size(), 0);
    for (const Touch<D>& t : touches) ++count[at(t.body[0])], ++count[at(t.body[1])];
    changed = false;
    for (const int b : survey.grains)
      if (held[at(b)] && count[at(b)] < D) held[at(b)] = 0, changed = true;
  }
  const auto grains = std::count(held.begin(), held.end(), char(1));
  return grains == 0 ? 0 : 2 * static_cast<Real>(touches.size()) / static_cast<Real>(grains);
}

template <int D>
class Coordination : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override { return Value::of(coordination(this->survey, last)); }
};

template <int D>
class SolidFraction : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  static std::string lacks(const scene::World<D>& world) {
    if constexpr (D == 3) return without(world, {"ground", "left wall", "right wall", "front wall", "back wall"});
    return without(world, {"ground", "left wall", "right wall"});
  }
  Value result(const Moment<D>& last) const override {
    Real solid = 0, lifted = 0;  // [m^D], [m^(D+1)]
    const Real floor = this->survey.face(last, named(last, "ground"), D - 1, +1);
    for (const int b : this->survey.grains)
      solid += this->survey.volume[at(b)], lifted += this->survey.volume[at(b)] * (last.state.x[at(b)][D - 1] - floor);
    // Grains that fill a box evenly up to a height have their centre at half of it.
    Real room = 2 * lifted / solid;
    if (const auto lid = last.world.find("lid"); !lid.empty())
      room = this->survey.face(last, lid[0], D - 1, -1) - floor;
    room *= between(last, "left wall", "right wall", 0);
    if constexpr (D == 3) room *= between(last, "front wall", "back wall", 1);
    return Value::of(solid / room);
  }

 private:
  static int named(const Moment<D>& last, const char* name) { return last.world.find(name)[0]; }
  Real between(const Moment<D>& last, const char* one, const char* other, int axis) const {
    const int a = named(last, one), b = named(last, other);
    const bool first_is_lower = last.state.x[at(a)][axis] < last.state.x[at(b)][axis];
    const int low = first_is_lower ? a : b, high = first_is_lower ? b : a;
    return this->survey.face(last, high, axis, -1) - this->survey.face(last, low, axis, +1);
  }
};

}  // namespace cairn::run
