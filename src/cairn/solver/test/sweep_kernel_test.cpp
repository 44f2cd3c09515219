// Loops by eight and by sixteen lanes do the same.
#include "cairn/solver/sweep_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "cairn/base/lane_vector.hpp"

namespace cairn {
namespace {

struct WideLanes : testing::TestWithParam<SweepKind> {};

// Some groups of contacts with random numbers: all bodies of a group are others; every third lane's second side is a
// boundary, and of the last group the second half is empty.
struct RandomGroups {
  static constexpr int groups = 7, bodies = 300, size = group_of<float>;

  explicit RandomGroups(SweepKind kind) : at(sweep_kernel(kind).at), stride(kind == SweepKind::plane ? 4 : 8) {
    const int D = kind == SweepKind::plane ? 2 : 3;
    std::mt19937 engine(7);
    const auto random = [&](float low, float high) {
      return low + (high - low) * static_cast<float>(engine()) / static_cast<float>(std::mt19937::max());
    };
    u.resize((bodies + 1) * static_cast<std::size_t>(stride)), inverse.resize((bodies + 1) * 12);
    for (std::size_t k = 0; k < bodies * static_cast<std::size_t>(stride); ++k) u[k] = random(-1, 1);
    for (std::size_t b = 0; b < bodies * static_cast<std::size_t>(stride); b += 4) u[b + 3] = random(1, 2);  // inverses
    for (std::size_t k = 0; k < bodies * 12; ++k) inverse[k] = k % 12 < 8 ? random(1, 2) : random(-0.1f, 0.1f);
    body.assign((groups + groups_ahead<float>)*2 * size, nothing());
    field.resize(static_cast<std::size_t>(groups * at.single * size));
    for (int g = 0; g < groups; ++g)
      for (int lane = 0; lane < (g + 1 == groups ? size / 2 : size); ++lane) {
        const auto set = [&](int first, int count, float low, float high) {
          for (int i = first; i < first + count; ++i)
            field[static_cast<std::size_t>((g * at.single + i) * size + lane)] = random(low, high);
        };
        for (int side = 0; side < 2; ++side)
          if (side == 0 || lane % 3 != 1)
            body[static_cast<std::size_t>((g * 2 + side) * size + lane)] = (g * 13 + side * size + lane) * stride;
        set(0, at.single, 0.2f, 0.5f);
        set(at.n, D, -0.5f, 0.5f), set(at.r, 2 * at.arm, -0.5f, 0.5f), set(at.w, D, -0.5f, 0.5f);
        set(at.move, D, -0.1f, 0.1f);
      }
  }
  int nothing() const { return bodies * stride; }
  SweepGroups<float> view() { return {field.data(), body.data(), nothing(), true}; }

  SweepLayout at;
  int stride;
  LaneVector<float> field, u, inverse;
  std::vector<int> body;
};

bool same_bits(const LaneVector<float>& a, const LaneVector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST_P(WideLanes, give_the_same_bits) {
  if (!has_wide_lanes()) GTEST_SKIP() << "this processor, or the compiler, has no AVX-512";
  const SweepLoops<float>&narrow = single_loops(GetParam(), false), &wide = single_loops(GetParam(), true);
  RandomGroups a(GetParam()), b(GetParam());
  const auto sweep = [](RandomGroups& x, const SweepLoops<float>& loops) {
    Real sum = 0;
    sum += loops.sweep(x.view(), x.u.data(), x.inverse.data(), 0, RandomGroups::groups, 0.4);
    sum += loops.sweep_on(x.view(), x.u.data(), x.inverse.data(), 0, RandomGroups::groups, 0.7);
    return sum;
  };
  const Real change = sweep(a, narrow);
  EXPECT_GT(change, 0);
  EXPECT_TRUE(std::isfinite(change));
  EXPECT_EQ(sweep(b, wide), change);
  EXPECT_TRUE(same_bits(a.field, b.field));
  EXPECT_TRUE(same_bits(a.u, b.u));
  const SweepUnits given{2, 4}, own{0.5, 8};
  const SweepErrors e = narrow.measure(a.view(), a.u.data(), &given, own, 0, RandomGroups::groups),
                    f = wide.measure(b.view(), b.u.data(), &given, own, 0, RandomGroups::groups);
  EXPECT_GT(e.given, 0);
  EXPECT_EQ(f.given, e.given);
  EXPECT_EQ(f.own, e.own);
  EXPECT_EQ(f.impulse, e.impulse);
}

TEST_P(WideLanes, are_what_islands_are_swept_by_where_there_are_any) {
  EXPECT_EQ(sweep_kernel(GetParam()).single.sweep, single_loops(GetParam(), has_wide_lanes()).sweep);
}

INSTANTIATE_TEST_SUITE_P(Kinds, WideLanes, testing::Values(SweepKind::plane, SweepKind::solid, SweepKind::round));

}  // namespace
}  // namespace cairn
