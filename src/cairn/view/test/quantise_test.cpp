// Numbers come back within what is promised, and what rests takes next to no room.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "cairn/base/test/share.hpp"
#include "cairn/view/embed.hpp"
#include "unpack.hpp"

namespace cairn::view::test {
namespace {

constexpr std::size_t bodies = 7, frames = 16;

TEST(Quantise, floats_keep_twelve_bits_and_their_order) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-37, 38), sign(-1, 1);
  std::vector<std::pair<float, std::int64_t>> all;
  for (int k = 0; k < 100000 / cairn::test::share; ++k) {
    const auto value = static_cast<float>(std::copysign(std::pow(10, exponent(random)), sign(random)));
    const std::int64_t kept = short_float(value);
    ASSERT_LE(std::abs(static_cast<double>(float_of(kept)) - value), 0x1p-12 * std::abs(value)) << value;
    all.emplace_back(value, kept);
  }
  std::ranges::sort(all);
  for (std::size_t k = 1; k < all.size(); ++k) ASSERT_LE(all[k - 1].second, all[k].second);
}

TEST(Quantise, floats_at_the_ends_stay_what_they_are) {
  using Limits = std::numeric_limits<float>;
  EXPECT_EQ(float_of(short_float(0)), 0);
  EXPECT_EQ(short_float(-0.f), 0);
  EXPECT_TRUE(std::isfinite(float_of(short_float(Limits::max()))));
  EXPECT_EQ(float_of(short_float(Limits::infinity())), Limits::infinity());
  EXPECT_EQ(float_of(short_float(-Limits::infinity())), -Limits::infinity());
  EXPECT_TRUE(std::isnan(float_of(short_float(Limits::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(float_of(short_float(-Limits::signaling_NaN()))));
  EXPECT_EQ(short_float(1e-6f, 1e-5), 0);
  EXPECT_NE(short_float(2e-5f, 1e-5), 0);
}

TEST(Quantise, streams_come_back) {
  for (const Integers& values :
       {Integers{}, Integers{0, 0, 0}, Integers{1, -1, 127, -128, 128}, Integers{1ll << 46, -(1ll << 46), 0, -1}}) {
    std::string bytes;
    append_stream(bytes, values);
    StreamReader reader(bytes);
    EXPECT_EQ(reader.stream(values.size()), values);
    EXPECT_TRUE(reader.at_end());
  }
  std::string zeros;
  append_stream(zeros, Integers(1000));
  EXPECT_EQ(zeros.size(), 1u);
}

Places random_places(std::mt19937& random, int dimension, double offset, double reach) {
  std::normal_distribution<double> normal;
  Places out;
  for (std::size_t b = 0; b < bodies; ++b) {
    double q[4], norm = 0;
    for (double& c : q) c = normal(random);
    if (dimension == 2) q[0] = q[1] = 0;
    for (const double c : q) norm = std::hypot(norm, c);
    for (const double c : q) out.r.push_back(static_cast<float>(c / norm));
    for (int i = 0; i < 3; ++i) {
      const bool in = i < dimension;
      out.x.push_back(in ? static_cast<float>(offset + reach * normal(random)) : 0);
      out.u.push_back(in ? static_cast<float>(normal(random)) : 0);
      out.w.push_back(dimension == 3 || i == 2 ? static_cast<float>(10 * normal(random)) : 0);
    }
  }
  return out;
}

// [rad] between two rotations.
double angle_between(const float* a, const float* b) {
  double dot = 0, aa = 0, bb = 0;
  for (int i = 0; i < 4; ++i) dot += double{a[i]} * b[i], aa += double{a[i]} * a[i], bb += double{b[i]} * b[i];
  return 2 * std::acos(std::min(1.0, std::abs(dot) / std::sqrt(aa * bb)));
}

void expect_near(const Places& got, const Places& want, const Grid& grid) {
  for (std::size_t k = 0; k < want.x.size(); ++k) {
    const double rounding = 1.2e-7 * std::abs(want.x[k]);  // of the page's own floats
    EXPECT_NEAR(got.x[k], want.x[k], grid.place / 2 * (1 + 1e-9) + rounding);
    EXPECT_NEAR(got.u[k], want.u[k], std::max(grid.speed, 0x1p-12 * std::abs(want.u[k])));
    EXPECT_NEAR(got.w[k], want.w[k], std::max(grid.spin, 0x1p-12 * std::abs(want.w[k])));
  }
  // Half a step in the plane; in space four components, each off by half a step of 1 / unit_scale. acos() near 1 knows
  // no more than the root of its rounding.
  const double turn = (grid.dimension == 2 ? grid.turn / 2 : 2 / unit_scale) + 1e-6;
  for (std::size_t b = 0; b < bodies; ++b) EXPECT_LE(angle_between(&got.r[4 * b], &want.r[4 * b]), turn);
}

class Bodies : public testing::TestWithParam<std::tuple<int, double, double>> {};

TEST_P(Bodies, come_back_within_the_grid) {
  const auto [dimension, offset, reach] = GetParam();
  const Grid grid = Grid::of(dimension, 0.5, 10);
  std::mt19937 random(2);
  const Places start = random_places(random, dimension, offset, reach);
  BodyGroup first(grid, bodies, nullptr);
  ASSERT_EQ(first.add(start), "");
  const Columns reference = body_columns(first.bytes(), 1, bodies, dimension, nullptr);
  expect_near(places_of(reference, 0, bodies, grid), start, grid);

  BodyGroup group(grid, bodies, &first.last());
  std::vector<Places> motion;
  for (std::size_t f = 0; f < frames; ++f) {
    motion.push_back(random_places(random, dimension, offset, reach));
    ASSERT_EQ(group.add(motion.back()), "");
  }
  const Columns columns = body_columns(group.bytes(), frames, bodies, dimension, &reference);
  for (std::size_t f = 0; f < frames; ++f) expect_near(places_of(columns, f, bodies, grid), motion[f], grid);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Bodies,
                         testing::Combine(testing::Values(2, 3), testing::Values(0., 1e3, -5e6),
                                          testing::Values(1., 1e4)));

TEST(Quantise, bodies_at_rest_take_next_to_nothing) {
  for (const int dimension : {2, 3}) {
    const Grid grid = Grid::of(dimension, 0.5, 10);
    std::mt19937 random(3);
    std::normal_distribution<float> noise(0, 1e-9f);
    Places still = random_places(random, dimension, 0, 5);
    BodyGroup first(grid, bodies, nullptr);
    ASSERT_EQ(first.add(still), "");
    BodyGroup group(grid, bodies, &first.last());
    for (std::size_t f = 0; f < frames; ++f) {
      for (float& v : still.u) v = noise(random);  // what a solver leaves of zero
      for (float& v : still.w) v = noise(random);
      ASSERT_EQ(group.add(still), "");
    }
    EXPECT_EQ(group.bytes().size(), 2 * (dimension == 2 ? 6u : 13u));  // each column: its form, and that all is 0
  }
}

TEST(Quantise, turns_are_counted_and_quaternions_keep_their_sign) {
  const Grid flat = Grid::of(2, 1, 10);
  BodyGroup group(flat, 1, nullptr);
  for (int k = 0; k < 16; ++k) {
    const double half = 0.4 * k;  // quaternions change sign on the way
    ASSERT_EQ(group.add({{0, 0, 0}, {0, 0, float(std::sin(half)), float(std::cos(half))}, {0, 0, 0}, {0, 0, 0}}), "");
  }
  const Columns columns = body_columns(group.bytes(), 16, 1, 2, nullptr);
  for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(static_cast<double>(columns[2][k]), 8000. * k, 2);

  const Grid space = Grid::of(3, 1, 10);
  BodyGroup flipping(space, 1, nullptr);
  for (int k = 0; k < 16; ++k) {
    const float s = k % 2 ? -1 : 1;
    ASSERT_EQ(flipping.add({{0, 0, 0}, {0.5f * s, -0.5f * s, 0.5f * s, 0.5f * s}, {0, 0, 0}, {0, 0, 0}}), "");
  }
  const Columns same = body_columns(flipping.bytes(), 16, 1, 3, nullptr);
  for (std::size_t c = 3; c < 7; ++c)
    for (std::size_t k = 1; k < 16; ++k) EXPECT_EQ(same[c][k], same[c][0]);
}

TEST(Quantise, what_is_nowhere_is_refused) {
  const Grid grid = Grid::of(2, 1, 10);
  for (const float x : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
    BodyGroup group(grid, 1, nullptr);
    EXPECT_NE(group.add({{0, x, 0}, {0, 0, 0, 1}, {0, 0, 0}, {0, 0, 0}}), "");
    ContactGroup contacts(grid);
    EXPECT_NE(contacts.add({{0, 1}, {x, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 0}, {0}, {0}, {1}}), "");
  }
}

// --- contacts --------------------------------------------------------------------------------------------------------

Touches random_touches(std::mt19937& random, int dimension) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::uint32_t> body(0, bodies - 1), count(0, 25), three(0, 2);
  Touches out;
  for (std::uint32_t k = count(random); k > 0; --k) {
    const bool none = three(random) == 0;
    for (int i = 0; i < 2; ++i) out.body.push_back(body(random));
    for (int i = 0; i < 3; ++i) {
      const bool in = i < dimension;
      out.point.push_back(in ? static_cast<float>(50 + normal(random)) : 0);
      out.normal.push_back(i == 1 ? 1.f : 0.f);
      out.impulse.push_back(in && !none ? static_cast<float>(normal(random)) : 0);
      out.velocity.push_back(in ? static_cast<float>(normal(random)) : 0);
    }
    out.gap.push_back(static_cast<float>(1e-4 * normal(random)));
    out.use.push_back(three(random) == 0 ? NAN : static_cast<float>(std::abs(std::sin(normal(random)))));
    out.status.push_back(static_cast<std::uint8_t>(three(random)));
  }
  return out;
}

// Those with an impulse, in the order of their bodies.
std::vector<std::size_t> expected_order(const Touches& c, double weak) {
  double greatest = 0;
  const auto strength = [&](std::size_t k) {
    return std::hypot(c.impulse[3 * k], c.impulse[3 * k + 1], c.impulse[3 * k + 2]);
  };
  for (std::size_t k = 0; k < c.gap.size(); ++k) greatest = std::max<double>(greatest, strength(k));
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < c.gap.size(); ++k)
    if (strength(k) > 0 && strength(k) >= weak * greatest) out.push_back(k);
  std::ranges::stable_sort(out, {}, [&](std::size_t k) { return std::pair{c.body[2 * k], c.body[2 * k + 1]}; });
  return out;
}

void expect_contacts(const Touches& got, const Touches& want, const Grid& grid, double weak) {
  const std::vector<std::size_t> order = expected_order(want, weak);
  ASSERT_EQ(got.gap.size(), order.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t k = order[n];
    EXPECT_EQ(got.body[2 * n], want.body[2 * k]);
    EXPECT_EQ(got.body[2 * n + 1], want.body[2 * k + 1]);
    EXPECT_EQ(got.status[n], want.status[k]);
    EXPECT_NEAR(got.gap[n], want.gap[k], std::max(grid.gap, 0x1p-12 * std::abs(want.gap[k])));
    ASSERT_EQ(std::isnan(got.use[n]), std::isnan(want.use[k]));
    EXPECT_FALSE(std::abs(got.use[n] - want.use[k]) > 0.51 / use_scale);  // true where it is not known
    const double strength = std::hypot(want.impulse[3 * k], want.impulse[3 * k + 1], want.impulse[3 * k + 2]);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(got.point[3 * n + i], want.point[3 * k + i], grid.place / 2 + 1.2e-7 * 60);
      EXPECT_NEAR(got.normal[3 * n + i], want.normal[3 * k + i], 0.5 / unit_scale);
      EXPECT_NEAR(got.impulse[3 * n + i], want.impulse[3 * k + i], 0x1p-12 * strength);
      EXPECT_NEAR(got.velocity[3 * n + i], want.velocity[3 * k + i],
                  std::max(grid.speed, 0x1p-12 * std::abs(want.velocity[3 * k + i])));
    }
  }
}

