#include "cairn/scene/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cairn/base/check.hpp"
#include "cairn/scheme/z_order.hpp"

namespace cairn::scene {

namespace {

// Balls that lie already, found by their place seen from above, in cells as wide as the largest ball or more.
template <int D>
class Heap {
 public:
  Heap(Real width, Real depth, Real most, Real floor)
      : low_{-width / 2, -depth / 2},
        cell_(std::max({2 * most, width / widest, D == 2 ? 0 : depth / widest})),
        most_(most),
        floor_(floor) {
    nx_ = static_cast<int>(width / cell_) + 1;
    ny_ = D == 2 ? 1 : static_cast<int>(depth / cell_) + 1;
    cells_.resize(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_));
  }

  // Height at which a ball of that radius dropped at (x, y) stops.
  Real height(const Vec<2>& at, Real radius) const {
    Real z = floor_ + radius;
    const int i = index(at, 0), j = index(at, 1);
    for (int b = std::max(0, j - 1); b <= std::min(ny_ - 1, j + 1); ++b)
      for (int a = std::max(0, i - 1); a <= std::min(nx_ - 1, i + 1); ++a) stop_in(cell(a, b), at, radius, z);
    return z;
  }

  void add(const Vec<2>& at, Real z, Real radius) {
    auto& balls = cell(index(at, 0), index(at, 1));
    const auto below = std::find_if(balls.begin(), balls.end(), [z](const Lying& b) { return b.z <= z; });
    balls.insert(below, {at, z, radius});
  }

 private:
  struct Lying {
    Vec<2> at;
    Real z, radius;
  };
  using Cell = std::vector<Lying>;  // the highest first

  static constexpr Real widest = 1000;  // cells along an axis, in a box that is much larger than its balls

  int index(const Vec<2>& at, int axis) const {
    if (axis == 1 && D == 2) return 0;
    return std::clamp(static_cast<int>((at[axis] - low_[axis]) / cell_), 0, (axis == 0 ? nx_ : ny_) - 1);
  }
  const Cell& cell(int i, int j) const { return cells_[static_cast<std::size_t>(j * nx_ + i)]; }
  Cell& cell(int i, int j) { return cells_[static_cast<std::size_t>(j * nx_ + i)]; }

  void stop_in(const Cell& balls, const Vec<2>& at, Real radius, Real& z) const {
    for (const Lying& b : balls) {
      if (b.z + radius + most_ <= z) return;  // and all that follow lie lower
      const Real reach = radius + b.radius, room = reach * reach - norm2(at - b.at);
      if (room > 0) z = std::max(z, b.z + std::sqrt(room));
    }
  }

