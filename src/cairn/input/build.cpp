#include "cairn/input/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cairn/base/at.hpp"
#include "cairn/base/closest.hpp"
#include "cairn/detection/detect.hpp"
#include "cairn/model/add_joint.hpp"
#include "cairn/model/build.hpp"
#include "cairn/scheme/joints.hpp"

namespace cairn::input {
namespace {

template <int D>
class Builder {
 public:
  Builder(const SceneFile& file, const std::string& path, Diagnostics& out, const BuildLimits& limits)
      : file_(file), out_(out), limits_(limits), constants_(constants_of(file.parameters)) {
    folder_ = std::filesystem::path(path).parent_path().string();
  }

  std::optional<scene::World<D>> build() {
    model().gravity = file_.gravity.empty() ? Vec<D>{} : vector_of<D>(file_.gravity);
    if (file_.gravity.empty()) model().gravity[D - 1] = Real(-9.81);
    add_materials();
    add_motions();
    if (out_.any()) return std::nullopt;
    for (const BodySpec& b : file_.bodies) add_body_of(b);
    for (const TableSpec& t : file_.tables) add_table(t);
    for (const GenerateSpec& g : file_.generate) add_generated(g);
    if (out_.any()) return std::nullopt;
    for (const AdjustSpec& a : file_.adjust) adjust(a);
    for (const JointSpec& j : file_.joints) add_joint_of(j);
    for (const LoadSpec& l : file_.loads) add_load(l);
    if (!out_.any() && model().size == 0)
      out_.add({1, 1, 1}, "nothing is free to move: expected at least one body with mass");
    if (!out_.any()) check_overlap();
    if (out_.any()) return std::nullopt;
    return std::move(world_);
  }

 private:
  Model<D>& model() { return world_.model; }
  ModelState<D>& state() { return world_.state; }

  // --- materials and motions -----------------------------------------------------------------------------------------

  void add_materials() {
    for (const MaterialSpec& m : file_.materials) densities_.push_back(m.density);
    if (densities_.empty()) densities_.push_back(MaterialSpec{}.density);
    for (const ContactSpec& c : file_.contacts) {
      const bool all = c.between.empty();
      world_.changes.push_back(
          {c.from, all ? -1 : material(c.between[0]), all ? -1 : material(c.between[1]), c.surface});
    }
    std::ranges::stable_sort(world_.changes, {}, &scene::SurfaceChange::from);
    world_.change_surfaces(0);
  }
  int material(const std::string& name) const {
    for (std::size_t m = 0; m < file_.materials.size(); ++m)
      if (file_.materials[m].name == name) return static_cast<int>(m);
    return 0;
  }

  void add_motions() {
    for (const MotionSpec& m : file_.motions) {
      if (m.kind == "expression" && !good_formulas(m)) continue;
      const Expected<Drive<D>> drive = make_drive<D>(m, folder_, constants_);
      if (drive)
        drives_[m.name] = *drive;
      else
        out_.add(m.has("file") ? m.of("file") : m.at, fmt::format("[[motion]] \"{}\": {}", m.name, drive.error()));
    }
  }
  bool good_formulas(const MotionSpec& m) {
    const std::pair<const char*, const std::string*> formulas[] = {
        {"x", &m.x},           {"y", &m.y},           {"z", &m.z},          {"turn", &m.turn},
        {"turn_x", &m.turn_x}, {"turn_y", &m.turn_y}, {"turn_z", &m.turn_z}};
    bool good = true;
    for (const auto& [key, text] : formulas) {
      if (!m.has(key)) continue;
      const auto formula = formula_in_time(*text, constants_);
      const std::string name = key;
      if (D == 2 && name != "x" && name != "z" && name != "turn")
        out_.add(m.of(key), fmt::format("{}: the plane has the axes x and z (up), and turn", key)), good = false;
      else if (!formula)
        out_.add(m.of(key), fmt::format("{}: {}", key, formula.error())), good = false;
    }
    return good;
  }
  Drive<D> drive(const std::string& name) const { return name.empty() ? Drive<D>{} : drives_.at(name); }

  // --- bodies --------------------------------------------------------------------------------------------------------

  bool room_for(Real more, const Located& where, const char* what) {
    planned_ += more;
    if (planned_ <= limits_.bodies) return true;
    out_.add(where.at,
             fmt::format("{}: about {:.0f} bodies, expected at most {:.0f} here{}", what, planned_, limits_.bodies,
                         limits_.bodies < BuildLimits{}.bodies ? " (check --all builds more)" : ""));
    return false;
  }

