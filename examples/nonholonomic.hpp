// What the examples with a nonholonomic constraint share: the exact motion of a blade or wheel that cannot slip
// sideways.
#pragma once

#include <cmath>
#include <vector>

namespace cairn::examples {

// A point P that moves at v along its heading theta only, on a slope with acceleration `pull` towards -y:
//   v' = share (a w^2 - pull sin theta),   w' = turn (-v w - pull cos theta),   P' = v (cos theta, sin theta),
// the centre of mass at the distance a ahead of P. A sleigh has share 1 and turn m a/(I + m a^2); a rolling disc has
// a = 0, turn 0 and share m/(m + J/R^2).
struct OneWay {
  double pull = 0, a = 0, turn = 0, share = 1;

  struct State {
    double x, y, theta, v, w;  // of P
  };
  State rate(const State& s) const {
    return {s.v * std::cos(s.theta), s.v * std::sin(s.theta), s.w, share * (a * s.w * s.w - pull * std::sin(s.theta)),
            turn * (-s.v * s.w - pull * std::cos(s.theta))};
  }

  // Runge and Kutta's fourth order with steps far below those of the time stepping that is judged.
  State after(State s, double T, int steps = 20000) const {
    const auto moved = [](const State& p, const State& r, double h) {
      return State{p.x + h * r.x, p.y + h * r.y, p.theta + h * r.theta, p.v + h * r.v, p.w + h * r.w};
    };
    const double h = T / steps;
    for (int k = 0; k < steps; ++k) {
      const State a1 = rate(s), a2 = rate(moved(s, a1, h / 2)), a3 = rate(moved(s, a2, h / 2)),
                  a4 = rate(moved(s, a3, h));
      s = moved(moved(moved(moved(s, a1, h / 6), a2, h / 3), a3, h / 3), a4, h / 6);
    }
    return s;
  }

  // (x, y) of P at the times given, for figures.
  void path(State s, double T, int points, std::vector<double>& x, std::vector<double>& y) const {
    x = {s.x}, y = {s.y};
    for (int k = 0; k < points; ++k) {
      s = after(s, T / points, 50);
      x.push_back(s.x), y.push_back(s.y);
    }
  }
};

}  // namespace cairn::examples
