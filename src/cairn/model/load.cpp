#include "cairn/model/load.hpp"

#include <utility>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"

namespace cairn {

template <int D>
void LoadContext<D>::push(int body, const Vec<D>& point, const Vec<D>& f) const {
  const Vec<spins<D>> m = arm(point - pose[at(body)].x, f, pose[at(body)].R);
  for (int i = 0; i < D; ++i) force[at(body)][i] += f[i];
  for (int i = 0; i < spins<D>; ++i) force[at(body)][D + i] += m[i];
}

template <int D>
Vec<D> LoadContext<D>::velocity(int body, const Vec<D>& point) const {
  return point_velocity(pose[at(body)], u[at(body)], point);
}

template <int D>
Load<D> point_force(int body, const Vec<D>& point, std::function<Vec<D>(Real t)> force) {
  return [body, point, force = std::move(force)](const LoadContext<D>& c) {
    c.push(body, c.pose[at(body)].to_world(point), force(c.t));
  };
}

template <int D>
Load<D> drag(int body, Real linear, Real turning) {
  return [body, linear, turning](const LoadContext<D>& c) {
    for (int i = 0; i < freedoms<D>; ++i) c.force[at(body)][i] -= (i < D ? linear : turning) * c.u[at(body)][i];
  };
}

template <int D>
Load<D> spring(int first, const Vec<D>& first_point, int second, const Vec<D>& second_point, const SpringOptions& o) {
  return [=](const LoadContext<D>& c) {
    const int body[2] = {first, second};
    Vec<D> p[2] = {first_point, second_point}, v[2] = {};
    for (int s = 0; s < 2; ++s)
      if (body[s] >= 0) p[s] = c.pose[at(body[s])].to_world(p[s]), v[s] = c.velocity(body[s], p[s]);
    const Vec<D> d = p[1] - p[0];
    const Real length = norm(d);
    if (!(length > 0)) return;  // no direction
    const Vec<D> f = ((o.stiffness * (length - o.rest) + o.damping * dot(v[1] - v[0], d) / length) / length) * d;
    if (first >= 0) c.push(first, p[0], f);
    if (second >= 0) c.push(second, p[1], -f);
  };
}

template struct LoadContext<2>;
template struct LoadContext<3>;
template Load<2> point_force(int, const Vec<2>&, std::function<Vec<2>(Real)>);
template Load<3> point_force(int, const Vec<3>&, std::function<Vec<3>(Real)>);
template Load<2> drag(int, Real, Real);
template Load<3> drag(int, Real, Real);
template Load<2> spring(int, const Vec<2>&, int, const Vec<2>&, const SpringOptions&);
template Load<3> spring(int, const Vec<3>&, int, const Vec<3>&, const SpringOptions&);

}  // namespace cairn
