// Figures come out as well-formed SVG that holds what was asked, and as PNG of the size asked.
#include "cairn/plot/figure.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace cairn::plot {
namespace {

namespace fs = std::filesystem;

// --- is it XML? Elements nest, attributes are quoted, entities are known.
// ---------------------------------------------

bool known_entities(const std::string& text) {
  for (std::size_t at = 0; (at = text.find('&', at)) != std::string::npos; ++at) {
    const std::string name = text.substr(at, text.find(';', at) + 1 - at);
    if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;") return false;
  }
  return text.find('<') == std::string::npos;
}

bool good_attributes(std::string text) {
  while (text.find_first_not_of(" /") != std::string::npos) {
    const auto open = text.find("=\""), close = text.find('"', open == std::string::npos ? open : open + 2);
    if (open == std::string::npos || close == std::string::npos) return false;
    if (!known_entities(text.substr(open + 2, close - open - 2))) return false;
    text.erase(0, close + 1);
  }
  return true;
}

bool well_formed(const std::string& svg) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < svg.size()) {
    const auto from = svg.find('<', at);
    if (!known_entities(svg.substr(at, from - at))) return false;
    if (from == std::string::npos) break;
    const auto to = svg.find('>', from);
    if (to == std::string::npos) return false;
    const std::string tag = svg.substr(from + 1, to - from - 1);
    at = to + 1;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
      continue;
    }
    const auto name = tag.substr(0, tag.find_first_of(" /"));
    if (!good_attributes(tag.substr(name.size()))) return false;
    if (!tag.ends_with('/')) open.push_back(name);
  }
  return open.empty();
}

TEST(WellFormed, tells_xml_from_other_text) {
  EXPECT_TRUE(well_formed("<a b=\"1 &lt; 2\"><c/>x &amp; y</a>"));
  for (const char* bad : {"<a>", "<a></b>", "<a b=1></a>", "<a>x & y</a>", "<a b=\"<\"></a>", "<a"})
    EXPECT_FALSE(well_formed(bad)) << bad;
}

// --- figures ---------------------------------------------------------------------------------------------------------

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

Figure rich() {
  Axes motion{"Motion", "t [s]", "q [m]"};
  motion.curves = {{"up & down", {0, 1, 2, 3}, {0, 1, std::nan(""), 2}}, {"dots", {0, 1}, {1, 0}, Curve::points}};
  Axes bodies{"Bodies", "x", "y"};
  bodies.equal_aspect = true;
  bodies.shapes = {circle(0, 0, 1, "#cccccc"), polygon({2, 3, 3}, {0, 0, 1}), arrow(0, 0, 1, 1)};
  bodies.texts = {{0, 1.2, "<body>"}};
  return {"A \"figure\" & more", {motion, bodies}, 2, 800, 360};
}

TEST(Svg, is_well_formed_with_all_kinds_of_content) {
  const std::string svg = to_svg(rich());
  EXPECT_TRUE(well_formed(svg)) << svg;
  EXPECT_TRUE(has(svg, "width=\"800\" height=\"360\""));
  EXPECT_EQ(count(svg, "<circle"), 1);
  EXPECT_EQ(count(svg, "<clipPath"), 2);
}

TEST(Svg, escapes_text) {
  const std::string svg = to_svg(rich());
  EXPECT_TRUE(has(svg, "A &quot;figure&quot; &amp; more"));
  EXPECT_TRUE(has(svg, "&lt;body&gt;"));
  EXPECT_TRUE(has(svg, "up &amp; down"));
  Figure odd;
  odd.title = "a\x01\xff\xed\xa0\x80z";
  odd.axes.resize(1);
  EXPECT_TRUE(has(to_svg(odd), ">a?????z<"));
}

std::string line_of(const std::vector<double>& x, const std::vector<double>& y, bool log = false) {
  Axes axes;
  axes.log_y = log;
  axes.curves = {{"", x, y, Curve::line, "#123456"}};
  const std::string svg = to_svg({"", {axes}});
  const auto from = svg.find("<path", svg.find("stroke=\"#123456\""));
  return svg.substr(from, svg.find('>', from) - from);
}

TEST(Svg, breaks_a_line_at_nan) {
  EXPECT_EQ(count(line_of({0, 1, 2, 3, 4}, {0, 1, 2, 1, 0}), "M"), 1);
  EXPECT_EQ(count(line_of({0, 1, 2, 3, 4}, {0, 1, std::nan(""), 1, 0}), "M"), 2);
  EXPECT_EQ(count(line_of({0, 1, 2, 3, 4}, {5, 1, 0, 1, 5}, true), "M"), 2);  // a logarithm has no place for zero
}

TEST(Svg, has_decades_on_a_logarithmic_axis) {
  Axes axes;
  axes.log_x = true;
  axes.curves = {{"", {1e-3, 1}, {0, 1}}};
  const std::string svg = to_svg({"", {axes}});
  for (const char* power : {">\u22123</tspan>", ">\u22122</tspan>", ">\u22121</tspan>", ">0</tspan>"})
    EXPECT_TRUE(has(svg, power)) << power;
}

