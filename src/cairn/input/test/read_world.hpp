// A scene file written in a test, built.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cairn/input/build.hpp"

namespace cairn::input::test {

// What is wrong with it, as a user would see it; empty: nothing, and `world` is built.
template <int D>
std::string read_into(scene::World<D>& world, const std::string& text, const std::vector<std::string>& settings = {},
                      const std::string& path = "scene.toml") {
  Diagnostics out(path, text);
  const auto file = read_scene({path, "scene", text}, settings, out);
  if (!file) return out.str();
  EXPECT_EQ(file->dimension, D);
  auto built = build_world<D>(*file, path, out);
  if (built) world = std::move(*built);
  return out.str();
}

template <int D>
scene::World<D> read(const std::string& text, const std::vector<std::string>& settings = {},
                     const std::string& path = "scene.toml") {
  scene::World<D> world;
  EXPECT_EQ(read_into<D>(world, text, settings, path), "");
  return world;
}

// The one body of that name.
template <int D>
int find(const scene::World<D>& world, const std::string& name) {
  const std::vector<int> found = world.find(name);
  EXPECT_EQ(found.size(), 1u) << name;
  return found.empty() ? 0 : found[0];
}
template <int D>
const Body<D>& body(const scene::World<D>& world, const std::string& name) {
  return world.model.bodies.at(static_cast<std::size_t>(find(world, name)));
}
template <int D>
const Vec<D>& place(const scene::World<D>& world, const std::string& name) {
  return world.state.x.at(static_cast<std::size_t>(find(world, name)));
}
template <int D>
const Vec<freedoms<D>>& velocity(const scene::World<D>& world, const std::string& name) {
  return world.state.u.at(static_cast<std::size_t>(find(world, name)));
}

template <int N>
void expect_near(const Vec<N>& value, const Vec<N>& expected, Real tolerance = 1e-14) {
  for (int i = 0; i < N; ++i) EXPECT_NEAR(value[i], expected[i], tolerance) << "component " << i;
}

inline std::string dimension(int d) { return "dimension = " + std::to_string(d) + "\n"; }

// Scenes need a body that can move.
inline const char* const free_ball = R"(
[[body]]
name = "ball"
position = [0, 100]
shape = { kind = "ball", radius = 0.1 }
)";

}  // namespace cairn::input::test
