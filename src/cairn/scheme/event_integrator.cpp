#include "cairn/scheme/event_integrator.hpp"

#include <algorithm>
#include <boost/numeric/odeint/util/bind.hpp>
// (first: the headers below use it without including it)
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/dense_output_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>
#include <exception>

namespace cairn {

namespace odeint = boost::numeric::odeint;
using Controlled = odeint::controlled_runge_kutta<odeint::runge_kutta_dopri5<EventIntegrator::Point>>;

struct EventIntegrator::Stepper {
  odeint::dense_output_runge_kutta<Controlled> dense;
};

EventIntegrator::EventIntegrator(Real tolerance, Real max_step)
    : stepper_(new Stepper{Controlled({tolerance, tolerance}, {max_step})}) {}
EventIntegrator::~EventIntegrator() = default;

void EventIntegrator::start(Rate rate, Real t, const Point& x, Real first_step) {
  rate_ = std::move(rate);
  begin_ = end_ = t;
  stepper_->dense.initialize(x, t, first_step);
}

// odeint reports a step that stays too long by throwing; here that is an outcome.
bool EventIntegrator::step() {
  try {
    const auto interval = stepper_->dense.do_step([this](const Point& x, Point& rate, Real t) { rate_(t, x, rate); });
    begin_ = interval.first, end_ = interval.second;
  } catch (const std::exception&) {
    return false;
  }
  const Point& x = stepper_->dense.current_state();
  return end_ > begin_ && std::all_of(x.begin(), x.end(), [](Real v) { return std::isfinite(v); });
}

Real EventIntegrator::begin() const { return begin_; }
Real EventIntegrator::end() const { return end_; }
void EventIntegrator::at(Real t, Point& x) const { stepper_->dense.calc_state(t, x); }

}  // namespace cairn
