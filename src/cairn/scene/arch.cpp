#include "cairn/scene/arch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cairn::scene {

namespace {

constexpr Real pi = std::numbers::pi;

bool is_half_turn(Real angle) { return std::fabs(angle - pi) < 1e-12; }

// Joint k of 0 .. n: its angle from the vertical, positive to the left; its direction, exact at a horizontal joint.
Real joint_angle(const Arch& a, int k) { return a.embrace * (Real(0.5) - static_cast<Real>(k) / a.voussoirs); }
Vec<2> direction(Real from_vertical) {
  const bool level = is_half_turn(2 * std::fabs(from_vertical));
  return {-std::sin(from_vertical), level ? 0 : std::cos(from_vertical)};
}

struct Joint {
  Vec<2> inner, outer;  // [m]
};

Joint joint(const Arch& a, Real thickness, Real from_vertical) {
  const Vec<2> d = direction(from_vertical);
  return {(a.radius - thickness / 2) * d, (a.radius + thickness / 2) * d};
}
Joint joint(const Arch& a, int k) { return joint(a, a.thickness, joint_angle(a, k)); }

template <int D>
Block<D> of(const Arch& a, Block<D> block, int part, bool fixed = false) {
  block.density = a.matter.density, block.material = a.matter.material;
  block.part = part, block.fixed = fixed;
  return block;
}

template <int D>
void add_voussoirs(const Arch& a, Real up, Blocks<D>& out) {
  for (int k = 0; k < a.voussoirs; ++k) {
    const Joint l = joint(a, k), r = joint(a, k + 1);
    const Vec<2> lift{0, up};
    const Vec<2> corners[] = {l.inner + lift, r.inner + lift, r.outer + lift, l.outer + lift};
    out.blocks.push_back(of(a, stone<D>(corners, a.depth), k));
  }
}

// As wide as the joint and as long, away from the arch. Returns the lowest point.
template <int D>
Real add_springers(const Arch& a, Blocks<D>& out) {
  Real lowest = 0;
  for (const int k : {0, a.voussoirs}) {
    const Joint j = joint(a, k);
    const Vec<2> along = j.outer - j.inner;
    const Vec<2> up = k == 0 ? Vec<2>{along[1], -along[0]} : Vec<2>{-along[1], along[0]};
    const Vec<2> corners[] = {j.inner, j.outer, j.outer - up, j.inner - up};
    const Vec<2> mirrored[] = {j.outer, j.inner, j.inner - up, j.outer - up};
    out.blocks.push_back(of(a, stone<D>(k == 0 ? corners : mirrored, a.depth), -1, true));
    out.blocks.back().name = k == 0 ? "left springer" : "right springer";
    for (const Vec<2>& c : corners) lowest = std::min(lowest, c[1]);
  }
  return lowest;
}

// One pier, from below; side -1: left. The top block is a box cut by the joint's plane above its inner edge.
template <int D>
void add_pier(const Arch& a, Real up, int side, Blocks<D>& out) {
  const Joint j = joint(a, side < 0 ? 0 : a.voussoirs);
  const Real inner = j.inner[0], outer = inner + side * a.piers.width, h = a.piers.height;
  const auto x_order = std::minmax(inner, outer);
  const int n = a.piers.courses;
  for (int k = 0; k < n; ++k) {
    const Real low = k * h, high = k + 1 < n ? low + h : up + j.inner[1];
    std::vector<Vec<2>> corners{{x_order.first, low}, {x_order.second, low}};
    if (k + 1 < n) {
      corners.push_back({x_order.second, high}), corners.push_back({x_order.first, high});
    } else {
      const Real top = up + j.outer[1];
      std::vector<Vec<2>> head{{inner, high}, {j.outer[0], top}, {outer, top}};
      if (side > 0) std::reverse(head.begin(), head.end());
      corners.insert(corners.end(), head.begin(), head.end());
    }
    out.blocks.push_back(of(a, stone<D>(corners, a.depth), -1 - k));
  }
}

Faults faults_of(const Arch& a) {
  Faults f("arch");
  f.at_least("voussoirs", a.voussoirs, 1).between("embrace", a.embrace, 1e-3, 1.5 * pi);
  f.positive("radius", a.radius).positive("thickness", a.thickness).positive("depth", a.depth).matter(a.matter);
  f.require(a.thickness < 2 * a.radius,
            fmt::format("thickness is {}, expected less than twice the radius {}", a.thickness, a.radius));
  // Stones are polygons, exact to 1e-12 of their size: thinner ones would be flat.
  const Real least = Real(1e-6) * a.radius;
  f.require(a.thickness >= least, fmt::format("thickness is {}, expected at least {}", a.thickness, least));
  f.require(a.depth >= least, fmt::format("depth is {}, expected at least {}", a.depth, least));
  f.require(a.embrace / a.voussoirs >= Real(1e-6), "voussoirs are too many, expected at least 1e-6 rad for each");
  // Inner faces must not pass through the centre of a wide voussoir.
  f.require(a.embrace < (pi - 0.1) * a.voussoirs,
            fmt::format("{} voussoirs cannot embrace {} rad, expected more of them", a.voussoirs, a.embrace));
  if (a.support == ArchSupport::ground) {
    f.require(is_half_turn(a.embrace), fmt::format("embrace is {}, expected pi for an arch on the ground", a.embrace));
    f.require(a.matter.ground, "support is the ground, expected matter.ground to be true");
  }
  if (a.support == ArchSupport::piers) {
    const Joint j = joint(a, 0);
    f.at_least("piers.courses", a.piers.courses, 1).positive("piers.height", a.piers.height);
    f.positive("piers.width", a.piers.width);
    f.require(a.piers.height >= least, fmt::format("piers.height is {}, expected at least {}", a.piers.height, least));
    f.between("embrace", a.embrace, 1e-3, pi + 1e-12);
    f.require(a.piers.width >= std::fabs(j.outer[0] - j.inner[0]) - 1e-12,
              fmt::format("piers.width is {}, expected at least the width {:.6g} of the springing joint", a.piers.width,
                          std::fabs(j.outer[0] - j.inner[0])));
  }
  return f;
}

}  // namespace

