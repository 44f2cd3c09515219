// Terrain for tests: two triangles a cell of a square grid about the origin, seen from above.
#pragma once

#include "cairn/shape/terrain.hpp"

namespace cairn::test {

// n x n vertices, `cell` [m] apart, as high as height() says [m] in turn.
template <class Height>
TriangleMesh grid_mesh(int n, Real cell, Height height) {
  TriangleMesh mesh;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) mesh.vertices.push_back({cell * (i - n / 2), cell * (j - n / 2), height()});
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int v = j * n + i;
      mesh.triangles.push_back({v, v + 1, v + n + 1});
      mesh.triangles.push_back({v, v + n + 1, v + n});
    }
  return mesh;
}

}  // namespace cairn::test