  void named(int body, std::string name, int part, const Located& where) {
    origin_.resize(at(body) + 1);
    origin_[at(body)] = where.at;
    world_.names.resize(at(body) + 1), world_.part.resize(at(body) + 1);
    world_.names[at(body)] = std::move(name), world_.part[at(body)] = part;
  }

  std::optional<std::vector<Part<D>>> parts_of(const BodySpec& spec) {
    std::vector<ShapeSpec> shapes = spec.parts;
    if (!spec.shape.kind.empty()) shapes.push_back(spec.shape);
    if (shapes.empty() && !spec.has("shape")) {
      out_.add(spec.at, "[[body]]: no shape, expected shape = { kind = ... } or [[body.part]]");
      return std::nullopt;
    }
    std::vector<Part<D>> parts;
    for (const ShapeSpec& s : shapes) {
      Expected<Part<D>> part = make_part<D>(s, densities_[at(spec.material)]);
      if (!part) {
        out_.add(s.at, fmt::format("shape of kind {}: {}", s.kind, part.error()));
        return std::nullopt;
      }
      parts.push_back(std::move(*part));
    }
    return parts;
  }

  void add_body_of(const BodySpec& spec) {
    if (D == 2 && !spec.rotation.empty())
      return out_.add(spec.of("rotation_deg"), "rotation_deg is for space, expected angle_deg in the plane");
    if (!room_for(spec.repeat, spec, "[[body]]")) return;
    const auto parts = parts_of(spec);
    if (!parts) return;
    const std::string name = spec.name.empty() ? fmt::format("body {}", &spec - file_.bodies.data()) : spec.name;
    Pose<D> pose = pose_of<D>(spec.position, spec.angle, spec.rotation);
    for (int k = 0; k < spec.repeat; ++k) {
      const Expected<int> body = place(spec, *parts, pose);
      if (!body) return out_.add(spec.at, fmt::format("[[body]] \"{}\": {}", name, body.error()));
      named(*body, spec.repeat > 1 ? fmt::format("{}.{}", name, k) : name, k, spec);
      set_motion(*body, spec.velocity, spec.spin);
      lock(*body, spec.locked);
      if (!spec.grain.empty()) model().bodies[at(*body)].grain = vector_of<D>(spec.grain);
      pose.x += vector_of<D>(spec.step);
    }
  }

  Expected<int> place(const BodySpec& spec, std::vector<Part<D>> parts, const Pose<D>& pose) {
    if (spec.fixed || !spec.motion.empty())
      return add_boundary<D>(model(), state(), std::move(parts), pose, spec.material, drive(spec.motion));
    if (spec.inertia.empty()) {
      const Expected<int> body = add_body<D>(model(), state(), std::move(parts), pose, spec.material);
      if (body && spec.mass) scale_mass(*body, *spec.mass / model().bodies[at(*body)].mass);
      return body;
    }
    if (spec.inertia.size() != at(spins<D>))
      return Error{fmt::format("inertia has {} entries, expected {}", spec.inertia.size(), spins<D>)};
    if (!spec.mass) return Error{"inertia is given, but not mass"};
    GivenMass<D> given;
    given.mass = *spec.mass, given.centre = vector_of<D>(spec.centre);
    for (int i = 0; i < spins<D>; ++i) given.inertia[i] = spec.inertia[at(i)];
    return add_body<D>(model(), state(), std::move(parts), pose, spec.material, given);
  }

  void scale_mass(int body, Real times) {
    Body<D>& b = model().bodies[at(body)];
    b.mass *= times, b.inertia = times * b.inertia;
  }
  void set_motion(int body, const Numbers& velocity, const Numbers& spin) {
    if (!model().bodies[at(body)].free()) return;
    const Vec<D> v = vector_of<D>(velocity);
    Vec<spins<D>> w = spin_of<D>(spin);
    if constexpr (D == 3) w = state().pose(body).R.inverse() * w;
    for (int i = 0; i < D && !velocity.empty(); ++i) state().u[at(body)][i] = v[i];
    for (int i = 0; i < spins<D> && !spin.empty(); ++i) state().u[at(body)][D + i] = w[i];
  }
  void lock(int body, const Texts& names) {
    Vec<freedoms<D>>& locked = model().bodies[at(body)].locked;
    for (const std::string& n : names) {
      if (n == "x") locked[0] = 1;
      if (n == "y" && D == 3) locked[1] = 1;
      if (n == "z") locked[D - 1] = 1;
      for (int i = 0; i < spins<D>; ++i)
        if (n == "turn" || (D == 3 && n == std::string("turn_") + "xyz"[i])) locked[D + i] = 1;
    }
  }

