// A convex shape on terrain: a polyline or a mesh of triangles, solid on one side.
#pragma once

#include <vector>

#include "cairn/detection/bounds_tree.hpp"
#include "cairn/detection/manifold.hpp"
#include "cairn/shape/shapes.hpp"

namespace cairn {

// One manifold for each piece (segment, triangle) that holds the shape from its front, and one for each edge and corner
// of the terrain that sticks out and touches. Normals point from the terrain to the shape. A contact at a corner or an
// edge counts only if the pieces around it lie behind its normal, so that a shape does not catch on the joints of even
// ground. Without the tree each piece is looked at.
template <int D, class Terrain>
void collide_terrain(const Shape<D>& shape, const Pose<D>& pose, const Terrain& terrain, const Pose<D>& pt, Real alert,
                     std::vector<Manifold<D>>& out, const BoundsTree<D>* pieces);

template <int D, class Terrain>
BoundsTree<D> tree_of_terrain(const Terrain& terrain);  // of the bounds of its pieces, in its own axes

}  // namespace cairn
