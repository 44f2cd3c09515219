// Sweeps from impulses that are nearly right, on the step of a wall.
#include "cairn/solver/warm_sweeps.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cairn/scene/into_model.hpp"
#include "cairn/scene/wall.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/solver/solve_bodies.hpp"

namespace cairn {
namespace {

template <class Dimension>
struct Warm : testing::Test {
  static constexpr int dim = Dimension::value;
  using Problem = typename Collection<dim>::Problem;

  // The last step's problem and impulses, solved well.
  void SetUp() override {
    scene::Wall wall;
    wall.courses = 4, wall.blocks = 3;
    model_.gravity[dim - 1] = Real(-9.81);
    const auto blocks = scene::build<dim>(wall);
    ASSERT_TRUE(blocks) << blocks.error();
    ASSERT_TRUE(scene::add_blocks<dim>(model_, state_, *blocks, {}));
    CollectionOptions options;
    options.tolerance = Real(1e-12);
    Collection<dim> scheme(model_, options);
    for (int k = 0; k < 3; ++k) scheme.step(state_, Real(1e-3));
    problem_ = scheme.problem();
    for (int a = 0; a < problem_.contacts(); ++a)
      for (int i = 0; i < dim; ++i) S_.push_back(scheme.impulse(a)[i]);
    ASSERT_GT(problem_.contacts(), 20);
  }
  std::vector<Real> disturbed(Real size) const {
    std::mt19937 random(3);
    std::uniform_real_distribution<Real> part(-1, 1);
    std::vector<Real> S = S_;
    Real largest = 0;
    for (const Real s : S) largest = std::max(largest, std::fabs(s));
    for (Real& s : S) s += size * largest * part(random);
    return S;
  }

  Model<dim> model_;
  ModelState<dim> state_;
  Problem problem_;
  std::vector<Real> S_;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Warm, Dimensions);

TYPED_TEST(Warm, reach_the_tolerance_from_nearby) {
  constexpr int D = TypeParam::value, F = freedoms<D>;
  std::vector<Real> S = this->disturbed(1e-9), u;
  const WarmReport found = WarmSweeps<D, F>(this->problem_).run(Real(1e-7), 4, S, u);
  EXPECT_TRUE(found.reached);
  EXPECT_LE(found.error, 1e-7);
  EXPECT_GT(found.error, 0);
  std::vector<Real> again(u.size());
  this->problem_.body_velocities(S.data(), again.data());
  EXPECT_EQ(u, again);
}

// The full solver, which has the error from elsewhere, says the same of these impulses.
TYPED_TEST(Warm, tell_the_error_that_the_solvers_tell) {
  constexpr int D = TypeParam::value, F = freedoms<D>;
  for (const Real size : {Real(1e-3), Real(1e-6)}) {
    std::vector<Real> S = this->disturbed(size), u;
    const WarmReport found = WarmSweeps<D, F>(this->problem_).run(Real(1e-14), 1, S, u);
    EXPECT_FALSE(found.reached);
    EXPECT_EQ(found.sweeps, 1);
    SolverOptions o;
    o.method = Method::gauss_seidel, o.warm_start = true, o.tolerance = Real(1e-14), o.max_iterations = 1;
    std::vector<Real> T = this->disturbed(size), v;
    const Report report = solve_bodies(this->problem_, o, T, v);
    EXPECT_NEAR(report.error, found.error, 1e-6 * found.error) << size;
  }
}

TYPED_TEST(Warm, give_up_soon_where_much_is_missing) {
  constexpr int D = TypeParam::value, F = freedoms<D>;
  std::vector<Real> S = this->disturbed(1e-1), u;
  const WarmReport found = WarmSweeps<D, F>(this->problem_).run(Real(1e-10), 50, S, u);
  EXPECT_FALSE(found.reached);
  EXPECT_EQ(found.sweeps, 1);
}

// Powers of two as units: the same bits.
TYPED_TEST(Warm, do_not_depend_on_units_of_mass) {
  constexpr int D = TypeParam::value, F = freedoms<D>;
  auto heavy = this->problem_;
  for (Real& m : heavy.inverse_inertia) m /= 1024;
  std::vector<Real> S = this->disturbed(1e-9), T = S, u, v;
  for (Real& s : T) s *= 1024;
  WarmSweeps<D, F>(this->problem_).run(Real(1e-30), 1, S, u);
  WarmSweeps<D, F>(heavy).run(Real(1e-30), 1, T, v);
  for (Real& s : T) s /= 1024;
  EXPECT_EQ(S, T);
  EXPECT_EQ(u, v);
}

}  // namespace
}  // namespace cairn
