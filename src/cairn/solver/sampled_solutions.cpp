#include "cairn/solver/sampled_solutions.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "cairn/base/least_norm.hpp"
#include "cairn/solver/law_residual.hpp"
#include "cairn/solver/solve_local.hpp"
#include "cairn/solver/units.hpp"

namespace cairn {
namespace {

constexpr Real enough = 1e-10;  // [-] error of a solution
constexpr Real apart = 1e-6;    // [-] points farther apart than this, relative to their size, are two
constexpr int newton_steps = 40, max_sweeps = 60;

using Vector = Eigen::VectorXd;

bool near(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff() <= apart * (1 + a.cwiseAbs().maxCoeff());
}

// Solutions of one contact that has several, with some that are not: enough to start from.
std::vector<Vec<2>> candidates(const Coulomb2& law, const Coulomb2::Local& local, const Vec<2>& b) {
  const Real n = -b[0] / local.slope_plus, m = -b[0] / local.slope_minus;
  std::vector<Vec<2>> out{{0, 0}};
  if (!local.inverse.singular) out.push_back(law.project(local.inverse.solve(-b)));
  if (n > 0 && std::isfinite(n)) out.push_back({n, law.mu_plus * n});
  if (m > 0 && std::isfinite(m)) out.push_back({m, -law.mu_minus * m});
  return out;
}
std::vector<Vec<3>> candidates(const Coulomb3& law, const DiscKernel& local, const Vec<3>& b) {
  std::vector<Vec<3>> out{{0, 0, 0}};
  if (!local.inverse.singular) out.push_back(law.project(local.inverse.solve(-b)));
  local.enumerate_slides(b, [&](const Vec<3>& S, bool valid) {
    if (valid) out.push_back(S);
  });
  return out;
}

template <ContactLaw L>
class Sampler {
 public:
  static constexpr int D = L::dim;

  Sampler(const LocalProblem<L>& p, std::uint64_t seed)
      : p_(p), gen_(seed), W_(Eigen::MatrixXd::Zero(p.rows(), p.rows())), order_(p.law.size()) {
    for (int a = 0; a < p.contacts(); ++a) {
      local_.push_back(p.law[a].prepare(p.diagonal_block(a)));
      put(a, a, &p.diagonal[static_cast<std::size_t>(a) * D * D]);
      for (int k = p.begin[a]; k < p.begin[a + 1]; ++k)
        put(a, p.column[k], &p.block[static_cast<std::size_t>(k) * D * D]);
    }
    std::iota(order_.begin(), order_.end(), 0);
    q_ = Eigen::Map<const Vector>(p.q.data(), p.rows());
  }

  // From the point given, which some other method has come to, or at random.
  bool improve(Vector& S) { return newton(S); }
  bool find(Vector& S) {
    S = start();
    const Real way = uniform(0, 3);
    if (way < 1) return guess_modes(S) && newton(S);
    const bool any = way < 2;
    for (int k = static_cast<int>(uniform(0, 1) * uniform(0, 1) * max_sweeps); k >= 0; --k) sweep(S, any);
    return newton(S);
  }

  Vector velocity(const Vector& S) const { return q_ + W_ * S; }

  Real error(const Vector& S) const {
    const Vector U = velocity(S);
    Real sum = 0;
    for (int a = 0; a < p_.contacts(); ++a)
      sum += norm2(natural_map(p_.law[a], Vec<D>::load(&U[D * a]), Vec<D>::load(&S[D * a])));
    const Real size = q_.norm();
    return std::sqrt(sum) / (size > 0 ? size : 1);
  }

 private:
  void put(int a, int b, const Real* block) {
    W_.template block<D, D>(D * a, D * b) = Eigen::Map<const Eigen::Matrix<Real, D, D>>(block);
  }
  Real uniform(Real from, Real to) { return from + (to - from) * static_cast<Real>(gen_() >> 11) * 0x1p-53; }

  // Each contact idle, or pressed with any strength and pushed to any side, perhaps beyond its cone.
  Vector start() {
    Vector S = Vector::Zero(p_.rows());
    const Real strength = std::exp(uniform(-3, 3));
    for (int a = 0; a < p_.contacts(); ++a) {
      if (uniform(0, 1) < Real(0.3)) continue;
      Vec<D> s;
      s[0] = strength * std::exp(uniform(-2, 2));
      for (int i = 1; i < D; ++i) s[i] = 4 * s[0] * uniform(-1, 1);
      p_.law[a].project(s).store(&S[D * a]);
    }
    return S;
  }

  // One contact after the other takes the solution that its law prefers, or with `any` one of all it has.
  void sweep(Vector& S, bool any) {
    std::shuffle(order_.begin(), order_.end(), gen_);
    for (const int a : order_) {
      Vector b = q_.segment<D>(D * a);
      b += W_.middleRows<D>(D * a) * S - W_.block<D, D>(D * a, D * a) * S.segment<D>(D * a);
      auto& local = local_[static_cast<std::size_t>(a)];
      const LocalSolution<D> found = p_.law[a].solve(local, Vec<D>::load(b.data()));
      Vec<D> s = found.count > 0 ? found.S : Vec<D>::load(&S[D * a]);
      if (any && found.count > 1) {
        const std::vector<Vec<D>> all = candidates(p_.law[a], local, Vec<D>::load(b.data()));
        s = all[static_cast<std::size_t>(uniform(0, static_cast<Real>(all.size())))];
      }
      s.store(&S[D * a]);
    }
  }

