#include "cairn/model/add_joint.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

const char* name_of(JointKind kind) {
  switch (kind) {
    case JointKind::ball: return "ball";
    case JointKind::hinge: return "hinge";
    case JointKind::slider: return "slider";
    case JointKind::universal: return "universal";
    case JointKind::fixed: return "fixed";
  }
  return "?";
}

template <int D>
std::string wrong_bodies(const Model<D>& model, int first, int second) {
  const int n = static_cast<int>(model.bodies.size());
  for (const int b : {first, second})
    if (b < -1 || b >= n) return fmt::format("there is no body {}: expected 0 to {}, or -1 for the world", b, n - 1);
  const auto free = [&](int b) { return b >= 0 && model.bodies[static_cast<std::size_t>(b)].free(); };
  if (first == second) return fmt::format("it joins body {} with itself", first);
  if (!free(first) && !free(second)) return fmt::format("neither body {} nor body {} can move", first, second);
  return {};
}

std::string wrong_options(JointKind kind, const JointOptions& o, bool coordinate) {
  const bool acts = o.motor || std::isfinite(o.lower) || std::isfinite(o.upper) || o.friction > 0 || o.friction_arm > 0;
  if (acts && !coordinate)
    return fmt::format("a {} joint has no coordinate for a motor, limits or friction: use a hinge or a slider",
                       name_of(kind));
  if (o.motor && (std::isfinite(o.lower) || std::isfinite(o.upper) || o.friction > 0 || o.friction_arm > 0))
    return "a motor leaves nothing to limits or friction: expected one or the other";
  if (std::isnan(o.lower) || std::isnan(o.upper) || !(o.lower <= o.upper))
    return fmt::format("limits {} and {}: expected lower <= upper", o.lower, o.upper);
  if (kind == JointKind::hinge && (std::isfinite(o.lower) || std::isfinite(o.upper)) &&
      !(o.upper - o.lower < 2 * std::numbers::pi) && std::isfinite(o.upper - o.lower))
    return fmt::format("limits {} and {} of a hinge: expected less than a turn between them", o.lower, o.upper);
  if (!(o.restitution >= 0 && o.restitution <= 1))
    return fmt::format("restitution {} at the limits: expected 0 to 1", o.restitution);
  if (!(o.friction >= 0 && std::isfinite(o.friction)))
    return fmt::format("friction {}: expected a torque or force of at least 0", o.friction);
  if (!(o.friction_arm >= 0 && std::isfinite(o.friction_arm)))
    return fmt::format("friction_arm {}: expected at least 0", o.friction_arm);
  return {};
}

}  // namespace

template <int D>
Expected<int> add_joint(Model<D>& model, const ModelState<D>& state, JointKind kind, int first, int second,
                        const Pose<D>& where, const JointOptions& options) {
  Joint<D> joint{options, kind, {first, second}, {}};
  std::string wrong = wrong_bodies(model, first, second);
  if (wrong.empty() && D == 2 && (kind == JointKind::ball || kind == JointKind::universal))
    wrong = "it exists in space only: expected hinge (pin), slider or fixed (weld) in the plane";
  for (int i = 0; i < D && wrong.empty(); ++i)
    if (!std::isfinite(where.x[i])) wrong = fmt::format("coordinate {} of its place is {}", i, where.x[i]);
  if (wrong.empty()) wrong = wrong_options(kind, options, joint.has_coordinate());
  if (!wrong.empty()) return Error{fmt::format("{} joint {}: {}", name_of(kind), model.joints.size(), wrong)};
  for (int s = 0; s < 2; ++s) joint.frame[s] = joint.body[s] < 0 ? where : state.pose(joint.body[s]).inverse() * where;
  model.joints.push_back(std::move(joint));
  return static_cast<int>(model.joints.size()) - 1;
}

Pose<2> along(const Vec<2>& point, const Vec<2>& axis) {
  const Vec<2> a = normalised(axis);
  return {point, {a[0], a[1]}};
}
Pose<3> along(const Vec<3>& point, const Vec<3>& axis) {
  const Vec<3> a = normalised(axis);
  if (a[0] < -1 + Real(1e-9)) return {point, {0, 0, 1, 0}};      // half a turn about y
  return {point, Rotation<3>{1 + a[0], 0, -a[2], a[1]}.unit()};  // the shortest turn from x
}

template Expected<int> add_joint(Model<2>&, const ModelState<2>&, JointKind, int, int, const Pose<2>&,
                                 const JointOptions&);
template Expected<int> add_joint(Model<3>&, const ModelState<3>&, JointKind, int, int, const Pose<3>&,
                                 const JointOptions&);

}  // namespace cairn
