#include "cairn/export/view.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::exporting {

View<3>::View(Real azimuth_deg, Real elevation_deg) {
  // Cosines of right angles are to be zero: side views then have no trace of depth.
  const auto exact = [](Real x) { return std::abs(x) < Real(1e-15) ? Real(0) : x; };
  const Real a = azimuth_deg * std::numbers::pi / 180, e = elevation_deg * std::numbers::pi / 180;
  const Real ca = exact(std::cos(a)), sa = exact(std::sin(a)), ce = exact(std::cos(e)), se = exact(std::sin(e));
  towards_ = {ce * ca, ce * sa, se};
  right_ = {-sa, ca, 0};
  up_ = cross(towards_, right_);
}

// Andrew's monotone chain.
std::vector<Vec<2>> hull(std::vector<Vec<2>> points) {
  std::sort(points.begin(), points.end(),
            [](const Vec<2>& a, const Vec<2>& b) { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]); });
  const auto same = [](const Vec<2>& a, const Vec<2>& b) { return a[0] == b[0] && a[1] == b[1]; };
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  std::vector<Vec<2>> ring;
  const auto add = [&ring](const Vec<2>& p, std::size_t least) {
    while (ring.size() >= least && !(cross(ring.back() - ring[ring.size() - 2], p - ring.back()) > 0)) ring.pop_back();
    ring.push_back(p);
  };
  for (const Vec<2>& p : points) add(p, 2);
  const std::size_t lower = ring.size() + 1;
  for (std::size_t k = points.size(); k-- > 1;) add(points[k - 1], lower);
  if (ring.size() > 1) ring.pop_back();
  return ring;
}

Window united(const Window& a, const Window& b) {
  return {{std::min(a.x.low, b.x.low), std::max(a.x.high, b.x.high)},
          {std::min(a.y.low, b.y.low), std::max(a.y.high, b.y.high)}};
}

template <int D>
Window window_of(const Cast<D>& cast, const Frame<D>& frame, const View<D>& view) {
  const Real infinite = std::numeric_limits<Real>::infinity();
  Window window{{infinite, -infinite}, {infinite, -infinite}};
  const auto take = [&](const Bounds<D>& box) {
    for (int corner = 0; corner < 1 << D; ++corner) {
      Vec<D> p;
      for (int i = 0; i < D; ++i) p[i] = (corner >> i & 1) != 0 ? box.high[i] : box.low[i];
      const Vec<2> q = view(p);
      window = united(window, {{q[0], q[0]}, {q[1], q[1]}});
    }
  };
  bool any = false;
  for (const BodyPart<D>& part : cast.parts) {
    if (std::holds_alternative<HalfSpace<D>>(part.shape)) continue;
    take(bounds<D>(part.shape, pose_of(frame, part.body) * part.pose));
    any = true;
  }
  if (!any) take(scene_bounds(cast, frame));
  return window;
}

template Window window_of(const Cast<2>&, const Frame<2>&, const View<2>&);
template Window window_of(const Cast<3>&, const Frame<3>&, const View<3>&);

}  // namespace cairn::exporting
