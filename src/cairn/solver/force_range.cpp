#include "cairn/solver/force_range.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/at.hpp"
#include "cairn/solver/force_centre.hpp"
#include "cairn/solver/force_extremes.hpp"

namespace cairn {
namespace {

using Outcome = ForceIsland::Outcome;

constexpr Real inside = Real(1e-6);  // [-] sum of distances to a boundary that shows points off it

class Ranger {
 public:
  Ranger(const ForceSet& set, const std::vector<int>& unknowns, const ForceOptions& options, ForceReport& report)
      : unknowns_(unknowns), options_(options), report_(report), island_(set, unknowns) {}

  // `done` counts contacts of all islands.
  void run(int& done, int all) {
    int components = 0;
    for (const ForceUnknown& u : island_.unknowns()) components += u.dim;
    const std::vector<int> rows = independent_rows(island_.unknowns(), island_.rows());
    const int kernel = components - static_cast<int>(rows.size());
    report_.components += components, report_.hyperstaticity += kernel;
    if (kernel == 0) {
      done += island_.size();
      return keep();
    }
    ForceExtremes extremes(island_, rows, options_.method);
    const bool found = extremes.run([&] { return !options_.progress || options_.progress(done, all); }, done);
    take(extremes);
    if (found && options_.centre) distributions();
  }

  void finish() { report_.programs += island_.programs(), report_.pivots += island_.pivots(); }

 private:
  int n() const { return island_.size(); }
  ForceRange& range(int k) { return report_.range[at(unknowns_[at(k)])]; }
  Real unit() const { return island_.scale(); }

  void take(const ForceExtremes& found) {
    report_.trouble = found.trouble(), report_.stopped = found.stopped();
    report_.bounded = report_.bounded && found.bounded();
    report_.programs += found.programs(), report_.newton_steps += found.newton_steps();
    report_.bracket = std::max(report_.bracket, unit() * found.bracket());
    for (int k = 0; k < n(); ++k)
      range(k) = {unit() * found.ranges()[at(k)].least, unit() * found.ranges()[at(k)].greatest};
  }

  // One distribution alone.
  void keep() {
    for (int k = 0; k < n(); ++k) {
      const ForceUnknown& u = island_.member(k);
      if (u.free) continue;
      const Real value = unit() * u.value[0];
      const std::size_t a = at(unknowns_[at(k)]);
      report_.range[a] = {value, value};
      report_.central[a] = report_.least_norm[a] = value;
    }
  }

  // Sums of points visited stay on a boundary of a cone: all points do, unless a program finds one that does not.
  std::vector<int> on_boundary() const {
    std::vector<int> members;
    for (int k = 0; k < n(); ++k) {
      const std::array<Real, 3>& s = island_.sum()[at(k)];
      if (!island_.member(k).free && s[0] - std::hypot(s[1], s[2]) < inside) members.push_back(k);
    }
    return members;
  }

  std::vector<int> faces() {
    std::vector<int> fixed = on_boundary();
    while (!fixed.empty()) {
      std::vector<ForceTerm> terms;
      for (const int k : fixed) {
        const std::array<Real, 3>& s = island_.sum()[at(k)];
        const Real t = std::hypot(s[1], s[2]);
        terms.push_back({k, {-1, t > 0 ? s[1] / t : 0, t > 0 ? s[2] / t : 0}});
      }
      const Outcome found = island_.minimise(terms);
      if (found == Outcome::infeasible || found == Outcome::failed) break;
      const std::size_t before = fixed.size();
      fixed = on_boundary();
      if (fixed.size() == before) break;
    }
    return fixed;
  }

  void distributions() {
    const std::vector<int> fixed = faces();
    ForceInterior interior(island_.unknowns(), island_.rows());
    std::vector<char> boundary(at(n()), 0);
    for (const int k : fixed) boundary[at(k)] = 1;
    for (int k = 0; k < n(); ++k) {
      std::array<Real, 3> s = island_.sum()[at(k)];
      if (!island_.member(k).free && s[0] < inside) continue;  // no impulse anywhere
      for (Real& part : s) part /= island_.visits();
      interior.add(k, s, boundary[at(k)] != 0);
    }
    report_.freedom += interior.dimension();
    const ForceInterior::Least least = interior.least_norm();
    take(least.normal, report_.least_norm);
    report_.least_norm_gap = std::max(report_.least_norm_gap, least.gap);
    if (report_.bounded) take(interior.centre(), report_.central);
  }

  void take(const std::vector<Real>& normal, std::vector<Real>& out) {
    if (normal.empty()) {
      if (report_.trouble.empty()) report_.trouble = "a distribution in the middle was not found";
      return;
    }
    for (int k = 0; k < n(); ++k)
      if (!island_.member(k).free) out[at(unknowns_[at(k)])] = unit() * normal[at(k)];
  }

  const std::vector<int>& unknowns_;
  const ForceOptions& options_;
  ForceReport& report_;
  ForceIsland island_;
};

}  // namespace

ForceReport force_ranges(const ForceSet& set, const ForceOptions& options) {
  ForceReport report;
  const std::vector<std::vector<int>> islands = islands_of(set);
  report.range.resize(set.unknowns.size());
  report.central.assign(set.unknowns.size(), 0), report.least_norm.assign(set.unknowns.size(), 0);
  report.islands = static_cast<int>(islands.size());
  int all = 0, done = 0;
  for (const auto& island : islands) all += static_cast<int>(island.size());
  for (const ForceUnknown& u : set.unknowns)
    if (!u.free) report.scale = std::max(report.scale, u.value[0]);
  for (const auto& island : islands) {
    Ranger ranger(set, island, options, report);
    ranger.run(done, all);
    ranger.finish();
    if (report.stopped || !report.trouble.empty()) break;
  }
  if (report.scale > 0) report.bracket /= report.scale;
  if (!report.bounded || !options.centre) report.central.clear();
  if (!options.centre) report.least_norm.clear();
  return report;
}

}  // namespace cairn
