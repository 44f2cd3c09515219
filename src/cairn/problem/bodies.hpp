// The step problem over bodies, matrix-free: each body has a diagonal inertia (principal axes), each contact touches
// one or two bodies.   A (u - u_free) = sum_a G_a^T S_a,   U_a = G_a u + w_a,   (U_a, S_a) in law_a.
// (JM92 2.4, 2.5, 7.3)
#pragma once

#include <vector>

#include "cairn/law/signorini.hpp"
#include "cairn/problem/step_problem.hpp"

namespace cairn {

template <ContactLaw L, int F>
struct BodyProblem {
  static constexpr int dim = L::dim;  // rows a contact
  static constexpr int freedoms = F;  // a body: 3 in the plane, 6 in space
  using Law = L;

  struct Contact {
    int body[2];          // -1: a boundary
    Mat<L::dim, F> G[2];  // local velocity from each body's velocity (signs included)
  };

  std::vector<Real> inverse_inertia;  // [1/kg, 1/(kg m^2)] (bodies * F) diagonal of A^-1
  std::vector<Real> u_free;           // [m/s, rad/s] (bodies * F)
  std::vector<Contact> contact;       // (contacts)
  std::vector<Real> w;                // [m/s] (contacts * dim) prescribed part of U
  std::vector<L> law;                 // (contacts)

  int bodies() const { return static_cast<int>(inverse_inertia.size()) / F; }
  int contacts() const { return static_cast<int>(contact.size()); }
  int rows() const { return dim * contacts(); }

  // H_aa = sum over the bodies of the contact of G A^-1 G^T
  Mat<dim> diagonal_block(int a) const {
    Mat<dim> H = Mat<dim>::zero();
    for (int s = 0; s < 2; ++s) {
      const int b = contact[a].body[s];
      if (b < 0) continue;
      const Mat<dim, F>& G = contact[a].G[s];
      const Real* inverse = &inverse_inertia[at(b)];
      for (int k = 0; k < F; ++k)
        for (int j = 0; j < dim; ++j)
          for (int i = 0; i < dim; ++i) H(i, j) += G(i, k) * inverse[k] * G(j, k);
    }
    return H;
  }

  // U_a = G_a u + w_a
  Vec<dim> velocity(int a, const Real* u) const {
    Vec<dim> U = Vec<dim>::load(&w[static_cast<std::size_t>(a) * dim]);
    for (int s = 0; s < 2; ++s)
      if (contact[a].body[s] >= 0) add_product(contact[a].G[s], u + at(contact[a].body[s]), U);
    return U;
  }

  // r = sum_a G_a^T S_a, the generalised impulses of bodies (bodies * F) (JM92 2.5)
  void body_impulses(const Real* S, Real* r) const {
    for (std::size_t i = 0; i < inverse_inertia.size(); ++i) r[i] = 0;
    for (int a = 0; a < contacts(); ++a)
      for (int s = 0; s < 2; ++s)
        if (contact[a].body[s] >= 0)
          add_transposed(contact[a].G[s], S + static_cast<std::size_t>(a) * dim, r + at(contact[a].body[s]));
  }

  // u = u_free + A^-1 sum_a G_a^T S_a
  void body_velocities(const Real* S, Real* u) const {
    body_impulses(S, u);
    for (std::size_t i = 0; i < inverse_inertia.size(); ++i) u[i] = u_free[i] + inverse_inertia[i] * u[i];
  }

  void velocities(const Real* S, Real* U) const {
    std::vector<Real> u(inverse_inertia.size());
    body_velocities(S, u.data());
    for (int a = 0; a < contacts(); ++a) velocity(a, u.data()).store(U + static_cast<std::size_t>(a) * dim);
  }

  // Body velocities follow every change of an impulse in place (JM92 7.4); restart() removes the rounding that gathers.
  class Sweep {
   public:
    explicit Sweep(const BodyProblem& problem) : p_(problem), u_(problem.inverse_inertia.size()) {
      H_.reserve(p_.contacts());
      for (int a = 0; a < p_.contacts(); ++a) H_.push_back(p_.diagonal_block(a));
    }
    void restart(const Real* S) { p_.body_velocities(S, u_.data()); }
    Vec<dim> velocity_without(int a, const Real* S) const {
      return p_.velocity(a, u_.data()) - H_[a] * Vec<dim>::load(S + static_cast<std::size_t>(a) * dim);
    }
    void changed(int a, const Vec<dim>& dS) {
      const Contact& c = p_.contact[a];
      for (int s = 0; s < 2; ++s) {
        if (c.body[s] < 0) continue;
        Vec<F> r = Vec<F>::zero();
        add_transposed(c.G[s], dS.v, r.v);
        for (int k = 0; k < F; ++k) u_[at(c.body[s]) + k] += p_.inverse_inertia[at(c.body[s]) + k] * r[k];
      }
    }

   private:
    const BodyProblem& p_;
    std::vector<Real> u_;      // [m/s, rad/s] (bodies * F)
    std::vector<Mat<dim>> H_;  // (contacts) diagonal blocks
  };

  static std::size_t at(int body) { return static_cast<std::size_t>(body) * F; }

  static void add_product(const Mat<dim, F>& G, const Real* u, Vec<dim>& U) {
    for (int k = 0; k < F; ++k)
      for (int i = 0; i < dim; ++i) U[i] += G(i, k) * u[k];
  }
  static void add_transposed(const Mat<dim, F>& G, const Real* S, Real* r) {
    for (int k = 0; k < F; ++k)
      for (int i = 0; i < dim; ++i) r[k] += G(i, k) * S[i];
  }
};

static_assert(StepProblem<BodyProblem<Signorini, 3>>);

}  // namespace cairn
