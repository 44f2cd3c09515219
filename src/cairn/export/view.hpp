// How points of the world come to lie on a picture: in the plane as they are, in space as seen from far away.
#pragma once

#include <vector>

#include "cairn/export/mesh.hpp"
#include "cairn/plot/figure.hpp"

namespace cairn::exporting {

struct Window {
  plot::Range x, y;  // [m] on the picture
};

template <int D>
class View;

template <>
class View<2> {
 public:
  View(Real, Real) {}
  Vec<2> operator()(const Vec<2>& p) const { return p; }
  Real depth(const Vec<2>&) const { return 0; }
};

// The viewer stands in the direction (azimuth from x towards y, elevation above the plane x, y) and sees z upright.
template <>
class View<3> {
 public:
  View(Real azimuth_deg, Real elevation_deg);
  Vec<2> operator()(const Vec<3>& p) const { return {dot(right_, p), dot(up_, p)}; }
  Real depth(const Vec<3>& p) const { return -dot(towards_, p); }  // [m] away from the viewer
  const Vec<3>& towards() const { return towards_; }               // unit, to the viewer

 private:
  Vec<3> towards_, right_, up_;
};

// Convex hull, counter-clockwise; points on its sides are left out.
std::vector<Vec<2>> hull(std::vector<Vec<2>> points);

// What the bounded bodies and the terrain take up.
template <int D>
Window window_of(const Cast<D>& cast, const Frame<D>& frame, const View<D>& view);
Window united(const Window& a, const Window& b);

}  // namespace cairn::exporting
