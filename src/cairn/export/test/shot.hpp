// A small scene that has moved a little: what exports are made from.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cairn/base/body_rows.hpp"
#include "cairn/record/frame.hpp"
#include "cairn/scene/into_model.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn::exporting::test {

template <int D>
struct Shot {
  Model<D> model;
  ModelState<D> state;
  record::Cast<D> cast;
  std::vector<record::Frame<D>> frames;
  std::vector<record::StepRow> steps;
};

template <int D>
record::Cast<D> cast_of(const Model<D>& model) {
  record::Cast<D> cast;
  cast.bodies = model.bodies, cast.parts = model.parts, cast.gravity = model.gravity, cast.size = model.size;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    cast.names.push_back("body " + std::to_string(b));
    cast.label.push_back(static_cast<int>(b) / 2);
  }
  return cast;
}

template <int D>
record::Frame<D> frame_of(const ModelState<D>& s, long step = 0) {
  record::Frame<D> frame;
  frame.t = s.t, frame.step = step, frame.x = s.x, frame.r = s.r, frame.u = s.u;
  return frame;
}

template <int D>
record::Frame<D> frame_of(const ModelState<D>& s, const Collection<D>& collection, long step, Real h) {
  record::Frame<D> frame = frame_of(s, step);
  frame.h = h;
  const auto& contacts = collection.contacts();
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    const Contact<D>& c = contacts[a];
    const auto velocity = [&](int side) {
      return point_velocity(s.pose(c.body[side]), s.u[static_cast<std::size_t>(c.body[side])], c.point);
    };
    const Vec<D> U = velocity(0) - velocity(1), S = s.impulse[a], slip = U - dot(U, c.normal) * c.normal;
    const Status status = !(norm(S) > 0) ? Status::take_off : norm(slip) > 1e-9 ? Status::slide : Status::stick;
    frame.contacts.push_back({{c.body[0], c.body[1]},
                              {c.key.first, c.key.second},
                              c.key.feature,
                              c.point,
                              c.normal,
                              S,
                              U,
                              c.gap,
                              status,
                              NAN});
  }
  return frame;
}

inline record::StepRow row_of(const CollectionReport& r, Real t, Real h, Real kinetic) {
  record::StepRow row;
  row.t = t, row.h = h, row.active = r.active, row.closed = r.closed, row.islands = r.islands;
  row.iterations = static_cast<Real>(r.iterations), row.error = r.error, row.violation = r.violation;
  row.deepest = r.deepest, row.kinetic = kinetic;
  row.change = r.energy.change, row.applied = r.energy.applied, row.inertial = r.energy.inertial;
  row.boundary = r.energy.boundary, row.dissipation = r.energy.dissipation, row.correction = r.correction_work;
  return row;
}

// Frame 0, then one after each `every` of the steps.
template <int D>
void follow(Shot<D>& shot, int steps, Real h, int every) {
  shot.cast = cast_of(shot.model);
  Collection<D> collection(shot.model);
  shot.frames.push_back(frame_of(shot.state));
  Real kinetic = 0;
  for (int k = 1; k <= steps; ++k) {
    const CollectionReport report = collection.step(shot.state, h);
    kinetic += report.energy.change;
    shot.steps.push_back(row_of(report, shot.state.t, h, kinetic));
    if (k % every == 0) shot.frames.push_back(frame_of(shot.state, collection, k, h));
  }
}

template <int D>
Shot<D> shot_of(const scene::Blocks<D>& blocks, int steps, Real h, int every) {
  Shot<D> shot;
  shot.model.gravity[D - 1] = Real(-9.81);
  const auto added = scene::add_blocks(shot.model, shot.state, blocks);
  EXPECT_TRUE(added) << added.error();
  follow(shot, steps, h, every);
  return shot;
}

// One body of every shape of the dimension, with a fixed half-space and terrain.
inline Shape<2> some_terrain(std::integral_constant<int, 2>) { return Polyline{{{-3, 0.1}, {1, -0.1}, {3, 0.2}}}; }
inline Shape<3> some_terrain(std::integral_constant<int, 3>) {
  return TriangleMesh{{{-2, -2, 0}, {2, -2, 0.1}, {2, 2, 0}, {-2, 2, 0.2}}, {{0, 1, 2}, {0, 2, 3}}};
}
inline std::vector<Shape<2>> all_solids(std::integral_constant<int, 2>) {
  return {Ball<2>{0.3}, Capsule<2>{0.3, 0.2}, Ellipsoid<2>{{0.5, 0.2}}, Polygon::box({0.4, 0.2}),
          Polygon::box({0.3, 0.2}, 0.1)};
}
inline std::vector<Shape<3>> all_solids(std::integral_constant<int, 3>) {
  return {Ball<3>{0.3}, Capsule<3>{0.3, 0.2}, Ellipsoid<3>{{0.5, 0.2, 0.3}}, Polyhedron::box({0.4, 0.2, 0.3}),
          Polyhedron::box({0.3, 0.2, 0.2}, 0.1)};
}

template <int D>
Shot<D> every_shape() {
  Shot<D> shot;
  shot.model.gravity[D - 1] = Real(-9.81);
  const auto dimension = std::integral_constant<int, D>{};
  Real x = -2;
  for (const Shape<D>& shape : all_solids(dimension)) {
    Pose<D> pose;
    pose.x[0] = x, pose.x[D - 1] = 1;
    x += 1;
    EXPECT_TRUE(add_body<D>(shot.model, shot.state, {{shape, {}, 1000}}, pose));
  }
  Pose<D> low;
  low.x[D - 1] = Real(-0.3);
  EXPECT_TRUE(add_boundary<D>(shot.model, shot.state, {{HalfSpace<D>{}, {}, 0}}, low));
  EXPECT_TRUE(add_boundary<D>(shot.model, shot.state, {{some_terrain(dimension), {}, 0}}, Pose<D>{}));
  follow(shot, 60, Real(0.01), 20);
  return shot;
}

// A folder that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cairn_export_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  int files() const { return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {})); }

 private:
  std::filesystem::path path_;
};

inline std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace cairn::exporting::test
