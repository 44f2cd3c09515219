#include "cairn/solver/merge_sets.hpp"

#include <algorithm>
#include <numeric>

#include "cairn/base/least_norm.hpp"
#include "cairn/solver/extreme_points.hpp"

namespace cairn {
namespace {

constexpr Real near = 1e-8;  // [-] of points that are one, relative to their size

bool same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).cwiseAbs().maxCoeff() <= near * (1 + a.cwiseAbs().maxCoeff());
}

void drop_repeated(std::vector<Eigen::VectorXd>& points) {
  std::vector<Eigen::VectorXd> kept;
  for (const Eigen::VectorXd& x : points)
    if (std::none_of(kept.begin(), kept.end(), [&](const auto& y) { return same(x, y); })) kept.push_back(x);
  points = std::move(kept);
}

}  // namespace

bool MergedSets::meets(const Eigen::VectorXd& S, const Eigen::VectorXd& U,
                       const std::vector<ContactMode>& modes) const {
  const Real slack = near / 10 * (1 + S.cwiseAbs().maxCoeff());
  for (int a = 0; a < p_.contacts(); ++a) {
    const unsigned found = admitted(p_.law[a], Vec<2>::load(&U[2 * a]), Vec<2>::load(&S[2 * a]), slack);
    if (!(found >> static_cast<unsigned>(modes[static_cast<std::size_t>(a)]) & 1)) return false;
  }
  return true;
}

bool MergedSets::part_of(const PlanarSet& small, const PlanarSet& large) const {
  const bool isolated = large.points.size() == 1 && large.rays.empty();
  if (isolated) return small.points.size() == 1 && small.rays.empty() && same(small.points[0], large.points[0]);
  for (const Eigen::VectorXd& S : small.points)
    if (!meets(S, velocity(p_, S), large.modes)) return false;
  for (const Eigen::VectorXd& d : small.rays)
    if (!meets(d, p_.W * d, large.modes)) return false;
  return true;
}

void MergedSets::add(PlanarSet set) {
  drop_repeated(set.points);
  drop_repeated(set.rays);
  for (const PlanarSet& kept : sets_)
    if (part_of(set, kept)) return;
  std::erase_if(sets_, [&](const PlanarSet& kept) { return part_of(kept, set); });
  sets_.push_back(std::move(set));
}

// An extreme point of one in the other, or, where neither has one, a point that meets the conditions of both.
bool MergedSets::touch(const PlanarSet& one, const PlanarSet& other) const {
  if (one.points.size() + one.rays.size() == 1 && other.points.size() + other.rays.size() == 1) return false;
  for (const Eigen::VectorXd& S : one.points)
    if (meets(S, velocity(p_, S), other.modes)) return true;
  for (const Eigen::VectorXd& S : other.points)
    if (meets(S, velocity(p_, S), one.modes)) return true;
  ModeTableau both(p_);
  for (int a = 0; a < p_.contacts(); ++a) {
    const std::size_t k = static_cast<std::size_t>(a);
    both.decide(a, conditions(one.modes[k]) | conditions(other.modes[k]));
  }
  both.close();
  return !both.empty() && (both.open() == 0 || !extremes(both).points.empty());
}

std::vector<int> MergedSets::groups() const {
  std::vector<int> group(sets_.size());
  std::iota(group.begin(), group.end(), 0);
  for (std::size_t i = 0; i < sets_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (group[i] != group[j] && touch(sets_[i], sets_[j])) {
        const int from = std::max(group[i], group[j]), to = std::min(group[i], group[j]);
        std::replace(group.begin(), group.end(), from, to);
      }
  return group;
}

bool MergedSets::same_velocity(const Eigen::VectorXd& S, const Eigen::VectorXd& T) const {
  return (velocity(p_, S) - velocity(p_, T)).cwiseAbs().maxCoeff() <= near * (1 + p_.q.cwiseAbs().maxCoeff());
}

bool MergedSets::one_motion(const PlanarSet& set) const {
  for (const Eigen::VectorXd& S : set.points)
    if (!same_velocity(S, set.points[0])) return false;
  for (const Eigen::VectorXd& d : set.rays)
    if ((p_.W * d).cwiseAbs().maxCoeff() > near) return false;
  return true;
}

int MergedSets::dimension(const PlanarSet& set) const {
  const Eigen::Index others = static_cast<Eigen::Index>(set.points.size() - 1 + set.rays.size());
  if (others == 0) return 0;
  Eigen::MatrixXd spread(p_.q.size(), others);
  Eigen::Index k = 0;
  for (std::size_t i = 1; i < set.points.size(); ++i) spread.col(k++) = set.points[i] - set.points[0];
  for (const Eigen::VectorXd& d : set.rays) spread.col(k++) = d;
  return column_rank(spread, near);
}

}  // namespace cairn
