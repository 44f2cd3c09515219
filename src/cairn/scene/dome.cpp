#include "cairn/scene/dome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::scene {

namespace {

constexpr Real degree = std::numbers::pi / 180;

Vec<3> point(Real radius, Real from_axis, Real azimuth) {  // angles in degrees
  const Real s = std::sin(from_axis * degree), c = from_axis == 90 ? 0 : std::cos(from_axis * degree);
  return {radius * s * std::cos(azimuth * degree), radius * s * std::sin(azimuth * degree), radius * c};
}

// Between two cones, the lower (further from the axis) and the upper. Directions: outward, around, up.
Block<3> wedge(const Dome& d, Real lower, Real upper, int sector, int part, bool fixed) {
  Vec<3> corners[8];
  for (int i = 0; i < 8; ++i) {
    const int edge = (sector + (i >> 1 & 1)) % d.sectors;
    corners[i] = point(d.radius + (i & 1 ? 0.5 : -0.5) * d.thickness, i & 4 ? upper : lower, 360.0 * edge / d.sectors);
  }
  const Vec<3> centre = hexahedron(corners).mass_properties().centre;
  for (Vec<3>& c : corners) c -= centre;
  return {hexahedron(corners), {centre, {}}, d.matter.density, d.matter.material, fixed, part};
}

}  // namespace

Expected<Blocks<3>> build_dome(const Dome& d) {
  Faults f("dome");
  f.at_least("courses", d.courses, 1).at_least("sectors", d.sectors, 3);
  f.positive("radius", d.radius).positive("thickness", d.thickness).matter(d.matter);
  f.require(d.thickness < 2 * d.radius,
            fmt::format("thickness is {}, expected less than twice the radius {}", d.thickness, d.radius));
  f.between("springing", d.springing, 5, 90);
  f.require(d.oculus > 0 && d.oculus < d.springing,
            fmt::format("oculus is {}, expected more than 0 and less than springing, {}", d.oculus, d.springing));
  if (f.any()) return f.error();
  Blocks<3> out;
  const auto joint = [&](int k) { return d.springing + (d.oculus - d.springing) * k / d.courses; };
  for (int course = 0; course < d.courses; ++course)
    for (int s = 0; s < d.sectors; ++s)
      out.blocks.push_back(wedge(d, joint(course), joint(course + 1), s, course, false));
  Real ground = 0;
  if (d.springing < 90) {
    const Real lower = std::min(Real(90), d.springing + (d.springing - d.oculus) / d.courses);
    for (int s = 0; s < d.sectors; ++s) out.blocks.push_back(wedge(d, lower, d.springing, s, -1, true));
    ground = std::min(point(d.radius - d.thickness / 2, lower, 0)[2], point(d.radius + d.thickness / 2, lower, 0)[2]);
  }
  if (d.matter.ground) out.blocks.push_back(ground_at<3>(ground, d.matter.ground_material));
  return out;
}

}  // namespace cairn::scene
