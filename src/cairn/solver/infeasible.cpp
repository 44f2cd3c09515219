#include "cairn/solver/infeasible.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>

namespace cairn {

namespace {

using SparseRows = Eigen::SparseMatrix<Real>;
using Numbers = Eigen::VectorXd;

constexpr Real proof_tolerance = 1e-9;

// The frictionless problem is a quadratic one,  min 1/2 x.W x + q.x,  x >= 0,  unbounded below exactly when there is a
// certificate. Regularised by d/2 |x|^2 it has one solution x(d), and as d -> 0, d x(d) tends to the certificate of
// least norm, or to 0. It is found by an interior point, whose number of iterations hardly depends on the problem (an
// active set cycles here); the last digits come from a projection on the null space of W.
class Search {
 public:
  explicit Search(const NormalRows& rows) : r_(rows), n_(static_cast<int>(rows.q.size())) {
    // Contacts in units of their own: the diagonal of W becomes one, and d means the same for light and heavy bodies.
    scale_ = Numbers::Ones(n_);
    for (int a = 0; a < n_; ++a) {
      const Real w = rows.W.coeff(a, a * rows.dim);
      if (w > 0) scale_[a] = 1 / std::sqrt(w);
    }
    std::vector<Eigen::Triplet<Real>> t;
    for (int j = 0; j < n_ * rows.dim; j += rows.dim)
      for (SparseRows::InnerIterator it(rows.W, j); it; ++it) {
        const int a = static_cast<int>(it.row()), b = j / rows.dim;
        const Real w = it.value() * scale_[a] * scale_[b] / 2;  // the symmetric part: the other does no work
        t.emplace_back(a, b, w);
        t.emplace_back(b, a, w);
      }
    W_.resize(n_, n_);
    W_.setFromTriplets(t.begin(), t.end());
    q_ = rows.q.cwiseProduct(scale_);
    for (int j = 0; j < rows.W.outerSize(); ++j)
      for (SparseRows::InnerIterator it(rows.W, j); it; ++it) norm_W_ = std::max(norm_W_, std::fabs(it.value()));
  }

  std::vector<Real> run() {
    if (n_ == 0 || !(q_.minCoeff() < 0)) return {};  // S = 0 will do
    const Real size = q_.cwiseAbs().maxCoeff();
    x_ = s_ = Numbers::Constant(n_, size);
    for (int k = 0; k < max_iterations; ++k) {
      const Numbers u = W_ * x_ + q_;
      if (u.minCoeff() >= Real(-1e-10) * size) return {};  // U_N >= 0 for this x: no certificate can be
      const Numbers residual = u + d * x_ - s_;
      if (x_.dot(s_) / n_ < Real(1e-16) * size * x_.maxCoeff() && residual.cwiseAbs().maxCoeff() < Real(1e-6) * size)
        break;
      if (!step(residual)) break;
    }
    return certificate();
  }

 private:
  static constexpr Real d = 1e-8;
  static constexpr Real held = 1e20;  // diagonal that keeps an entry at zero
  static constexpr int max_iterations = 100;
  static constexpr int max_projections = 20;
  static constexpr Real border = 0.99;  // [-] part of the way to the border taken

  // Predictor and corrector (Mehrotra) for  s = W x + d x + q,  x_a s_a = 0.
  bool step(const Numbers& residual) {
    if (!factorise(s_.cwiseQuotient(x_).array() + d)) return false;
    const Real mean = x_.dot(s_) / n_;
    Numbers dx = ldlt_.solve(-s_ - residual), ds = W_ * dx + d * dx + residual;
    const Real t = std::min(Real(1), std::min(reach(x_, dx), reach(s_, ds)));
    const Real left = (x_ + t * dx).dot(s_ + t * ds) / (n_ * mean);
    const Real centering = std::max(left * left * left, t < Real(0.1) ? Real(0.3) : Real(0));  // short steps: jammed
    const Numbers centre = (centering * mean - dx.cwiseProduct(ds).array()) / x_.array();
    dx = ldlt_.solve(centre - s_ - residual);
    ds = W_ * dx + d * dx + residual;
    if (!dx.allFinite()) return false;
    const Real length = std::min(Real(1), border * std::min(reach(x_, dx), reach(s_, ds)));
    x_ += length * dx;
    s_ += length * ds;
    return true;
  }

  static Real reach(const Numbers& v, const Numbers& dv) {
    Real t = Real(1e30);
    for (int a = 0; a < v.size(); ++a)
      if (dv[a] < 0) t = std::min(t, -v[a] / dv[a]);
    return t;
  }

  // W + diagonal
  bool factorise(const Numbers& diagonal) {
    K_ = W_;
    for (int a = 0; a < n_; ++a) K_.coeffRef(a, a) += diagonal[a];
    if (!analysed_) ldlt_.analyzePattern(K_);
    analysed_ = true;
    ldlt_.factorize(K_);
    return ldlt_.info() == Eigen::Success;
  }

  // On its support x is projected on the null space of W: d (W + d)^-1 damps what is not in it. Entries that turn
  // negative leave the support. Empty when what comes proves nothing.
  std::vector<Real> certificate() {
    Numbers y = x_, weight(n_);
    for (int a = 0; a < n_; ++a)
      if (!(d * x_[a] > s_[a])) y[a] = 0;
    for (int k = 0; k < max_projections; ++k) {
      for (int a = 0; a < n_; ++a) weight[a] = y[a] > 0 ? d : held;
      if (!factorise(weight)) return {};
      const Numbers load = weight.cwiseProduct(y);
      y = ldlt_.solve(load);
      y = y.cwiseMax(0).eval();
      const Real size = y.maxCoeff();
      if (!(size > 0) || !y.allFinite()) return {};
      y /= size;
      Numbers x = y.cwiseProduct(scale_);
      x /= x.maxCoeff();
      if (proves(x)) return {x.data(), x.data() + n_};
    }
    return {};
  }

  bool proves(const Numbers& x) const {
    const Real work = r_.q.dot(x);
    return work <= -proof_tolerance * r_.norm_q * x.norm() &&
           (r_.W.transpose() * x).norm() * r_.norm_q <= -proof_tolerance * norm_W_ * work;
  }

  const NormalRows& r_;
  int n_;
  SparseRows W_;   // normal-normal part, symmetric, diagonal one
  Numbers scale_;  // x in the problem's units over x here
  Numbers q_, x_, s_;
  Real norm_W_ = 0;
  SparseRows K_;
  bool analysed_ = false;
  Eigen::SimplicialLDLT<SparseRows> ldlt_;
};

}  // namespace

std::vector<Real> normal_certificate(const NormalRows& rows) { return Search(rows).run(); }

}  // namespace cairn
