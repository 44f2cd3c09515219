// Is the outcome of an impact at this configuration well defined? Angles between the active constraints in the kinetic
// metric, and what they say of continuity with respect to data (BC18 4.3, Proposition 1, and Paoli's extension); linear
// dependence of the constraints.
#pragma once

#include <string>
#include <vector>

#include "cairn/lagrange/impact.hpp"

namespace cairn {

enum class Continuity : unsigned char {
  free,        // no active constraint
  single,      // one: nothing to be at an angle with
  orthogonal,  // all right angles: continuous for every e (BC18 Proposition 1)
  acute,       // e = 0 and no product of gradients positive: continuous (Paoli, in BC18 4.3)
  sensitive    // neither: neighbouring data may give other outcomes (BC18 fig. 1)
};
const char* describe(Continuity continuity);
inline bool continuous(Continuity c) { return c != Continuity::sensitive; }

struct ImpactDiagnosis {
  std::vector<int> contacts;  // active, as the system numbers them
  Eigen::MatrixXd cosine;     // [-] d_a A^-1 d_b over the norms; of a zero gradient: 0
  Continuity continuity = Continuity::free;
  bool soft = true;  // e = 0 at each
  bool frictional =
      false;     // the propositions are on frictionless impacts: with friction the verdict is on normals only
  int rank = 0;  // of the gradients
  std::vector<std::vector<int>> dependent;  // contacts whose gradients are linearly dependent, no smaller set being so;
                                            // one for each gradient in excess of the rank
  int hyperstaticity = 0;  // dimension of the contact impulses, friction included, that balance each other
  Real worst_cosine = 0;   // off the diagonal, the one that decides
  int worst_first = -1, worst_second = -1;  // between which contacts
};

// Rows: gradients of the gaps of the contacts; all_rows: the tangential ones as well. A positive definite. `tolerance`:
// on cosines, and on what remains of a unit gradient off the span of others.
ImpactDiagnosis diagnose(const Eigen::MatrixXd& A, const Eigen::MatrixXd& rows, const Eigen::MatrixXd& all_rows,
                         std::vector<int> contacts, bool soft, Real tolerance = Real(1e-10));

template <System S>
ImpactDiagnosis diagnose(const S& system, Real t, const Configuration<S>& q, std::span<const int> contacts,
                         Real tolerance = Real(1e-10)) {
  constexpr int D = S::Law::dim;
  const Eigen::MatrixXd A = system.inertia(t, q);
  const auto k = static_cast<Eigen::Index>(contacts.size());
  Eigen::MatrixXd rows(k, A.cols()), all(D * k, A.cols());
  bool soft = true;
  for (Eigen::Index i = 0; i < k; ++i) {
    const int a = contacts[static_cast<std::size_t>(i)];
    const Kinematics<D, S::freedoms> kinematics = system.kinematics(a, t, q);
    rows.row(i) = kinematics.G.row(0);
    all.middleRows(D * i, D) = kinematics.G;
    soft = soft && restitution_of(system, a).normal == 0;
  }
  return diagnose(A, rows, all, {contacts.begin(), contacts.end()}, soft, tolerance);
}
template <System S>
ImpactDiagnosis diagnose(const S& system, Real t, const Configuration<S>& q, Real gap_tolerance = 0) {
  return diagnose(system, t, q, touching(system, t, q, gap_tolerance));
}

// A few lines for a terminal.
std::string describe(const ImpactDiagnosis& diagnosis);

}  // namespace cairn