TEST(Quantise, contacts_come_back_however_they_come_and_go) {
  std::mt19937 random(4);
  for (int round = 0; round < 40 / std::min(8, cairn::test::share); ++round)
    for (const int dimension : {2, 3}) {
      const Grid grid = Grid::of(dimension, 0.5, 10);
      const double weak = round % 2 ? 0.3 : 0;
      ContactGroup group(grid);
      std::vector<Touches> all;
      for (std::size_t f = 0; f < frames; ++f) {
        all.push_back(random_touches(random, dimension));
        ASSERT_EQ(group.add(all.back(), weak), "");
      }
      const auto got = contact_frames(group.bytes(), frames, grid);
      for (std::size_t f = 0; f < frames; ++f) expect_contacts(got[f], all[f], grid, weak);
    }
}

TEST(Quantise, contacts_that_last_take_next_to_nothing) {
  std::mt19937 random(5);
  const Grid grid = Grid::of(3, 0.5, 10);
  Touches lasting = random_touches(random, 3);
  while (lasting.gap.size() < 20) lasting = random_touches(random, 3);
  ContactGroup once(grid), often(grid);
  ASSERT_EQ(once.add(lasting), "");
  for (std::size_t f = 0; f < frames; ++f) ASSERT_EQ(often.add(lasting), "");
  const double more =
      static_cast<double>(deflated(often.bytes()).size()) - static_cast<double>(deflated(once.bytes()).size());
  EXPECT_LT(more / ((frames - 1) * static_cast<double>(lasting.gap.size())),
            1);  // bytes for all 15 numbers of a contact
}

