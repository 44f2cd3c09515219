// The least value of a linear function over F by a primal-dual interior point method: Nesterov and Todd's scaling,
// Mehrotra's corrector. All functions start from the analytic centre of F: their answers do not depend on each other.
//
//   least c . x,  A x = b, x in K    and    greatest b . y,  z = c - A^T y in K,    x . z is what is left between both
//
// Where F has an interior and is bounded the end is fast, and exact but for rounding where K is a product of rays.
#pragma once

#include <utility>
#include <vector>

#include "cairn/solver/force_cones.hpp"

namespace cairn {

class ForcePath {
 public:
  explicit ForcePath(const ForceCones& set);

  std::size_t entries() const { return N_.entries(); }  // of the factor of a step
  bool find_centre();                                   // false: F is unbounded, or has no interior

  struct Extreme {
    bool found = false;
    Real value = 0;  // c . x
    Real gap = 0;    // between c . x and b . y
    long steps = 0;  // of Newton's method
    // What z lacks to be in K: (member, v) takes v times that member's greatest normal impulse from b . y.
    std::vector<std::pair<int, Real>> left;
  };
  Extreme minimise(const std::vector<ForceTerm>& terms);  // after find_centre()

  // (unknowns) numbers at the last point found.
  std::vector<std::array<Real, 3>> point() const { return set_.numbers(point_); }
  long steps() const { return steps_; }  // of Newton's method

 private:
  void start(const std::vector<Real>& c);
  void measure(const std::vector<Real>& c);
  bool factorise();
  void aim(Real target);
  void times_square(std::vector<Real>& v) const;  // F^2 v
  void direction();
  void refine(Real exact);  // b - A x after a full step is to be at most that
  bool step(Real gap);      // false: it leads nowhere
  void move(Real primal, Real dual);
  Real distance(const std::vector<Real>& c) const;
  Extreme judge(const std::vector<Real>& c) const;

  const ForceCones& set_;
  EnvelopeCholesky N_;
  struct Iterate {
    ConePoint x, z;
    std::vector<Real> y;
  };
  Iterate at_, centre_;
  std::vector<Real> point_;                            // x as numbers
  std::vector<Real> no_force_, no_slack_;              // b - A x; c - A^T y - z
  std::vector<Real> right_, t_, dx_, dy_, dz_, rest_;  // F^-2 dx + dz = right
  std::vector<Real> ratio_;                            // (rays) x / z
  std::vector<Scaling<3>> scaling_;                    // (cones)
  long steps_ = 0;
};

// Each of the functions, all of one term, alone; shared among threads, with the same bits however many there are.
std::vector<ForcePath::Extreme> minimise_each(const ForcePath& path, const std::vector<ForceTerm>& functions);

}  // namespace cairn
