// The contacts of a system at one instant, ready to be solved: the waist seen from a system of finite freedom.
//
//   A (u - u_free) = sum_a G_a^T S_a,     law_a(G_a u + w_a, S_a) for the contacts added           (JM92 7.1-7.2)
#pragma once

#include <algorithm>

#include "cairn/lagrange/cholesky.hpp"
#include "cairn/lagrange/system.hpp"
#include "cairn/problem/full.hpp"
#include "cairn/solver/listed_solutions.hpp"
#include "cairn/solver/small.hpp"

namespace cairn {

template <int D>
Vec<D> to_vec(const Vector<D>& x) {
  return Vec<D>::load(x.data());
}
template <int D>
Vector<D> to_vector(const Vec<D>& x) {
  return Eigen::Map<const Vector<D>>(x.v);
}

template <System S>
class ContactProblem {
 public:
  static constexpr int D = S::Law::dim, N = S::freedoms;

  struct Contact {
    int index;            // of the system's list
    Matrix<D, N> G;       // U = G u + W
    Vector<D> W;          // [m/s]
    Matrix<N, D> Y;       // A^-1 G^T
    typename S::Law law;  // with what it remembers
    Restitution e;
  };

  explicit ContactProblem(const S& system) : system_(system) {
    contacts_.reserve(static_cast<std::size_t>(system.contacts()));
    solver_.resize(std::min(system.contacts(), 8));  // room from the start: most systems have few contacts
  }

  // False: A(t,q) is not positive definite.
  bool begin(Real t, const Configuration<S>& q) {
    t_ = t, q_ = q;
    contacts_.clear();
    A_ = system_.inertia(t, q);
    return factors_.compute(A_);
  }

  // The antecedent status tells a law of static and dynamic friction which of the two applies (M88 17).
  void add(int a, Status antecedent = Status::stick) {
    const Kinematics<D, N> k = system_.kinematics(a, t_, q_);
    Contact c{a, k.G, k.W, factors_.solve(k.G.transpose()), system_.law(a, t_, q_), restitution_of(system_, a)};
    if constexpr (requires { c.law.slid; }) c.law.slid = antecedent == Status::slide;
    contacts_.push_back(std::move(c));
  }

  // u = u_free + A^-1 sum G^T S with law_a((G u + W) + rho (G u_minus + W), S_a): the weighted mean velocity of JM92
  // (6.1), (7.3) times 1 + rho, laws being homogeneous. `restitutes(a)`: whether contact a does; the others take rho =
  // 0. In an impact (no other force, u_free = u_minus) where rho is one for all, the unknown is S/(1 + rho) and the
  // data do not depend on rho: so that P(e) = (1 + e) P(0) even where the problem has several solutions.
  template <class Restitutes>
  SmallReport solve(const Velocity<S>& u_minus, const Velocity<S>& u_free, Restitutes restitutes) {
    const int n = size();
    solver_.resize(n);
    const bool impact = u_minus == u_free;
    factor_ = impact ? 1 + common_rho(restitutes) : 1;
    for (int a = 0; a < n; ++a) {
      const Contact& c = contacts_[static_cast<std::size_t>(a)];
      Vector<D> b = c.G * u_free + c.W;
      if (factor_ == 1 && restitutes(a)) b += rho(c.e).cwiseProduct(c.G * u_minus + c.W);
      solver_.q(a) = to_vec<D>(b);
      solver_.law(a) = c.law;
      solver_.S(a) = Vec<D>::zero();
      for (int k = 0; k < n; ++k) {
        const Matrix<D, D> H = c.G * contacts_[static_cast<std::size_t>(k)].Y;
        solver_.W(a, k) = Mat<D>::load(H.data());
      }
    }
    const SmallReport report = solver_.solve();
    u_ = u_free;
    for (int a = 0; a < n; ++a) u_ += contacts_[static_cast<std::size_t>(a)].Y * impulse(a);
    return report;
  }
  SmallReport solve(const Velocity<S>& u_minus, const Velocity<S>& u_free) {
    return solve(u_minus, u_free, [](int) { return true; });
  }

  static Vector<D> rho(const Restitution& e) {
    Vector<D> r = Vector<D>::Constant(e.tangential);
    r(0) = e.normal;
    return r;
  }

  int size() const { return static_cast<int>(contacts_.size()); }
  const Contact& contact(int a) const { return contacts_[static_cast<std::size_t>(a)]; }
  const Matrix<N, N>& inertia() const { return A_; }
  Velocity<S> accelerate(const Velocity<S>& force) const { return factors_.solve(force); }  // A^-1 f
  const Velocity<S>& velocity() const { return u_; }                                        // after solve()
  Vector<D> impulse(int a) const { return factor_ * to_vector<D>(solver_.S(a)); }
  Vector<D> local_velocity(int a, const Velocity<S>& u) const { return contact(a).G * u + contact(a).W; }
  Status status(int a) const { return solver_.status(a); }

  // Every solution of the problem last solved, in the variables of the solver (impulses over 1 + rho in an impact);
  // refused for laws whose solutions cannot be listed.
  Expected<AllSolutions> all_solutions() const {
    std::vector<typename S::Law> laws;
    for (int a = 0; a < size(); ++a) laws.push_back(solver_.law(a));
    return listed_solutions(full_problem(
        std::move(laws), [&](int a, int b) { return solver_.W(a, b); }, [&](int a) { return solver_.q(a); }));
  }

 private:
  // The coefficient that all contacts share in all their components, or 0.
  template <class Restitutes>
  Real common_rho(Restitutes restitutes) const {
    if (contacts_.empty()) return 0;
    const Real e = contacts_[0].e.normal;
    for (int a = 0; a < size(); ++a) {
      const Restitution& r = contact(a).e;
      if (!restitutes(a) || r.normal != e || (D > 1 && r.tangential != e)) return 0;
    }
    return e;
  }

  const S& system_;
  Real t_ = 0;
  Configuration<S> q_;
  Matrix<N, N> A_;
  Cholesky<N> factors_;
  std::vector<Contact> contacts_;
  SmallSolver<typename S::Law> solver_;
  Real factor_ = 1;  // impulses over the solver's
  Velocity<S> u_;
};

}  // namespace cairn
