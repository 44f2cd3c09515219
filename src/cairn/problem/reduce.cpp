#include "cairn/problem/reduce.hpp"

#include <cmath>

#include "cairn/base/sparse_lu.hpp"

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

// [M -G; G^T delta]
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

// K^-1, or, for a K that is singular because constraints are redundant, (K + regular)^-1 refined toward a solution of
// K.
class Factor {
 public:
  // exact: the matrix; regular: a nonsingular one near it, used when the exact one cannot be factorised.
  template <class Regular>
  bool compute(const Sparse& exact, Regular regular) {
    K_ = exact;
    refinements_ = 0;
    if (factorise(exact) && trustworthy()) return true;
    refinements_ = 6;
    return factorise(regular());
  }

  Vector solve(const Vector& b) const {
    Vector x(b.size());
    lu_->solve(b.data(), x.data());
    for (int k = 0; k < refinements_; ++k) {
      const Vector r = b - K_ * x;
      Vector d(b.size());
      lu_->solve(r.data(), d.data());
      x += d;
    }
    return x;
  }

 private:
  bool factorise(const Sparse& A) {
    std::vector<int> begin(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1);
    std::vector<int> row(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros());
    lu_ = std::make_unique<SparseLU>(std::move(begin), std::move(row), SparseLU::Pattern::general);
    std::copy(A.valuePtr(), A.valuePtr() + A.nonZeros(), lu_->values().begin());
    return lu_->factorise();
  }

  // A K that is singular but for rounding betrays itself here.
  bool trustworthy() const {
    Vector b(K_.rows());
    for (int i = 0; i < b.size(); ++i) b[i] = std::cos(i);
    const Vector x = solve(b);
    return x.allFinite() && (K_ * x - b).norm() < 1e-8 * b.norm();
  }

  Sparse K_;
  std::unique_ptr<SparseLU> lu_;
  int refinements_ = 0;
};

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
    good = factor.compute(problem.R, [&] {
      Sparse I(problem.R.rows(), problem.R.cols());
      I.setIdentity();
      const Real size = problem.R.diagonal().cwiseAbs().mean();
      return Sparse(problem.R + 1e-9 * (size > 0 ? size : 1) * I);
    });
    if (!good) return;
    const Sparse Vt = problem.V.transpose();
    W -= product(problem.V, Vt, static_cast<int>(Vt.rows()));
    q -= problem.V * factor.solve(problem.s);
    good = q.allFinite();
  }

  void reduce_global() {
    const Sparse Ht = problem.H.transpose();
    if (problem.equations() == 0 && is_diagonal(problem.M)) {
      const Vector d = problem.M.diagonal();
      good = (d.array() > 0).all();
      inverse_diagonal = d.cwiseInverse();
      W = Ht * Sparse(inverse_diagonal.asDiagonal() * problem.H);
    } else {
      const Real size = problem.M.diagonal().cwiseAbs().mean();
      good = factor.compute(saddle(problem.M, problem.G, 0),
                            [&] { return saddle(problem.M, problem.G, 1e-9 / (size > 0 ? size : 1)); });
      if (!good) return;
      W = product(Ht, problem.H, static_cast<int>(problem.M.rows()) + problem.equations());
    }
    q = Ht * state(Vector::Zero(problem.rows())).head(problem.M.rows()) + problem.w;
    good = good && q.allFinite();
  }

  // left [K^-1 (right; 0)], the upper rows; K has `size` rows.
  Sparse product(const Sparse& left, const Sparse& right, int size) const {
    std::vector<Eigen::Triplet<Real>> t;
    Vector b(size);
    for (int j = 0; j < right.cols(); ++j) {
      b.setZero();
      for (Sparse::InnerIterator it(right, j); it; ++it) b[it.row()] = it.value();
      const Vector column = left * factor.solve(b).head(left.cols());
      for (int i = 0; i < column.size(); ++i)
        if (column[i] != 0) t.emplace_back(i, j, column[i]);
    }
    Sparse P(left.rows(), right.cols());
    P.setFromTriplets(t.begin(), t.end());
    return P;
  }

  // (v, l) for impulses r
  Vector state(const Vector& r) const {
    const Vector load = problem.H * r + problem.f;
    if (inverse_diagonal.size() > 0) return inverse_diagonal.cwiseProduct(load);
    Vector b(load.size() + problem.equations());
    b.head(load.size()) = load;
    b.tail(problem.equations()) = -problem.b;
    return factor.solve(b);
  }

  const fclib::Problem& problem;
  bool good = true;
  Sparse W;
  Vector q, inverse_diagonal;
  Factor factor;
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
      s.l = -impl_->factor.solve(p.V.transpose() * r + p.s);
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
