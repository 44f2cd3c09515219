// Random small scenes, a few steps of each: whatever comes, the numbers are finite, the certificate says the truth, no
// energy comes from nowhere, and nothing falls through the ground.
#include <gtest/gtest.h>

#include <cmath>

#include "cairn/detection/test/random_pairs.hpp"
#include "cairn/model/build.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/scheme/spin.hpp"
#include "cairn/shape/test/grid_mesh.hpp"

namespace cairn {
namespace {

using test::Dice;

constexpr Real wide = 1.2;  // [m] bodies start in columns of that width, which is more than theirs

Shape<2> random_solid(Dice& dice, Real size, Shape<2>*) { return test::random_polygon(dice, size); }
Shape<3> random_solid(Dice& dice, Real size, Shape<3>*) {
  const Real radius = dice.flip() ? 0 : size * dice.real(0, 0.2);
  for (;;) {
    std::vector<Vec<3>> corners;
    for (int i = dice.integer(4, 10); i > 0; --i) corners.push_back(size * dice.direction<3>());
    if (auto made = Polyhedron::make(corners, radius)) return *made;
  }
}

// Of a reach of at most 1.2 sizes.
template <int D>
Shape<D> random_shape(Dice& dice, Real size) {
  switch (dice.integer(0, 4)) {
    case 0: return Ball<D>{size * dice.real(0.3, 1)};
    case 1: return Capsule<D>{size * dice.real(0, 0.6), size * dice.real(0.1, 0.4)};
    case 2: {
      Ellipsoid<D> egg;
      for (int i = 0; i < D; ++i) egg.semi[i] = size * dice.real(0.2, 1);
      return egg;
    }
    case 3:
      if constexpr (D == 2)
        return Polygon::box(size * Vec<2>{dice.real(0.1, 0.7), dice.real(0.1, 0.7)});
      else
        return Polyhedron::box(size * Vec<3>{dice.real(0.1, 0.5), dice.real(0.1, 0.5), dice.real(0.1, 0.5)});
    default: return random_solid(dice, size, static_cast<Shape<D>*>(nullptr));
  }
}

template <int D>
std::vector<Part<D>> random_parts(Dice& dice) {
  const Real size = dice.log_uniform(0.05, 0.25);
  std::vector<Part<D>> parts{{random_shape<D>(dice, size), dice.pose<D>(0), dice.log_uniform(1, 1e4)}};
  for (int more = std::max(0, dice.integer(-3, 2)); more > 0; --more)
    parts.push_back({random_shape<D>(dice, size), dice.pose<D>(size), dice.log_uniform(1, 1e4)});
  return parts;
}

Shape<2> land(Dice& dice, Real roughness, Shape<2>*) {
  Polyline line;
  for (int i = -20; i <= 20; ++i) line.points.push_back({0.4 * i, roughness * dice.real(-1, 1)});
  return line;
}
Shape<3> land(Dice& dice, Real roughness, Shape<3>*) {
  return test::grid_mesh(21, 0.8, [&] { return roughness * dice.real(-1, 1); });
}

template <int D>
struct Trial {
  static constexpr int F = freedoms<D>;
  Model<D> model;
  ModelState<D> state;
  Real h;                  // [s]
  Real restitution = 0;    // of all contacts
  bool rough = false;      // terrain, not a half-space
  Real rise = 0;           // [m] of the ground at most, with what it is rough and shaken by
  Real top[3] = {};        // [m] of the columns of bodies
  std::vector<char> spun;  // (bodies) too fast, on terrain

  explicit Trial(unsigned seed) {
    Dice dice(seed);
    h = dice.log_uniform(1e-3, 2e-2);
    model.gravity = 9.81 * dice.direction<D>();
    model.gravity[D - 1] = -std::abs(model.gravity[D - 1]) - 1;
    if (dice.integer(0, 2) == 0) restitution = dice.real(0, 1);
    model.materials.standard = {dice.real(0, 1.5), restitution, restitution};
    for (int i = 0; i < 3; ++i)
      model.materials.set(dice.integer(0, 2), dice.integer(0, 2), {dice.real(0, 1), restitution, restitution});
    add_ground(dice);
    for (int i = dice.integer(2, 8); i > 0; --i) add_some_body(dice, i % 3);
    if (dice.integer(0, 3) == 0) add_paddle(dice);
    spun.resize(model.bodies.size());
  }

