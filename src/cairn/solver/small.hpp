// Few contacts with a full matrix: the step problem of small systems and of impacts, solved to rounding.
#pragma once

#include <vector>

#include "cairn/law/law.hpp"
#include "cairn/solver/nonnegative.hpp"

namespace cairn {

struct SmallReport {
  Real error = 0;       // natural map over the size of the free velocities
  long iterations = 0;  // sweeps
  int ambiguous = 0;    // contacts whose own problem had several solutions or none
  bool converged = true;
};

// U_a = q_a + sum_b W_ab S_b, law_a(U_a, S_a). Room is kept between problems: no allocation once they have been as
// large. For the laws of the list it is compiled once, in small.cpp; another law includes small_any.hpp.
template <ContactLaw L>
class SmallSolver {
 public:
  static constexpr int D = L::dim;

  void resize(int contacts);
  int contacts() const { return n_; }
  Mat<D>& W(int a, int b) { return W_[index(a, b)]; }
  Vec<D>& q(int a) { return q_[at(a)]; }
  L& law(int a) { return law_[at(a)]; }
  const Mat<D>& W(int a, int b) const { return W_[index(a, b)]; }
  const Vec<D>& q(int a) const { return q_[at(a)]; }
  const L& law(int a) const { return law_[at(a)]; }
  const Vec<D>& S(int a) const { return S_[at(a)]; }
  Vec<D>& S(int a) { return S_[at(a)]; }  // the start of the sweeps on entry; the solution after solve()
  Status status(int a) const { return status_[at(a)]; }
  Vec<D> velocity(int a) const;

  SmallReport solve();

 private:
  static std::size_t at(int a) { return static_cast<std::size_t>(a); }
  std::size_t index(int a, int b) const { return at(a) * at(n_) + at(b); }

  SmallReport solve_single();
  SmallReport solve_several();
  SmallReport solve_frictionless();
  void take_over(SmallReport& report);
  Status status_from(int a) const;
  Real scale() const;
  Real relative_error() const;

  static constexpr long max_sweeps = 2000;
  int n_ = 0;
  std::vector<Mat<D>> W_;  // (contacts * contacts) row by row
  std::vector<Vec<D>> q_, S_;
  std::vector<L> law_;
  std::vector<typename L::Local> local_;
  std::vector<Status> status_;
  NonnegativeSolver nonnegative_;
};

}  // namespace cairn