  void add_table(const TableSpec& spec) {
    const std::string path = (std::filesystem::path(folder_) / spec.file).string();
    const auto bodies = read_bodies<D>(spec, path, densities_[at(spec.material)], limits_.bodies - planned_);
    if (!bodies) return out_.add(spec.of("file"), bodies.error());
    planned_ += static_cast<Real>(bodies->blocks.blocks.size());
    const int first = static_cast<int>(model().bodies.size());
    add_blocks(bodies->blocks, spec.name, {}, spec);
    for (std::size_t k = 0; k < bodies->velocity.size() && first + k < model().bodies.size(); ++k)
      if (const std::size_t b = at(first) + k; model().bodies[b].free())
        for (int i = 0; i < D; ++i) state().u[b][i] = bodies->velocity[k][i];
  }

  void add_generated(const GenerateSpec& spec) {
    if (!room_for(cost_of(spec, D), spec, "[[generate]]")) return;
    const Expected<scene::Blocks<D>> blocks = generate<D>(spec, densities_);
    if (!blocks) return out_.add(spec.at, fmt::format("[[generate]]: {}", blocks.error()));
    Drive<D> moved = drive(spec.motion);
    if (const auto* bed = std::get_if<scene::Bed>(&spec.generator); bed && !moved) moved = scene::shaking<D>(*bed);
    add_blocks(*blocks, spec.name.empty() ? spec.kind : spec.name, moved, spec);
  }

  void add_blocks(const scene::Blocks<D>& blocks, const std::string& name, const Drive<D>& moved,
                  const Located& where) {
    int count = 0;
    for (const scene::Block<D>& b : blocks.blocks) {
      std::vector<Part<D>> part{{b.shape, {}, b.density}};
      const Expected<int> body = b.fixed ? add_boundary<D>(model(), state(), std::move(part), b.pose, b.material, moved)
                                         : add_body<D>(model(), state(), std::move(part), b.pose, b.material);
      if (!body) return out_.add(where.at, fmt::format("{}.{}: {}", name, count, body.error()));
      named(*body, b.name.empty() ? fmt::format("{}.{}", name, count++) : b.name, b.part, where);
    }
  }

  // --- what refers to bodies -----------------------------------------------------------------------------------------

  std::vector<int> find_all(const std::string& name, const Position& where, const char* what) {
    std::vector<int> found = world_.find(name);
    if (found.empty()) out_.add(where, fmt::format("{}: no body \"{}\"{}", what, name, hint(name, world_.names)));
    return found;
  }
  // One body, or -1 for the world; none: a message was left.
  std::optional<int> find(const std::string& name, const Position& where, const char* what, bool or_world) {
    if (or_world && name == "world") return -1;
    const std::vector<int> found = find_all(name, where, what);
    if (found.size() > 1)
      out_.add(where, fmt::format("{}: {} bodies are called \"{}\", expected one", what, found.size(), name));
    return found.size() == 1 ? std::optional<int>(found[0]) : std::nullopt;
  }

  void adjust(const AdjustSpec& spec) {
    for (const int b : find_all(spec.body, spec.of("body"), "[[adjust]]")) {
      Body<D>& body = model().bodies[at(b)];
      if (!spec.motion.empty()) {
        if (body.free())
          return out_.add(spec.of("motion"),
                          fmt::format("\"{}\" is free, expected a fixed body for a motion", spec.body));
        body.drive = static_cast<int>(model().drives.size());
        model().drives.push_back(drive(spec.motion));
        move_boundary(model(), state(), b);
      } else if (!body.free()) {
        return out_.add(spec.of("body"), fmt::format("\"{}\" is fixed: only a motion can be given to it", spec.body));
      }
      lock(b, spec.locked);
      set_motion(b, spec.velocity, spec.spin);
      if (body.free()) scale_mass(b, spec.mass_times);
    }
  }

