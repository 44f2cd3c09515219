// The motion between two events: which contacts are closed, stick or slide, and the forces that keep them so.
//
// A closed contact has U_N = 0, one that sticks U = 0; derived along the motion,
//   dU/dt = G u' + c,     c = (dG/dt) u + dW/dt     (central differences along the motion),
// and A u' = F + sum G^T R. Where the slip is zero, the law that relates U and S relates dU/dt and R (it is
// homogeneous, and U stays on the side to which dU/dt points); where it is not, friction opposes the slip: R = R_N
// ray(U).
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/base/least_norm.hpp"
#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/law/signorini.hpp"

namespace cairn {

// Force of a contact that slides at U, for a unit normal force; how far a force is inside the cone.
inline Vector<1> sliding_ray(const Signorini&, const Vector<1>&) { return Vector<1>(1); }
inline Vector<2> sliding_ray(const Coulomb2& law, const Vector<2>& U) {
  return {1, U(1) > 0 ? -law.mu_minus : law.mu_plus};
}
inline Vector<3> sliding_ray(const Coulomb3& law, const Vector<3>& U) {
  const Real f = -law.mu / U.tail<2>().norm();
  return {1, f * U(1), f * U(2)};
}
inline Real cone_margin(const Signorini&, const Vector<1>& R) { return R(0); }
inline Real cone_margin(const Coulomb2& law, const Vector<2>& R) {
  return std::min(law.mu_plus * R(0) - R(1), law.mu_minus * R(0) + R(1));
}
inline Real cone_margin(const Coulomb3& law, const Vector<3>& R) { return law.mu * R(0) - R.tail<2>().norm(); }

template <class L>
concept EventLaw = ContactLaw<L> && requires(const L& law, const Vector<L::dim>& x) {
  sliding_ray(law, x);
  cone_margin(law, x);
};

template <System S>
requires EventLaw<typename S::Law>
class EventMode {
 public:
  static constexpr int D = S::Law::dim, N = S::freedoms;
  using V = Vector<D>;

  struct Contact {
    int index;        // of the system's list
    bool slides;      // known slip, or frictionless; else U_T = 0
    V heading;        // (0, unit vector) of the slip
    V R = V::Zero();  // [N] after accelerate() or choose()

    // At the instant of evaluate():
    typename S::Law law = {};
    Matrix<D, N> G = {};
    V W = {}, c = {};
    Matrix<N, D> Y = {};  // A^-1 G^T
  };
  std::vector<Contact> closed;

  EventMode(const S& system, Real difference_step, Real slip_tolerance)
      : system_(system), delta_(difference_step), slip_tolerance_(slip_tolerance) {}

  bool evaluate(Real t, const Configuration<S>& q, const Velocity<S>& u) {
    if (!factors_.compute(system_.inertia(t, q))) return false;
    force_ = system_.force(t, q, u);
    free_ = factors_.solve(force_);
    for (Contact& k : closed) {
      const Kinematics<D, N> now = system_.kinematics(k.index, t, q);
      k.G = now.G, k.W = now.W, k.Y = factors_.solve(now.G.transpose());
      k.law = system_.law(k.index, t, q);
      k.c = (velocity_along(k.index, t, q, u, delta_) - velocity_along(k.index, t, q, u, -delta_)) / (2 * delta_);
    }
    u_ = u;
    return true;
  }

  // u' and R that keep the mode: dU_N/dt = 0 where a contact slides, dU/dt = 0 where it sticks. Redundant contacts
  // share the load by the least norm.
  const Velocity<S>& accelerate() {
    acceleration_ = free_;
    const Eigen::Index rows = unknowns();
    if (rows == 0) return acceleration_;
    M_.resize(rows, rows), b_.resize(rows);
    Eigen::Index i = 0;
    for (const Contact& k : closed) {
      const int m = size(k);
      b_.segment(i, m) = -(k.G * free_ + k.c).head(m);
      Eigen::Index j = 0;
      for (const Contact& l : closed) {
        const Matrix<D, D> H = k.G * l.Y;
        if (size(l) == 1 && D > 1)
          M_.block(i, j, m, 1) = (H * ray(l)).head(m);
        else
          M_.block(i, j, m, size(l)) = H.topLeftCorner(m, size(l));
        j += size(l);
      }
      i += m;
    }
    const Eigen::VectorXd x = least_norm_solution(M_, b_);
    i = 0;
    for (Contact& k : closed) {
      if (size(k) == 1 && D > 1)
        k.R = x(i) * ray(k);
      else
        k.R.head(size(k)) = x.segment(i, size(k));
      i += size(k);
      acceleration_ += k.Y * k.R;
    }
    return acceleration_;
  }

  // Which of the contacts in `closed` stay, stick or start to slide: sweeps over the law on accelerations, contact by
  // contact. Those without force leave the list. False: no forces satisfy all laws (Painleve).
  bool choose() {
    for (Contact& k : closed) k.R.setZero();
    if constexpr (D == 1) {
      if (!choose_frictionless()) return false;
    } else {
      bool settled = false;
      for (int sweep = 0; sweep < 20000 && !settled; ++sweep) {
        Real change = 0, load = 0;
        for (Contact& k : closed) {
          const V old = k.R;
          if (!(k.slides ? press(k) : obey(k))) return false;
          change += (k.R - old).squaredNorm(), load += k.R.squaredNorm();
        }
        settled = change <= Real(1e-30) * load;
      }
      if (!settled) return false;
      for (Contact& k : closed) k.slides = k.slides || k.heading.squaredNorm() > 0;
    }
    std::erase_if(closed, [](const Contact& k) { return !(k.R(0) > 0); });
    return true;
  }

