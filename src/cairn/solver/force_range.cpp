#include "cairn/solver/force_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "cairn/solver/force_centre.hpp"
#include "cairn/solver/force_island.hpp"
#include "cairn/solver/force_path.hpp"

namespace cairn {
namespace {

using Outcome = ForceIsland::Outcome;

constexpr Real none = Real(1e-10);   // [-] of the island's largest impulse: a smaller one counts as none
constexpr Real inside = Real(1e-6);  // [-] sum of distances to a boundary that shows points off it

constexpr Real infinite = std::numeric_limits<Real>::infinity();
constexpr int many = 200;          // rows, from which on the path is faster than the simplex method
constexpr std::size_t group = 64;  // programs between two calls of `progress`

std::size_t sz(int i) { return static_cast<std::size_t>(i); }

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
    if (!find_path(rows) && !start()) return;
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

  // The central path, where it is wanted and F has one. Its centre shows that F is bounded.
  bool find_path(const std::vector<int>& rows) {
    const bool free = std::ranges::any_of(island_.unknowns(), &ForceUnknown::free);
    const bool space = std::ranges::any_of(island_.unknowns(), [](const ForceUnknown& u) { return u.dim == 3; });
    const bool wanted = options_.method == ForceMethod::path ||
                        (options_.method == ForceMethod::automatic && (space || static_cast<int>(rows.size()) >= many));
    if (free || !wanted) return false;
    cones_.emplace(island_.unknowns(), rows);
    path_.emplace(*cones_);
    const bool found = path_->find_centre();
    report_.newton_steps += path_->steps();
    if (found)
      island_.visit(path_->point());
    else
      path_.reset();
    return found;
  }

  void set_range(int k, Real sign, Real value) {
    const Real given = island_.member(k).value[0];
    if (sign < 0)
      range(k).greatest = unit() * std::max(value, given);
    else
      range(k).least = std::min(value, given) > none ? unit() * std::min(value, given) : 0;
  }

  // Extreme values by the path, of sign times the normal impulse; members without an answer stay. False: stopped.
  bool follow_path(std::vector<int>& members, Real sign, int& done, int all) {
    std::vector<int> rest;
    for (std::size_t first = 0; first < members.size(); first += group) {
      if (!tell(done, all)) return false;
      const std::size_t last = std::min(first + group, members.size());
      std::vector<ForceTerm> terms;
      for (std::size_t i = first; i < last; ++i) terms.push_back({members[i], {sign, 0, 0}});
      const std::vector<ForcePath::Extreme> found = minimise_each(*path_, terms);
      for (std::size_t i = first; i < last; ++i) {
        const ForcePath::Extreme& e = found[i - first];
        ++report_.programs, report_.newton_steps += e.steps;
        if (!e.found) {
          rest.push_back(members[i]);
          continue;
        }
        set_range(members[i], sign, sign * e.value);
        left_.push_back({e.gap, e.left}), ++done;
      }
    }
    members = rest;
    return true;
  }

  bool greatest(int& done, int all) {
    std::vector<int> members;
    for (int k = 0; k < n(); ++k)
      if (!island_.member(k).free) members.push_back(k);
    done += n() - static_cast<int>(members.size());
    if (path_ && !follow_path(members, -1, done, all)) return false;
    for (const int k : members) {
      if (!tell(done++, all)) return false;
      const Outcome found = island_.minimise({{k, {-1, 0, 0}}});
      if (found == Outcome::infeasible || found == Outcome::failed) return trouble("a linear program was given up");
      set_range(k, -1, found == Outcome::unbounded ? infinite : island_.at(k)[0]);
      if (found == Outcome::optimal) left_.push_back({0, island_.left()});
    }
    return true;
  }

  // A contact without impulse at a point visited needs no program: the least sum of all that had one at every point so
  // far shows most of them so.
  bool least(int done, int all) {
    std::vector<int> members;
    for (std::size_t before = 0;; before = members.size()) {
      members.clear();
      for (int k = 0; k < n(); ++k)
        if (!island_.member(k).free && island_.least_seen(k) > none) members.push_back(k);
      if (members.size() < 2 || members.size() == before) break;
      if (!tell(done, all)) return false;
      std::vector<ForceTerm> sum;
      for (const int k : members) sum.push_back({k, {1, 0, 0}});
      if (island_.minimise(sum, false) != Outcome::optimal) return trouble("a linear program was given up");
    }
    if (path_ && !follow_path(members, 1, done, all)) return false;
    for (const int k : members) {
      if (!tell(done, all)) return false;
      if (island_.minimise({{k, {1, 0, 0}}}) != Outcome::optimal) return trouble("a linear program was given up");
      left_.push_back({0, island_.left()});
      set_range(k, 1, island_.at(k)[0]);
    }
    return true;
  }

  void measure_bracket() {
    for (const Left& left : left_) {
      Real sum = left.gap;
      for (const auto& [k, price] : left.price) {
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
  std::optional<ForceCones> cones_;
  std::optional<ForcePath> path_;
  struct Left {
    Real gap;
    std::vector<std::pair<int, Real>> price;
  };
  std::vector<Left> left_;  // (objectives) between bounds
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
