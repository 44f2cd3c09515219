// A = L L^T for the inertia of few freedoms: plain loops, which the compiler unrolls where N is known to it.
#pragma once

#include <cmath>

#include "cairn/lagrange/system.hpp"

namespace cairn {

template <int N>
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Matrix<N, N>& A) { compute(A); }

  // False: A is not positive definite. Its lower half is read.
  bool compute(const Matrix<N, N>& A) {
    L_ = A;
    const int n = size();
    Real* L = L_.data();
    for (int j = 0; j < n; ++j) {
      Real d = L[j + j * n];
      for (int k = 0; k < j; ++k) d -= L[j + k * n] * L[j + k * n];
      if (!(d > 0) || !std::isfinite(d)) return positive_ = false;
      d = std::sqrt(d);
      L[j + j * n] = d;
      for (int i = j + 1; i < n; ++i) {
        Real x = L[i + j * n];
        for (int k = 0; k < j; ++k) x -= L[i + k * n] * L[j + k * n];
        L[i + j * n] = x / d;
      }
    }
    return positive_ = true;
  }
  bool positive() const { return positive_; }

  // A^-1 b, column by column.
  template <class Derived>
  Matrix<N, Derived::ColsAtCompileTime> solve(const Eigen::MatrixBase<Derived>& b) const {
    Matrix<N, Derived::ColsAtCompileTime> x = b;
    for (int c = 0; c < static_cast<int>(x.cols()); ++c) substitute(x.data() + c * size());
    return x;
  }

  // L^-1 b: its columns have the products, in the metric A^-1, that those of b have.
  template <class Derived>
  Matrix<N, Derived::ColsAtCompileTime> half(const Eigen::MatrixBase<Derived>& b) const {
    Matrix<N, Derived::ColsAtCompileTime> x = b;
    for (int c = 0; c < static_cast<int>(x.cols()); ++c) forward(x.data() + c * size());
    return x;
  }

 private:
  int size() const { return N == dynamic_size ? static_cast<int>(L_.rows()) : N; }

  void forward(Real* x) const {
    const int n = size();
    const Real* L = L_.data();
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= L[i + k * n] * x[k];
      x[i] /= L[i + i * n];
    }
  }

  void substitute(Real* x) const {
    const int n = size();
    const Real* L = L_.data();
    forward(x);
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= L[k + i * n] * x[k];
      x[i] /= L[i + i * n];
    }
  }

  Matrix<N, N> L_;
  bool positive_ = false;
};

}  // namespace cairn
