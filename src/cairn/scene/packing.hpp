// Grains in a box, dropped one after the other without dynamics: each takes, of some places tried, the one where it
// comes to lie lowest on those before it. Nothing overlaps.
#pragma once

#include <cstdint>

#include "cairn/lagrange/random.hpp"
#include "cairn/scene/blocks.hpp"

namespace cairn::scene {

struct Grains {
  enum Kind {
    balls,    // discs in the plane
    angular,  // convex polygons or polyhedra with corners on the ball of that radius
  };
  enum Sizes {
    even,       // radii evenly between the two
    by_volume,  // as much volume between r and 2 r for every r: small ones are many
  };

  int count = 500;
  Real least = 0.01, most = 0.02;  // [m] radii
  Kind kind = balls;
  Sizes sizes = even;
  int corners = 6;         // of angular grains; at least 3 in the plane, 4 in space
  Real separation = 0.01;  // free room around a grain, of its radius
  int tries = 24;          // places tried: more is denser and slower
  std::uint64_t seed = 1;
};

struct Packing {
  Grains grains = {};
  Real width = 0.5, depth = 0.5;  // [m] of the box; depth: in space
  bool walls = true;  // half-spaces "left wall" and "right wall", in space also "front wall" and "back wall"
  int wall_material = 0;
  Matter matter = {};
};

// The grains in the order in which they were dropped, then walls, then the ground. The box is centred on the axis.
template <int D>
Expected<Blocks<D>> build(const Packing& options);

// For other scenes: drops grains between |x| <= width/2 (and |y| <= depth/2) on a floor.
void grain_faults(Faults& faults, const Grains& grains, int dimension, Real width, Real depth,
                  const char* width_name = "width", const char* depth_name = "depth");
template <int D>
void drop_grains(const Grains& grains, Real width, Real depth, Real floor, const Matter& matter, Blocks<D>& out);
// A grain alone: in the ball of that radius about the origin.
template <int D>
Shape<D> grain(Grains::Kind kind, int corners, Real radius, RandomStream& random);
template <int D>
void add_walls(Real width, Real depth, int material, Blocks<D>& out);
void add_end_walls(Real depth, int material, Blocks<3>& out);  // "front wall" and "back wall" alone
template <int D>
Real top_of(const Blocks<D>& blocks);  // [m] the highest point of bounded blocks; at least 0

}  // namespace cairn::scene
