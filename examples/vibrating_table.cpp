// A particle on a vibrating, slanted table drifts down and gathers on parallel lines (M88 16.2, figures 16.2 and 16.3).
#include "examples/vibrating_table.hpp"

#include "cairn/scheme/moreau.hpp"
#include "cairn/scheme/run.hpp"
#include "examples/example.hpp"
#include "examples/one_body.hpp"

namespace cairn::examples {
namespace {

struct Path {
  std::vector<double> x, y, z;             // in the table
  std::vector<double> strobe_x, strobe_y;  // once a turn of the crank
};

Expected<Path> follow(const VibratingTable& table, double y0, double h, double T) {
  Moreau<VibratingTable> scheme(table);
  State<VibratingTable> s{0, table.absolute(0, {0, y0, 0}), {}, {}};
  s.u = table.table_velocity(0, s.q);  // left on the table without relative velocity
  Path path;
  const double turn = 2 * std::numbers::pi / std::abs(table.Omega);
  const long every = std::max(1L, static_cast<long>(turn / h / 25));
  long k = 0, turns = 1;
  const MotionReport report = run(scheme, s, h, T, [&](const State<VibratingTable>& now, const StepReport&) {
    const bool strobe = now.t >= static_cast<double>(turns) * turn - h / 2;
    if (strobe || k % every == 0) {
      const Vector<3> x = table.relative(now.t, now.q);
      if (k % every == 0) path.x.push_back(x(0)), path.y.push_back(x(1)), path.z.push_back(x(2));
      if (strobe) path.strobe_x.push_back(x(0)), path.strobe_y.push_back(x(1)), ++turns;
    }
    ++k;
    return true;
  });
  if (report.fault != Fault::none) return failure(report, s.t);
  return path;
}

struct Line {
  double y = 0, drift = 0;
  int paths = 0;
};

// A path has settled where its stroboscopic y varies little over the last third; settled paths that lie close to one
// another are on one line of attraction.
std::vector<Line> lines_of(const std::vector<Path>& paths, double turn, double tolerance) {
  std::vector<Line> ends;
  for (const Path& path : paths) {
    const std::size_t n = path.strobe_y.size(), tail = n / 3;
    if (tail < 5) continue;
    const auto from = path.strobe_y.end() - static_cast<long>(tail);
    const auto [low, high] = std::minmax_element(from, path.strobe_y.end());
    if (*high - *low > tolerance) continue;
    Line line{0, 0, 1};
    for (auto y = from; y != path.strobe_y.end(); ++y) line.y += *y / static_cast<double>(tail);
    line.drift = (path.strobe_x[n - 1] - path.strobe_x[n - tail]) / (static_cast<double>(tail - 1) * turn);
    ends.push_back(line);
  }
  std::ranges::sort(ends, {}, &Line::y);
  std::vector<Line> lines;
  for (const Line& end : ends) {
    if (lines.empty() || end.y - lines.back().y > 2 * tolerance) {
      lines.push_back(end);
      continue;
    }
    Line& line = lines.back();
    const double n = ++line.paths;
    line.y += (end.y - line.y) / n, line.drift += (end.drift - line.drift) / n;
  }
  return lines;
}

plot::Figure picture(const std::vector<Path>& paths, const std::vector<Line>& lines) {
  plot::Axes side{"Seen along the slope", "y [cm]", "z [cm]"},
      top{"Seen from above: down the slope is downward", "y [cm]", "-x [cm]"};
  double lowest = 0;
  for (const Path& path : paths) {
    std::vector<double> down;
    for (const double x : path.x) down.push_back(-x);
    lowest = std::min(lowest, down.empty() ? 0 : down.back());
    top.curves.push_back({"", path.y, down, plot::Curve::line, "black", 0.6});
    side.curves.push_back({"", path.y, path.z, plot::Curve::line, "black", 0.4});
  }
  for (const Line& line : lines)
    top.curves.push_back({"", {line.y, line.y}, {0, lowest}, plot::Curve::line, plot::palette(1), 1.2, true});
  return {"", {side, top}, 1, 860, 900};
}

VibratingTable table_of(const Parameters& p) {
  VibratingTable table;
  table.r = p.number("r"), table.a = p.number("a"), table.mu = p.number("mu"), table.g = p.number("g");
  table.slant = p.number("slant_deg") * degree;
  table.Omega = 2 * std::numbers::pi * p.number("turns") * (p.number("sense") < 0 ? -1 : 1);
  return table;
}

void show(const std::vector<Path>& paths, const std::vector<Line>& lines, const std::vector<double>& y0, Output& out) {
  std::vector<double> number, turn, x, y;
  for (std::size_t k = 0; k < paths.size(); ++k)
    for (std::size_t n = 0; n < paths[k].strobe_y.size(); ++n) {
      number.push_back(y0[k]), turn.push_back(static_cast<double>(n + 1));
      x.push_back(paths[k].strobe_x[n]), y.push_back(paths[k].strobe_y[n]);
    }
  out.table("stroboscope", {{"y0", number}, {"turn", turn}, {"x", x}, {"y", y}});
  out.figure("trajectories", picture(paths, lines));
}

Expected<Output> simulate_and_show(const Parameters& p) {
  const VibratingTable table = table_of(p);
  const double h = p.number("h"), T = p.number("T"), turn = 1 / p.number("turns");
  const std::vector<double>& y0 = p.list("y0_list");
  if (p.number("sense") == 0) return Error{"sense: 0, expected 1 or -1"};
  if (table.r >= table.a) return Error{fmt::format("r: {}, expected less than a = {}", table.r, table.a)};
  if (y0.empty()) return Error{"y0_list: empty, expected one starting position or more"};
  if (const auto message = too_long(h, T * static_cast<double>(y0.size())); !message.empty()) return Error{message};
  if (h > turn / 20) return Error{fmt::format("h: {}, expected at most a twentieth of a turn, {}", h, turn / 20)};
  std::vector<Path> paths;
  for (const double y : y0) {
    auto path = follow(table, y, h, T);
    if (!path) return Error{path.error()};
    paths.push_back(std::move(*path));
  }
  const double far = table.g * std::cos(table.slant) * table.a * turn * turn / (4 * std::numbers::pi * table.r);
  const std::vector<Line> lines = lines_of(paths, turn, 0.02 * far);
  std::vector<double> ys, drifts;
  for (const Line& line : lines) ys.push_back(line.y), drifts.push_back(line.drift);
  Output out;
  out.set("lines", ys);
  out.set("drifts", drifts);
  out.set("spacing", ys.size() > 1 ? ys.back() - ys[ys.size() - 2] : infinite);
  out.set("spacing_far", far);
  int settled = 0;
  for (const Line& line : lines) settled += line.paths;
  out.remark(fmt::format("{} of {} trajectories have settled on a line.", settled, paths.size()));
  show(paths, lines, y0, out);
  return out;
}

std::vector<double> spread(double from, double to, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(from + (to - from) * k / (count - 1));
  return values;
}

}  // namespace

Example vibrating_table() {
  return {"vibrating-table",
          "Particles on a vibrating slanted table gather on parallel lines (c.g.s. units)",
          "M88 16.2",
          {number("r", 0.5, "cm", "radius of the eccentric", 1e-6, 1e6),
           number("turns", 10, "1/s", "turns of the eccentric a second", 1e-3, 1e6),
           number("a", 50, "cm", "distance from the guided origin to the driven point", 1e-6, 1e6),
           number("mu", 0.4, "", "coefficient of friction", 0, 1e3),
           number("slant_deg", 13, "deg", "slant of the mean plane", -80, 80),
           number("g", 981, "cm/s^2", "gravity", above_zero, 1e9),
           number("sense", 1, "", "1: the eccentric turns from Y to Z (Ox repels), -1: the other way", -1, 1),
           number("h", 5e-5, "s", "time step", 1e-7, 1),
           list("y0_list", spread(5, 320, 15), "cm", "starting positions along Oy"),
           number("T", 12, "s", "duration", above_zero, 1e4)},
          {{"lines", "cm", "y of the lines of attraction, once a turn, as the eccentric passes the axis OY"},
           {"drifts", "cm/s", "mean velocity down each line"},
           {"spacing", "cm", "between the two farthest lines (null: fewer than two)"},
           {"spacing_far", "cm", "what it tends to far from Ox: g cos(slant) a/(4 pi r turns^2)"}},
          simulate_and_show};
}

}  // namespace cairn::examples
