#include "cairn/solver/nonnegative.hpp"

#include <algorithm>

#include "cairn/base/at.hpp"
#include "cairn/base/least_norm.hpp"

namespace cairn {

namespace {

Real misfit(const Eigen::MatrixXd& W, const Eigen::VectorXd& s, const Eigen::VectorXd& b) {
  return (W * s - b).lpNorm<Eigen::Infinity>() /
         (b.lpNorm<Eigen::Infinity>() + W.lpNorm<Eigen::Infinity>() * s.lpNorm<Eigen::Infinity>());
}
}  // namespace

// W_PP s = -q_P. Where W_PP is singular, redundant contacts share the load by the least norm.
bool NonnegativeSolver::solve_passive() {
  const auto m = static_cast<int>(passive_.size());
  sub_.resize(m, m), load_.resize(m);
  for (int i = 0; i < m; ++i) {
    load_(i) = -q_(passive_[at(i)]);
    for (int j = 0; j < m; ++j) sub_(i, j) = W_(passive_[at(i)], passive_[at(j)]);
  }
  ldlt_.compute(sub_);
  answer_ = ldlt_.solve(load_);
  answer_ += ldlt_.solve(load_ - sub_ * answer_);
  if (!(misfit(sub_, answer_, load_) <= Real(1e-14) * m)) {
    answer_ = least_norm_solution(sub_, load_);
    if (!(misfit(sub_, answer_, load_) <= Real(1e-10))) return false;
  }
  trial_.setZero(S_.size());
  for (int i = 0; i < m; ++i) trial_(passive_[at(i)]) = answer_(i);
  return true;
}

int NonnegativeSolver::most_violated() {
  U_ = q_;
  U_.noalias() += W_ * S_;
  const Real rounding = Real(1e-13) * q_.lpNorm<Eigen::Infinity>();
  int worst = -1;
  for (int a = 0; a < static_cast<int>(q_.size()); ++a)
    if (!in_[at(a)] && !refused_[at(a)] && U_(a) < -rounding && (worst < 0 || U_(a) < U_(worst))) worst = a;
  return worst;
}

// The contact joins the passive set; those whose impulse would become negative leave it. False: no finite answer.
bool NonnegativeSolver::admit(int contact) {
  in_[at(contact)] = 1;
  passive_.push_back(contact);
  if (!solve_passive()) return false;  // bodies are squeezed
  if (trial_(contact) <= 0) {          // its velocity was negative by rounding only
    in_[at(contact)] = 0, refused_[at(contact)] = 1;
    passive_.pop_back();
    return true;
  }
  std::fill(refused_.begin(), refused_.end(), char(0));
  for (;;) {
    Real step = 1;
    int blocking = -1;
    for (const int a : passive_)
      if (trial_(a) <= 0 && S_(a) / (S_(a) - trial_(a)) < step) step = S_(a) / (S_(a) - trial_(a)), blocking = a;
    if (blocking < 0) break;
    S_ += step * (trial_ - S_);
    S_(blocking) = 0;
    const auto gone = [&](int a) {
      if (S_(a) > 0 || trial_(a) > 0) return false;
      in_[at(a)] = 0, S_(a) = 0;
      return true;
    };
    passive_.erase(std::remove_if(passive_.begin(), passive_.end(), gone), passive_.end());
    if (passive_.empty()) {
      trial_.setZero();
      break;
    }
    if (!solve_passive()) return false;
  }
  S_ = trial_;
  return true;
}

bool NonnegativeSolver::solve() {
  const auto n = static_cast<int>(q_.size());
  S_.setZero();
  passive_.clear();
  in_.assign(at(n), 0), refused_.assign(at(n), 0);
  for (iterations_ = 0; iterations_ < 10L * n + 10; ++iterations_) {
    const int worst = most_violated();
    if (worst < 0) return true;
    if (!admit(worst)) return false;
  }
  return false;
}

}  // namespace cairn
