// Joints of a collection: their rows in the step problem, and their places kept exactly.
//
// A joint holds positions, e(q) = 0: bodies are moved at q_M and at q_F to the nearest place, in the kinetic metric,
// where it does. Of velocities it asks G(q_F) u_F = 0, written at q_M, where the problem of the step is, by continuing
// the turn of G over the first half of the step:
//   G(q_M) u_F = - (G(q_M) - G(q_I)) u_I
// G(q_M) u_F = 0 would take the energy of the velocity's turn away, a part (h w)^2 / 2 of it in every step.
#pragma once

#include <utility>
#include <vector>

#include "cairn/law/mixed.hpp"
#include "cairn/model/model.hpp"

namespace cairn {

enum class JointPart : unsigned char { displacement, turn, lower, upper, friction };
inline constexpr int joint_parts = 5;

// Some rows of a joint: velocities of the first body less those of the second, along axes of the second's frame. Rows
// of turns are multiplied by a length, and are velocities too.
template <int D>
struct JointBlock {
  int joint;
  JointPart part;
  int body[2];               // -1: the world
  Mat<D, freedoms<D>> G[2];  // signs included; of driven bodies as well
  Vec<D> error{};            // [m] e(q); of a limit the distance to it, in row 0
  Vec<D> rate{};             // [m/s] that a motor prescribes, over [t, t + h]
  MixedLaw<D> law;

  Vec<D> velocity(const std::vector<Vec<freedoms<D>>>& u) const {
    Vec<D> U{};
    for (int s = 0; s < 2; ++s)
      if (body[s] >= 0) U += G[s] * u[static_cast<std::size_t>(body[s])];
    return U;
  }
};

template <int D>
class Joints {
 public:
  static constexpr int F = freedoms<D>;
  using Blocks = std::vector<JointBlock<D>>;

  explicit Joints(const Model<D>& model);

  bool none() const { return model_.joints.empty(); }

  // Blocks of all joints for a step of length h, bodies being at `poses` at time t. `reaction`: [N] (joints) of the
  // last step, for friction.
  Blocks blocks(const std::vector<Pose<D>>& poses, Real t, Real h, const std::vector<Real>& reaction) const;

  // Moves free bodies to the nearest place where all joints hold at time t, and `poses` with them. Returns the largest
  // error left [m].
  Real project(ModelState<D>& state, std::vector<Pose<D>>& poses, Real t) const;

  // Of a hinge [rad, within half a turn] or a slider [m].
  Real coordinate(int joint, const std::vector<Pose<D>>& poses) const;

  bool pass_through(int a, int b) const;  // whether two bodies are joined, and do not collide

 private:
  struct Frames;
  void hold(int j, const Frames& f, Real t, Real h, Blocks& out) const;
  void act(int j, const Frames& f, Real h, Real reaction, Blocks& out) const;
  JointBlock<D> block(int j, JointPart part, const Frames& f, bool turns) const;

  const Model<D>& model_;
  Real length_;                                // [m] that makes spins velocities
  std::vector<std::pair<int, int>> together_;  // sorted
};

}  // namespace cairn
