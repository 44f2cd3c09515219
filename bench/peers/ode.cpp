// ODE's driver: QuickStep, stock settings but the iterations; friction is its pyramid.
#include <fmt/format.h>
#include <ode/ode.h>

#include <array>

#include "peers/engine.hpp"

namespace peers {

namespace {

constexpr int points_of_a_pair = 8;
constexpr Real least_normal = 0.5;  // [-] Hulls that just touch get points with a normal of zero, which end a run

// What dCreateConvex keeps pointers to.
struct Hull {
  std::vector<dReal> planes, points;
  std::vector<unsigned> rings;  // of each face: the number of its corners, then they
};

Hull hull_of(const Body& body) {
  Hull hull;
  for (const Vec3& c : body.corners) hull.points.insert(hull.points.end(), {c[0], c[1], c[2]});
  for (const std::vector<int>& ring : body.rings) {
    const auto corner = [&](std::size_t i) { return body.corners[static_cast<std::size_t>(ring[i])]; };
    const Vec3 n = cairn::normalised(cross(corner(1) - corner(0), corner(2) - corner(0)));
    hull.planes.insert(hull.planes.end(), {n[0], n[1], n[2], dot(n, corner(0))});
    hull.rings.push_back(static_cast<unsigned>(ring.size()));
    for (const int i : ring) hull.rings.push_back(static_cast<unsigned>(i));
  }
  return hull;
}

class OdeEngine final : public Engine {
 public:
  OdeEngine(const Scene& scene, const EngineOptions& options) : scene_(scene) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    joints_ = dJointGroupCreate(0);
    const Vec3& g = scene.model.gravity;
    dWorldSetGravity(world_, g[0], g[1], g[2]);
    if (options.iterations > 0) dWorldSetQuickStepNumIterations(world_, options.iterations);
    hulls_.reserve(scene.bodies.size());
    for (const Body& body : scene.bodies) add(body);
  }
  ~OdeEngine() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  std::string settings() const override {
    return fmt::format("QuickStep, {} iterations", dWorldGetQuickStepNumIterations(world_));
  }
  void step(Real t, Real h) override {
    if (scene_.motion.moves())
      for (std::size_t k = 0; k < bodies_.size(); ++k)
        if (scene_.bodies[k].driven)
          dBodySetLinearVel(bodies_[k], (scene_.motion.place(t + h) - scene_.motion.place(t)) / h, 0, 0);
    contacts_ = 0;
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<OdeEngine*>(self)->meet(a, b); });
    dWorldQuickStep(world_, h);
    dJointGroupEmpty(joints_);
  }
  void states(std::vector<BodyState>& out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!bodies_[k]) continue;
      const dReal *x = dBodyGetPosition(bodies_[k]), *q = dBodyGetQuaternion(bodies_[k]);
      const dReal* v = dBodyGetLinearVel(bodies_[k]);
      out[k] = {{{x[0], x[1], x[2]}, cairn::Rotation<3>{q[0], q[1], q[2], q[3]}.unit()}, {v[0], v[1], v[2]}};
    }
  }
  int contacts() const override { return contacts_; }

 private:
  void meet(dGeomID a, dGeomID b) {
    const dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    const auto held = [](dBodyID body) { return !body || dBodyIsKinematic(body); };
    if (held(first) && held(second)) return;
    std::array<dContact, points_of_a_pair> points{};
    const int found = dCollide(a, b, points_of_a_pair, &points[0].geom, sizeof(dContact));
    for (int i = 0; i < found; ++i) {
      dContact& point = points[static_cast<std::size_t>(i)];
      if (dCalcVectorLength3(point.geom.normal) < least_normal) continue;
      ++contacts_;
      point.surface.mode = dContactApprox1;  // friction bounded by mu times the normal force
      point.surface.mu = scene_.mu;
      dJointAttach(dJointCreateContact(world_, joints_, &point), first, second);
    }
  }

  dGeomID geometry_of(const Body& body) {
    switch (body.kind) {
      case Body::box: return dCreateBox(space_, 2 * body.half[0], 2 * body.half[1], 2 * body.half[2]);
      case Body::sphere: return dCreateSphere(space_, body.radius);
      case Body::hull: break;
    }
    hulls_.push_back(hull_of(body));
    const Hull& h = hulls_.back();
    return dCreateConvex(space_, h.planes.data(), static_cast<unsigned>(body.rings.size()), h.points.data(),
                         static_cast<unsigned>(body.corners.size()), h.rings.data());
  }

  void add(const Body& body) {
    const dGeomID geometry = geometry_of(body);
    const Vec3& x = body.pose.x;
    const dQuaternion q = {body.pose.R.w, body.pose.R.x, body.pose.R.y, body.pose.R.z};
    dBodyID made = nullptr;
    if (body.free || body.driven) {
      made = dBodyCreate(world_);
      dGeomSetBody(geometry, made);
    }
    dGeomSetPosition(geometry, x[0], x[1], x[2]);  // of its body, where it has one
    dGeomSetQuaternion(geometry, q);
    if (body.free) {
      dMass mass;
      dMassSetParameters(&mass, body.mass, 0, 0, 0, body.inertia[0], body.inertia[1], body.inertia[2], 0, 0, 0);
      dBodySetMass(made, &mass);
    } else if (body.driven) {
      dBodySetKinematic(made);
    }
    bodies_.push_back(made);
  }

  const Scene& scene_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID joints_;
  std::vector<dBodyID> bodies_;  // (bodies) null: fixed
  std::vector<Hull> hulls_;
  int contacts_ = 0;
};

}  // namespace

const char* engine_name() { return "ODE"; }

cairn::Expected<std::unique_ptr<Engine>> make_engine(const Scene& scene, const EngineOptions& options) {
  return std::unique_ptr<Engine>(std::make_unique<OdeEngine>(scene, options));
}

}  // namespace peers