TEST(Svg, shows_a_legend_for_two_names_only) {
  Axes axes;
  axes.curves = {{"alone", {0, 1}, {0, 1}}};
  EXPECT_FALSE(has(to_svg({"", {axes}}), ">alone<"));
  axes.curves.push_back({"other", {0, 1}, {1, 0}});
  EXPECT_TRUE(has(to_svg({"", {axes}}), ">alone<"));
}

TEST(Svg, stays_below_a_megabyte) {
  Axes axes;
  axes.curves.resize(3);
  for (int k = 0; k < 200000; ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      axes.curves[c].x.push_back(c == 0 ? k : std::cos(0.1 * k) * k);
      axes.curves[c].y.push_back(std::sin(static_cast<double>(c) + 1.7 * k));
    }
  axes.curves[2].style = Curve::points;
  const std::string svg = to_svg({"", {axes}});
  EXPECT_LT(svg.size(), 1000000u);
  EXPECT_GT(svg.size(), 50000u);
}

TEST(Svg, keeps_equal_lengths_where_asked) {
  Axes axes;
  axes.equal_aspect = true;
  axes.shapes = {circle(0, 0, 1)};
  axes.x_range = Range{-1, 9};
  EXPECT_TRUE(has(to_svg({"", {axes}}), "<circle"));
  axes.equal_aspect = false;
  EXPECT_TRUE(has(to_svg({"", {axes}}), "<ellipse"));
}

TEST(Svg, of_nothing_or_of_bad_ranges_is_still_a_page) {
  EXPECT_TRUE(well_formed(to_svg({})));
  Axes axes;
  axes.x_range = Range{3, 3};
  axes.y_range = Range{-1, 1};
  axes.log_y = true;
  axes.curves = {{"", {1e300, -1e300}, {1e-300, 1e300}}};
  const std::string svg = to_svg({"", {axes}, 1, 40, 20});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_FALSE(has(svg, "nan"));
  EXPECT_FALSE(has(svg, "inf"));
}

TEST(Svg, of_bare_axes_has_no_frame) {
  Axes axes{"seen", "x", "y"};
  axes.shapes = {circle(0, 0, 1)};
  EXPECT_TRUE(has(to_svg({"", {axes}}), ">x</text>"));
  axes.bare = true;
  const std::string svg = to_svg({"", {axes}});
  EXPECT_TRUE(well_formed(svg));
  EXPECT_TRUE(has(svg, ">seen</text>"));
  EXPECT_TRUE(has(svg, "<circle") || has(svg, "<ellipse"));
  EXPECT_FALSE(has(svg, ">x</text>"));
  EXPECT_FALSE(has(svg, ">0.5</text>"));
}

// The frame ends before the legend begins, also in panels of the same column that have none.
TEST(Svg, a_legend_beside_leaves_the_frame_to_the_curves) {
  const auto frames = [](bool beside) {
    Axes with, without;
    with.curves = {{"one", {0, 1}, {0, 1}}, {"a longer name", {0, 1}, {1, 0}}}, with.legend_beside = beside;
    without.curves = {{"", {0, 1}, {0, 1}}};
    const std::string svg = to_svg({"", {with, without}, 1, 600, 400});
    EXPECT_TRUE(well_formed(svg));
    std::vector<double> widths;  // of clips: the insides of the two frames
    for (std::size_t at = 0; (at = svg.find("<clipPath", at)) != std::string::npos; ++at)
      widths.push_back(std::stod(svg.substr(svg.find("width=\"", at) + 7)));
    return widths;
  };
  const std::vector<double> inside = frames(false), beside = frames(true);
  ASSERT_EQ(inside.size(), 2u);
  EXPECT_LT(beside[0], inside[0] - 100);
  EXPECT_EQ(beside[0], beside[1]);
}

// --- files -----------------------------------------------------------------------------------------------------------

std::string slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cairn-plot-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(Files, svg_is_written_and_nothing_else_left) {
  const auto written = write_svg(at("a.svg"), rich());
  ASSERT_TRUE(written) << written.error();
  EXPECT_EQ(slurp(at("a.svg")), to_svg(rich()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

unsigned big_endian(const std::string& bytes, std::size_t at) {
  unsigned value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = 256 * value + static_cast<unsigned char>(bytes[at + k]);
  return value;
}

TEST_F(Files, png_has_the_signature_and_the_size) {
  const auto written = write_png(at("a.png"), rich(), 1.5);
  ASSERT_TRUE(written) << written.error();
  const std::string bytes = slurp(at("a.png"));
  ASSERT_GT(bytes.size(), 5000u);  // there is something on it
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(big_endian(bytes, 16), 1200u);
  EXPECT_EQ(big_endian(bytes, 20), 540u);
}

TEST_F(Files, a_folder_that_is_not_there_is_told) {
  const auto svg = write_svg(at("absent/a.svg"), rich());
  ASSERT_FALSE(svg);
  EXPECT_TRUE(has(svg.error(), "absent/a.svg: cannot be written"));
  EXPECT_FALSE(write_png(at("absent/a.png"), rich()));
  EXPECT_FALSE(write_svg(folder_.string(), rich()));  // a folder is no file
}

}  // namespace
}  // namespace cairn::plot
