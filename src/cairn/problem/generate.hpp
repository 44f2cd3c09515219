// Step problems made on purpose: masonry at rest, packings, random bodies. Deterministic by seed: the random numbers
// are the same everywhere, the problems to rounding (a settled packing amplifies rounding: the same bits from one build
// alone).
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/problem/bodies.hpp"

namespace cairn {

using PlaneProblem = BodyProblem<Coulomb2, 3>;  // freedoms of a body: x, y, rotation
using SpaceProblem = BodyProblem<Coulomb3, 6>;  // x, y, z, then spin about the principal axes (M98 5.1)

// The step in which gravity acts on bodies at rest: u_free = -g h e_up.
struct Fall {
  Real gravity = 9.81;  // [m/s^2]
  Real step = 1e-3;     // [s]
  Real speed() const { return gravity * step; }
};

// --- masonry at rest, hyperstatic
// ---------------------------------------------------------------------------------------

// Running-bond wall of blocks 1 x 0.5 m, half blocks at the ends of odd courses; two contact points at each bed
// interface and at each head joint; ground below. 16 courses of 11 bricks: 184 blocks, 1018 contacts (JM92, example 1).
PlaneProblem wall(int courses, int bricks, Real mu, Fall fall = {});

// Semicircular arch of mean radius 1 m on ground: voussoirs, two contact points at each joint and springing.
// thickness: [-] over the mean radius; an arch thinner than 0.107 cannot stand (Milankovitch).
PlaneProblem arch(int voussoirs, Real thickness, Real mu, Fall fall = {});

// Tower of unit cubes, four contact points a face.
SpaceProblem stack(int boxes, Real mu, Fall fall = {});

// Tower of planks 0.12 x 0.024 x 0.008 m laid flat in layers of alternate direction; four points at each crossing.
SpaceProblem plank_tower(int layers, int planks, Real mu, Fall fall = {});

// --- grains
// -------------------------------------------------------------------------------------------------------------

// Polydisperse grains (radii 0.7 to 1.3 cm) settled in an open box under gravity, with small random velocities.
// Contacts within an alert distance take w_N = gap / step, so that U_N >= 0 means a gap not negative at the end (JM92
// 7).
PlaneProblem disc_packing(int discs, Real mu, std::uint64_t seed, Fall fall = {});
SpaceProblem sphere_packing(int spheres, Real mu, std::uint64_t seed, Fall fall = {});

// Square pyramid of equal spheres, `side` of them along the base, masses within 20 per cent of 1 kg.
SpaceProblem sphere_pyramid(int side, Real mu, std::uint64_t seed, Fall fall = {});

// --- random
// -------------------------------------------------------------------------------------------------------------

struct RandomBodies {
  std::uint64_t seed = 1;
  int contacts = 100;
  Real redundancy = 1.5;  // [-] rows over freedoms: above 1, W is singular
  Real mass_ratio = 1;    // [-] heaviest over lightest, log-uniform between
  Real mu_min = 0.1, mu_max = 1;
  Real boundary = 0.2;  // [-] share of contacts between a body and a boundary
};

// A solution exists always: see the argument in generate_random.cpp.
PlaneProblem random_bodies_2d(const RandomBodies& options);
SpaceProblem random_bodies_3d(const RandomBodies& options);

}  // namespace cairn
