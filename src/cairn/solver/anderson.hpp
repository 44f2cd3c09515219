// Anderson acceleration of a fixed-point map x -> g(x), with a window of m residuals f = g - x (type II), in a weighted
// norm. The next point is the combination of the last values of g whose residuals, combined likewise, are least.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class Anderson {
 public:
  static constexpr int max_window = 10;
  using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, max_window, max_window>;
  using SmallVector = Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, max_window, 1>;

  // weight: (n) square roots of the weights of the norm.
  Anderson(int window, std::vector<Real> weight)
      : m_(window),
        n_(static_cast<int>(weight.size())),
        weight_(Eigen::Map<Eigen::VectorXd>(weight.data(), n_)),
        dF_(n_, window),
        dG_(n_, window),
        gram_(Small::Zero(window, window)),
        f_(n_),
        g_(n_) {}

  void reset() { count_ = 0, started_ = false; }

  // From g = g(x) and f = g - x, the next point, into x.
  void next(const Real* g_in, const Real* f_in, Real* x_out) {
    Eigen::Map<const Eigen::VectorXd> g(g_in, n_), f(f_in, n_);
    Eigen::Map<Eigen::VectorXd> x(x_out, n_);
    if (started_) {
      const int c = count_++ % m_;
      dF_.col(c) = weight_.cwiseProduct(f - f_);
      dG_.col(c) = g - g_;
      const int k = std::min(count_, m_);
      gram_.row(c).head(k).noalias() = dF_.col(c).transpose() * dF_.leftCols(k);
      gram_.col(c).head(k) = gram_.row(c).head(k).transpose();
    }
    f_ = f;
    g_ = g;
    started_ = true;
    x = g;
    const int k = std::min(count_, m_);
    if (k == 0) return;
    const SmallVector scale = gram_.diagonal().head(k).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    Small A = scale.asDiagonal() * gram_.topLeftCorner(k, k) * scale.asDiagonal();
    A.diagonal().array() += 1e-10;  // nearly dependent residuals must not throw the combination far
    wf_ = weight_.cwiseProduct(f);
    const SmallVector b = scale.cwiseProduct(dF_.leftCols(k).transpose() * wf_);
    const SmallVector theta = scale.cwiseProduct(A.ldlt().solve(b));
    if (theta.allFinite()) x.noalias() -= dG_.leftCols(k) * theta;
  }

 private:
  int m_, n_, count_ = 0;
  bool started_ = false;
  Eigen::VectorXd weight_;
  Eigen::MatrixXd dF_, dG_;
  Small gram_;
  Eigen::VectorXd f_, g_, wf_;
};

}  // namespace cairn
