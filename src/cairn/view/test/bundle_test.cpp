#include "cairn/view/bundle.hpp"

#include "cairn/view/test/parsed.hpp"

namespace cairn::view {
namespace {

using test::Parsed;
using Sizes = std::vector<std::size_t>;

TEST(Bundle, every_type_reads_back) {
  const std::vector<std::uint8_t> a{1, 2, 255};
  const std::vector<std::int16_t> b{-1, 300};
  const std::vector<std::uint16_t> c{65535};
  const std::vector<std::int32_t> d{-7, 1 << 30, 5};
  const std::vector<std::uint32_t> e{4000000000u};
  const std::vector<float> f{0.5f, -1e-30f, 3, 4, 5, 6};
  const std::vector<double> g{1.0 / 3};
  const Parsed read(Bundle(R"({"k": 3,"name":"wall"})")
                        .array<std::uint8_t>("a", a, {3})
                        .array<std::int16_t>("b", b, {2})
                        .array<std::uint16_t>("c", c, {1})
                        .array<std::int32_t>("d", d, {3})
                        .array<std::uint32_t>("e", e, {1, 1})
                        .array<float>("f", f, {2, 3})
                        .array<double>("g", g, {1})
                        .bytes());
  EXPECT_EQ(read.values<std::uint8_t>("a"), a);
  EXPECT_EQ(read.values<std::int16_t>("b"), b);
  EXPECT_EQ(read.values<std::uint16_t>("c"), c);
  EXPECT_EQ(read.values<std::int32_t>("d"), d);
  EXPECT_EQ(read.values<std::uint32_t>("e"), e);
  EXPECT_EQ(read.values<float>("f"), f);
  EXPECT_EQ(read.values<double>("g"), g);
  EXPECT_EQ(read.shape("f"), (Sizes{2, 3}));
  EXPECT_EQ(read.number("k"), 3);
  EXPECT_EQ(read.field("name"), "\"wall\"");
}

TEST(Bundle, arrays_may_be_empty_and_headers_of_any_length) {
  for (int blanks = 0; blanks < 9; ++blanks) {
    const std::vector<float> none;
    const std::vector<double> one{2.5};
    const std::string bytes = Bundle("{" + std::string(static_cast<std::size_t>(blanks), ' ') + "}")
                                  .array<float>("none", none, {0, 3})
                                  .array<double>("one", one, {1})
                                  .bytes();
    const Parsed read(bytes);
    EXPECT_EQ(bytes.size() % 8, 0u);
    EXPECT_EQ(read.shape("none"), (Sizes{0, 3}));
    EXPECT_TRUE(read.values<float>("none").empty());
    EXPECT_EQ(read.values<double>("one"), one);
  }
  const Parsed bare(Bundle("{}").bytes());
  EXPECT_EQ(bare.header.substr(0, 25), R"({"fields":{},"arrays":{}})");
}

TEST(BundleDeathTest, a_shape_that_does_not_fit_is_a_bug) {
  const std::vector<float> three{1, 2, 3};
  EXPECT_DEATH(Bundle("{}").array<float>("x", three, {2, 2}), "shape of an array");
}

}  // namespace
}  // namespace cairn::view
