#include "cairn/solver/joint_elimination.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/solver/joint_factor.hpp"
#include "cairn/solver/solve_local.hpp"

namespace cairn {
namespace {

using Sparse = Eigen::SparseMatrix<Real>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::ptrdiff_t most_contacts = 150;

// Rows of the problem that belong to joints, or to the rest.
template <int D, int F>
struct Rows {
  std::vector<int> row;  // of the problem
  Sparse B;              // G A^-1/2
  VectorXd q;            // [m/s]

  Rows(const BodyProblem<MixedLaw<D>, F>& p, bool joints) {
    std::vector<Eigen::Triplet<Real>> entries;
    std::vector<Real> free;
    for (int a = 0; a < p.contacts(); ++a) {
      const MixedLaw<D>& law = p.law[static_cast<std::size_t>(a)];
      if ((law.kind == LawKind::bilateral) != joints) continue;
      const Vec<D> q_a = p.velocity(a, p.u_free.data());
      for (int i = 0; i < D; ++i) {
        if (joints && !law.data.joint.constrains(i)) continue;
        const int number = static_cast<int>(row.size());
        for (int s = 0; s < 2; ++s) {
          const auto& c = p.contact[static_cast<std::size_t>(a)];
          if (c.body[s] < 0) continue;
          const std::size_t first = p.at(c.body[s]);
          for (std::size_t k = 0; k < F; ++k)
            if (const Real g = c.G[s](i, static_cast<int>(k)); g != 0)
              entries.emplace_back(number, static_cast<int>(first + k), g * std::sqrt(p.inverse_inertia[first + k]));
        }
        row.push_back(a * D + i);
        free.push_back(q_a[i]);
      }
    }
    B.resize(static_cast<Index>(row.size()), static_cast<Index>(p.inverse_inertia.size()));
    B.setFromTriplets(entries.begin(), entries.end());
    q = Eigen::Map<const VectorXd>(free.data(), static_cast<Index>(free.size()));
  }
};

template <int D>
LocalProblem<MixedLaw<D>> dense_problem(const MatrixXd& W, const VectorXd& q, std::vector<MixedLaw<D>> law) {
  LocalProblem<MixedLaw<D>> p;
  p.law = std::move(law);
  p.q.assign(q.data(), q.data() + q.size());
  p.begin.push_back(0);
  for (int a = 0; a < p.contacts(); ++a) {
    for (int b = 0; b < p.contacts(); ++b) {
      const Eigen::Matrix<Real, D, D> block = W.template block<D, D>(a * D, b * D);
      if (a == b) p.diagonal.insert(p.diagonal.end(), block.data(), block.data() + D * D);
      if (a == b || block.isZero(0)) continue;
      p.column.push_back(b);
      p.block.insert(p.block.end(), block.data(), block.data() + D * D);
    }
    p.begin.push_back(static_cast<int>(p.column.size()));
  }
  return p;
}

}  // namespace

template <int D, int F>
bool suits_joint_elimination(const BodyProblem<MixedLaw<D>, F>& p) {
  const auto joints =
      std::count_if(p.law.begin(), p.law.end(), [](const MixedLaw<D>& law) { return law.kind == LawKind::bilateral; });
  return joints > 0 && p.contacts() - joints <= most_contacts;
}

template <int D, int F>
Report solve_without_joints(const BodyProblem<MixedLaw<D>, F>& p, const SolverOptions& options, std::vector<Real>& S) {
  const Rows<D, F> J(p, true), C(p, false);
  Report report;
  report.factorisations = 1;
  JointFactor factor;
  if (!factorise_joints(J.B, factor)) {
    report.status = Stop::stalled;
    return report;
  }
  S.resize(static_cast<std::size_t>(p.rows()), 0);
  const MatrixXd W_JC = J.B * Sparse(C.B.transpose());
  std::vector<Real> own(C.row.size());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = S[static_cast<std::size_t>(C.row[i])];
  if (!own.empty()) {
    const MatrixXd X = factor.solve(W_JC);
    MatrixXd W = MatrixXd(C.B * Sparse(C.B.transpose())) - W_JC.transpose() * X;
    W = Real(0.5) * (W + W.transpose()).eval();
    std::vector<MixedLaw<D>> law;
    for (std::size_t i = 0; i < C.row.size(); i += D) law.push_back(p.law[static_cast<std::size_t>(C.row[i] / D)]);
    report = solve_local(dense_problem<D>(W, C.q - X.transpose() * J.q, std::move(law)), options, own);
    ++report.factorisations;
  }
  const VectorXd S_C = Eigen::Map<const VectorXd>(own.data(), static_cast<Index>(own.size()));
  VectorXd S_J = VectorXd::Zero(J.q.size());
  const VectorXd U = J.q + W_JC * S_C;
  for (int refinement = 0; refinement < 3; ++refinement) S_J -= factor.solve(U + J.B * (J.B.transpose() * S_J));
  std::fill(S.begin(), S.end(), Real(0));
  for (std::size_t i = 0; i < own.size(); ++i) S[static_cast<std::size_t>(C.row[i])] = own[i];
  for (std::size_t i = 0; i < J.row.size(); ++i) S[static_cast<std::size_t>(J.row[i])] = S_J[static_cast<Index>(i)];
  return report;
}

template bool suits_joint_elimination(const BodyProblem<MixedLaw<2>, 3>&);
template bool suits_joint_elimination(const BodyProblem<MixedLaw<3>, 6>&);
template Report solve_without_joints(const BodyProblem<MixedLaw<2>, 3>&, const SolverOptions&, std::vector<Real>&);
template Report solve_without_joints(const BodyProblem<MixedLaw<3>, 6>&, const SolverOptions&, std::vector<Real>&);

}  // namespace cairn
