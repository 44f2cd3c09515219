#include "cairn/solver/anderson.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace cairn {

struct Anderson::Impl {
  using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, max_window, max_window>;
  using SmallVector = Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, max_window, 1>;
  using Map = Eigen::Map<const Eigen::VectorXd>;

  Impl(int window, const std::vector<Real>& w)
      : m(std::min(window, max_window)),
        n(static_cast<int>(w.size())),
        weight(Map(w.data(), n)),
        dF(n, m),
        dG(n, m),
        gram(Small::Zero(m, m)),
        f_last(n),
        g_last(n) {}

  void store(const Map& g, const Map& f) {
    if (started) {
      const int c = count++ % m, k = std::min(count, m);
      dF.col(c) = weight.cwiseProduct(f - f_last);
      dG.col(c) = g - g_last;
      gram.row(c).head(k).noalias() = dF.col(c).transpose() * dF.leftCols(k);
      gram.col(c).head(k) = gram.row(c).head(k).transpose();
    }
    f_last = f;
    g_last = g;
    started = true;
  }

  int m, n, count = 0;
  bool started = false;
  Eigen::VectorXd weight;
  Eigen::MatrixXd dF, dG;  // (n, m) last differences: of f, weighted; of g
  Small gram;              // dF^T dF
  Eigen::VectorXd f_last, g_last, wf;
};

Anderson::Anderson(int window, const std::vector<Real>& weight) : impl_(std::make_unique<Impl>(window, weight)) {}
Anderson::~Anderson() = default;

void Anderson::reset() { impl_->count = 0, impl_->started = false; }

void Anderson::next(const Real* g_in, const Real* f_in, Real* x_out) {
  Impl& s = *impl_;
  const Impl::Map g(g_in, s.n), f(f_in, s.n);
  Eigen::Map<Eigen::VectorXd> x(x_out, s.n);
  s.store(g, f);
  x = g;
  const int k = std::min(s.count, s.m);
  if (k == 0) return;
  const Impl::SmallVector scale = s.gram.diagonal().head(k).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  Impl::Small A = scale.asDiagonal() * s.gram.topLeftCorner(k, k) * scale.asDiagonal();
  A.diagonal().array() += 1e-10;  // nearly dependent residuals must not throw the combination far
  s.wf = s.weight.cwiseProduct(f);
  const Impl::SmallVector b = scale.cwiseProduct(s.dF.leftCols(k).transpose() * s.wf);
  const Impl::SmallVector theta = scale.cwiseProduct(A.ldlt().solve(b));
  if (theta.allFinite()) x.noalias() -= s.dG.leftCols(k) * theta;
}

}  // namespace cairn
