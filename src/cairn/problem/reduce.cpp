#include "cairn/problem/reduce.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace cairn {

using fclib::Sparse;
using fclib::Vector;

namespace {

bool is_diagonal(const Sparse& M) {
  for (int j = 0; j < M.outerSize(); ++j)
    for (Sparse::InnerIterator it(M, j); it; ++it)
      if (it.row() != it.col() && it.value() != 0) return false;
  return true;
}

// [M -G; G^T -delta]
Sparse saddle(const Sparse& M, const Sparse& G, Real delta) {
  std::vector<Eigen::Triplet<Real>> t;
  const int n = static_cast<int>(M.rows()), e = static_cast<int>(G.cols());
  for (int j = 0; j < M.outerSize(); ++j)
    for (Sparse::InnerIterator it(M, j); it; ++it) t.emplace_back(it.row(), it.col(), it.value());
  for (int j = 0; j < G.outerSize(); ++j)
    for (Sparse::InnerIterator it(G, j); it; ++it) {
      t.emplace_back(it.row(), n + it.col(), -it.value());
      t.emplace_back(n + it.col(), it.row(), it.value());
    }
  if (delta > 0)
    for (int j = 0; j < e; ++j) t.emplace_back(n + j, n + j, delta);
  Sparse K(n + e, n + e);
  K.setFromTriplets(t.begin(), t.end());
  return K;
}

// Zero rows below, for the unknowns l.
Sparse pad_rows(const Sparse& H, int rows) {
  Sparse P(H.rows() + rows, H.cols());
  std::vector<Eigen::Triplet<Real>> t;
  for (int j = 0; j < H.outerSize(); ++j)
    for (Sparse::InnerIterator it(H, j); it; ++it) t.emplace_back(it.row(), it.col(), it.value());
  P.setFromTriplets(t.begin(), t.end());
  return P;
}

}  // namespace

struct Reduction::Impl {
  explicit Impl(const fclib::Problem& p) : problem(p) {
    if (p.kind == fclib::Kind::local)
      reduce_local();
    else
      reduce_global();
  }

  void reduce_local() {
    W = problem.W;
    q = problem.q;
    if (problem.equations() == 0) return;
    // Least-norm solutions of R l = .: redundant bilateral constraints leave l undetermined, never r.
    R.compute(Eigen::MatrixXd(problem.R));
    const Eigen::MatrixXd V(problem.V);
    const Eigen::MatrixXd Wd = Eigen::MatrixXd(problem.W) - V * R.solve(V.transpose());
    W = Wd.sparseView(0, 0);
    q = problem.q - V * R.solve(problem.s);
    good = Wd.allFinite() && q.allFinite();
  }

  void reduce_global() {
    const Sparse Ht = problem.H.transpose();
    if (problem.equations() == 0 && is_diagonal(problem.M)) {
      Vector d = problem.M.diagonal();
      good = (d.array() > 0).all();
      inverse_diagonal = d.cwiseInverse();
      W = Ht * (inverse_diagonal.asDiagonal() * problem.H).eval();
    } else {
      factorise();
      if (!good) return;
      const Sparse padded = pad_rows(problem.H, problem.equations());
      W.resize(problem.H.cols(), problem.H.cols());
      std::vector<Eigen::Triplet<Real>> t;
      constexpr int chunk = 32;
      for (int j = 0; j < padded.cols(); j += chunk) {
        const int width = std::min<int>(chunk, static_cast<int>(padded.cols()) - j);
        const Eigen::MatrixXd X = solve(Eigen::MatrixXd(padded.middleCols(j, width))).topRows(problem.M.rows());
        const Eigen::MatrixXd block = Ht * X;
        for (int c = 0; c < width; ++c)
          for (int i = 0; i < block.rows(); ++i)
            if (block(i, c) != 0) t.emplace_back(i, j + c, block(i, c));
      }
      W.setFromTriplets(t.begin(), t.end());
    }
    q = Ht * state(Vector::Zero(problem.rows())).head(problem.M.rows()) + problem.w;
    good = good && q.allFinite();
  }

  void factorise() {
    K = saddle(problem.M, problem.G, 0);
    lu.compute(K);
    if (lu.info() == Eigen::Success && problem.equations() == 0) return;
    if (lu.info() == Eigen::Success) {  // a K that is singular but for rounding betrays itself here
      const Vector one = Vector::Ones(K.rows());
      const Vector x = lu.solve(one);
      if (x.allFinite() && (K * x - one).norm() < 1e-8 * one.norm()) return;
    }
    // Redundant constraints: a small compliance in the multipliers, refined away in solve().
    const Real size = problem.M.diagonal().cwiseAbs().mean();
    refinements = 6;
    lu.compute(saddle(problem.M, problem.G, 1e-9 / (size > 0 ? size : 1)));
    good = lu.info() == Eigen::Success;
  }

  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const {
    Eigen::MatrixXd x = lu.solve(b);
    for (int k = 0; k < refinements; ++k) x += lu.solve(b - K * x);
    return x;
  }

  // (v, l) for impulses r
  Vector state(const Vector& r) const {
    const Vector load = problem.H * r + problem.f;
    if (inverse_diagonal.size() > 0) return inverse_diagonal.cwiseProduct(load);
    Vector b(load.size() + problem.equations());
    b << load, -problem.b;
    return solve(b);
  }

  const fclib::Problem& problem;
  bool good = true;
  Sparse W, K;
  Vector q, inverse_diagonal;
  Eigen::SparseLU<Sparse> lu;
  int refinements = 0;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> R;
};

Reduction::Reduction(const fclib::Problem& problem) : impl_(std::make_unique<Impl>(problem)) {}
Reduction::~Reduction() = default;
Reduction::Reduction(Reduction&&) noexcept = default;

bool Reduction::good() const { return impl_->good; }
const Sparse& Reduction::W() const { return impl_->W; }
const Vector& Reduction::q() const { return impl_->q; }

fclib::Solution Reduction::recover(const Vector& r) const {
  const fclib::Problem& p = impl_->problem;
  fclib::Solution s;
  s.r = r;
  if (p.kind == fclib::Kind::local) {
    s.u = p.W * r + p.q;
    if (p.equations() > 0) {
      s.l = -impl_->R.solve(p.V.transpose() * r + p.s);
      s.u += p.V * s.l;
    }
    return s;
  }
  const Vector x = impl_->state(r);
  s.v = x.head(p.M.rows());
  s.l = x.tail(x.size() - s.v.size());
  s.u = p.H.transpose() * s.v + p.w;
  return s;
}

}  // namespace cairn
