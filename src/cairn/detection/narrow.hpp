// Narrow phase: where and how two shapes touch. Simple pairs have closed forms, each in a file beside this one; any
// other pair of convex shapes is handled through their support functions.
#pragma once

#include <vector>

#include "cairn/detection/bounds_tree.hpp"
#include "cairn/detection/manifold.hpp"
#include "cairn/shape/shapes.hpp"

namespace cairn {

// Points with a gap not above `alert` [m]. The least gap is the signed distance of the two solids (where they overlap,
// minus the least translation that parts them). The same points, with the opposite normal, if the shapes are swapped.
// Terrain touches in several places: collide_all.
template <int D>
Manifold<D> collide(const Shape<D>& a, const Pose<D>& pa, const Shape<D>& b, const Pose<D>& pb, Real alert);

// The bounds of the segments or triangles of terrain, in its own axes; empty for other shapes.
template <int D>
BoundsTree<D> tree_of_pieces(const Shape<D>& shape);

// Appends all manifolds that are not empty; the features of one pair of shapes are distinct. With the tree of the
// terrain's pieces, where one of the two is terrain, not each piece is looked at.
template <int D>
void collide_all(const Shape<D>& a, const Pose<D>& pa, const Shape<D>& b, const Pose<D>& pb, Real alert,
                 std::vector<Manifold<D>>& out, const BoundsTree<D>* pieces = nullptr);

}  // namespace cairn
