#include "cairn/solver/force_island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "cairn/base/at.hpp"

namespace cairn {
namespace {

constexpr Real noise = Real(1e-11);            // [-] of the largest entry
constexpr Real worth = Real(1e-9);             // [-] a price below tells of an edge that would gain something
constexpr Real program_rounding = Real(1e-9);  // [-] parts that the programs do not tell from zero
constexpr int many_columns = 10;               // columns a member
constexpr int most_rounds = 200;               // of new edges for one objective

Real priced(const std::vector<ForceEntry>& column, std::span<const Real> prices) {
  Real sum = 0;
  for (const ForceEntry& e : column) sum += e.value * prices[at(e.row)];
  return sum;
}

// The rows in use, numbered from 0, each divided by its largest entry. Rows of rounding alone, as the torques of smooth
// spheres, are no rows.
int scale_rows(std::vector<ForceUnknown>& unknowns) {
  std::map<int, std::pair<int, Real>> rows;  // number, largest
  for (const ForceUnknown& u : unknowns)
    for (const auto& column : u.column)
      for (const ForceEntry& e : column) {
        Real& most = rows[e.row].second;
        most = std::max(most, std::fabs(e.value));
      }
  int count = 0;
  Real largest = 0;
  for (const auto& [row, use] : rows) largest = std::max(largest, use.second);
  for (auto& [row, use] : rows) use.first = use.second > noise * largest ? count++ : -1;
  for (ForceUnknown& u : unknowns)
    for (auto& column : u.column) {
      std::erase_if(column, [&](const ForceEntry& e) { return rows[e.row].first < 0; });
      for (ForceEntry& e : column) e = {rows[e.row].first, e.value / rows[e.row].second};
    }
  return count;
}

}  // namespace

std::vector<std::vector<int>> islands_of(const ForceSet& set) {
  std::vector<int> parent(at(set.rows));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int b) {
    while (parent[at(b)] != b) b = parent[at(b)] = parent[at(parent[at(b)])];
    return b;
  };
  const auto first_row = [](const ForceUnknown& u) {
    for (const auto& column : u.column)
      if (!column.empty()) return column.front().row;
    return -1;
  };
  for (const ForceUnknown& u : set.unknowns)
    for (std::size_t i = 0; i < at(u.dim); ++i)
      for (const ForceEntry& e : u.column[i]) parent[at(root(e.row))] = root(first_row(u));
  std::vector<int> number(parent.size(), -1);
  std::vector<std::vector<int>> found;
  for (int a = 0; a < static_cast<int>(set.unknowns.size()); ++a) {
    const ForceUnknown& u = set.unknowns[at(a)];
    const int row = u.dim > 0 ? first_row(u) : -1;
    if (row < 0) continue;
    int& island = number[at(root(row))];
    if (island < 0) island = static_cast<int>(found.size()), found.emplace_back();
    found[at(island)].push_back(a);
  }
  return found;
}

ForceIsland::ForceIsland(const ForceSet& set, const std::vector<int>& unknowns) {
  Real most = 0;
  for (const int a : unknowns) {
    unknown_.push_back(set.unknowns[at(a)]);
    if (!unknown_.back().free) most = std::max(most, unknown_.back().value[0]);
  }
  if (most > 0) scale_ = most;
  b_.assign(at(scale_rows(unknown_)), 0);
  for (ForceUnknown& u : unknown_)
    for (std::size_t i = 0; i < at(u.dim); ++i) {
      u.value[i] /= scale_;
      for (const ForceEntry& e : u.column[i]) b_[at(e.row)] += e.value * u.value[i];
    }
  const bool space = std::ranges::any_of(unknown_, [](const ForceUnknown& u) { return u.dim == 3; });
  program_ = std::make_unique<LinearProgram>(b_, space);
  edges_.resize(unknown_.size()), point_.resize(unknown_.size()), sum_.resize(unknown_.size());
  least_.assign(unknown_.size(), std::numeric_limits<Real>::infinity());
  for (int k = 0; k < size(); ++k) {
    const ForceUnknown& u = member(k);
    if (u.dim == 1) add_generator(k, 0, 0);
    if (u.dim == 2) add_generator(k, 1, 0), add_generator(k, -1, 0);
    if (u.dim < 3) continue;
    // Two edges hold the impulse given between them: the first program is feasible.
    const Real t = std::hypot(u.value[1], u.value[2]);
    const Real c = t > 0 ? u.value[1] / t : 1, s = t > 0 ? u.value[2] / t : 0;
    add_generator(k, c, s), add_generator(k, -c, -s), add_generator(k, -s, c), add_generator(k, s, -c);
  }
}

