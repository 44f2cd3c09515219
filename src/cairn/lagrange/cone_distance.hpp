// How far a generalised impulse is from those that contacts can give, in the metric A^-1: with the whole cone of each
// law (balance alone), or with the part of it that the law allows at a known local velocity.
#pragma once

#include <vector>

#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/solver/nonnegative.hpp"

namespace cairn {

template <System S>
class ConeDistance {
 public:
  static constexpr int D = S::Law::dim, N = S::freedoms;

  bool begin(const Matrix<N, N>& A) {
    A_ = A;
    contacts_.clear();
    return factors_.compute(A);
  }

  // The whole cone K of the law.
  void add(const Matrix<D, N>& G, const typename S::Law& law) { add(G, law, nullptr); }

  // The impulses that go with U (JM92 3.5, 4.1): none while it separates; one direction while it slides; else K. Below
  // `rest` [m/s] a component counts as zero.
  void add(const Matrix<D, N>& G, const typename S::Law& law, const Vector<D>& U, Real rest) {
    if (U(0) > rest) return;
    Vector<D> tangential = U;
    tangential(0) = 0;
    const Real speed = tangential.norm();
    if (D == 1 || !(speed > rest)) return add(G, law, nullptr);
    const Vector<D> d = extreme(law, -tangential / speed);
    add(G, law, &d);
  }

  // [J^(1/2)] min |R - sum G^T S| in the metric A^-1
  Real distance(const Velocity<S>& R) {
    const Velocity<S> v = factors_.solve(R);
    const Velocity<S> rest = D <= 2 || all_rays() ? by_rays(v) : by_projections(v);
    return std::sqrt(std::max(rest.dot(A_ * rest), Real(0)));
  }

 private:
  struct Contact {
    Matrix<D, N> G;
    Matrix<N, D> Y;  // A^-1 G^T
    typename S::Law law;
    bool ray;
    Vector<D> d;  // where it is one
  };

  void add(const Matrix<D, N>& G, const typename S::Law& law, const Vector<D>* d) {
    Contact c{G, factors_.solve(G.transpose()), law, d != nullptr || D == 1, Vector<D>::Unit(0)};
    if (d) c.d = *d;
    contacts_.push_back(c);
  }

  // The S of K with S_N = 1 farthest in a tangential direction; exact for discs and segments, to 1e-8 for other
  // sections.
  static Vector<D> extreme(const typename S::Law& law, const Vector<D>& direction) {
    Vector<D> x = Real(1e8) * direction;
    x(0) = 1;
    const Vector<D> s = to_vector<D>(law.project(to_vec<D>(x)));
    return s(0) > 0 ? Vector<D>(s / s(0)) : Vector<D>(Vector<D>::Unit(0));
  }

  bool all_rays() const {
    for (const Contact& c : contacts_)
      if (!c.ray) return false;
    return true;
  }

  Velocity<S> by_rays(const Velocity<S>& v) {
    columns_.clear();
    for (const Contact& c : contacts_) {
      if (c.ray) {
        columns_.push_back(c.Y * c.d);
        continue;
      }
      for (const Real sign : {Real(1), Real(-1)})
        columns_.push_back(c.Y * extreme(c.law, sign * Vector<D>::Unit(D > 1 ? 1 : 0)));
    }
    const auto k = static_cast<int>(columns_.size());
    Velocity<S> rest = v;
    if (k == 0) return rest;
    solver_.resize(k);
    for (int a = 0; a < k; ++a) {
      const Velocity<S> Ay = A_ * columns_[static_cast<std::size_t>(a)];
      solver_.q(a) = -Ay.dot(v);
      for (int b = 0; b < k; ++b) solver_.W(a, b) = Ay.dot(columns_[static_cast<std::size_t>(b)]);
    }
    if (!solver_.solve()) return rest;
    for (int a = 0; a < k; ++a) rest -= solver_.S(a) * columns_[static_cast<std::size_t>(a)];
    return rest;
  }

  // Projected gradient with Nesterov's momentum, restarted when the distance grows.
  Velocity<S> by_projections(const Velocity<S>& v) {
    Real L = 0;
    for (const Contact& c : contacts_) L += (c.G * c.Y).trace();
    std::vector<Vector<D>> now(contacts_.size(), Vector<D>::Zero()), ahead = now;
    Velocity<S> rest = v, best = v;
    Real momentum = 1, last = v.dot(A_ * v);
    for (int i = 0; i < 5000; ++i) {
      Velocity<S> here = v;
      for (std::size_t a = 0; a < contacts_.size(); ++a) here -= contacts_[a].Y * ahead[a];
      const Real next = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
      rest = v;
      for (std::size_t a = 0; a < contacts_.size(); ++a) {
        const Vector<D> S_a = nearest(contacts_[a], ahead[a] + contacts_[a].G * here / L);
        ahead[a] = S_a + (momentum - 1) / next * (S_a - now[a]);
        now[a] = S_a;
        rest -= contacts_[a].Y * S_a;
      }
      momentum = next;
      const Real size = rest.dot(A_ * rest);
      if (size > last) momentum = 1, ahead = now;
      if (size < best.dot(A_ * best)) best = rest;
      if (size <= Real(1e-30) * v.dot(A_ * v)) break;
      last = size;
    }
    return best;
  }

  static Vector<D> nearest(const Contact& c, const Vector<D>& x) {
    if (c.ray) return std::max(x.dot(c.d) / c.d.squaredNorm(), Real(0)) * c.d;
    return to_vector<D>(c.law.project(to_vec<D>(x)));
  }

  Matrix<N, N> A_;
  Cholesky<N> factors_;
  std::vector<Contact> contacts_;
  std::vector<Velocity<S>> columns_;
  NonnegativeSolver solver_;
};

}  // namespace cairn
