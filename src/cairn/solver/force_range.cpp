#include "cairn/solver/force_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cairn/solver/force_centre.hpp"
#include "cairn/solver/force_island.hpp"

namespace cairn {
namespace {

using Outcome = ForceIsland::Outcome;

constexpr Real none = Real(1e-10);   // [-] of the island's largest impulse: a smaller one counts as none
constexpr Real inside = Real(1e-6);  // [-] sum of distances to a boundary that shows points off it

std::size_t sz(int i) { return static_cast<std::size_t>(i); }

// Unknowns that share rows, directly or through others; those without impulse are in none.
std::vector<std::vector<int>> islands_of(const ForceSet& set) {
  std::vector<int> parent(sz(set.rows));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int b) {
    while (parent[sz(b)] != b) b = parent[sz(b)] = parent[sz(parent[sz(b)])];
    return b;
  };
  const auto first_row = [](const ForceUnknown& u) {
    for (const auto& column : u.column)
      if (!column.empty()) return column.front().row;
    return -1;
  };
  for (const ForceUnknown& u : set.unknowns)
    for (std::size_t i = 0; i < sz(u.dim); ++i)
      for (const ForceEntry& e : u.column[i]) parent[sz(root(e.row))] = root(first_row(u));
  std::vector<int> number(parent.size(), -1);
  std::vector<std::vector<int>> found;
  for (int a = 0; a < static_cast<int>(set.unknowns.size()); ++a) {
    const ForceUnknown& u = set.unknowns[sz(a)];
    const int row = u.dim > 0 ? first_row(u) : -1;
    if (row < 0) continue;
    int& island = number[sz(root(row))];
    if (island < 0) island = static_cast<int>(found.size()), found.emplace_back();
    found[sz(island)].push_back(a);
  }
  return found;
}

class Ranger {
 public:
  Ranger(const ForceSet& set, const std::vector<int>& unknowns, const ForceOptions& options, ForceReport& report)
      : unknowns_(unknowns), options_(options), report_(report), island_(set, unknowns) {}

  // `done` counts contacts of all islands.
  void run(int& done, int all) {
    int components = 0;
    for (const ForceUnknown& u : island_.unknowns()) components += u.dim;
    const int kernel = components - static_cast<int>(independent_rows(island_.unknowns(), island_.rows()).size());
    report_.components += components, report_.hyperstaticity += kernel;
    if (kernel == 0) {
      done += island_.size();
      return keep();
    }
    if (!start()) return;
    if (!greatest(done, all) || !least(done, all)) return;
    measure_bracket();
    if (options_.centre) distributions();
  }

  void finish() { report_.programs += island_.programs(), report_.pivots += island_.pivots(); }

 private:
  int n() const { return island_.size(); }
  ForceRange& range(int k) { return report_.range[sz(unknowns_[sz(k)])]; }
  Real unit() const { return island_.scale(); }

  bool trouble(const char* what) {
    report_.trouble = what;
    return false;
  }

  // One distribution alone.
  void keep() {
    for (int k = 0; k < n(); ++k) {
      const ForceUnknown& u = island_.member(k);
      if (u.free) continue;
      const Real value = unit() * u.value[0];
      const std::size_t a = sz(unknowns_[sz(k)]);
      report_.range[a] = {value, value};
      report_.central[a] = report_.least_norm[a] = value;
    }
  }

  // The sum of all normal impulses is bounded where F is, and bounds each.
  bool start() {
    std::vector<ForceTerm> all;
    for (int k = 0; k < n(); ++k)
      if (!island_.member(k).free) all.push_back({k, {-1, 0, 0}});
    const Outcome found = island_.minimise(all);
    if (found == Outcome::infeasible) return trouble("no admissible distribution was found");
    if (found == Outcome::failed) return trouble("a linear program was given up");
    if (found == Outcome::unbounded) report_.bounded = false;
    return true;
  }

  bool tell(int done, int all) {
    if (!options_.progress || options_.progress(done, all)) return true;
    report_.stopped = true;
    return false;
  }

  bool greatest(int& done, int all) {
    for (int k = 0; k < n(); ++k, ++done) {
      if (island_.member(k).free) continue;
      if (!tell(done, all)) return false;
      const Outcome found = island_.minimise({{k, {-1, 0, 0}}});
      if (found == Outcome::infeasible || found == Outcome::failed) return trouble("a linear program was given up");
      const Real most = std::max(island_.at(k)[0], island_.member(k).value[0]);
      range(k).greatest = found == Outcome::unbounded ? std::numeric_limits<Real>::infinity() : unit() * most;
      if (found == Outcome::optimal) left_.push_back(island_.left());
    }
    return true;
  }

  // A contact without impulse at a point visited needs no program.
  bool least(int done, int all) {
    for (int k = 0; k < n(); ++k) {
      if (island_.member(k).free) continue;
      if (!(island_.least_seen(k) > none)) continue;
      if (!tell(done, all)) return false;
      if (island_.minimise({{k, {1, 0, 0}}}) != Outcome::optimal) return trouble("a linear program was given up");
      left_.push_back(island_.left());
      const Real least = std::min(island_.at(k)[0], island_.member(k).value[0]);
      range(k).least = least > none ? unit() * least : 0;
    }
    return true;
  }

  void measure_bracket() {
    for (const auto& left : left_) {
      Real sum = 0;
      for (const auto& [k, price] : left) {
        const Real most = range(k).greatest / unit();
        sum += price * (std::isfinite(most) ? most : Real(1));
      }
      report_.bracket = std::max(report_.bracket, sum * unit());
    }
  }

  // Sums of points visited stay on a boundary of a cone: all points do, unless a program finds one that does not.
  std::vector<int> on_boundary() const {
    std::vector<int> members;
    for (int k = 0; k < n(); ++k) {
      const std::array<Real, 3>& s = island_.sum()[sz(k)];
      if (!island_.member(k).free && s[0] - std::hypot(s[1], s[2]) < inside) members.push_back(k);
    }
    return members;
  }

  std::vector<int> faces() {
    std::vector<int> fixed = on_boundary();
    while (!fixed.empty()) {
      std::vector<ForceTerm> terms;
      for (const int k : fixed) {
        const std::array<Real, 3>& s = island_.sum()[sz(k)];
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
    std::vector<char> boundary(sz(n()), 0);
    for (const int k : fixed) boundary[sz(k)] = 1;
    for (int k = 0; k < n(); ++k) {
      std::array<Real, 3> s = island_.sum()[sz(k)];
      if (!island_.member(k).free && s[0] < inside) continue;  // no impulse anywhere
      for (Real& part : s) part /= island_.visits();
      interior.add(k, s, boundary[sz(k)] != 0);
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
      if (!island_.member(k).free) out[sz(unknowns_[sz(k)])] = unit() * normal[sz(k)];
  }

  const std::vector<int>& unknowns_;
  const ForceOptions& options_;
  ForceReport& report_;
  ForceIsland island_;
  std::vector<std::vector<std::pair<int, Real>>> left_;  // (objectives)
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
