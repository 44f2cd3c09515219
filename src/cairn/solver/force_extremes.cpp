#include "cairn/solver/force_extremes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/at.hpp"

namespace cairn {
namespace {

constexpr Real none = Real(1e-10);                // [-] of the island's largest impulse: a smaller one counts as none
constexpr int many_rows = 200;                    // rows, from which on the path is faster than the simplex method
constexpr std::size_t group = 32;                 // programs between two questions whether to go on
constexpr std::size_t most_entries = 20'000'000;  // of a factor: one step takes a second or more
constexpr Real unbounded = std::numeric_limits<Real>::infinity();

}  // namespace

ForceExtremes::ForceExtremes(ForceIsland& island, const std::vector<int>& rows, ForceMethod method)
    : island_(island), range_(at(island.size())) {
  const auto& unknowns = island_.unknowns();
  const bool large = static_cast<int>(rows.size()) >= many_rows;
  const bool space = std::ranges::any_of(unknowns, [](const ForceUnknown& u) { return u.dim == 3; });
  const bool free = std::ranges::any_of(unknowns, &ForceUnknown::free);  // no cone
  const bool wanted = method == ForceMethod::path || (method == ForceMethod::automatic && (space || large));
  if (wanted && !free && !find_path(rows)) path_.reset();
}

bool ForceExtremes::find_path(const std::vector<int>& rows) {
  cones_.emplace(island_.unknowns(), rows);
  path_.emplace(*cones_);
  const bool found = path_->entries() <= most_entries && path_->find_centre();
  newton_steps_ += path_->steps();
  if (found) island_.visit(path_->point());
  return found;
}

bool ForceExtremes::tell(const std::function<bool()>& go_on) {
  stopped_ = !go_on();
  return !stopped_;
}

bool ForceExtremes::give_up() {
  trouble_ = "a linear program was given up";
  return false;
}

bool ForceExtremes::run(const std::function<bool()>& go_on, int& done) {
  if (!path_ && !start()) return false;  // the centre of a path shows that F is bounded
  std::vector<int> members;
  for (int k = 0; k < island_.size(); ++k)
    if (!island_.member(k).free) members.push_back(k);
  done += island_.size() - static_cast<int>(members.size());
  if (path_ && !follow_path(members, -1, go_on, done)) return false;
  for (const int k : members) {
    if (!tell(go_on) || !solve(k, -1)) return false;
    ++done;
  }
  if (!show_idle(members, go_on)) return false;
  int counted = 0;
  if (path_ && !follow_path(members, 1, go_on, counted)) return false;
  for (const int k : members)
    if (!tell(go_on) || !solve(k, 1)) return false;
  return true;
}

// The sum of all normal impulses is bounded where F is, and bounds each.
bool ForceExtremes::start() {
  std::vector<ForceTerm> all;
  for (int k = 0; k < island_.size(); ++k)
    if (!island_.member(k).free) all.push_back({k, {-1, 0, 0}});
  const Outcome found = island_.minimise(all);
  if (found == Outcome::failed) return give_up();
  if (found == Outcome::infeasible) trouble_ = "no admissible distribution was found";
  bounded_ = found == Outcome::optimal;
  return found != Outcome::infeasible;
}

void ForceExtremes::set_range(int k, Real sign, Real value) {
  const Real given = island_.member(k).value[0], least = std::min(value, given);
  if (sign < 0)
    range_[at(k)].greatest = std::max(value, given);
  else
    range_[at(k)].least = least > none ? least : 0;
}

// Extreme values by the path, of sign times the normal impulse; members without an answer stay. Where F is so thin that
// rounding hides the answers of most, the path is left.
bool ForceExtremes::follow_path(std::vector<int>& members, Real sign, const std::function<bool()>& go_on, int& done) {
  std::vector<int> rest;
  std::size_t next = 0;
  while (path_ && next < members.size()) {
    if (!tell(go_on)) return false;
    std::vector<ForceTerm> functions;
    for (; next < members.size() && functions.size() < group; ++next)
      functions.push_back({members[next], {sign, 0, 0}});
    const std::vector<ForcePath::Extreme> found = minimise_each(*path_, functions);
    std::size_t failures = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const int k = functions[i].member;
      ++programs_, newton_steps_ += found[i].steps;
      if (!found[i].found) {
        rest.push_back(k), ++failures;
        continue;
      }
      set_range(k, sign, sign * found[i].value);
      left_.push_back({found[i].gap, found[i].left}), ++done;
    }
    if (2 * failures > found.size()) path_.reset();
  }
  rest.insert(rest.end(), members.begin() + static_cast<std::ptrdiff_t>(next), members.end());
  members = rest;
  return true;
}

// The same by the simplex method.
bool ForceExtremes::solve(int k, Real sign) {
  const Outcome found = island_.minimise({{k, {sign, 0, 0}}});
  if (found == Outcome::unbounded && sign < 0) {
    range_[at(k)].greatest = unbounded;
    return true;
  }
  if (found != Outcome::optimal) return give_up();
  const Real value = island_.point(k)[0];
  set_range(k, sign, value);
  left_.push_back({std::min(island_.overstated(), std::fabs(value - island_.member(k).value[0])), island_.left()});
  return true;
}

// Members that have an impulse at every point visited. The least sum of theirs shows most of them idle, and so on.
bool ForceExtremes::show_idle(std::vector<int>& members, const std::function<bool()>& go_on) {
  for (std::size_t before = 0;; before = members.size()) {
    members.clear();
    for (int k = 0; k < island_.size(); ++k)
      if (!island_.member(k).free && island_.least_seen(k) > none) members.push_back(k);
    if (members.size() < 2 || members.size() == before) return true;
    if (!tell(go_on)) return false;
    std::vector<ForceTerm> sum;
    for (const int k : members) sum.push_back({k, {1, 0, 0}});
    if (island_.minimise(sum, false) != Outcome::optimal) return give_up();
  }
}

Real ForceExtremes::bracket() const {
  Real most = 0;
  for (const Left& left : left_) {
    Real sum = left.gap;
    for (const auto& [k, price] : left.price) {
      const Real greatest = range_[at(k)].greatest;
      sum += price * (std::isfinite(greatest) ? greatest : Real(1));
    }
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace cairn
