// Measures of structures: whether they stand, and how far they have come apart. All compare the end with the start.
#pragma once

#include "cairn/detection/detect.hpp"
#include "cairn/run/measure_base.hpp"

namespace cairn::run {

inline constexpr Real little = Real(0.05);  // of a body's size: what has moved less stands

template <int D>
class Stands : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    bool still = true;  // a state that is not a number does not stand
    for (const int b : this->survey.free)
      still = still && norm(this->survey.moved(last, b)) <= little * this->survey.size[at(b)];
    return Value::flag(still);
  }
};

template <int D>
class Drift : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    Real most = 0;
    for (const int b : this->survey.free) most = std::max(most, norm(this->survey.moved(last, b)));
    return Value::of(most);
  }
};

template <int D>
class Sag : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    Real most = 0;
    for (const int b : this->survey.free) most = std::max(most, this->survey.fall(last, b));
    return Value::of(most);
  }
};

template <int D>
class Fallen : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    std::size_t count = 0;
    for (const int b : this->survey.free) count += this->survey.fall(last, b) > this->survey.height[at(b)] / 2;
    return Value::count(count);
  }
};

template <int D>
class Displaced : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    Vec<D> median{};
    for (int i = 0; i < D; ++i) median[i] = middle(last, i);
    std::size_t count = 0;
    for (const int b : this->survey.free)
      count += norm(this->survey.moved(last, b) - median) > little * this->survey.size[at(b)];
    return Value::count(count);
  }

 private:
  Real middle(const Moment<D>& last, int axis) const {
    std::vector<Real> d;
    for (const int b : this->survey.free) d.push_back(this->survey.moved(last, b)[axis]);
    std::sort(d.begin(), d.end());
    return (d[(d.size() - 1) / 2] + d[d.size() / 2]) / 2;
  }
};

template <int D>
class Spread : public Surveyed<D> {
 public:
  using Surveyed<D>::Surveyed;
  Value result(const Moment<D>& last) const override {
    const Real each = 1 / static_cast<Real>(this->survey.free.size());
    Vec<D> mean{};
    for (const int b : this->survey.free) mean += each * this->survey.moved(last, b);
    Real sum = 0;
    for (const int b : this->survey.free) sum += each * norm(this->survey.moved(last, b) - mean);
    return Value::of(sum);
  }
};

// Points where blocks touched at the start, fixed to both of the blocks: how far the two are apart. A rigid motion of
// the whole leaves it at zero.
template <int D>
class MaxOpening : public Surveyed<D> {
 public:
  explicit MaxOpening(const scene::World<D>& world) : Surveyed<D>(world) {
    constexpr Real near = Real(1e-5);  // of the model's size, for each of two bodies
    std::vector<Pose<D>> pose;
    for (int b = 0; b < static_cast<int>(world.model.bodies.size()); ++b) pose.push_back(world.state.pose(b));
    const std::vector<Real> alert(pose.size(), near * world.model.size);
    Detector<D> detector(world.model);
    for (const Contact<D>& c : detector.detect(pose, alert)) {
      const int a = c.body[0], b = c.body[1];
      if (world.model.bodies[at(a)].free() && world.model.bodies[at(b)].free())
        joints_.push_back({a, b, pose[at(a)].to_local(c.point), pose[at(b)].to_local(c.point)});
    }
  }
  Value result(const Moment<D>& last) const override {
    Real most = 0;
    for (const Joint& j : joints_)
      most = std::max(
          most, norm(last.state.pose(j.first).to_world(j.on_first) - last.state.pose(j.second).to_world(j.on_second)));
    return Value::of(most);
  }

 private:
  struct Joint {
    int first, second;
    Vec<D> on_first, on_second;  // [m] in each body's axes
  };
  std::vector<Joint> joints_;
};

}  // namespace cairn::run