  // The solution of a mode drawn for each contact, sliding in a direction drawn too: solutions that sweeps and Newton's
  // method run away from have a start near them.
  bool guess_modes(Vector& S) {
    Vector rhs = Vector::Zero(p_.rows());
    Eigen::MatrixXd J = W_;
    for (int a = 0; a < p_.contacts(); ++a) {
      const int first = D * a, kind = static_cast<int>(uniform(0, 3));
      if (kind == 0) J.middleRows<D>(first).setZero(), J.block<D, D>(first, first).setIdentity();
      if (kind != 0) rhs.segment<D>(first) = -q_.segment<D>(first);
      if (kind != 1) continue;
      Vec<D> far = Vec<D>::zero();  // its projection is on the edge of the cone
      far[0] = Real(1e-3);
      for (int i = 1; i < D; ++i) far[i] = uniform(-1, 1);
      const Vec<D> edge = p_.law[a].project(far);
      J.middleRows<D - 1>(first + 1).setZero();
      for (int i = 1; i < D; ++i) J(first + i, first + i) = 1, J(first + i, first) = -edge[i] / edge[0];
      rhs.segment<D - 1>(first + 1).setZero();
    }
    S = least_norm_solution(J, rhs);
    return S.allFinite();
  }

  // Newton on the residual of the law; where it leads to no solution another start may.
  bool newton(Vector& S) {
    Vector F(p_.rows());
    Eigen::MatrixXd J(p_.rows(), p_.rows());
    for (int k = 0; k < newton_steps; ++k) {
      const Vector U = velocity(S);
      for (int a = 0; a < p_.contacts(); ++a) {
        Vec<D> f;
        Mat<D> by_U, by_S;
        law_residual(p_.law[a], Vec<D>::load(&U[D * a]), Vec<D>::load(&S[D * a]), f, by_U, by_S);
        f.store(&F[D * a]);
        J.middleRows<D>(D * a) = Eigen::Map<const Eigen::Matrix<Real, D, D>>(by_U.v) * W_.middleRows<D>(D * a);
        J.block<D, D>(D * a, D * a) += Eigen::Map<const Eigen::Matrix<Real, D, D>>(by_S.v);
      }
      const Vector step = least_norm_solution(J, F);
      if (!step.allFinite()) return false;
      S -= step;
      if (step.cwiseAbs().maxCoeff() <= Real(1e-14) * (1 + S.cwiseAbs().maxCoeff())) break;
    }
    for (int a = 0; a < p_.contacts(); ++a) p_.law[a].project(Vec<D>::load(&S[D * a])).store(&S[D * a]);
    return error(S) <= enough;
  }

