// A step written as an FCLIB file and solved from the file has the impulses of the step.
#include "cairn/export/fclib_step.hpp"

#include "cairn/export/test/shot.hpp"
#include "cairn/scene/discs.hpp"
#include "cairn/solver/solve.hpp"

namespace cairn::exporting {
namespace {

using fclib::Kind;

template <int D>
test::Shot<D> pile(Surface surface) {
  test::Shot<D> shot;
  shot.model.gravity[D - 1] = Real(-9.81);
  shot.model.materials.standard = surface;
  EXPECT_TRUE(scene::add_blocks(shot.model, shot.state, *scene::build<D>(scene::DiscPile{})));
  return shot;
}

template <class D>
struct FclibStep : testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(FclibStep, Dimensions);

// Little friction: the pile slides apart, and the impulses are unique.
TYPED_TEST(FclibStep, the_file_has_the_same_answer) {
  constexpr int D = TypeParam::value;
  auto shot = pile<D>({.mu = Real(0.05)});
  Collection<D> collection(shot.model, {.tolerance = 1e-12});
  for (int k = 0; k < 5; ++k) collection.step(shot.state, Real(0.005));
  const test::Folder folder;
  for (const Kind kind : {Kind::local, Kind::global}) {
    const auto path = write_fclib<D>(folder / "step.hdf5", shot.model, collection, "a pile", kind);
    ASSERT_TRUE(path) << path.error();
    const auto problem = fclib::read(*path);
    ASSERT_TRUE(problem) << problem.error();
    EXPECT_EQ(problem->kind, kind);
    EXPECT_EQ(problem->info.title, "a pile");
    ASSERT_EQ(problem->contacts(), static_cast<int>(collection.contacts().size()));
    ASSERT_GE(problem->contacts(), 4);
    ASSERT_TRUE(problem->solution);
    EXPECT_LT(error_of(*problem, problem->solution->r), 1e-10);
    const Solved solved = solve(*problem, {.tolerance = 1e-12});
    const Real scale = problem->solution->r.norm();
    EXPECT_GT(scale, 0);
    EXPECT_LT((solved.solution.r - problem->solution->r).norm(), 1e-8 * scale);
    EXPECT_LT((solved.solution.u - problem->solution->u).norm(), 1e-9);
    for (int a = 0; a < problem->contacts(); ++a)
      for (int i = 0; i < D; ++i) EXPECT_EQ(problem->solution->r[a * D + i], collection.impulse(a)[i]);
  }
}

TYPED_TEST(FclibStep, dynamic_friction_is_written_as_it_was_in_force) {
  constexpr int D = TypeParam::value;
  auto shot = pile<D>({.mu = Real(0.1), .mu_dynamic = Real(0.05)});
  Collection<D> collection(shot.model);
  for (int k = 0; k < 5; ++k) collection.step(shot.state, Real(0.005));
  const auto problem = fclib_of_step<D>(shot.model, collection);
  ASSERT_TRUE(problem) << problem.error();
  EXPECT_EQ(problem->mu.minCoeff(), Real(0.05));
}

TYPED_TEST(FclibStep, what_the_format_cannot_hold_is_refused_with_the_reason) {
  constexpr int D = TypeParam::value;
  auto rolling = pile<D>({.rolling = Real(0.01)});
  Collection<D> resisted(rolling.model);
  resisted.step(rolling.state, Real(0.005));
  const auto refused = fclib_of_step<D>(rolling.model, resisted);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("resists rolling; expected"), std::string::npos);

  auto grained = pile<D>({.mu = Real(0.5), .mu_across = Real(0.2)});
  grained.model.bodies.back().grain[0] = 1;  // the ground
  Collection<D> directed(grained.model);
  directed.step(grained.state, Real(0.005));
  const auto unequal = fclib_of_step<D>(grained.model, directed);
  ASSERT_FALSE(unequal);
  EXPECT_NE(unequal.error().find("has friction"), std::string::npos);

  auto fresh = pile<D>({});
  const Collection<D> still(fresh.model);
  EXPECT_FALSE(fclib_of_step<D>(fresh.model, still));
}

}  // namespace
}  // namespace cairn::exporting