// --- parts of pages --------------------------------------------------------------------------------------------------

TEST(Embed, base64_and_deflate_come_back) {
  std::mt19937 random(6);
  for (std::size_t size = 0; size < 70; ++size) {
    std::string bytes;
    while (bytes.size() < size) bytes += static_cast<char>(random());
    EXPECT_EQ(unpacked(base64(deflated(bytes))), bytes);
  }
  EXPECT_EQ(base64("Cairn"), "Q2Fpcm4=");
  EXPECT_EQ(base64("stones"), "c3RvbmVz");
  EXPECT_EQ(base64("cone"), "Y29uZQ==");
}

TEST(Embed, members_of_an_object_are_told_apart) {
  const auto m = members_of(R"({"a": 1, "b\"c": "x, } \" ]", "d": {"e": [1, {"f": 2}], "a": 3}, "g":[], "h": null})");
  ASSERT_EQ(m.size(), 5u);
  EXPECT_EQ(m[0], (std::pair<std::string, std::string>("a", "1")));
  EXPECT_EQ(m[1].first, "b\"c");
  EXPECT_EQ(plain_text(m[1].second), "x, } \" ]");
  EXPECT_EQ(m[2].second, R"({"e": [1, {"f": 2}], "a": 3})");
  EXPECT_EQ(m[3].second, "[]");
  EXPECT_EQ(*member(m, "h"), "null");
  EXPECT_EQ(member(m, "e"), nullptr);
  EXPECT_TRUE(members_of("{}").empty());
  EXPECT_TRUE(members_of("").empty());
  EXPECT_EQ(plain_text(R"("a\u003cb\n\u00e4")"), "a<b\n\xC3\xA4");
}

}  // namespace
}  // namespace cairn::view::test
