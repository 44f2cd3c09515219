#include "cairn/solver/all_solutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cairn/solver/merge_sets.hpp"
#include "cairn/solver/units.hpp"

namespace cairn {
namespace {

constexpr Real accepted = 5e-11;  // natural map over |q| of a point after refinement, in the problem's own units

PlanarProblem dense(const LocalProblem<Coulomb2>& p) {
  const int n = p.contacts();
  PlanarProblem out{Eigen::MatrixXd::Zero(2 * n, 2 * n), Eigen::Map<const Eigen::VectorXd>(p.q.data(), 2 * n), p.law};
  const auto put = [&](int a, int b, const Real* block) {
    out.W.block<2, 2>(2 * a, 2 * b) = Eigen::Map<const Eigen::Matrix2d>(block);
  };
  for (int a = 0; a < n; ++a) {
    put(a, a, &p.diagonal[static_cast<std::size_t>(a) * 4]);
    for (int k = p.begin[a]; k < p.begin[a + 1]; ++k) put(a, p.column[k], &p.block[static_cast<std::size_t>(k) * 4]);
  }
  return out;
}

// Depth-first search over the modes, contact by contact.
class Search {
 public:
  explicit Search(const PlanarProblem& p) : p_(p), merged_(p), order_(p.law.size()), modes_(p.law.size()) {
    // Contacts that approach fastest have the fewest modes left.
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return p.q(2 * a) < p.q(2 * b); });
  }

  std::string run() {
    descend(0, ModeTableau(p_));
    return trouble_;
  }
  MergedSets& merged() { return merged_; }
  long tried() const { return tried_; }

 private:
  void descend(std::size_t depth, const ModeTableau& above) {
    if (depth == order_.size()) return leaf(above);
    const int a = order_[depth];
    for (const ContactMode mode : modes_of(p_.law[a])) {
      if (!trouble_.empty()) return;
      ++tried_;
      ModeTableau tableau = above;
      tableau.decide(a, conditions(mode) | strict);
      if (tableau.dead()) continue;
      modes_[static_cast<std::size_t>(a)] = mode;
      descend(depth + 1, tableau);
    }
  }

  void leaf(ModeTableau tableau) {
    tableau.close();
    if (tableau.empty() || tableau.dead()) return;
    PlanarSet set{modes_, {}, {}};
    const Eigen::VectorXd x = tableau.point();
    if (tableau.open() == 0) {
      keep(set, x, false);
    } else {
      const ExtremePoints found = extremes(tableau);
      if (!found.complete) trouble_ = "the impulses of one motion fill a set with too many extreme points to list";
      for (const Eigen::VectorXd& point : found.points) keep(set, point, true);
      for (const Eigen::VectorXd& ray : found.rays) set.rays.push_back(impulses(p_, ray).normalized());
    }
    if (!set.points.empty()) merged_.add(std::move(set));
  }

  void keep(PlanarSet& set, const Eigen::VectorXd& x, bool extreme) {
    const Eigen::VectorXd S = impulses(p_, refined(p_, set.modes, x, extreme));
    if (natural_error(p_, velocity(p_, S), S) <= accepted) set.points.push_back(S);
  }

  const PlanarProblem& p_;
  MergedSets merged_;
  std::vector<int> order_;
  std::vector<ContactMode> modes_;
  std::string trouble_;
  long tried_ = 0;
};

// From the problem's own units to those of the data.
class Translation {
 public:
  Translation(const LocalProblem<Coulomb2>& data, const Units& units) : data_(dense(data)), units_(units) {}

  Eigen::VectorXd impulse(const Eigen::VectorXd& S) const {
    Eigen::VectorXd out = S;
    for (int r = 0; r < S.size(); ++r) out(r) *= impulse_unit<Coulomb2>(units_, r / 2, r % 2);
    return out;
  }

  SolutionPoint point(const PlanarProblem& own, const Eigen::VectorXd& S_own) const {
    const Eigen::VectorXd S = impulse(S_own), U = velocity(data_, S), U_own = velocity(own, S_own);
    SolutionPoint out;
    out.S.assign(S.begin(), S.end()), out.U.assign(U.begin(), U.end());
    const Real slack = Real(1e-9) * (1 + S_own.cwiseAbs().maxCoeff());
    for (int a = 0; a < own.contacts(); ++a)
      out.modes.push_back(
          shown_mode(admitted(own.law[a], Vec<2>::load(&U_own[2 * a]), Vec<2>::load(&S_own[2 * a]), slack)));
    out.error = natural_error(data_, U, S);
    out.work = S.dot(U + data_.q) / 2, out.friction = 0 - S.dot(U);
    return out;
  }

 private:
  PlanarProblem data_;
  Units units_;
};

