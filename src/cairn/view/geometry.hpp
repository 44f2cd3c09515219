// The shapes of all bodies as arrays to draw: balls, half-spaces, and meshes, each different one once.
#pragma once

#include <cstdint>
#include <vector>

#include "cairn/record/frame.hpp"

namespace cairn::view {

// In the axes of their bodies, x, y, z after each other; in the plane z is 0.
struct Geometry {
  std::vector<std::uint32_t> ball_body;
  std::vector<float> ball_centre, ball_radius;  // [m]

  std::vector<float> vertex;                  // [m] of all shapes
  std::vector<std::uint32_t> triangle, edge;  // corners, numbered from 0 within a shape
  std::vector<std::uint32_t> shape_vertex{0}, shape_triangle{0}, shape_edge{0};  // (shapes + 1) where each begins
  std::vector<std::uint32_t> mesh_body, mesh_shape;

  std::vector<std::uint32_t> plane_body;
  std::vector<float> plane_point, plane_normal;  // [m], unit and outward
};

template <int D>
Geometry geometry_of(const record::Cast<D>& cast);

}  // namespace cairn::view
