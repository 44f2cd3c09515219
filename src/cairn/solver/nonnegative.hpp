// The frictionless step problem, S >= 0, W S + q >= 0, S . (W S + q) = 0, by an active set (Lawson and Hanson): the
// dual of the projection u = prox_A(u_L; V) of M88 11 and M98 20. Exact to rounding; W may be singular.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

class NonnegativeSolver {
 public:
  void resize(int n) { W_.resize(n, n), q_.resize(n), S_.resize(n); }
  Real& W(int a, int b) { return W_(a, b); }
  Real& q(int a) { return q_(a); }
  Real S(int a) const { return S_(a); }
  long iterations() const { return iterations_; }

  // False: no solution (nothing can open all contacts) or a loop broken off.
  bool solve();

 private:
  int most_violated();
  bool solve_passive();
  bool admit(int contact);

  Eigen::MatrixXd W_;
  Eigen::VectorXd q_, S_, U_, trial_;
  std::vector<int> passive_;           // contacts with S > 0
  std::vector<char> in_, refused_;     // (n) in passive_; violated by rounding only
  Eigen::MatrixXd sub_;                // W on the passive set
  Eigen::VectorXd load_, answer_;      // sub_ answer_ = load_
  Eigen::LDLT<Eigen::MatrixXd> ldlt_;  // room kept between calls
  long iterations_ = 0;
};

}  // namespace cairn
