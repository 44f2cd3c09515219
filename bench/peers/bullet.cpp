// Bullet's driver: stock settings but the iterations, no sleep. Built twice, for its library of single and of double
// precision. Its global contact breaking threshold stays 0.02: bounds grow by so many metres and points last up to that
// part of a body's size. Grains of 0.1 m are within the sizes that it is made for; 0.001 makes a step of spheres about
// 1.6 times as fast and takes most points from hulls.
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <cmath>

#include "peers/engine.hpp"

namespace peers {

namespace {

// Hulls: the stock margin of 0.04 m is as large as a grain. Their faces are clipped against each other, without any
// margin: bodies touch where they should, and have all points of a contact at once, where stock Bullet finds one a step
// and grows each hull by its margin.
constexpr btScalar hull_margin = btScalar(1e-3);  // [m]

btVector3 bullet(const Vec3& v) { return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])}; }
btTransform bullet(const Pose3& p) {
  const btQuaternion turn(btScalar(p.R.x), btScalar(p.R.y), btScalar(p.R.z), btScalar(p.R.w));
  return btTransform(turn, bullet(p.x));
}

std::unique_ptr<btCollisionShape> box_of(const Body& body) {
  auto box = std::make_unique<btBoxShape>(bullet(body.half));
  box->initializePolyhedralFeatures();  // for hulls on it; two boxes have a way of their own
  return box;
}

std::unique_ptr<btCollisionShape> shape_of(const Body& body) {
  switch (body.kind) {
    case Body::box: return box_of(body);
    case Body::sphere: return std::make_unique<btSphereShape>(btScalar(body.radius));
    case Body::hull: break;
  }
  auto hull = std::make_unique<btConvexHullShape>();
  for (const Vec3& corner : body.corners) hull->addPoint(bullet(corner), false);
  hull->setMargin(hull_margin);
  hull->recalcLocalAabb();  // keeps bounds with the margin that it finds
  hull->initializePolyhedralFeatures();
  return hull;
}

class BulletEngine final : public Engine {
 public:
  BulletEngine(const Scene& scene, const EngineOptions& options) : scene_(scene) {
    world_.setGravity(bullet(scene.model.gravity));
    if (options.iterations > 0) world_.getSolverInfo().m_numIterations = options.iterations;
    iterations_ = world_.getSolverInfo().m_numIterations;
    for (const Body& body : scene.bodies) add(body);
  }
  ~BulletEngine() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  std::string settings() const override {
    return fmt::format("float{}, {} iterations", 8 * sizeof(btScalar), iterations_);
  }
  void step(Real t, Real h) override {
    if (scene_.motion.moves())
      for (std::size_t k = 0; k < bodies_.size(); ++k) {
        if (!scene_.bodies[k].driven) continue;
        Pose3 pose = scene_.bodies[k].pose;
        pose.x[0] += scene_.motion.place(t + h);
        places_[k]->setWorldTransform(bullet(pose));
      }
    world_.stepSimulation(btScalar(h), 0, btScalar(h));
  }
  void states(std::vector<BodyState>& out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const btTransform& at = bodies_[k]->getWorldTransform();
      const btQuaternion q = at.getRotation();
      const btVector3 &x = at.getOrigin(), &v = bodies_[k]->getLinearVelocity();
      out[k].pose = {{x.x(), x.y(), x.z()}, cairn::Rotation<3>{q.w(), q.x(), q.y(), q.z()}.unit()};
      out[k].velocity = {v.x(), v.y(), v.z()};
    }
  }
  int contacts() const override {
    int points = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
      points += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    return points;
  }

 private:
  void add(const Body& body) {
    shapes_.push_back(shape_of(body));
    places_.push_back(std::make_unique<btDefaultMotionState>(bullet(body.pose)));
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(body.mass), places_.back().get(), shapes_.back().get(),
                                                  bullet(body.inertia));
    info.m_friction = btScalar(std::sqrt(scene_.mu));  // of a pair: the product
    info.m_restitution = 0;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& made = *bodies_.back();
    made.setActivationState(DISABLE_DEACTIVATION);  // time is that of a step that is really done
    if (body.driven) made.setCollisionFlags(made.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    world_.addRigidBody(&made);
  }

  const Scene& scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_, &solver_, &configuration_};
  int iterations_ = 0;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;      // (bodies)
  std::vector<std::unique_ptr<btDefaultMotionState>> places_;  // (bodies)
  std::vector<std::unique_ptr<btRigidBody>> bodies_;           // (bodies)
};

}  // namespace

const char* engine_name() { return "Bullet"; }

cairn::Expected<std::unique_ptr<Engine>> make_engine(const Scene& scene, const EngineOptions& options) {
  return std::unique_ptr<Engine>(std::make_unique<BulletEngine>(scene, options));
}

}  // namespace peers
