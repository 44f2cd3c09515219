// The standard plots show the numbers of the runs, and say what is missing.
#include "cairn/export/plots.hpp"

#include <cmath>
#include <numbers>

#include "cairn/export/spectrum.hpp"
#include "cairn/export/test/shot.hpp"
#include "cairn/scene/discs.hpp"

namespace cairn::exporting {
namespace {

exporting::Run some_run(const std::string& name) {
  const auto shot = test::shot_of<2>(*scene::build<2>(scene::DiscPile{}), 40, 0.005, 10);
  exporting::Run run;
  run.name = name, run.steps = shot.steps;
  for (const auto& frame : shot.frames) run.frames.push_back(summary_of(shot.cast, frame));
  run.probes = {
      {"biaxial_strain", "-", {}}, {"stress_ratio", "-", {}}, {"volume_strain", "-", {}}, {"height", "m", {}}};
  for (const auto& s : run.steps) {
    run.probes[0].values.push_back(s.t), run.probes[1].values.push_back(2 * s.t);
    run.probes[2].values.push_back(3 * s.t), run.probes[3].values.push_back(std::sin(100 * s.t));
  }
  return run;
}

TEST(Plots, every_kind_draws_one_run_and_several) {
  const exporting::Run a = some_run("a"), b = some_run("b & c");
  for (const PlotKind& kind : plot_kinds()) {
    EXPECT_FALSE(kind.about.empty());
    for (const std::vector<exporting::Run>& runs :
         {std::vector<exporting::Run>{a}, std::vector<exporting::Run>{a, b}}) {
      const auto figure = make_plot(kind.name, runs);
      ASSERT_TRUE(figure) << figure.error();
      ASSERT_FALSE(figure->axes.empty());
      for (const plot::Axes& axes : figure->axes) {
        EXPECT_NE(axes.x_label.find(" ["), std::string::npos) << kind.name;  // with units
        EXPECT_NE(axes.y_label.find(" ["), std::string::npos) << kind.name;
        EXPECT_GE(axes.curves.size(), runs.size()) << kind.name;
      }
      const std::string svg = plot::to_svg(*figure);
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      if (runs.size() > 1) {
        EXPECT_NE(svg.find("b &amp; c"), std::string::npos) << kind.name;
      }
    }
  }
}

TEST(Plots, the_energy_ledger_is_cumulated_and_closes) {
  const exporting::Run run = some_run("a");
  const auto figure = make_plot("energy", {run});
  ASSERT_TRUE(figure);
  const auto& curves = figure->axes[0].curves;
  Real applied = 0;
  for (const auto& s : run.steps) applied += s.applied;
  EXPECT_EQ(curves[1].name, "work of forces");
  EXPECT_DOUBLE_EQ(curves[1].y.back(), applied);
  EXPECT_EQ(curves[0].y.back(), run.steps.back().kinetic);
  for (const double defect : figure->axes.back().curves[0].y) EXPECT_LT(std::abs(defect), 1e-12);
}

TEST(Plots, times_outside_the_range_are_left_out) {
  PlotOptions options;
  options.times = plot::Range{0.0501, 0.1001};
  const auto figure = make_plot("contacts", {some_run("a")}, options);
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->axes[0].curves[0].x.size(), 10u);
  options.times = plot::Range{5, 6};
  EXPECT_FALSE(make_plot("contacts", {some_run("a")}, options));
}

TEST(Plots, the_histogram_is_a_density_of_mean_one) {
  exporting::Run run = some_run("a");
  run.frames = {{0, 0, {}}, {1, 0, {1, 1, 2, 4, 7}}};
  PlotOptions options;
  options.bins = 7;
  const auto figure = make_plot("forces", {run}, options);
  ASSERT_TRUE(figure) << figure.error();
  const auto& c = figure->axes[0].curves[0];
  ASSERT_EQ(c.x.size(), 14u);
  Real area = 0;
  for (std::size_t k = 0; k < c.x.size(); k += 2)
    if (std::isfinite(c.y[k])) area += c.y[k] * (c.x[k + 1] - c.x[k]);
  EXPECT_NEAR(area, 1, 1e-12);
  EXPECT_NEAR(c.x.back(), 7 / 3.0, 1e-12);
  options.at = 0.2;  // a frame without contacts
  EXPECT_FALSE(make_plot("forces", {run}, options));
  options.at = {}, options.bins = 0;
  EXPECT_FALSE(make_plot("forces", {run}, options));
}

TEST(Plots, what_is_missing_is_named) {
  const exporting::Run run = some_run("a");
  EXPECT_NE(make_plot("enrgy", {run}).error().find("expected one of energy, error"), std::string::npos);
  EXPECT_FALSE(make_plot("energy", {}));
  PlotOptions options;
  options.probes = {"hight"};
  EXPECT_NE(make_plot("probes", {run}, options).error().find("biaxial_strain, stress_ratio"), std::string::npos);
  exporting::Run bare = run;
  bare.probes.clear();
  EXPECT_NE(make_plot("stress-strain", {bare}).error().find("biaxial_strain"), std::string::npos);
  EXPECT_FALSE(make_plot("spectrum", {bare}));
  bare.frames.clear();
  EXPECT_FALSE(make_plot("coordination", {bare}));
}

TEST(Runs, neighbours_count_once_and_only_where_they_press) {
  const auto shot = test::shot_of<2>(*scene::build<2>(scene::DiscPile{}), 20, 0.005, 20);
  Frame<2> frame = shot.frames[1];
  for (auto& c : frame.contacts)
    if (c.body[0] < 2 && c.body[1] < 2) c.impulse = {};  // the lower two need not press on each other
  // Upper disc on two, each on the ground: ends at free bodies 2 * 2 + 2, three bodies.
  EXPECT_DOUBLE_EQ(coordination_number(shot.cast, frame), 2);
  EXPECT_EQ(normal_forces(frame).size(), 4u);
  const auto doubled = frame.contacts;
  frame.contacts.insert(frame.contacts.end(), doubled.begin(), doubled.end());
  EXPECT_DOUBLE_EQ(coordination_number(shot.cast, frame), 2);
  for (auto& c : frame.contacts) c.impulse = {};
  EXPECT_EQ(coordination_number(shot.cast, frame), 0);
}

TEST(Spectrum, a_sine_shows_its_amplitude_at_its_frequency) {
  std::vector<Real> t, y;
  for (int k = 0; k < 1000; ++k) {
    t.push_back(0.3 + 0.001 * k + 0.0002 * std::sin(k));  // uneven times
    y.push_back(5 + 0.7 * std::sin(2 * std::numbers::pi * 50 * t.back()) +
                0.1 * std::cos(2 * std::numbers::pi * 120 * t.back()));
  }
  const Spectrum s = spectrum(t, y);
  const auto peak = [&](Real from, Real to) {
    std::size_t best = 0;
    for (std::size_t k = 0; k < s.frequency.size(); ++k)
      if (s.frequency[k] > from && s.frequency[k] < to && (best == 0 || s.amplitude[k] > s.amplitude[best])) best = k;
    return best;
  };
  EXPECT_NEAR(s.frequency[peak(5, 450)], 50, 1);
  EXPECT_NEAR(s.amplitude[peak(5, 450)], 0.7, 0.11);  // between two samples the window loses up to 15 %
  EXPECT_NEAR(s.frequency[peak(90, 450)], 120, 1);
  EXPECT_LT(s.amplitude[peak(200, 400)], 0.01);
}

// The transform against its definition, at a frequency that falls on a sample.
TEST(Spectrum, is_exact_for_a_whole_number_of_periods) {
  const int n = 64;
  std::vector<Real> t, y;
  for (int k = 0; k < n; ++k) t.push_back(k), y.push_back(3 * std::cos(2 * std::numbers::pi * 8 * k / n + 0.4));
  const Spectrum s = spectrum(t, y);
  ASSERT_EQ(s.amplitude.size(), 32u);
  EXPECT_NEAR(s.frequency[7], 8.0 / n, 1e-15);
  EXPECT_NEAR(s.amplitude[7], 3, 1e-12);
  EXPECT_NEAR(s.amplitude[6], 1.5, 1e-12);  // Hann's neighbours have half
  EXPECT_NEAR(s.amplitude[20], 0, 1e-12);
  EXPECT_TRUE(spectrum({0, 1}, {0, 1}).frequency.empty());
}

}  // namespace
}  // namespace cairn::exporting
