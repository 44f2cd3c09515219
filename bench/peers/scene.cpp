#include "peers/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "cairn/scene/arch.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scene/wall.hpp"
#include "peers/scene_parts.hpp"

namespace peers {

namespace {

using namespace cairn;

constexpr Real slab_half = 0.5;   // [m] half thickness of the boxes that stand for half-spaces
constexpr Real slab_extent = 10;  // [m] and their half sides
constexpr Real warm = 0.01;       // [s] untimed where a scene is about rest: its first steps start from nothing

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// --- from Cairn's model to plain numbers

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

// --- the scenes

Expected<Scene> wall(const std::string& name) {
  Scene s;
  s.name = name, s.mu = 0.3;
  s.question = Question::rest, s.duration = 2, s.warm = warm, s.timed = 1;
  if (name == "shaking") {
    s.question = Question::shaking, s.duration = 5, s.warm = 0;
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
  s.question = Question::stack, s.duration = 3, s.warm = warm, s.timed = 0.5;
  s.watched = column.count - 1;
  return finish(std::move(s), scene::build<3>(column));
}

// A flat block on ground whose normal is z; gravity is what leans.
Expected<Scene> incline(const std::string& name, Real slope) {
  scene::Column block;
  block.count = 1, block.width = block.depth = 0.5, block.height = 0.25, block.matter.density = 1000;
  Scene s;
  s.name = name, s.mu = 0.5;
  s.question = slope < s.mu ? Question::stick : Question::slide;
  s.duration = 2, s.warm = warm, s.timed = 0.5;
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
  s.question = stands ? Question::stand : Question::fall, s.duration = stands ? 3 : 5;
  s.warm = warm, s.timed = 0.5;
  s.watched = arch.voussoirs / 2;
  return finish(std::move(s), scene::build<3>(arch));
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

Expected<Scene> finish(Scene s, const Expected<Blocks3>& blocks, const Vec3& gravity,
                       const std::vector<Pose3>& placed) {
  if (!blocks) return Error{s.name + ": " + blocks.error()};
  s.model.gravity = gravity;
  s.model.materials.standard.mu = s.mu;
  Drive<3> drive;
  if (s.motion.moves()) drive = [motion = s.motion](Real t) { return Excursion<3>{{motion.place(t), 0, 0}, {}}; };
  if (const Expected<int> first = scene::add_blocks<3>(s.model, s.state, *blocks, drive); !first)
    return Error{s.name + ": " + first.error()};
  for (std::size_t k = 0; k < placed.size(); ++k) s.state.x[k] = placed[k].x, s.state.r[k].r = placed[k].R;
  fill_bodies(s);
  return s;
}

Real Motion::place(Real t) const { return amplitude * (1 - std::cos(2 * std::numbers::pi * frequency * t)); }
Real Motion::speed(Real t) const {
  const Real w = 2 * std::numbers::pi * frequency;
  return amplitude * w * std::sin(w * t);
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names{"wall",    "shaking",   "stack20",   "alt10",  "heavy1000",
                                 "top1000", "incline49", "incline51", "arch15", "arch09"};
  const std::vector<std::string> packings = packing_names();
  names.insert(names.end(), packings.begin(), packings.end());
  return names;
}

Expected<Scene> make_scene(const std::string& name, const std::string& packs) {
  if (name == "wall" || name == "shaking") return wall(name);
  if (name == "stack20" || name == "alt10" || name == "heavy1000" || name == "top1000") return stack(name);
  if (name == "incline49") return incline(name, 0.49);
  if (name == "incline51") return incline(name, 0.51);
  if (name == "arch15") return arch(name, 0.15);
  if (name == "arch09") return arch(name, 0.09);
  const std::vector<std::string> packings = packing_names();
  if (std::find(packings.begin(), packings.end(), name) != packings.end()) return packing_scene(name, packs);
  std::string known;
  for (const std::string& n : scene_names()) known += " " + n;
  return Error{fmt::format("unknown scene '{}', expected one of{}", name, known)};
}

std::string describe(const Scene& s, Real h, const std::vector<long>& samples) {
  std::string steps, bodies;
  for (const long k : samples) steps += fmt::format("{}{}", steps.empty() ? "" : ",", k);
  for (const Body& b : s.bodies) bodies += fmt::format("{}{}", bodies.empty() ? "" : ",\n", json(b));
  return fmt::format(
      R"({{"name":"{}","h":{},"steps":{},"warm":{},"timed":{},"mu":{},"gravity":{},"amplitude":{},"frequency":{},)"
      "\"samples\":[{}],\"bodies\":[\n{}]}}\n",
      s.name, h, std::lround(s.duration / h), std::lround(s.warm / h), std::lround(s.timed / h), s.mu,
      json(s.model.gravity), s.motion.amplitude, s.motion.frequency, steps, bodies);
}

}  // namespace peers
