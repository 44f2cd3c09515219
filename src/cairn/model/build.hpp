// Puts bodies into a model and its state.
#pragma once

#include "cairn/base/expected.hpp"
#include "cairn/model/model.hpp"

namespace cairn {

// All return the number of the new body, or what is wrong with what was given; the model is then left as it was.

// A free body made of parts given in one frame, which `pose` places in the world.
template <int D>
Expected<int> add_body(Model<D>& model, ModelState<D>& state, std::vector<Part<D>> parts, const Pose<D>& pose,
                       int material = 0);

// What is known of a body's mass otherwise than from the densities of its parts.
template <int D>
struct GivenMass {
  Real mass = 0;            // [kg]
  Vec<spins<D>> inertia{};  // [kg m^2] about the centre of mass, principal along the axes of the parts' frame
  Vec<D> centre{};          // [m] of mass, in that frame
};
template <int D>
Expected<int> add_body(Model<D>& model, ModelState<D>& state, std::vector<Part<D>> parts, const Pose<D>& pose,
                       int material, const GivenMass<D>& given);

// A boundary: fixed without a drive. Densities do not matter. Without parts it serves to hang joints on.
template <int D>
Expected<int> add_boundary(Model<D>& model, ModelState<D>& state, std::vector<Part<D>> parts, const Pose<D>& pose,
                           int material = 0, Drive<D> drive = {});

// Where a driven or fixed body is at time t.
template <int D>
Pose<D> boundary_pose(const Model<D>& model, int body, Real t);

// Puts it there in the state, at the state's time.
template <int D>
void move_boundary(const Model<D>& model, ModelState<D>& state, int body);

// Its mean velocity over [t, t + h]: of its origin, and its spin (in space in its own axes).
template <int D>
Vec<freedoms<D>> boundary_velocity(const Model<D>& model, int body, Real t, Real h);

}  // namespace cairn