  // The velocity nearest to u in the kinetic metric that satisfies the constraints of the mode.
  Velocity<S> project(const Velocity<S>& u) {
    const Eigen::Index rows = unknowns();
    if (rows == 0) return u;
    M_.resize(rows, rows), b_.resize(rows);
    Eigen::Index i = 0;
    for (const Contact& k : closed) {
      b_.segment(i, size(k)) = -(k.G * u + k.W).head(size(k));
      Eigen::Index j = 0;
      for (const Contact& l : closed) {
        const Matrix<D, D> H = k.G * l.Y;
        M_.block(i, j, size(k), size(l)) = H.topLeftCorner(size(k), size(l));
        j += size(l);
      }
      i += size(k);
    }
    const Eigen::VectorXd x = least_norm_solution(M_, b_);
    Velocity<S> result = u;
    i = 0;
    for (const Contact& k : closed) result += k.Y.leftCols(size(k)) * x.segment(i, size(k)), i += size(k);
    return result;
  }

  // A contact is taken to slide along its slip if it has one; `u` is the velocity at the instant of kinematics k.
  Contact candidate(int a, Real t, const Configuration<S>& q, const Velocity<S>& u) const {
    Contact contact{a, D == 1, V::Zero()};
    if constexpr (D > 1) {
      const Kinematics<D, N> k = system_.kinematics(a, t, q);
      head(contact, k.G * u + k.W);
    }
    return contact;
  }

  // The heading follows the slip from step to step.
  void turn(Contact& k, const V& U) const {
    if constexpr (D > 1)
      if (k.slides && U.dot(k.heading) > slip_tolerance_) head(k, U);
  }

  // Stops the departure of a contact that has bounced out: its last impulses, taken back, act as its force does.
  Velocity<S> close(const Contact& k, const Velocity<S>& u) const {
    if (!k.slides) return u;  // left to project()
    const Velocity<S> move = k.Y * sliding_ray(k.law, D == 1 ? V(V::Ones()) : k.heading);
    return u - move * ((k.G * u + k.W)(0) / (k.G * move)(0));
  }

  V local(const Contact& k, const Velocity<S>& u) const { return k.G * u + k.W; }
  const Velocity<S>& force() const { return force_; }

 private:
  void head(Contact& k, const V& U) const {
    V slip = U;
    slip(0) = 0;
    const Real speed = slip.norm();
    k.slides = speed > slip_tolerance_;
    if (k.slides) k.heading = slip / speed;
  }

  static int size(const Contact& k) { return k.slides ? 1 : D; }
  Eigen::Index unknowns() const {
    Eigen::Index n = 0;
    for (const Contact& k : closed) n += size(k);
    return n;
  }

  // Where the slip has gone through zero, friction goes on along the heading, smoothly, until the event is located.
  V ray(const Contact& k) const {
    if constexpr (D == 3) {
      V U = k.G * u_ + k.W;
      U(0) = 0;
      const Real forward = U.dot(k.heading);
      if (std::abs(forward) > slip_tolerance_) return sliding_ray(k.law, forward > 0 ? U : V(-U));
    }
    return sliding_ray(k.law, k.heading);
  }

  V velocity_along(int a, Real t, const Configuration<S>& q, const Velocity<S>& u, Real dt) const {
    const Kinematics<D, N> k = system_.kinematics(a, t + dt, drifted(system_, q, u, dt));
    return k.G * u + k.W;
  }

  // dU/dt at contact k without its own force.
  V unloaded(const Contact& k) const {
    V b = k.G * free_ + k.c;
    for (const Contact& l : closed)
      if (&l != &k) b += k.G * (l.Y * l.R);
    return b;
  }

  bool press(Contact& k) const {
    const Real b = unloaded(k)(0), w = (k.G * (k.Y * ray(k)))(0);
    if (b < 0 && !(w > 0)) return false;
    k.R = b < 0 ? V(-b / w * ray(k)) : V(V::Zero());
    return true;
  }

  bool obey(Contact& k) const {
    const V b = unloaded(k);
    const Matrix<D, D> H = k.G * k.Y;
    const LocalSolution<D> found = solve_one(k.law, Mat<D>::load(H.data()), to_vec<D>(b));
    k.R = to_vector<D>(found.S);
    V slip = b + H * k.R;
    slip(0) = 0;
    k.heading = found.status == Status::slide && slip.norm() > 0 ? V(slip / slip.norm()) : V(V::Zero());
    return found.count > 0;
  }

  bool choose_frictionless() {
    const int n = static_cast<int>(closed.size());
    if (n == 0) return true;
    nonnegative_.resize(n);
    for (int i = 0; i < n; ++i) {
      const Contact& k = closed[static_cast<std::size_t>(i)];
      nonnegative_.q(i) = (k.G * free_ + k.c)(0);
      for (int j = 0; j < n; ++j) nonnegative_.W(i, j) = (k.G * closed[static_cast<std::size_t>(j)].Y)(0, 0);
    }
    if (!nonnegative_.solve()) return false;
    for (int i = 0; i < n; ++i) closed[static_cast<std::size_t>(i)].R(0) = nonnegative_.S(i);
    return true;
  }

  const S& system_;
  Real delta_, slip_tolerance_;
  Cholesky<N> factors_;
  Velocity<S> force_, free_, u_, acceleration_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd b_;
  NonnegativeSolver nonnegative_;
};

}  // namespace cairn