  void add_ground(Dice& dice) {
    rough = dice.flip();
    const Real roughness = rough ? dice.real(0, 0.1) : 0;
    const Shape<D> shape = rough ? land(dice, roughness, static_cast<Shape<D>*>(nullptr)) : Shape<D>{HalfSpace<D>{}};
    Drive<D> drive;
    rise = roughness;
    if (dice.flip()) {
      const Harmonic shake{dice.real(0, 0.05), dice.real(0.5, 10), dice.real(0, 6)};
      drive = harmonic<D>(dice.direction<D>(), {shake});
      rise += 2 * shake.amplitude;
    }
    EXPECT_TRUE(add_boundary<D>(model, state, {{shape, {}, 0}}, {}, dice.integer(0, 2), drive));
    for (Real& z : top) z = rise;
  }

  // A bar that turns on its spot, above the middle column.
  void add_paddle(Dice& dice) {
    Vec<D> x{};
    x[D - 1] = top[1] + 0.6;
    Vec<spins<D>> spin{};
    spin[0] = dice.real(-20, 20);
    EXPECT_TRUE(add_boundary<D>(model, state, {{Capsule<D>{0.5, 0.05}, {}, 0}}, {x, dice.rotation<D>()}, 1,
                                constant_velocity<D>({}, spin)));
  }

  // The body's box stands on the column.
  void add_some_body(Dice& dice, int column) {
    const std::size_t first = model.parts.size();
    const Expected<int> body =
        add_body<D>(model, state, random_parts<D>(dice), {{}, dice.rotation<D>()}, dice.integer(0, 2));
    ASSERT_TRUE(body) << body.error();
    Real low = 0, high = 0;
    for (std::size_t p = first; p < model.parts.size(); ++p) {
      const Bounds<D> box = bounds<D>(model.parts[p].shape, state.pose(*body) * model.parts[p].pose);
      low = std::min(low, box.low[D - 1]), high = std::max(high, box.high[D - 1]);
    }
    const Real lift = top[column] + dice.log_uniform(1e-6, 0.05) - low;
    state.x.back()[0] += wide * (column - 1);
    state.x.back()[D - 1] += lift;
    top[column] = high + lift;
    Vec<F>& u = state.u.back();
    const Real speed = dice.log_uniform(1e-3, 20), spin = dice.log_uniform(1e-3, 50);
    for (int k = 0; k < F; ++k) u[k] = (k < D ? speed : spin) * dice.real(-1, 1);
    if (dice.integer(0, 9) > 0) return;
    const int locked = dice.integer(0, F - 1);
    model.bodies.back().locked[locked] = 1, u[locked] = 0;
  }

  bool finite() const {
    Real sum = 0;
    for (std::size_t b = 0; b < state.x.size(); ++b) {
      const Pose<D> pose = state.pose(static_cast<int>(b));
      sum += norm(state.x[b]) + norm(state.u[b]) + norm(pose.R * state.x[b]);
    }
    return std::isfinite(sum);
  }

  Real kinetic_energy() const {
    Real twice = 0;
    for (std::size_t b = 0; b < state.u.size(); ++b)
      for (int k = 0; k < F; ++k) twice += model.bodies[b].A(k) * state.u[b][k] * state.u[b][k];
    return twice / 2;
  }

