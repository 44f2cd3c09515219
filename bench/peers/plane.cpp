// Cairn's driver in the plane (x, z): scenes of boxes along the axes and a level ground, all at one depth y.
#include <fmt/format.h>

#include <variant>

#include "cairn/model/build.hpp"
#include "cairn/scheme/collection.hpp"
#include "peers/engine.hpp"

namespace peers {

namespace {

using Vec2 = cairn::Vec<2>;

struct Plane {
  cairn::Model<2> model;
  cairn::ModelState<2> state;
};

cairn::Drive<2> drive_of(const Scene& scene, const Body& body) {
  if (!body.driven) return {};
  return [motion = scene.motion](Real t) { return cairn::Excursion<2>{{motion.place(t), 0}, {}}; };
}

// The body of the same number; its mass is that in space.
cairn::Expected<int> add(Plane& plane, const Scene& scene, const Body& body, const cairn::Shape<3>& shape) {
  const bool ground = std::holds_alternative<cairn::HalfSpace<3>>(shape);
  if (body.kind != Body::box || norm(Vec3{body.pose.R.x, body.pose.R.y, body.pose.R.z}) > 0)
    return cairn::Error{"expected boxes along the axes and a level ground, for an engine in the plane"};
  const Vec2 half{body.half[0], body.half[2]};
  cairn::Pose<2> pose{{body.pose.x[0], body.pose.x[2]}, {}};
  if (ground) pose.x[1] += half[1];  // its surface: the box that stands for it lies below
  const cairn::Shape<2> flat =
      ground ? cairn::Shape<2>(cairn::HalfSpace<2>{}) : cairn::Shape<2>(cairn::Polygon::box(half));
  std::vector<cairn::Part<2>> part{{flat, {}, body.free ? body.mass / (4 * half[0] * half[1]) : 0}};
  if (body.free) return cairn::add_body<2>(plane.model, plane.state, std::move(part), pose);
  return cairn::add_boundary<2>(plane.model, plane.state, std::move(part), pose, 0, drive_of(scene, body));
}

cairn::Expected<Plane> plane_of(const Scene& scene) {
  Plane plane;
  plane.model.gravity = {scene.model.gravity[0], scene.model.gravity[2]};
  plane.model.materials.standard.mu = scene.mu;
  for (const cairn::BodyPart<3>& part : scene.model.parts) {  // one a body
    const Body& body = scene.bodies[static_cast<std::size_t>(part.body)];
    if (const auto added = add(plane, scene, body, part.shape); !added)
      return cairn::Error{fmt::format("{}, body {}: {}", scene.name, part.body, added.error())};
  }
  return plane;
}

class PlaneEngine final : public Engine {
 public:
  PlaneEngine(const Scene& scene, Plane plane, const cairn::CollectionOptions& options)
      : scene_(scene), options_(options), plane_(std::move(plane)), scheme_(plane_.model, options_) {}

  std::string settings() const override { return fmt::format("error {:.0e}", options_.tolerance); }
  void step(Real, Real h) override { report_ = scheme_.step(plane_.state, h); }
  void states(std::vector<BodyState>& out) const override {
    const cairn::ModelState<2>& s = plane_.state;
    for (std::size_t k = 0; k < out.size(); ++k) {
      // An angle from x towards z is a turn about -y.
      out[k].pose = {{s.x[k][0], scene_.bodies[k].pose.x[1], s.x[k][1]}, cairn::Rotation<3>::by({0, -s.r[k].angle, 0})};
      out[k].velocity = {s.u[k][0], 0, s.u[k][1]};
    }
  }
  int contacts() const override { return report_.active; }
  Real error() const override { return report_.error; }
  Real asked() const override { return options_.tolerance; }

 private:
  const Scene& scene_;
  cairn::CollectionOptions options_;
  Plane plane_;
  cairn::Collection<2> scheme_;
  cairn::CollectionReport report_;
};

}  // namespace

const char* engine_name() { return "Cairn 2D"; }

cairn::Expected<std::unique_ptr<Engine>> make_engine(const Scene& scene, const EngineOptions& options) {
  cairn::Expected<Plane> plane = plane_of(scene);
  if (!plane) return cairn::Error{plane.error()};
  cairn::CollectionOptions o;
  if (options.tolerance > 0) o.tolerance = options.tolerance;
  if (options.iterations > 0) o.iterations = options.iterations;
  o.required = o.tolerance;
  return std::unique_ptr<Engine>(std::make_unique<PlaneEngine>(scene, std::move(*plane), o));
}

}  // namespace peers
