#include "peers/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peers {

namespace {

constexpr Real stack_allowed = 1e-3;   // [m] that the top of a stack may move
constexpr Real rest_allowed = 1e-3;    // [m] that a block of the wall at rest may move
constexpr Real stick_allowed = 1e-4;   // [m] that the block may move on the slope that holds it
constexpr Real slide_allowed = 1e-2;   // [-] error of the distance slid
constexpr Real sag_allowed = 1e-3;     // [m] of the keystone of the arch that stands
constexpr Real sag_of_a_fall = 0.1;    // [-] of the span
constexpr Real drop_of_a_block = 0.2;  // [m] half the height of a block of the wall

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Observer::Observer(const Scene& scene) : scene_(scene), detector_(scene.model) {
  std::vector<BodyState> start(scene.bodies.size());
  for (std::size_t k = 0; k < start.size(); ++k) start[k].pose = scene.bodies[k].pose;
  look(0, start, true);
  first_depth_ = depth_, depth_ = 0;
}

void Observer::restart(const std::vector<BodyState>& states) {
  looks_.clear();
  look(0, states, true);
  depth_ = 0;
}

void Observer::look(Real t, const std::vector<BodyState>& states, bool rides) {
  const Vec3 ground{rides ? 0 : scene_.motion.place(t), 0, 0};
  const Vec3 ground_speed{rides ? 0 : scene_.motion.speed(t), 0, 0};
  Look seen{t, {}};
  speed_ = mean_speed_ = 0;
  int free = 0;
  for (std::size_t k = 0; k < states.size(); ++k) {
    seen.x.push_back(states[k].pose.x - ground);
    if (!scene_.bodies[k].free) continue;
    const Real speed = norm(states[k].velocity - ground_speed);
    speed_ = std::max(speed_, speed);
    mean_speed_ += (speed - mean_speed_) / ++free;
    const cairn::Rotation<3>& q = states[k].pose.R;
    finite_ = finite_ && std::isfinite(norm2(seen.x[k]) + q.w + q.x + q.y + q.z) && norm(seen.x[k]) < 1e6;
  }
  looks_.push_back(std::move(seen));
  if (finite_) depth_ = std::max(depth_, depth_of(t, states, rides));
}

Real Observer::depth_of(Real t, const std::vector<BodyState>& states, bool rides) {
  std::vector<Pose3> poses(states.size());
  for (std::size_t k = 0; k < poses.size(); ++k) {
    if (scene_.bodies[k].free) {
      poses[k] = states[k].pose;
      continue;
    }
    poses[k] = scene_.model.bodies[k].placed;
    if (scene_.bodies[k].driven && !rides) poses[k].x[0] += scene_.motion.place(t);
  }
  const std::vector<Real> alert(poses.size(), 0);
  Real deepest = 0;
  for (const cairn::Contact<3>& c : detector_.detect(poses, alert)) deepest = std::max(deepest, -c.gap);
  return deepest;
}

bool Observer::decided() const { return !finite_ || (scene_.question == Question::fall && verdict()[0] == 'o'); }

Vec3 Observer::displacement(std::size_t body) const { return looks_.back().x[body] - looks_.front().x[body]; }

Real Observer::moved() const {
  Real most = 0;
  for (std::size_t k = 0; k < scene_.bodies.size(); ++k)
    if (scene_.bodies[k].free) most = std::max(most, norm(displacement(k)));
  return most;
}

Real Observer::creep() const {
  const Look& last = looks_.back();
  const auto half = std::find_if(looks_.begin(), looks_.end(), [&](const Look& l) { return l.t >= last.t / 2; });
  if (half->t >= last.t) return 0;
  Real most = 0;
  for (std::size_t k = 0; k < scene_.bodies.size(); ++k)
    if (scene_.bodies[k].free) most = std::max(most, norm(last.x[k] - half->x[k]));
  return most / (last.t - half->t);
}

Real Observer::mean_fall() const {
  Real mean = 0;
  int free = 0;
  for (std::size_t k = 0; k < scene_.bodies.size(); ++k)
    if (scene_.bodies[k].free) mean += (-displacement(k)[2] - mean) / ++free;
  return mean;
}

Real Observer::mean_moved() const {
  Real mean = 0;
  int free = 0;
  for (std::size_t k = 0; k < scene_.bodies.size(); ++k)
    if (scene_.bodies[k].free) mean += (norm(displacement(k)) - mean) / ++free;
  return mean;
}

Real Observer::speed() const { return speed_; }

// Against a t^2/2, a = g (sin - mu cos).
Real Observer::slide_error() const {
  const Vec3& gravity = scene_.model.gravity;
  const Real t = looks_.back().t, exact = (gravity[0] + scene_.mu * gravity[2]) * t * t / 2;
  return displacement(at(scene_.watched))[0] / exact - 1;
}

Real Observer::sag() const { return -displacement(at(scene_.watched))[2]; }

int Observer::fallen() const {
  int count = 0;
  for (std::size_t k = 0; k < scene_.bodies.size(); ++k)
    count += scene_.bodies[k].free && displacement(k)[2] < -drop_of_a_block;
  return count;
}

std::string Observer::drift() const {
  if (!finite_) return "-";
  switch (scene_.question) {
    case Question::rest:
    case Question::packing: return fmt::format("{:.1e} m/s", creep());
    case Question::shaking: return fmt::format("{:.2g} m", moved());
    case Question::flow: return fmt::format("{:.2g} m", mean_moved());
    case Question::stack:
    case Question::stick: return fmt::format("{:.1e} m", norm(displacement(at(scene_.watched))));
    case Question::slide: return fmt::format("{:.1e}", slide_error());
    case Question::stand:
    case Question::fall: return fmt::format("{:.1e} m", sag());
  }
  return "-";
}

// A verdict begins with ok or wrong where there is a rule.
std::string Observer::verdict() const {
  if (!finite_) return "wrong: not finite";
  const Real t = looks_.back().t;
  const std::string found = complete_verdict();
  const bool fell = scene_.question == Question::fall && found == "ok";
  if (fell || found == "-" || t > scene_.duration * (1 - 1e-9)) return found;
  return fmt::format("unfinished, {} at {:.3g} s", found, t);
}

std::string Observer::complete_verdict() const {
  const auto judge = [](bool good) { return std::string(good ? "ok" : "wrong"); };
  switch (scene_.question) {
    case Question::rest: return judge(moved() < rest_allowed);
    case Question::shaking: return fmt::format("{} blocks down", fallen());
    case Question::packing:
    case Question::flow: return "-";
    case Question::stack: return judge(norm(displacement(at(scene_.watched))) < stack_allowed);
    case Question::stick: return judge(norm(displacement(at(scene_.watched))) < stick_allowed);
    case Question::slide: return judge(std::fabs(slide_error()) < slide_allowed);
    case Question::stand: return judge(std::fabs(sag()) < sag_allowed);
    case Question::fall: {
      const Real span = looks_.front().x[0][0];  // the first voussoir stands on the ground, half a span from the middle
      return judge(sag() > sag_of_a_fall * 2 * std::fabs(span));
    }
  }
  return "-";
}

}  // namespace peers
