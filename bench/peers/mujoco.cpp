// MuJoCo's driver: stock settings (Newton's method, friction pyramids, soft contact). Ground that moves is taken as an
// acceleration of everything else: places are relative to it.
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "peers/engine.hpp"

namespace peers {

namespace {

std::string list(const Vec3& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }

std::string geometry_of(const Body& body, std::size_t number, const std::string& place) {
  switch (body.kind) {
    case Body::box: return fmt::format("<geom type='box' size='{}' {}/>", list(body.half), place);
    case Body::sphere: return fmt::format("<geom type='sphere' size='{:.17g}' {}/>", body.radius, place);
    case Body::hull: break;
  }
  return fmt::format("<geom type='mesh' mesh='hull{}' {}/>", number, place);
}

std::string model_of(const Scene& scene, const EngineOptions& o) {
  const std::size_t n = scene.bodies.size();  // room for contacts: a wall has about 8 a body
  std::string meshes, bodies;
  for (std::size_t k = 0; k < n; ++k) {
    const Body& b = scene.bodies[k];
    const cairn::Rotation<3>& q = b.pose.R;
    const std::string place =
        fmt::format("pos='{}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'", list(b.pose.x), q.w, q.x, q.y, q.z);
    if (b.kind == Body::hull) {
      meshes += fmt::format("<mesh name='hull{}' vertex='", k);
      for (const Vec3& c : b.corners) meshes += list(c) + " ";
      meshes += "'/>";
    }
    if (!b.free) {
      bodies += geometry_of(b, k, place);
      continue;
    }
    bodies += fmt::format(
        "<body name='body{}' {}><freejoint/><inertial pos='0 0 0' mass='{:.17g}' diaginertia='{}'/>{}</body>", k, place,
        b.mass, list(b.inertia), geometry_of(b, k, ""));
  }
  std::string iterations = o.iterations > 0 ? fmt::format(" iterations='{}'", o.iterations) : "";
  if (o.tolerance > 0) iterations += fmt::format(" tolerance='{:g}'", o.tolerance);
  return fmt::format(
      "<mujoco><compiler inertiafromgeom='false'/><size njmax='{}' nconmax='{}'/>"
      "<option timestep='{:.17g}' gravity='{}'{}/><default><geom condim='3' friction='{:.17g} 0.005 0.0001'/></default>"
      "<asset>{}</asset><worldbody>{}</worldbody></mujoco>",
      60 * n + 300, 20 * n + 100, o.h, list(scene.model.gravity), iterations, scene.mu, meshes, bodies);
}

class MujocoEngine final : public Engine {
 public:
  MujocoEngine(const Scene& scene, mjModel* model) : scene_(scene), model_(model), data_(mj_makeData(model)) {
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
      const int body = mj_name2id(model, mjOBJ_BODY, fmt::format("body{}", k).c_str());
      joint_.push_back(body < 0 ? -1 : model->body_jntadr[body]);
    }
  }
  ~MujocoEngine() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  std::string settings() const override {
    return fmt::format("Newton, {} iterations, {:.0e}", model_->opt.iterations, model_->opt.tolerance);
  }
  void step(Real t, Real h) override {
    if (scene_.motion.moves()) model_->opt.gravity[0] = scene_.model.gravity[0] - scene_.motion.acceleration(t, h);
    mj_step(model_, data_);
  }
  void states(std::vector<BodyState>& out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (joint_[k] < 0) continue;
      const mjtNum *x = data_->qpos + model_->jnt_qposadr[joint_[k]], *v = data_->qvel + model_->jnt_dofadr[joint_[k]];
      out[k] = {{{x[0], x[1], x[2]}, cairn::Rotation<3>{x[3], x[4], x[5], x[6]}.unit()}, {v[0], v[1], v[2]}};
    }
  }
  int contacts() const override { return data_->ncon; }
  bool rides() const override { return true; }

 private:
  const Scene& scene_;
  mjModel* model_;
  mjData* data_;
  std::vector<int> joint_;  // (bodies) -1: none
};

}  // namespace

const char* engine_name() { return "MuJoCo"; }

cairn::Expected<std::unique_ptr<Engine>> make_engine(const Scene& scene, const EngineOptions& options) {
  char path[] = "/tmp/peers-XXXXXX.xml";
  const int file = mkstemps(path, 4);
  if (file < 0) return cairn::Error{"no file could be made in /tmp for the model"};
  const std::string text = model_of(scene, options);
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  char message[1000] = "";
  mjModel* model = written ? mj_loadXML(path, nullptr, message, sizeof message) : nullptr;
  std::remove(path);
  if (!model) return cairn::Error{fmt::format("MuJoCo does not take the model: {}", message)};
  return std::unique_ptr<Engine>(std::make_unique<MujocoEngine>(scene, model));
}

}  // namespace peers