void ForceIsland::add_generator(int k, Real c, Real s, bool kept) {
  const ForceUnknown& u = member(k);
  const Real part[3] = {1, c, s};
  std::vector<ForceEntry> column;
  for (std::size_t i = 0; i < at(u.dim); ++i)
    for (const ForceEntry& e : u.column[i]) {
      const auto same = std::ranges::find(column, e.row, &ForceEntry::row);
      if (same == column.end())
        column.push_back({e.row, part[i] * e.value});
      else
        same->value += part[i] * e.value;
    }
  edges_[at(k)].push_back(program_->add_column(column, u.free));
  generator_.push_back({k, c, s, kept});
}

// Takes in, for every cone in space, the edge with the lowest cost at the prices found. False: none is worth it.
bool ForceIsland::add_priced(const std::vector<std::array<Real, 3>>& weight) {
  left_.clear();
  const std::span<const Real> current = program_->prices();
  const std::vector<Real> prices(current.begin(), current.end());
  bool added = false;
  for (int k = 0; k < size(); ++k) {
    if (member(k).dim < 3) continue;
    Real w[3];
    for (std::size_t i = 0; i < 3; ++i) w[i] = weight[at(k)][i] - priced(member(k).column[i], prices);
    const Real t = std::hypot(w[1], w[2]), cost = w[0] - t;
    if (!(cost < 0)) continue;
    left_.emplace_back(k, -cost);
    if (cost < -worth && t > 0) add_generator(k, -w[1] / t, -w[2] / t, false), added = true;
  }
  return added;
}

// Edges that other objectives needed would slow the programs down.
void ForceIsland::forget_edges() {
  if (program_->columns() < many_columns * size()) return;
  std::vector<int> gone;
  for (int j = 0; j < program_->columns(); ++j)
    if (!generator_[at(j)].kept && !program_->basic(j)) gone.push_back(j);
  program_->remove_columns(gone);
  std::vector<Generator> rest;
  for (auto& edges : edges_) edges.clear();
  for (std::size_t j = 0, k = 0; j < generator_.size(); ++j) {
    if (k < gone.size() && at(gone[k]) == j) {
      ++k;
      continue;
    }
    edges_[at(generator_[j].member)].push_back(static_cast<int>(rest.size()));
    rest.push_back(generator_[j]);
  }
  generator_ = rest;
}

ForceIsland::Outcome ForceIsland::minimise(const std::vector<ForceTerm>& terms, bool new_edges) {
  std::vector<std::array<Real, 3>> weight(unknown_.size());
  for (const ForceTerm& t : terms) weight[at(t.member)] = t.weight;
  forget_edges();
  Outcome outcome = Outcome::failed;
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<LinearProgram::Cost> cost;
    for (const ForceTerm& t : terms)
      for (const int j : edges_[at(t.member)]) {
        const Generator& g = generator_[at(j)];
        cost.push_back({j, t.weight[0] + t.weight[1] * g.c + t.weight[2] * g.s});
      }
    outcome = program_->minimise(cost);
    ++programs_;
    if (outcome != Outcome::optimal) break;
    if (!new_edges || !add_priced(weight)) break;
  }
  if (outcome != Outcome::optimal && outcome != Outcome::unbounded) return outcome;
  std::vector<std::array<Real, 3>> point(unknown_.size());
  const std::span<const Real> x = program_->point();
  for (std::size_t j = 0; j < x.size(); ++j) {  // edges taken in after the last program are not there yet
    const Generator& g = generator_[j];
    const Real part = member(g.member).free || x[j] > program_rounding ? x[j] : 0;
    std::array<Real, 3>& s = point[at(g.member)];
    s[0] += part, s[1] += g.c * part, s[2] += g.s * part;
  }
  visit(point);
  return outcome;
}

void ForceIsland::visit(const std::vector<std::array<Real, 3>>& point) {
  point_ = point;
  for (std::size_t k = 0; k < point_.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i) sum_[k][i] += point_[k][i];
    least_[k] = std::min(least_[k], point_[k][0]);
  }
  ++visits_;
}

}  // namespace cairn
