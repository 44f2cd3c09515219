// Smooth motions between events: Dormand and Prince's method of order 5 with dense output (Boost.odeint, whose headers
// are slow to compile and stay in the unit of this class).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class EventIntegrator {
 public:
  using Point = std::vector<Real>;
  using Rate = std::function<void(Real t, const Point& x, Point& rate)>;

  EventIntegrator(Real tolerance, Real max_step);  // absolute and relative to x, a step; [s]
  ~EventIntegrator();

  void start(Rate rate, Real t, const Point& x, Real first_step);
  bool step();  // false: the step became too short or x is not finite
  Real begin() const;
  Real end() const;
  void at(Real t, Point& x) const;  // begin() <= t <= end()

 private:
  struct Stepper;
  std::unique_ptr<Stepper> stepper_;
  Rate rate_;
  Real begin_ = 0, end_ = 0;
};

}  // namespace cairn