  // |u_L - u_I|^2 in the kinetic metric, of a step that starts now.
  Real pushed() const {
    Real sum = 0;
    for (std::size_t b = 0; b < state.u.size(); ++b) {
      const Body<D>& body = model.bodies[b];
      if (!body.free()) continue;
      sum += body.mass * h * h * norm2(model.gravity);
      const auto w = Vec<spins<D>>::load(state.u[b].v + D), change = free_spin(body.inertia, w, {}, h) - w;
      for (int k = 0; k < spins<D>; ++k) sum += body.inertia[k] * change[k] * change[k];
    }
    return sum;
  }
};

bool finite(const CollectionReport& r) {
  const EnergyLedger& e = r.energy;
  return std::isfinite(r.error + r.violation + r.velocity_error + r.correction_work + r.deepest + e.change + e.applied +
                       e.inertial + e.boundary + e.dissipation);
}

// Law by law, with e for all contacts that are closed: -S . (e U_I + U_F) >= 0, so that with r = sum G^T S
//   dissipation >= (1 - e)/(2 + 2 e) (|r|^2 + r . (u_L - u_I)) >= -(1 - e)/(8 + 8 e) |u_L - u_I|^2
// in the kinetic metric. Contacts that are open, where e does not act, are of the kind e = 0: no mixture.
template <int D>
bool one_kind(const Trial<D>& trial, const Collection<D>& scheme) {
  const Real closed = CollectionOptions{}.closed * trial.model.size;
  return trial.restitution == 0 || std::all_of(scheme.contacts().begin(), scheme.contacts().end(),
                                               [&](const Contact<D>& c) { return c.gap <= closed; });
}

template <int D>
Real impulses(const Collection<D>& scheme) {
  Real sum = 0;
  for (int a = 0; a < static_cast<int>(scheme.contacts().size()); ++a) sum += norm(scheme.impulse(a));
  return sum;
}

// Each part has something above the ground, until its body turns by more than a radian in a step: what is above then is
// not what a step, to which turns are small, has kept above (and terrain has no inside that would push it out again).
// Level ground without restitution is no deeper in it than the certificate says, but for what a corner sweeps that is
// not among the points (those of the lowest face), and for `tunnel`, up to which a first step may start.
template <int D>
void expect_above_ground(Trial<D>& trial, const std::vector<Vec<freedoms<D>>>& u_I, const CollectionReport& r) {
  for (const BodyPart<D>& part : trial.model.parts) {
    const auto b = static_cast<std::size_t>(part.body);
    if (!trial.model.bodies[b].free()) continue;
    const Bounds<D> box = bounds<D>(part.shape, trial.state.pose(part.body) * part.pose);
    const auto turned = [&](const Vec<freedoms<D>>& u) { return trial.h * norm(Vec<spins<D>>::load(u.v + D)); };
    const Real turn = std::max(turned(u_I[b]), turned(trial.state.u[b]));
    trial.spun[b] = trial.spun[b] || (trial.rough && turn > 1);
    if (trial.spun[b]) continue;
    ASSERT_GT(box.high[D - 1], -trial.rise);
    if (trial.rough || trial.restitution > 0) continue;
    const Real swept = std::min(Real(2), turn) * (norm(part.pose.x) + reach<D>(part.shape));
    const Real deep = r.deepest + r.violation + swept + CollectionOptions{}.tunnel * trial.model.size;
    ASSERT_GT(box.low[D - 1], -trial.rise - deep);
  }
}

struct Count {
  long steps = 0, contacts = 0, missed = 0;
};

template <int D>
void run(unsigned seed, Count& count) {
  Trial<D> trial(seed);
  Collection<D> scheme(trial.model);
  for (int k = 0; k < 20; ++k) {
    const Real before = trial.kinetic_energy(), pushed = trial.pushed();
    const std::vector<Vec<freedoms<D>>> u_I = trial.state.u;
    const CollectionReport r = scheme.step(trial.state, trial.h);
    ++count.steps, count.contacts += r.closed, count.missed += r.missed;
    ASSERT_TRUE(trial.finite() && finite(r)) << "seed " << seed << " step " << k;
    ASSERT_TRUE(r.error <= CollectionOptions{}.required || r.missed) << "seed " << seed << " step " << k;
    const EnergyLedger& e = r.energy;
    const Real scale = before + trial.kinetic_energy() + std::abs(e.applied) + std::abs(e.boundary);
    ASSERT_LE(std::abs(e.defect()), 1e-11 * scale) << "seed " << seed << " step " << k;
    ASSERT_NEAR(trial.kinetic_energy() - before, e.change, 1e-11 * scale) << "seed " << seed << " step " << k;
    if (one_kind(trial, scheme)) {
      const Real slack = 1e-11 * scale + 4 * r.velocity_error * impulses(scheme);
      ASSERT_GE(e.dissipation, -pushed / 8 - slack) << "seed " << seed << " step " << k;
    }
    expect_above_ground(trial, u_I, r);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed << " step " << k;
  }
}

template <int D>
void run_all() {
  Count count;
  for (unsigned seed = 1; seed <= 500u / test::share && !testing::Test::HasFatalFailure(); ++seed) run<D>(seed, count);
  EXPECT_GT(count.contacts, count.steps / 10);
  EXPECT_LE(count.missed, count.steps / 200);
  testing::Test::RecordProperty("missed", std::to_string(count.missed) + " of " + std::to_string(count.steps));
}

TEST(RandomTrials, in_the_plane) { run_all<2>(); }
TEST(RandomTrials, in_space) { run_all<3>(); }

}  // namespace
}  // namespace cairn