  void add_joint_of(const JointSpec& spec) {
    static const std::map<std::string, JointKind> kinds{{"hinge", JointKind::hinge},
                                                        {"pin", JointKind::pin},
                                                        {"slider", JointKind::slider},
                                                        {"ball", JointKind::ball},
                                                        {"universal", JointKind::universal},
                                                        {"fixed", JointKind::fixed},
                                                        {"weld", JointKind::weld}};
    const auto first = find(spec.bodies[0], spec.of("bodies"), "[[joint]]", true);
    const auto second = find(spec.bodies[1], spec.of("bodies"), "[[joint]]", true);
    if (!first || !second) return;
    JointOptions o;
    if (spec.lower) o.lower = *spec.lower;
    if (spec.upper) o.upper = *spec.upper;
    o.restitution = spec.restitution, o.friction = spec.friction, o.friction_arm = spec.friction_arm;
    o.collide = spec.collide;
    if (!spec.motor.empty()) {
      const auto motor = formula_in_time(spec.motor, constants_);
      if (!motor) return out_.add(spec.of("motor"), "motor: " + motor.error());
      o.motor = *motor;
    }
    const Vec<D> axis = vector_of<D>(spec.axis);
    if (!(norm(axis) > 0)) return out_.add(spec.of("axis"), "axis is zero, expected a direction");
    const Expected<int> joint =
        add_joint<D>(model(), state(), kinds.at(spec.kind), *first, *second, along(vector_of<D>(spec.point), axis), o);
    if (!joint) out_.add(spec.at, fmt::format("[[joint]]: {}", joint.error()));
  }

  void add_load(const LoadSpec& spec) {
    if (spec.kind == "spring") return add_spring(spec);
    const auto body = find(spec.body, spec.of("body"), "[[load]]", false);
    if (!body) return;
    if (!model().bodies[at(*body)].free())
      return out_.add(spec.of("body"), fmt::format("[[load]]: \"{}\" is fixed, expected a free body", spec.body));
    if (spec.kind == "drag") return model().loads.push_back(drag<D>(*body, spec.linear, spec.turning));
    const auto factor = formula_in_time(spec.factor, constants_);
    if (!factor) return out_.add(spec.of("factor"), "factor: " + factor.error());
    model().loads.push_back(
        point_force<D>(*body, vector_of<D>(spec.point),
                       [f = *factor, force = vector_of<D>(spec.force)](Real t) { return f(t) * force; }));
  }
  void add_spring(const LoadSpec& spec) {
    const auto first = find(spec.bodies[0], spec.of("bodies"), "[[load]]", true);
    const auto second = find(spec.bodies[1], spec.of("bodies"), "[[load]]", true);
    if (!first || !second) return;
    model().loads.push_back(spring<D>(*first, vector_of<D>(spec.first_point), *second, vector_of<D>(spec.second_point),
                                      {spec.stiffness, spec.damping, spec.rest}));
  }

  // The deepest overlap is named; what touches within rounding is good.
  void check_overlap() {
    std::vector<Pose<D>> poses;
    for (std::size_t b = 0; b < model().bodies.size(); ++b) poses.push_back(state().pose(static_cast<int>(b)));
    Detector<D> detector(model());
    const std::vector<Real> alert(poses.size(), 0);
    const Joints<D> joints(model());
    const Contact<D>* worst = nullptr;
    int count = 0;
    const Real allowed = std::max(file_.overlap, Real(1e-6) * model().size);
    for (const Contact<D>& c : detector.detect(poses, alert)) {
      if (c.gap >= -allowed || joints.pass_through(c.body[0], c.body[1])) continue;
      ++count;
      if (worst == nullptr || c.gap < worst->gap) worst = &c;
    }
    if (worst == nullptr) return;
    out_.add(
        origin_[at(std::max(worst->body[0], worst->body[1]))],
        fmt::format(
            "bodies overlap at the start: \"{}\" and \"{}\" by {:.4g} m{}; expected at most {:.4g} m (key 'overlap')",
            world_.names[at(worst->body[0])], world_.names[at(worst->body[1])], -worst->gap,
            count > 1 ? fmt::format(", the worst of {} contacts", count) : "", allowed));
  }

  const SceneFile& file_;
  Diagnostics& out_;
  BuildLimits limits_;
  Constants constants_;
  std::string folder_;
  std::vector<Real> densities_;  // (materials)
  std::map<std::string, Drive<D>> drives_;
  Real planned_ = 0;              // bodies
  std::vector<Position> origin_;  // (bodies) the table that made it
  scene::World<D> world_;
};

}  // namespace

template <int D>
std::optional<scene::World<D>> build_world(const SceneFile& file, const std::string& path, Diagnostics& diagnostics,
                                           const BuildLimits& limits) {
  return Builder<D>(file, path, diagnostics, limits).build();
}
template std::optional<scene::World<2>> build_world<2>(const SceneFile&, const std::string&, Diagnostics&,
                                                       const BuildLimits&);
template std::optional<scene::World<3>> build_world<3>(const SceneFile&, const std::string&, Diagnostics&,
                                                       const BuildLimits&);

}  // namespace cairn::input
