#include "solutions_print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cairn/base/json.hpp"

namespace cairn::app {
namespace {

constexpr std::size_t shown = 6;  // extreme points of a continuum in a table; JSON has all

// Rounding left over where a number is zero would only distract.
double tidy(double x, double size) { return std::abs(x) < 1e-13 * size ? 0 : x; }

double largest(const std::vector<Real>& x) {
  double most = 0;
  for (const Real v : x) most = std::max(most, std::abs(v));
  return most;
}

std::string count(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

std::string heading(int dimension) {
  const char* of[] = {"n", "t", "s"};
  std::string line = fmt::format("    {:>7}  {:<8}", "contact", "mode");
  for (const char* what : {"impulse", "velocity"})
    for (int i = 0; i < dimension; ++i) line += fmt::format("{:>14}", fmt::format("{} {}", what, of[i]));
  return line + "\n";
}

std::string point_table(const SolutionPoint& x, int dimension, double free) {
  std::string text;
  const double S = largest(x.S), U = std::max(largest(x.U), free);
  for (std::size_t a = 0; a < x.modes.size(); ++a) {
    text += fmt::format("    {:>7}  {:<8}", a + 1, name(x.modes[a]));
    const std::size_t first = a * static_cast<std::size_t>(dimension);
    for (int i = 0; i < dimension; ++i) text += fmt::format("{:>14.7g}", tidy(x.S[first + i], S));
    for (int i = 0; i < dimension; ++i) text += fmt::format("{:>14.7g}", tidy(x.U[first + i], U));
    text += "\n";
  }
  return text;
}

std::string energies(const SolutionPoint& x) {
  const double size = std::abs(x.work) + std::abs(x.friction) + 1e-300;
  const std::string error = x.error < 1e-15 ? "below 1e-15" : fmt::format("{:.1e}", x.error);
  return fmt::format("work {:.7g}, friction {:.7g}, error {}", tidy(x.work, size), tidy(x.friction, size), error);
}

std::string set_table(const ProblemSolutions& p, const SolutionSet& set, const std::string& label) {
  std::string text = fmt::format("  {}: ", label);
  if (set.dimension == 0)
    return text + energies(set.points[0]) + "\n" + heading(p.dimension) +
           point_table(set.points[0], p.dimension, p.all.free);
  text += fmt::format("{} of impulses, dimension {}{}\n",
                      set.one_motion ? "one motion, a continuum" : "a continuum of motions and", set.dimension,
                      p.all.complete ? "" : " at least");
  for (std::size_t k = 0; k < std::min(set.points.size(), shown); ++k) {
    text += fmt::format("   {} {} of {}: {}\n", p.all.complete ? "end point" : "point", k + 1, set.points.size(),
                        energies(set.points[k]));
    text += heading(p.dimension) + point_table(set.points[k], p.dimension, p.all.free);
  }
  if (set.points.size() > shown)
    text += fmt::format("   and {} more (--json)\n", count(set.points.size() - shown, "end point"));
  for (const std::vector<Real>& ray : set.rays) {
    text += "   unbounded, impulses may grow along";
    for (const Real x : ray) text += fmt::format(" {:.6g}", tidy(x, 1));
    text += "\n";
  }
  return text;
}

std::string numbers(const std::vector<Real>& x) {
  std::string text;
  for (const Real v : x) text += (text.empty() ? "" : ", ") + json_number(v);
  return "[" + text + "]";
}

template <class T, class Show>
std::string list(const std::vector<T>& items, const Show& show) {
  std::string text;
  for (const T& item : items) text += (text.empty() ? "" : ", ") + show(item);
  return "[" + text + "]";
}

std::string mode_names(const std::vector<ContactMode>& modes) {
  return list(modes, [](ContactMode mode) { return json_string(name(mode)); });
}

std::string point_json(const SolutionPoint& x) {
  JsonObject object;
  object.raw("modes", mode_names(x.modes)).raw("impulse", numbers(x.S)).raw("velocity", numbers(x.U));
  object.number("work", x.work).number("friction", x.friction).number("error", x.error);
  return object.str();
}

std::string set_json(const SolutionSet& set) {
  JsonObject object;
  object.integer("solution", set.group + 1).integer("dimension", set.dimension);
  object.raw("one_motion", set.one_motion ? "true" : "false").raw("modes", mode_names(set.modes));
  object.raw("points", list(set.points, point_json)).raw("rays", list(set.rays, numbers));
  return object.str();
}

}  // namespace

std::string solutions_table(const ProblemSolutions& p) {
  std::string text = fmt::format("{}: {} in {}: {}\n", std::filesystem::path(p.file).stem().string(),
                                 count(static_cast<std::size_t>(p.contacts), "contact"),
                                 p.dimension == 2 ? "the plane" : "space", describe(p.all));
  std::vector<int> parts(static_cast<std::size_t>(p.all.groups), 0), seen = parts;
  for (const SolutionSet& set : p.all.sets) ++parts[static_cast<std::size_t>(set.group)];
  for (const SolutionSet& set : p.all.sets) {
    const std::size_t g = static_cast<std::size_t>(set.group);
    std::string label = fmt::format("solution {}", g + 1);
    if (parts[g] > 1) label += fmt::format(", part {} of {}", ++seen[g], parts[g]);
    text += set_table(p, set, label);
  }
  return text;
}

std::string solutions_json(const ProblemSolutions& p) {
  JsonObject object;
  object.text("problem", std::filesystem::path(p.file).stem().string()).text("file", p.file);
  object.integer("contacts", p.contacts).integer("dimension", p.dimension);
  object.text("status", p.all.sets.empty() ? "none" : "found").raw("complete", p.all.complete ? "true" : "false");
  object.integer("solutions", p.all.groups).integer("motions", p.all.motions);
  object.raw("many_motions", p.all.many_motions ? "true" : "false").number("error", p.all.error);
  object.integer("tried", p.all.tried).number("seconds", p.seconds);
  object.raw("sets", list(p.all.sets, set_json));
  return object.str();
}

}  // namespace cairn::app
