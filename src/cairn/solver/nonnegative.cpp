#include "cairn/solver/nonnegative.hpp"

#include <algorithm>

namespace cairn {

// W_PP s = -q_P; redundant contacts share the load by the least norm.
bool NonnegativeSolver::solve_passive() {
  const auto m = static_cast<Eigen::Index>(passive_.size());
  Eigen::MatrixXd W(m, m);
  Eigen::VectorXd b(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    b(i) = -q_(passive_[static_cast<std::size_t>(i)]);
    for (Eigen::Index j = 0; j < m; ++j)
      W(i, j) = W_(passive_[static_cast<std::size_t>(i)], passive_[static_cast<std::size_t>(j)]);
  }
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors(W);
  const Eigen::VectorXd s = factors.solve(b);
  if (!((W * s - b).norm() <= 1e-10 * (b.norm() + W.norm() * s.norm()))) return false;
  trial_.setZero(S_.size());
  for (Eigen::Index i = 0; i < m; ++i) trial_(passive_[static_cast<std::size_t>(i)]) = s(i);
  return true;
}

bool NonnegativeSolver::solve() {
  const auto n = static_cast<int>(q_.size());
  S_.setZero();
  passive_.clear();
  std::vector<char> in(static_cast<std::size_t>(n), 0), refused = in;
  const Real scale = q_.cwiseAbs().maxCoeff();
  for (iterations_ = 0; iterations_ < 10L * n + 10; ++iterations_) {
    const Eigen::VectorXd U = W_ * S_ + q_;
    int worst = -1;
    for (int a = 0; a < n; ++a)
      if (!in[static_cast<std::size_t>(a)] && !refused[static_cast<std::size_t>(a)] && U(a) < -Real(1e-13) * scale &&
          (worst < 0 || U(a) < U(worst)))
        worst = a;
    if (worst < 0) return true;
    in[static_cast<std::size_t>(worst)] = 1;
    passive_.push_back(worst);
    bool first = true;
    for (;;) {
      if (!solve_passive()) return false;  // the load has no finite answer: bodies are squeezed
      if (first && trial_(worst) <= 0) {   // its velocity was negative by rounding only
        in[static_cast<std::size_t>(worst)] = 0, refused[static_cast<std::size_t>(worst)] = 1;
        passive_.pop_back();
        break;
      }
      if (first) std::fill(refused.begin(), refused.end(), char(0));
      first = false;
      Real step = 1;
      for (const int a : passive_)
        if (trial_(a) <= 0) step = std::min(step, S_(a) / (S_(a) - trial_(a)));
      if (!(step < 1)) break;
      S_ += step * (trial_ - S_);
      const auto left = [&](int a) {
        const bool gone = S_(a) <= Real(1e-15) * S_.cwiseAbs().maxCoeff() && trial_(a) <= 0;
        if (gone) in[static_cast<std::size_t>(a)] = 0, S_(a) = 0;
        return gone;
      };
      const std::size_t before = passive_.size();
      passive_.erase(std::remove_if(passive_.begin(), passive_.end(), left), passive_.end());
      if (passive_.size() == before) return false;
    }
    if (!first) S_ = trial_;
  }
  return false;
}

}  // namespace cairn