AllSolutions told(const PlanarProblem& own, const MergedSets& merged, const Translation& data) {
  AllSolutions out;
  const std::vector<int> group = merged.groups();
  std::vector<const Eigen::VectorXd*> motions;
  for (std::size_t k = 0; k < group.size(); ++k) {
    const PlanarSet& found = merged.sets()[k];
    SolutionSet set{found.modes, merged.dimension(found), {}, {}, merged.one_motion(found), group[k]};
    for (const Eigen::VectorXd& S : found.points) set.points.push_back(data.point(own, S));
    for (const Eigen::VectorXd& d : found.rays) {
      const Eigen::VectorXd ray = data.impulse(d).normalized();
      set.rays.emplace_back(ray.begin(), ray.end());
    }
    const auto falling = [](const SolutionPoint& x, const SolutionPoint& y) { return x.work > y.work; };
    std::stable_sort(set.points.begin(), set.points.end(), falling);
    for (const SolutionPoint& x : set.points) out.error = std::max(out.error, x.error);
    const Eigen::VectorXd& first = found.points[0];
    const auto known = [&](const Eigen::VectorXd* S) { return merged.same_velocity(*S, first); };
    if (!set.one_motion)
      out.many_motions = true;
    else if (std::none_of(motions.begin(), motions.end(), known))
      motions.push_back(&first);
    out.sets.push_back(std::move(set));
  }
  out.motions = static_cast<int>(motions.size());
  std::stable_sort(out.sets.begin(), out.sets.end(),
                   [](const SolutionSet& x, const SolutionSet& y) { return x.points[0].work > y.points[0].work; });
  std::vector<int> numbers;  // groups in the order in which they appear
  for (SolutionSet& set : out.sets) {
    const auto at = std::find(numbers.begin(), numbers.end(), set.group);
    const int number = static_cast<int>(at - numbers.begin());
    if (at == numbers.end()) numbers.push_back(set.group);
    set.group = number;
  }
  out.groups = static_cast<int>(numbers.size());
  return out;
}

bool finite(const PlanarProblem& p) {
  for (const Coulomb2& law : p.law)
    if (!(law.mu_plus >= 0 && law.mu_minus >= 0 && std::isfinite(law.mu_plus + law.mu_minus))) return false;
  return p.W.allFinite() && p.q.allFinite();
}

}  // namespace

Expected<AllSolutions> all_solutions(const LocalProblem<Coulomb2>& problem) {
  if (problem.contacts() > max_enumerated)
    return Error{
        fmt::format("{} contacts: the solutions of at most {} are enumerated", problem.contacts(), max_enumerated)};
  if (problem.contacts() == 0) return nothing_to_solve();
  if (!finite(dense(problem))) return Error{"W, q and mu: expected finite numbers, mu not negative"};
  LocalProblem<Coulomb2> scaled = problem;
  const Units units = make_dimensionless(scaled);
  const PlanarProblem own = dense(scaled);
  Search search(own);
  if (const std::string trouble = search.run(); !trouble.empty()) return Error{trouble};
  AllSolutions out = told(own, search.merged(), Translation(problem, units));
  out.tried = search.tried();
  for (const Real q : problem.q) out.free = std::max(out.free, std::abs(q));
  return out;
}

Expected<AllSolutions> all_solutions(const LocalProblem<Signorini>& problem) {
  LocalProblem<Coulomb2> plane;
  plane.begin = problem.begin, plane.column = problem.column, plane.symmetric = problem.symmetric;
  plane.law.assign(problem.law.size(), Coulomb2{});
  const auto widen = [](const std::vector<Real>& from, std::vector<Real>& to, std::size_t each) {
    to.assign(from.size() * each, 0);
    for (std::size_t k = 0; k < from.size(); ++k) to[k * each] = from[k];
  };
  widen(problem.block, plane.block, 4), widen(problem.diagonal, plane.diagonal, 4), widen(problem.q, plane.q, 2);
  auto out = all_solutions(plane);
  if (!out) return out;
  const auto narrow = [](std::vector<Real>& x) {
    for (std::size_t k = 0; 2 * k < x.size(); ++k) x[k] = x[2 * k];
    x.resize(x.size() / 2);
  };
  for (SolutionSet& set : out->sets) {
    for (SolutionPoint& point : set.points) narrow(point.S), narrow(point.U);
    for (std::vector<Real>& ray : set.rays) narrow(ray);
  }
  return out;
}

bool contains(const LocalProblem<Coulomb2>& problem, const SolutionSet& set, const std::vector<Real>& S, Real slack) {
  LocalProblem<Coulomb2> scaled = problem;
  const Units units = make_dimensionless(scaled);
  const PlanarProblem own = dense(scaled);
  Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(S.data(), static_cast<Eigen::Index>(S.size()));
  for (int r = 0; r < x.size(); ++r) x(r) /= impulse_unit<Coulomb2>(units, r / 2, r % 2);
  const Eigen::VectorXd U = velocity(own, x);
  for (int a = 0; a < own.contacts(); ++a) {
    const unsigned found =
        admitted(own.law[a], Vec<2>::load(&U[2 * a]), Vec<2>::load(&x[2 * a]), slack * (1 + x.cwiseAbs().maxCoeff()));
    if (!(found >> static_cast<unsigned>(set.modes[static_cast<std::size_t>(a)]) & 1)) return false;
  }
  return true;
}

AllSolutions nothing_to_solve() {
  AllSolutions alone;
  alone.sets.resize(1), alone.sets[0].points.resize(1), alone.groups = alone.motions = 1;
  return alone;
}

std::string describe(const AllSolutions& all) {
  if (all.sets.empty()) return all.complete ? "no solution" : "no solution found";
  const bool open = std::any_of(all.sets.begin(), all.sets.end(), [](const SolutionSet& s) { return s.dimension > 0; });
  std::string text = fmt::format("{} solution{}", all.groups, all.groups == 1 ? "" : "s");
  if (all.many_motions)
    text = all.groups == 1 ? "a continuum of motions" : text + ", a continuum of motions among them";
  else if (all.motions > 1 || open)
    text += fmt::format(", {} motion{}", all.motions, all.motions == 1 ? "" : "s");
  if (open && !all.many_motions) text += ", impulses not determined";
  return all.complete ? text : "found " + text + "; there may be more";
}

}  // namespace cairn
