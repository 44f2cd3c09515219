#include "cairn/detection/narrow.hpp"

#include <variant>

#include "cairn/detection/pair.hpp"
#include "cairn/detection/terrain_contact.hpp"

namespace cairn {

namespace {

inline const Polyline* terrain_in(const Shape<2>& shape) { return std::get_if<Polyline>(&shape); }
inline const TriangleMesh* terrain_in(const Shape<3>& shape) { return std::get_if<TriangleMesh>(&shape); }

}  // namespace

template <int D>
Manifold<D> collide(const Shape<D>& a, const Pose<D>& pa, const Shape<D>& b, const Pose<D>& pb, Real alert) {
  return std::visit([&](const auto& x, const auto& y) { return collide_pair<D>(x, pa, y, pb, alert); }, a, b);
}

template <int D>
BoundsTree<D> tree_of_pieces(const Shape<D>& shape) {
  const auto* terrain = terrain_in(shape);
  return terrain ? tree_of_terrain<D>(*terrain) : BoundsTree<D>{};
}

template <int D>
void collide_all(const Shape<D>& a, const Pose<D>& pa, const Shape<D>& b, const Pose<D>& pb, Real alert,
                 std::vector<Manifold<D>>& out, const BoundsTree<D>* pieces) {
  if (const auto* terrain = terrain_in(b)) {
    collide_terrain<D>(a, pa, *terrain, pb, alert, out, pieces);
  } else if (const auto* first = terrain_in(a)) {
    const std::size_t before = out.size();
    collide_terrain<D>(b, pb, *first, pa, alert, out, pieces);
    for (std::size_t i = before; i < out.size(); ++i) out[i].normal = -out[i].normal;
  } else if (const Manifold<D> m = collide<D>(a, pa, b, pb, alert); m.size > 0) {
    out.push_back(m);
  }
}

template Manifold<2> collide<2>(const Shape<2>&, const Pose<2>&, const Shape<2>&, const Pose<2>&, Real);
template Manifold<3> collide<3>(const Shape<3>&, const Pose<3>&, const Shape<3>&, const Pose<3>&, Real);
template void collide_all<2>(const Shape<2>&, const Pose<2>&, const Shape<2>&, const Pose<2>&, Real,
                             std::vector<Manifold<2>>&, const BoundsTree<2>*);
template void collide_all<3>(const Shape<3>&, const Pose<3>&, const Shape<3>&, const Pose<3>&, Real,
                             std::vector<Manifold<3>>&, const BoundsTree<3>*);
template BoundsTree<2> tree_of_pieces<2>(const Shape<2>&);
template BoundsTree<3> tree_of_pieces<3>(const Shape<3>&);

}  // namespace cairn