template <int D>
Expected<Blocks<D>> build(const Arch& a) {
  if (const Faults f = faults_of(a); f.any()) return f.error();
  Blocks<D> out;
  Real ground = 0;
  if (a.support == ArchSupport::piers) {
    const Real up = a.piers.courses * a.piers.height - joint(a, 0).inner[1];
    add_voussoirs(a, up, out);
    add_pier(a, up, -1, out);
    add_pier(a, up, +1, out);
  } else {
    add_voussoirs(a, 0, out);
    if (a.support == ArchSupport::springers) ground = add_springers(a, out);
  }
  if (a.matter.ground) out.blocks.push_back(ground_at<D>(ground, a.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Arch&);
template Expected<Blocks<3>> build(const Arch&);

// --- the thrust line -------------------------------------------------------------------------------------------------

namespace {

struct Load {
  Joint at;             // of the right half
  Real weight, moment;  // area between the crown's plane and the joint, and its first moment about that plane
};

// By halves, cut at the plane of symmetry.
std::vector<Load> loads(const Arch& a, Real thickness) {
  std::vector<Load> out;
  const int n = a.voussoirs;
  if (n % 2 == 0) out.push_back({joint(a, thickness, 0), 0, 0});
  Real weight = 0, moment = 0;
  for (int k = n / 2; k < n; ++k) {
    Joint l = joint(a, thickness, joint_angle(a, k));
    const Joint r = joint(a, thickness, joint_angle(a, k + 1));
    if (n % 2 == 1 && k == n / 2) l = {{0, l.inner[1]}, {0, l.outer[1]}};  // half of the keystone
    const Vec<2> corners[] = {l.inner, r.inner, r.outer, l.outer};
    for (int i = 0; i < 4; ++i) {
      const Vec<2>&p = corners[i], &q = corners[(i + 1) % 4];
      const Real c = cross(p, q);
      weight += c / 2, moment += c * (p[0] + q[0]) / 6;
    }
    out.push_back({r, weight, moment});
  }
  return out;
}

// The room left to a symmetric line of thrust of horizontal part H: at a joint, the moment M of the force at the crown
// about the origin must keep the resultant between the inner and the outer edge. Concave in H.
Real room(const std::vector<Load>& on, Real H) {
  Real least = -std::numeric_limits<Real>::infinity(), most = -least;
  for (const Load& l : on) {
    least = std::max(least, H * l.at.inner[1] + l.weight * l.at.inner[0] - l.moment);
    most = std::min(most, H * l.at.outer[1] + l.weight * l.at.outer[0] - l.moment);
  }
  return most - least;
}

bool thrust_fits(const Arch& a, Real thickness) {
  const std::vector<Load> on = loads(a, thickness);
  Real low = 0, high = 20 * on.back().weight / std::min(Real(1), a.embrace);
  for (int i = 0; i < 200; ++i) {
    const Real p = low + (high - low) / 3, q = high - (high - low) / 3;
    if (room(on, p) < room(on, q)) {
      low = p;
    } else {
      high = q;
    }
  }
  return room(on, (low + high) / 2) >= 0;
}

}  // namespace

Real least_thickness(const Arch& a) {
  Real low = 0, high = a.radius;
  for (int i = 0; i < 60; ++i) {
    const Real middle = (low + high) / 2;
    (thrust_fits(a, middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace cairn::scene
