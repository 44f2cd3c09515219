// What is measured of a motion, the same for every engine and outside of it: from the places of its bodies alone.
#pragma once

#include <string>
#include <vector>

#include "cairn/detection/detect.hpp"
#include "peers/engine.hpp"

namespace peers {

class Observer {
 public:
  explicit Observer(const Scene& scene);

  void restart(const std::vector<BodyState>& states);  // what went before is forgotten; ground that stays
  // rides: the states are relative to the moving ground.
  void look(Real t, const std::vector<BodyState>& states, bool rides);

  bool decided() const;  // nothing that follows changes the verdict: it has fallen
  bool finite() const { return finite_; }
  Real creep() const;  // [m/s] largest displacement of a body in the second half of the time, over that time
  Real moved() const;  // [m] largest displacement from the start, relative to the ground
  Real speed() const;  // [m/s] largest at the last look, relative to the ground
  Real mean_speed() const { return mean_speed_; }    // [m/s] over the free bodies, at the last look
  Real mean_fall() const;                            // [m] of the free bodies from the start
  Real mean_moved() const;                           // [m] mean length of their displacements
  Real first_depth() const { return first_depth_; }  // [m] deepest overlap that the scene starts with
  Real depth() const { return depth_; }              // [m] deepest overlap of two bodies that was seen
  std::string drift() const;                         // what the question is about, with its unit
  std::string verdict() const;                       // by the rule of the scene; "-": none

 private:
  struct Look {
    Real t;
    std::vector<Vec3> x;  // [m] (bodies) relative to the ground
  };

  Real depth_of(Real t, const std::vector<BodyState>& states, bool rides);
  Vec3 displacement(std::size_t body) const;
  Real slide_error() const;  // [-] of the distance slid
  Real sag() const;          // [m] of the watched body
  int fallen() const;        // bodies lower by half a block of the wall
  std::string complete_verdict() const;

  const Scene& scene_;
  cairn::Detector<3> detector_;
  std::vector<Look> looks_;  // the first is the start
  Real speed_ = 0, mean_speed_ = 0, depth_ = 0, first_depth_ = 0;
  bool finite_ = true;
};

}  // namespace peers
