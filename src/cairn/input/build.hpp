// A scene file into a World: shapes, bodies, generators, motions, joints, loads; and whether bodies overlap.
#pragma once

#include <optional>

#include "cairn/input/load.hpp"
#include "cairn/scene/world.hpp"

namespace cairn::input {

struct BuildLimits {
  Real bodies = 2e6;  // about so many are built, at most; fewer where they are dear to place
};
inline constexpr BuildLimits quick_build{20000};  // within a second

// None where anything is wrong: the diagnostics say what. `path`: of the scene file; files that it names lie beside it.
template <int D>
std::optional<scene::World<D>> build_world(const SceneFile& file, const std::string& path, Diagnostics& diagnostics,
                                           const BuildLimits& limits = {});

// --- parts of it -----------------------------------------------------------------------------------------------------

// (x, up) or (x, y, up), in either dimension.
template <int D>
Vec<D> vector_of(const Numbers& numbers);
template <>
Vec<2> vector_of<2>(const Numbers& numbers);
template <>
Vec<3> vector_of<3>(const Numbers& numbers);
// One number is a turn from x towards up, three are a rotation vector.
template <int D>
Vec<spins<D>> spin_of(const Numbers& numbers);
template <>
Vec<1> spin_of<2>(const Numbers& numbers);
template <>
Vec<3> spin_of<3>(const Numbers& numbers);

template <int D>
Expected<Drive<D>> make_drive(const MotionSpec& spec, const std::string& folder, const Constants& constants);

template <int D>
Pose<D> pose_of(const Numbers& position, Real angle, const Numbers& rotation_deg);
template <int D>
Expected<Part<D>> make_part(const ShapeSpec& spec, Real density);

// `densities`: of the materials, for what has none of its own.
template <int D>
Expected<scene::Blocks<D>> generate(const GenerateSpec& spec, const std::vector<Real>& densities);
// How dear that would be, about in bodies.
Real cost_of(const GenerateSpec& spec, int dimension);

// The bodies of a CSV file, with their velocities; a message names its line.
template <int D>
struct TableBodies {
  scene::Blocks<D> blocks;
  std::vector<Vec<D>> velocity;  // [m/s] (blocks)
};
template <int D>
Expected<TableBodies<D>> read_bodies(const TableSpec& spec, const std::string& path, Real density, Real most);

}  // namespace cairn::input