  const LocalProblem<L>& p_;
  std::mt19937_64 gen_;
  Eigen::MatrixXd W_;
  Vector q_;
  std::vector<int> order_;
  std::vector<typename L::Local> local_;
};

// In the problem's own units.
template <ContactLaw L>
std::vector<Vector> points(const LocalProblem<L>& own, const SampleOptions& options) {
  Sampler<L> sampler(own, options.seed);
  std::vector<Vector> found;
  std::vector<Real> solved(static_cast<std::size_t>(own.rows()), 0);
  SolverOptions precise;
  precise.tolerance = Real(1e-12), precise.max_seconds = 10;
  solve_local(own, precise, solved);  // the first start: what the step itself would take
  for (int k = 0; k < options.starts; ++k) {
    Vector S = Eigen::Map<const Vector>(solved.data(), own.rows());
    if (!(k == 0 ? sampler.error(S) <= enough || sampler.improve(S) : sampler.find(S))) continue;
    if (std::none_of(found.begin(), found.end(), [&](const Vector& T) { return near(S, T); })) found.push_back(S);
  }
  return found;
}

template <class L>
std::vector<Real> in_units(const Vector& S, const Units& units) {
  std::vector<Real> out(S.begin(), S.end());
  for (std::size_t r = 0; r < out.size(); ++r)
    out[r] *= impulse_unit<L>(units, static_cast<int>(r) / L::dim, static_cast<int>(r) % L::dim);
  return out;
}

// Every solution of one contact with a regular W; false where W is singular.
bool single(const LocalProblem<Coulomb3>& own, std::vector<Vector>& found) {
  const Coulomb3& law = own.law[0];
  const Mat<3> H = own.diagonal_block(0);
  const Vec<3> b = Vec<3>::load(own.q.data());
  DiscKernel local = law.prepare(H);
  if (local.inverse.singular || !(law.mu > 0)) {
    const LocalSolution<3> s = law.solve(local, b);
    if (!(H(0, 0) > 0) || law.mu > 0) return false;
    found.push_back(Eigen::Map<const Vector>(s.S.v, 3));
    return true;
  }
  const auto offer = [&](const Vec<3>& s, bool valid) {
    const Vector S = Eigen::Map<const Vector>(s.v, 3);
    if (valid && std::none_of(found.begin(), found.end(), [&](const Vector& T) { return near(S, T); }))
      found.push_back(S);
  };
  offer(Vec<3>::zero(), b[0] >= 0);
  const Vec<3> stick = local.inverse.solve(-b);
  offer(stick, local.sticks(stick));
  local.enumerate_slides(b, offer);
  return true;
}

SolutionPoint told(const LocalProblem<Coulomb3>& p, std::vector<Real> S, Real slack_S, Real slack_U) {
  SolutionPoint out;
  out.U.resize(S.size());
  p.velocities(S.data(), out.U.data());
  Real sum = 0, size = 0;
  for (int a = 0; a < p.contacts(); ++a) {
    const Vec<3> s = Vec<3>::load(&S[static_cast<std::size_t>(a) * 3]);
    const Vec<3> u = Vec<3>::load(&out.U[static_cast<std::size_t>(a) * 3]);
    const Vec<3> q = Vec<3>::load(&p.q[static_cast<std::size_t>(a) * 3]);
    sum += norm2(natural_map(p.law[a], u, s)), size += norm2(q);
    out.work += dot(s, u + q) / 2, out.friction -= dot(s, u);
    const bool idle = norm(s) <= slack_S, still = norm(u) <= slack_U && p.law[a].mu > 0;
    out.modes.push_back(idle ? ContactMode::take_off : still ? ContactMode::stick : ContactMode::slide);
  }
  out.error = std::sqrt(sum / (size > 0 ? size : 1));
  out.S = std::move(S);
  return out;
}

// Points of one motion become one set.
AllSolutions gathered(const LocalProblem<Coulomb3>& own, const std::vector<Vector>& found,
                      const LocalProblem<Coulomb3>& data, const Units& units) {
  const Sampler<Coulomb3> frame(own, 0);
  std::vector<std::vector<Vector>> motions;
  for (const Vector& S : found) {
    const auto alike = [&](const std::vector<Vector>& m) { return near(frame.velocity(S), frame.velocity(m[0])); };
    const auto at = std::find_if(motions.begin(), motions.end(), alike);
    if (at == motions.end())
      motions.push_back({S});
    else
      at->push_back(S);
  }
  AllSolutions out;
  for (const std::vector<Vector>& m : motions) {
    Eigen::MatrixXd spread(m[0].size(), static_cast<Eigen::Index>(m.size()));
    for (std::size_t k = 0; k < m.size(); ++k) spread.col(static_cast<Eigen::Index>(k)) = m[k] - m[0];
    SolutionSet set;
    set.dimension = m.size() > 1 ? column_rank(spread, Real(1e-7)) : 0;
    set.points.push_back(told(data, in_units<Coulomb3>(m[0], units), Real(1e-9) * units.impulse * m[0].norm(),
                              Real(1e-9) * units.velocity));
    set.modes = set.points[0].modes;
    out.error = std::max(out.error, set.points[0].error);
    out.sets.push_back(std::move(set));
  }
  std::stable_sort(out.sets.begin(), out.sets.end(),
                   [](const SolutionSet& x, const SolutionSet& y) { return x.points[0].work > y.points[0].work; });
  for (std::size_t k = 0; k < out.sets.size(); ++k) out.sets[k].group = static_cast<int>(k);
  out.groups = out.motions = static_cast<int>(out.sets.size());
  return out;
}

}  // namespace

template <ContactLaw L>
std::vector<std::vector<Real>> sampled_points(const LocalProblem<L>& problem, const SampleOptions& options) {
  LocalProblem<L> own = problem;
  const Units units = make_dimensionless(own);
  std::vector<std::vector<Real>> out;
  for (const Vector& S : points(own, options)) out.push_back(in_units<L>(S, units));
  return out;
}

template std::vector<std::vector<Real>> sampled_points(const LocalProblem<Coulomb2>&, const SampleOptions&);
template std::vector<std::vector<Real>> sampled_points(const LocalProblem<Coulomb3>&, const SampleOptions&);

Expected<AllSolutions> sampled_solutions(const LocalProblem<Coulomb3>& problem, const SampleOptions& options) {
  if (problem.contacts() > max_sampled)
    return Error{fmt::format("{} contacts: the solutions of at most {} are sought", problem.contacts(), max_sampled)};
  if (problem.contacts() == 0) return nothing_to_solve();
  LocalProblem<Coulomb3> own = problem;
  const Units units = make_dimensionless(own);
  std::vector<Vector> found;
  const bool all = own.contacts() == 1 && single(own, found);
  if (!all) found = points(own, options);
  AllSolutions out = gathered(own, found, problem, units);
  out.complete = all;
  out.tried = all ? 1 : options.starts;
  for (const Real q : problem.q) out.free = std::max(out.free, std::abs(q));
  return out;
}

}  // namespace cairn
