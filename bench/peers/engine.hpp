// What the comparison needs of an engine. Each driver is one file that defines make_engine(); main.cpp is linked with
// one of them.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "peers/scene.hpp"

namespace peers {

struct EngineOptions {
  Real h = 1e-3;               // [s]
  int iterations = 0;          // of iterative solvers; 0: the engine's default
  Real tolerance = 0;          // [-] of solvers that have one; 0: the driver's default
  bool over_impulses = false;  // the tolerance is on errors over impulses, not over free velocities
  std::string states;          // file of states, for the driver that replays them
};

struct BodyState {
  Pose3 pose;
  Vec3 velocity{};  // [m/s] of the centre
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string settings() const = 0;  // as the table names them
  virtual void step(Real t, Real h) = 0;     // from t to t + h; nothing else is timed
  // (bodies) Those of boundaries are not looked at.
  virtual void states(std::vector<BodyState>& out) const = 0;
  virtual int contacts() const = 0;                       // points of the last step
  virtual bool rides() const { return false; }            // places are relative to the moving ground
  virtual bool ended() const { return false; }            // nothing follows
  virtual void rough(bool) {}                             // while a scene settles, an engine may work less exactly
  virtual Real error() const { return unknown; }          // of the contact problem of the last step
  virtual Real asked() const { return unknown; }          // for it
  virtual Real contact_error() const { return unknown; }  // [m/s] of the contact with the largest

  static constexpr Real unknown = std::numeric_limits<Real>::quiet_NaN();
};

const char* engine_name();
// The scene must outlive the engine.
cairn::Expected<std::unique_ptr<Engine>> make_engine(const Scene& scene, const EngineOptions& options);

}  // namespace peers
