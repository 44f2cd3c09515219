// What a generator of scenes returns: shapes with their places, plain data that a model can be built from. Up is the
// last axis; what is drawn in the plane (x, up) stands in space with its depth along the axis between.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/base/pose.hpp"
#include "cairn/shape/shapes.hpp"

namespace cairn::scene {

template <int D>
struct Block {
  Shape<D> shape;
  Pose<D> pose;           // of the shape's axes
  Real density = 0;       // [kg/m^D]
  int material = 0;       // the caller's number
  bool fixed = false;     // does not move, or as the caller drives it
  int part = 0;           // where it belongs: course, voussoir, level ... as the generator says
  std::string name = {};  // of the few that one asks for by name: "ground", "lid" ...
};

template <int D>
struct Blocks {
  std::vector<Block<D>> blocks;

  int find(const std::string& name) const;  // the first of that name; -1: none
  Real mass() const;                        // [kg] of those that are not fixed
  Blocks moved(const Pose<D>& by) const;    // the whole scene, carried by a rigid motion
};

// What the blocks of a scene are made of, and whether they stand on a ground: a fixed half-space named "ground", the
// last of the blocks.
struct Matter {
  Real density = 2000;  // [kg/m^D]
  int material = 0;
  bool ground = true;
  int ground_material = 0;
};

template <int D>
Pose<D> in_plane(const Vec<2>& x, Real angle = 0);  // at x = (x, up), turned by the angle from x towards up
Vec<3> from_plane(const Vec<2>& x, Real depth = 0);

// A brick of half sides `half` in the plane; in space of that depth [m]. `radius` rounds it from within: it keeps its
// size.
template <int D>
Shape<D> brick(const Vec<2>& half, Real depth, Real radius = 0);
// A convex polygon given counter-clockwise in the plane, or the prism on it; about the polygon's centroid, where it is
// placed: axes along the world's.
template <int D>
Block<D> stone(std::span<const Vec<2>> corners, Real depth);
// A prism with a vertical axis, on the polygon (x, y), counter-clockwise seen from above.
Polyhedron upright_prism(std::span<const Vec<2>> corners, Real height);
// Corner i: bit 0 low or high along the first of three directions, bits 1 and 2 along the others; right-handed, plane
// faces.
Polyhedron hexahedron(std::span<const Vec<3>, 8> corners);

// Half-space whose surface passes through x with the outward normal: +1: up, or along +-x.
template <int D>
Block<D> ground_at(Real height, int material);
template <int D>
Block<D> wall_at(Real x, int side, int material, std::string name);  // side +1: solid below x, -1: solid above

// Collects what is wrong with options; the first fault is the message.
class Faults {
 public:
  explicit Faults(std::string scene) : scene_(std::move(scene)) {}

  Faults& positive(const char* what, Real found);
  Faults& not_negative(const char* what, Real found);
  Faults& between(const char* what, Real found, Real low, Real high);  // both allowed
  Faults& at_least(const char* what, long found, long least);
  Faults& require(bool holds, const std::string& otherwise);
  Faults& material(const char* what, int found) { return at_least(what, found, 0); }
  Faults& matter(const Matter& matter);

  bool any() const { return !first_.empty(); }
  Error error() const { return {scene_ + ": " + first_}; }

 private:
  std::string scene_, first_;
};

}  // namespace cairn::scene