  Vec<2> low_;
  Real cell_, most_, floor_;
  int nx_ = 1, ny_ = 1;
  std::vector<Cell> cells_;
};

Real random_radius(const Grains& g, int dimension, RandomStream& random) {
  const Real u = random.unit();
  if (g.sizes == Grains::even) return g.least + (g.most - g.least) * u;
  const Real a = std::pow(g.least, -dimension), b = std::pow(g.most, -dimension);
  return std::clamp(std::pow(a + (b - a) * u, Real(-1) / dimension), g.least, g.most);
}

// The lowest of some places: first anywhere, then ever nearer to the best so far.
template <int D>
Vec<2> lowest_place(const Heap<D>& heap, const Grains& g, const Vec<2>& half, Real radius, RandomStream& random,
                    Real& height) {
  const Vec<2> room{half[0] - radius, D == 2 ? 0 : half[1] - radius};
  Vec<2> best{};
  height = -1;
  Real step = 2 * radius;
  for (int k = 0; k < g.tries; ++k) {
    Vec<2> at{};
    const bool anywhere = k <= g.tries / 3;
    for (int i = 0; i < D - 1; ++i)
      at[i] = anywhere ? random.within(-room[i], room[i])
                       : std::clamp(best[i] + random.within(-step, step), -room[i], room[i]);
    if (!anywhere) step *= Real(0.8);
    const Real z = heap.height(at, radius);
    if (k == 0 || z < height) height = z, best = at;
  }
  return best;
}

Shape<2> angular(int count, Real radius, RandomStream& random, std::integral_constant<int, 2>) {
  std::vector<Vec<2>> corners;
  const Real start = random.within(0, 2 * std::numbers::pi);
  for (int k = 0; k < count; ++k) {  // each in the middle half of its own part of the circle: never flat
    const Real angle = start + 2 * std::numbers::pi * (k + random.within(0.25, 0.75)) / count;
    corners.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  auto polygon = Polygon::make(corners);
  CAIRN_CHECK(polygon, "corners on a circle must make a polygon");
  return *polygon;
}

// Corners along a spiral on the sphere, turned at random and jittered.
Shape<3> angular(int count, Real radius, RandomStream& random, std::integral_constant<int, 3>) {
  const Rotation<3> turn = Rotation<3>{random.normal(), random.normal(), random.normal(), random.normal()}.unit();
  std::vector<Vec<3>> corners;
  for (int k = 0; k < count; ++k) {
    const Real z = 1 - 2 * (k + random.within(0.25, 0.75)) / count, r = std::sqrt(1 - z * z);
    const Real angle = k * std::numbers::pi * (3 - std::sqrt(Real(5))) + random.within(-0.3, 0.3);
    corners.push_back(radius * (turn * Vec<3>{r * std::cos(angle), r * std::sin(angle), z}));
  }
  auto solid = Polyhedron::make(corners);
  CAIRN_CHECK(solid, "corners on a sphere must make a polyhedron");
  return *solid;
}

}  // namespace

template <int D>
Shape<D> grain(Grains::Kind kind, int corners, Real radius, RandomStream& random) {
  if (kind == Grains::balls) return Ball<D>{radius};
  return angular(corners, radius, random, std::integral_constant<int, D>{});
}

void grain_faults(Faults& f, const Grains& g, int dimension, Real width, Real depth, const char* width_name,
                  const char* depth_name) {
  f.at_least("grains.count", g.count, 0).positive("grains.least", g.least).positive("grains.most", g.most);
  f.require(g.least <= g.most, fmt::format("grains.least is {}, expected at most grains.most, {}", g.least, g.most));
  f.not_negative("grains.separation", g.separation).at_least("grains.tries", g.tries, 1);
  if (g.kind == Grains::angular) f.at_least("grains.corners", g.corners, dimension + 1);
  const Real need = 2 * g.most * (1 + g.separation);
  const auto holds = [&](const char* name, Real room) {
    f.require(room >= need, fmt::format("{} is {}, expected at least {:.6g} for the largest grain", name, room, need));
  };
  holds(width_name, width);
  if (dimension == 3) holds(depth_name, depth);
}

// Grains of `out` from `first` on, near ones following each other: what is near in space is then near in memory, too.
template <int D>
void sort_grains(std::size_t first, Real cell, Blocks<D>& out) {
  const std::vector<Block<D>> dropped(out.blocks.begin() + static_cast<std::ptrdiff_t>(first), out.blocks.end());
  std::vector<Pose<D>> poses;
  for (const Block<D>& b : dropped) poses.push_back(b.pose);
  ZOrder<D> order;
  std::size_t k = first;
  for (const int i : order.sort(poses, cell)) out.blocks[k++] = dropped[static_cast<std::size_t>(i)];
}

template <int D>
void drop_grains(const Grains& g, Real width, Real depth, Real floor, const Matter& m, Blocks<D>& out) {
  constexpr int many = 2000;  // more than a core's nearest cache holds; fewer keep the order in which they were dropped
  const std::size_t first = out.blocks.size();
  RandomStream random(g.seed);
  const Real room = 1 + g.separation;
  Heap<D> heap(width, depth, g.most * room, floor);
  for (int k = 0; k < g.count; ++k) {
    const Real radius = random_radius(g, D, random);
    Real height = 0;
    const Vec<2> at = lowest_place<D>(heap, g, {width / 2, depth / 2}, radius * room, random, height);
    heap.add(at, height, radius * room);
    Pose<D> pose;
    pose.x[0] = at[0], pose.x[D - 1] = height;
    if constexpr (D == 3) pose.x[1] = at[1];
    out.blocks.push_back({grain<D>(g.kind, g.corners, radius, random), pose, m.density, m.material, false, k});
  }
  if (g.count > many) sort_grains(first, 2 * g.most, out);
}

void add_end_walls(Real depth, int material, Blocks<3>& out) {
  const Real k = std::sqrt(Real(0.5));
  for (const int side : {+1, -1}) {  // normal +-y: about -+x
    const Pose<3> pose{{0, -side * depth / 2, 0}, {k, -side * k, 0, 0}};
    out.blocks.push_back({HalfSpace<3>{}, pose, 0, material, true, 0, side > 0 ? "front wall" : "back wall"});
  }
}

template <int D>
void add_walls(Real width, Real depth, int material, Blocks<D>& out) {
  out.blocks.push_back(wall_at<D>(-width / 2, +1, material, "left wall"));
  out.blocks.push_back(wall_at<D>(width / 2, -1, material, "right wall"));
  if constexpr (D == 3) add_end_walls(depth, material, out);
}

template <int D>
Real top_of(const Blocks<D>& s) {
  Real top = 0;
  for (const Block<D>& b : s.blocks)
    if (bounded<D>(b.shape)) top = std::max(top, bounds<D>(b.shape, b.pose).high[D - 1]);
  return top;
}

template <int D>
Expected<Blocks<D>> build(const Packing& o) {
  Faults f("packing");
  f.positive("width", o.width).positive("depth", o.depth).matter(o.matter).material("wall_material", o.wall_material);
  grain_faults(f, o.grains, D, o.width, o.depth);
  if (f.any()) return f.error();
  Blocks<D> out;
  drop_grains<D>(o.grains, o.width, o.depth, 0, o.matter, out);
  if (o.walls) add_walls(o.width, o.depth, o.wall_material, out);
  if (o.matter.ground) out.blocks.push_back(ground_at<D>(0, o.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Packing&);
template Expected<Blocks<3>> build(const Packing&);
template void drop_grains(const Grains&, Real, Real, Real, const Matter&, Blocks<2>&);
template void drop_grains(const Grains&, Real, Real, Real, const Matter&, Blocks<3>&);
template Shape<2> grain<2>(Grains::Kind, int, Real, RandomStream&);
template Shape<3> grain<3>(Grains::Kind, int, Real, RandomStream&);
template void add_walls(Real, Real, int, Blocks<2>&);
template void add_walls(Real, Real, int, Blocks<3>&);
template Real top_of(const Blocks<2>&);
template Real top_of(const Blocks<3>&);

}  // namespace cairn::scene
