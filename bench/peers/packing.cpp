// Packings of spheres and of convex polyhedra in a box: as they were settled, at rest, with a wall removed, tilted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <variant>

#include "cairn/scene/packing.hpp"
#include "peers/scene_parts.hpp"

namespace peers {

namespace {

using namespace cairn;

constexpr Real density = 2500;                           // [kg/m^3]
constexpr Real least_radius = 0.04, most_radius = 0.06;  // [m] of spheres, and half axes of hulls
constexpr Real tilt = 35 * std::numbers::pi / 180;       // [rad] well above what a heap with mu = 0.5 holds
constexpr int hull_count = 2000, least_corners = 8, most_corners = 20;
constexpr std::uint64_t hull_seed = 7;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// What is done with a packing: larger ones for a shorter time.
struct Size {
  const char* name;
  int spheres, tiles;                // of the file, and how many of it side by side along both axes
  Real packing, settle, rest, flow;  // [s] timed as it was left; settled and timed at rest; timed in flow
};
constexpr Size sizes[] = {
    {"1000", 1000, 1, 0.3, 4.0, 0.3, 0.3},
    {"4000", 4000, 1, 0.1, 4.0, 0.1, 0.1},
    {"16000", 4000, 2, 0.02, 2.0, 0.03, 0.03},
};
constexpr Size hulls{"hulls", hull_count, 1, 0, 0.2, 0.1, 0.1};
constexpr Real warm = 0.02;  // [s] with all settings as asked, after settling

// `columns` numbers a line, for each of `count` bodies.
Expected<std::vector<std::vector<Real>>> read_rows(const std::string& path, int columns, int count) {
  std::ifstream file(path);
  if (!file)
    return Error{fmt::format("{}: cannot be read, expected a line of {} numbers for each body", path, columns)};
  std::vector<std::vector<Real>> rows;
  for (std::vector<Real> row; file.good();) {
    Real x;
    while (static_cast<int>(row.size()) < columns && file >> x) row.push_back(x);
    if (row.empty()) break;
    if (static_cast<int>(row.size()) < columns)
      return Error{fmt::format("{}: body {} is not {} numbers", path, rows.size() + 1, columns)};
    rows.push_back(std::move(row));
    row.clear();
  }
  if (!file.eof()) return Error{fmt::format("{}: body {} is not {} numbers", path, rows.size() + 1, columns)};
  if (rows.size() != at(count)) return Error{fmt::format("{}: {} bodies, expected {}", path, rows.size(), count)};
  return rows;
}

void add_box(Real width, bool open, Blocks3& out) {
  scene::add_walls<3>(width, width, 0, out);
  if (open) out.blocks.erase(out.blocks.begin() + out.find("right wall"));
  out.blocks.push_back(scene::ground_at<3>(0, 0));
}

// tiles x tiles copies of the packing, side by side in one box; open: without the wall at +x.
Expected<Blocks3> tiled_spheres(const std::string& packs, const Size& size, bool open) {
  const auto rows = read_rows(fmt::format("{}/pack{}.txt", packs, size.spheres), 4, size.spheres);
  if (!rows) return Error{rows.error()};
  const Real width = pack_width(size.spheres), middle = Real(size.tiles - 1) / 2;
  Blocks3 out;
  for (int i = 0; i < size.tiles; ++i)
    for (int j = 0; j < size.tiles; ++j)
      for (const std::vector<Real>& row : *rows) {
        scene::Block<3> block{Ball<3>{row[0]}, {}, density};
        block.pose.x = {row[1] + (i - middle) * width, row[2] + (j - middle) * width, row[3]};
        out.blocks.push_back(block);
      }
  add_box(size.tiles * width, open, out);
  return out;
}

// Corners spread over an ellipsoid.
Polyhedron hull(RandomStream& random) {
  const int corners = least_corners + random.below(most_corners - least_corners + 1);
  const Shape<3> round = scene::grain<3>(scene::Grains::angular, corners, 1, random);
  Vec3 axes;
  for (int i = 0; i < 3; ++i) axes[i] = random.within(least_radius, most_radius);
  std::vector<Vec3> points = std::get<Polyhedron>(round).vertices;
  for (Vec3& p : points)
    for (int i = 0; i < 3; ++i) p[i] *= axes[i];
  const Expected<Polyhedron> solid = Polyhedron::make(points);
  CAIRN_CHECK(solid, "corners on an ellipsoid must make a polyhedron");
  return *solid;
}

Expected<Scene> settled_hulls(Scene s, const std::string& packs, bool open) {
  const auto rows = read_rows(packs + "/hulls2000.txt", 7, hull_count);
  if (!rows) return Error{rows.error()};
  Blocks3 blocks;
  std::vector<Pose3> placed;
  for (int k = 0; k < hull_count; ++k) {
    RandomStream random(hull_seed, static_cast<std::uint64_t>(k));
    blocks.blocks.push_back({hull(random), {}, density});
    const std::vector<Real>& r = (*rows)[at(k)];
    placed.push_back({{r[0], r[1], r[2]}, Rotation<3>{r[3], r[4], r[5], r[6]}.unit()});
  }
  add_box(pack_width(hull_count), open, blocks);
  return finish(std::move(s), blocks, {0, 0, -g}, placed);
}

// What the packings are settled from: grains dropped geometrically, hulls within the largest spheres.
Expected<Scene> loose(Scene s, int count, bool angular) {
  scene::Packing packing;
  packing.grains.count = count, packing.grains.least = least_radius, packing.grains.most = most_radius;
  if (angular) packing.grains.least = most_radius;
  packing.width = packing.depth = pack_width(count);
  packing.matter.density = density;
  s.duration = angular ? 1.5 : 3, s.timed = 0;
  Expected<Blocks3> blocks = scene::build<3>(packing);
  for (int k = 0; angular && blocks && k < count; ++k) {
    RandomStream random(hull_seed, static_cast<std::uint64_t>(k));
    scene::Block<3>& block = blocks->blocks[at(k)];
    block.shape = hull(random);
    block.pose.R = Rotation<3>{random.normal(), random.normal(), random.normal(), random.normal()}.unit();
  }
  return finish(std::move(s), blocks);
}

void rest(Scene& s, const Size& size) { s.settle = size.settle, s.warm = warm, s.timed = size.rest; }

Expected<Scene> sphere_scene(Scene s, const std::string& kind, const Size& size, const std::string& packs) {
  Vec3 gravity{0, 0, -g};
  if (kind == "flow" || kind == "tilt") s.question = Question::flow, s.timed = size.flow;
  if (kind == "tilt") gravity = {g * std::sin(tilt), 0, -g * std::cos(tilt)};
  if (kind == "spheres") s.timed = size.packing;
  if (kind == "rest") rest(s, size);
  s.duration = s.warm + s.timed;
  return finish(std::move(s), tiled_spheres(packs, size, kind == "flow"), gravity);
}

}  // namespace

// As high as wide when grains of 0.05 m lie loose; lower when they have settled.
Real pack_width(int spheres) { return Real(0.08) * std::cbrt(Real(spheres)); }

std::vector<std::string> packing_names() {
  std::vector<std::string> names;
  for (const char* kind : {"rest", "spheres", "flow", "tilt"})
    for (const Size& size : sizes) names.push_back(std::string(kind) + size.name);
  names.insert(names.end(), {"hulls2000", "hullflow2000", "loose1000", "loose4000", "loosehulls2000"});
  return names;
}

Expected<Scene> packing_scene(const std::string& name, const std::string& packs) {
  Scene s;
  s.name = name, s.mu = 0.5, s.question = Question::packing;
  if (name == "loose1000") return loose(std::move(s), 1000, false);
  if (name == "loose4000") return loose(std::move(s), 4000, false);
  if (name == "loosehulls2000") return loose(std::move(s), hull_count, true);
  if (name == "hulls2000") {
    rest(s, hulls);
    s.duration = s.warm + s.timed;
    return settled_hulls(std::move(s), packs, false);
  }
  if (name == "hullflow2000") {
    s.question = Question::flow, s.duration = s.timed = hulls.flow;
    return settled_hulls(std::move(s), packs, true);
  }
  const std::size_t digits = name.find_first_of("0123456789");
  for (const Size& size : sizes)
    if (digits != std::string::npos && name.substr(digits) == size.name)
      return sphere_scene(std::move(s), name.substr(0, digits), size, packs);
  return Error{"unknown packing '" + name + "'"};
}

}  // namespace peers
