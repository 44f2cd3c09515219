#include "peers/scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <variant>

#include "cairn/scene/arch.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/wall.hpp"

namespace peers {

namespace {

using namespace cairn;
using Blocks3 = scene::Blocks<3>;

constexpr Real g = 9.81;               // [m/s^2]
constexpr Real slab_half = 0.5;        // [m] half thickness of the boxes that stand for half-spaces
constexpr Real slab_extent = 10;       // [m] and their half sides
constexpr Real sphere_density = 2500;  // [kg/m^3]

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// --- from Cairn's model to plain numbers
// ------------------------------------------------------------------------------

bool is_box(const Polyhedron& p, const Pose3& pose) {
  const Real off = norm(pose.x) + norm(Vec3{pose.R.x, pose.R.y, pose.R.z});  // rounding of the centre of mass
  if (p.vertices.size() != 8 || p.radius > 0 || off > 1e-12) return false;
  const Polyhedron box = Polyhedron::box(p.vertices.back());
  for (std::size_t i = 0; i < 8; ++i)
    if (norm(box.vertices[i] - p.vertices[i]) > 0) return false;
  return true;
}

struct Fill {
  Body& body;
  const Pose3& pose;  // of the shape in the body

  void operator()(const Ball<3>& ball) const { body.kind = Body::sphere, body.radius = ball.radius; }
  void operator()(const HalfSpace<3>&) const {
    body.kind = Body::box, body.half = {slab_extent, slab_extent, slab_half};
    body.pose.x = body.pose.to_world({0, 0, -slab_half});
  }
  void operator()(const Polyhedron& p) const {
    if (is_box(p, pose)) {
      body.kind = Body::box, body.half = p.vertices.back();
      return;
    }
    body.kind = Body::hull;
    for (const Vec3& v : p.vertices) body.corners.push_back(pose.to_world(v));
    for (const Polyhedron::Face& f : p.faces) body.rings.push_back(f.ring);
  }
  template <class Other>
  void operator()(const Other&) const {
    CAIRN_CHECK(false, "a scene of the comparison has boxes, spheres, hulls and half-spaces only");
  }
};

void fill_bodies(Scene& s) {
  for (std::size_t k = 0; k < s.model.bodies.size(); ++k) {
    const cairn::Body<3>& from = s.model.bodies[k];
    Body body;
    body.free = from.free(), body.driven = from.drive >= 0;
    body.mass = from.mass, body.inertia = from.inertia;
    body.pose = from.free() ? s.state.pose(static_cast<int>(k)) : from.placed;
    s.bodies.push_back(std::move(body));
  }
  for (const BodyPart<3>& part : s.model.parts) std::visit(Fill{s.bodies[at(part.body)], part.pose}, part.shape);
}

Expected<Scene> finish(Scene s, const Expected<Blocks3>& blocks, const Vec3& gravity = {0, 0, -g}) {
  if (!blocks) return Error{s.name + ": " + blocks.error()};
  s.model.gravity = gravity;
  s.model.materials.standard.mu = s.mu;
  Drive<3> drive;
  if (s.motion.moves()) drive = [motion = s.motion](Real t) { return Excursion<3>{{motion.place(t), 0, 0}, {}}; };
  if (const Expected<int> first = scene::add_blocks<3>(s.model, s.state, *blocks, drive); !first)
    return Error{s.name + ": " + first.error()};
  fill_bodies(s);
  return s;
}

// --- the scenes
// -------------------------------------------------------------------------------------------------------

Expected<Scene> wall(const std::string& name) {
  Scene s;
  s.name = name, s.mu = 0.3;
  s.question = Question::rest, s.duration = 2, s.timed = 1;
  if (name == "shaking") {
    s.question = Question::shaking, s.duration = 5;
    s.motion = {0.125, 2};
  }
  scene::Wall wall;
  wall.depth = 0.3;
  return finish(std::move(s), scene::build<3>(wall));
}

Expected<Scene> stack(const std::string& name) {
  scene::Column column;
  column.matter.density = 1000;
  if (name == "alt10") column.heavy = scene::Column::alternate, column.ratio = 10;
  if (name == "heavy1000" || name == "top1000") column.heavy = scene::Column::top, column.ratio = 1000;
  if (name == "heavy1000") column.count = 2;
  Scene s;
  s.name = name, s.mu = 0.5;
  s.question = Question::stack, s.duration = 3, s.timed = 0.5;
  s.watched = column.count - 1;
  return finish(std::move(s), scene::build<3>(column));
}

// A flat block on ground whose normal is z; gravity is what leans.
Expected<Scene> incline(const std::string& name, Real slope) {
  scene::Column block;
  block.count = 1, block.width = block.depth = 0.5, block.height = 0.25, block.matter.density = 1000;
  Scene s;
  s.name = name, s.mu = 0.5;
  s.question = slope < s.mu ? Question::stick : Question::slide, s.duration = 2, s.timed = 0.5;
  const Real c = g / std::sqrt(1 + slope * slope);
  return finish(std::move(s), scene::build<3>(block), {c * slope, 0, -c});
}

Expected<Scene> arch(const std::string& name, Real slenderness) {
  scene::Arch arch;
  arch.voussoirs = 17, arch.radius = 5, arch.thickness = slenderness * arch.radius, arch.depth = 1;
  arch.support = scene::ArchSupport::ground;
  const bool stands = arch.thickness > scene::least_thickness(arch);
  Scene s;
  s.name = name, s.mu = 0.7;
  s.question = stands ? Question::stand : Question::fall, s.duration = stands ? 3 : 5, s.timed = 0.5;
  s.watched = arch.voussoirs / 2;
  return finish(std::move(s), scene::build<3>(arch));
}

Expected<Blocks3> read_pack(const std::string& path, int spheres) {
  std::ifstream file(path);
  if (!file) return Error{path + ": cannot be read, expected a file of spheres, a line 'r x y z' each"};
  Blocks3 out;
  Real r, x, y, z;
  while (file >> r >> x >> y >> z) {
    scene::Block<3> block{Ball<3>{r}, {}, sphere_density};
    block.pose.x = {x, y, z};
    out.blocks.push_back(block);
  }
  if (!file.eof()) return Error{fmt::format("{}: sphere {} is not four numbers", path, out.blocks.size() + 1)};
  if (out.blocks.size() != at(spheres))
    return Error{fmt::format("{}: {} spheres, expected {}", path, out.blocks.size(), spheres)};
  return out;
}

// tiles x tiles copies of the packing, side by side in one box.
Expected<Blocks3> tiled_pack(const std::string& path, int spheres, int tiles) {
  const Expected<Blocks3> one = read_pack(path, spheres);
  if (!one) return one;
  const Real width = pack_width(spheres);
  Blocks3 out;
  for (int i = 0; i < tiles; ++i)
    for (int j = 0; j < tiles; ++j)
      for (scene::Block<3> block : one->blocks) {
        block.pose.x += Vec3{(i - Real(tiles - 1) / 2) * width, (j - Real(tiles - 1) / 2) * width, 0};
        out.blocks.push_back(block);
      }
  scene::add_walls<3>(tiles * width, tiles * width, 0, out);
  out.blocks.push_back(scene::ground_at<3>(0, 0));
  return out;
}

Expected<Scene> settled(const std::string& name, const std::string& packs, int spheres, int tiles, Real duration) {
  Scene s;
  s.name = name, s.mu = 0.5;
  s.question = Question::packing, s.duration = s.timed = duration;
  return finish(std::move(s), tiled_pack(fmt::format("{}/pack{}.txt", packs, spheres), spheres, tiles));
}

// What the packings are settled from.
Expected<Scene> loose(const std::string& name, int spheres) {
  scene::Packing packing;
  packing.grains.count = spheres, packing.grains.least = 0.04, packing.grains.most = 0.06;
  packing.width = packing.depth = pack_width(spheres);
  packing.matter.density = sphere_density;
  Scene s;
  s.name = name, s.mu = 0.5;
  s.question = Question::packing, s.duration = 3, s.timed = 0;
  return finish(std::move(s), scene::build<3>(packing));
}

std::string json(const Vec3& v) { return fmt::format("[{:.17g},{:.17g},{:.17g}]", v[0], v[1], v[2]); }

std::string json(const Body& b) {
  static const char* const kinds[] = {"box", "sphere", "hull"};
  std::string corners;
  for (const Vec3& c : b.corners) corners += fmt::format("{}{}", corners.empty() ? "" : ",", json(c));
  const cairn::Rotation<3>& q = b.pose.R;
  return fmt::format(
      R"({{"kind":"{}","free":{},"half":{},"radius":{:.17g},"place":{},"turn":[{:.17g},{:.17g},{:.17g},{:.17g}],)"
      R"("mass":{:.17g},"inertia":{},"corners":[{}]}})",
      kinds[b.kind], b.free, json(b.half), b.radius, json(b.pose.x), q.w, q.x, q.y, q.z, b.mass, json(b.inertia),
      corners);
}

}  // namespace

Real Motion::place(Real t) const { return amplitude * (1 - std::cos(2 * std::numbers::pi * frequency * t)); }
Real Motion::speed(Real t) const {
  const Real w = 2 * std::numbers::pi * frequency;
  return amplitude * w * std::sin(w * t);
}

// As high as wide when grains of 0.05 m lie loose; higher when they have settled.
Real pack_width(int spheres) { return Real(0.08) * std::cbrt(Real(spheres)); }

std::vector<std::string> scene_names() {
  return {"wall",      "shaking", "spheres1000", "spheres4000", "spheres16000", "stack20", "alt10",
          "heavy1000", "top1000", "incline49",   "incline51",   "arch15",       "arch09"};
}

Expected<Scene> make_scene(const std::string& name, const std::string& packs) {
  if (name == "wall" || name == "shaking") return wall(name);
  if (name == "stack20" || name == "alt10" || name == "heavy1000" || name == "top1000") return stack(name);
  if (name == "incline49") return incline(name, 0.49);
  if (name == "incline51") return incline(name, 0.51);
  if (name == "arch15") return arch(name, 0.15);
  if (name == "arch09") return arch(name, 0.09);
  if (name == "spheres1000") return settled(name, packs, 1000, 1, 0.3);
  if (name == "spheres4000") return settled(name, packs, 4000, 1, 0.1);
  if (name == "spheres16000") return settled(name, packs, 4000, 2, 0.02);
  if (name == "loose1000") return loose(name, 1000);
  if (name == "loose4000") return loose(name, 4000);
  std::string known;
  for (const std::string& n : scene_names()) known += " " + n;
  return Error{fmt::format("unknown scene '{}', expected one of{} loose1000 loose4000", name, known)};
}

std::string describe(const Scene& s, Real h, const std::vector<long>& samples) {
  std::string steps, bodies;
  for (const long k : samples) steps += fmt::format("{}{}", steps.empty() ? "" : ",", k);
  for (const Body& b : s.bodies) bodies += fmt::format("{}{}", bodies.empty() ? "" : ",\n", json(b));
  return fmt::format(R"({{"name":"{}","h":{},"steps":{},"timed":{},"mu":{},"gravity":{},"amplitude":{},"frequency":{},)"
                     "\"samples\":[{}],\"bodies\":[\n{}]}}\n",
                     s.name, h, std::lround(s.duration / h), std::lround(s.timed / h), s.mu, json(s.model.gravity),
                     s.motion.amplitude, s.motion.frequency, steps, bodies);
}

}  // namespace peers
