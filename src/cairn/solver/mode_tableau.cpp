#include "cairn/solver/mode_tableau.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/check.hpp"

namespace cairn {
namespace {

// Numbers of a problem in its own units (solver/units.hpp) are near 1.
constexpr Real late = 1e-3;          // a smaller pivot waits: a better one may come with the contacts to follow
constexpr Real rank = 1e-10;         // a smaller pivot at the end is none
constexpr Real coefficient = 1e-11;  // a smaller one is rounding
constexpr Real failed = 1e-7;        // a row that misses by more cannot be mended by refinement
constexpr Real border = 1e-11;       // a strict row that rises no further holds as an equality

}  // namespace

Vec<2> PlanarProblem::generator(int a, bool minus) const {
  const Real mu = minus ? -law[a].mu_minus : law[a].mu_plus, size = std::hypot(Real(1), mu);
  return {1 / size, mu / size};
}

Eigen::MatrixXd PlanarProblem::columns() const {
  Eigen::MatrixXd B(W.rows(), W.cols());
  for (int a = 0; a < contacts(); ++a)
    for (int side = 0; side < 2; ++side) {
      const Vec<2> g = generator(a, side == 1);
      B.col(2 * a + side) = g[0] * W.col(2 * a) + g[1] * W.col(2 * a + 1);
    }
  return B;
}

ModeTableau::ModeTableau(const PlanarProblem& p) {
  CAIRN_CHECK(p.contacts() <= max_contacts, "no room for so many contacts");
  const Eigen::MatrixXd B = p.columns();
  rows_ = 2 * p.contacts();
  for (int r = 0; r < rows_; ++r) value_[r] = p.q(r), basic_[r] = -1, kind_[r] = r % 2 == 0 ? nonnegative : none;
  for (int v = 0; v < rows_; ++v) {
    if (v % 2 == 1 && p.frictionless(v / 2)) continue;
    variable_[columns_] = v;
    std::copy_n(B.col(v).data(), rows_, t_[columns_++]);
  }
}

ModeTableau::ModeTableau(const ModeTableau& other)
    : rows_(other.rows_), columns_(other.columns_), decided_(other.decided_) {
  std::copy_n(other.value_, rows_, value_);
  std::copy_n(other.basic_, rows_, basic_);
  std::copy_n(other.kind_, rows_, kind_);
  std::copy_n(other.variable_, columns_, variable_);
  for (int c = 0; c < columns_; ++c) std::copy_n(other.t_[c], rows_, t_[c]);
}

void ModeTableau::decide(int a, unsigned conditions) {
  const int n = 2 * a, t = 2 * a + 1;
  const Kind inequality = conditions & strict ? positive : nonnegative;
  decided_ |= 1u << a;
  if (conditions & no_plus) drop(n);
  if (conditions & no_minus) drop(t);
  kind_[n] = conditions & still_n ? zero : inequality;
  const bool both = (conditions & forward) && (conditions & backward);
  kind_[t] = both || (conditions & still_t) ? zero : conditions & (forward | backward) ? inequality : none;
  if (kind_[t] == inequality && (conditions & backward)) {
    value_[t] = -value_[t];
    for (int c = 0; c < columns_; ++c) t_[c][t] = -t_[c][t];
  }
  eliminate(late);
}

void ModeTableau::close() { eliminate(rank); }

void ModeTableau::drop(int variable) {
  for (int c = 0; c < columns_; ++c)
    if (variable_[c] == variable) return remove(c);
}

void ModeTableau::remove(int column) {
  --columns_;
  variable_[column] = variable_[columns_];
  if (column != columns_) std::copy_n(t_[columns_], rows_, t_[column]);
}

// Solves equations for variables of decided contacts, the largest pivot first, as long as it is not below `least`.
void ModeTableau::eliminate(Real least) {
  for (;;) {
    int row = -1, column = -1;
    Real most = least;
    for (int c = 0; c < columns_; ++c) {
      if (!(decided_ >> (variable_[c] / 2) & 1)) continue;
      for (int r = 0; r < rows_; ++r)
        if (kind_[r] == zero && std::abs(t_[c][r]) > most) most = std::abs(t_[c][r]), row = r, column = c;
    }
    if (row < 0) return;
    pivot(row, column);
  }
}

// 0 = value + sum t x, solved for the variable of the column; the row then gives that variable.
void ModeTableau::pivot(int row, int column) {
  const Real inverse = -1 / t_[column][row];
  const auto update = [&](Real* x) {
    const Real f = x[row] * inverse;
    for (int r = 0; r < rows_; ++r) x[r] += f * t_[column][r];
    x[row] = f;
  };
  update(value_);
  for (int c = 0; c < columns_; ++c)
    if (c != column) update(t_[c]);
  basic_[row] = variable_[column], kind_[row] = nonnegative;
  remove(column);
}

bool ModeTableau::dead() const {
  bool rises[2 * max_contacts] = {}, falls[2 * max_contacts] = {};
  for (int c = 0; c < columns_; ++c)
    for (int r = 0; r < rows_; ++r) rises[r] |= t_[c][r] > coefficient, falls[r] |= t_[c][r] < -coefficient;
  for (int r = 0; r < rows_; ++r) {
    if (kind_[r] == none) continue;
    if (!rises[r] && value_[r] < -failed) return true;
    if (kind_[r] == positive && !rises[r] && value_[r] <= border) return true;
    if (kind_[r] == zero && !falls[r] && value_[r] > failed) return true;
  }
  return false;
}

Real ModeTableau::size() const {
  Real most = 1;
  for (int r = 0; r < rows_; ++r)
    if (basic_[r] >= 0) most = std::max(most, std::abs(value_[r]));
  return most;
}

bool ModeTableau::empty() const {
  const Real slack = failed * size();
  for (int r = 0; r < rows_; ++r) {
    if (kind_[r] == zero && std::abs(value_[r]) > slack) return true;
    if (columns_ == 0 && kind_[r] >= nonnegative && value_[r] < -slack) return true;
  }
  return false;
}

Eigen::VectorXd ModeTableau::point() const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(rows_);
  for (int r = 0; r < rows_; ++r)
    if (basic_[r] >= 0) x(basic_[r]) = value_[r];
  return x;
}

Eigen::VectorXd ModeTableau::direction(int c) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(rows_);
  for (int r = 0; r < rows_; ++r)
    if (basic_[r] >= 0) x(basic_[r]) = t_[c][r];
  x(variable_[c]) = 1;
  return x;
}

void ModeTableau::inequalities(Eigen::MatrixXd& C, Eigen::VectorXd& c) const {
  C.resize(rows_, columns_), c.resize(rows_);
  int count = 0;
  for (int r = 0; r < rows_; ++r) {
    if (kind_[r] < nonnegative) continue;
    for (int k = 0; k < columns_; ++k) C(count, k) = t_[k][r];
    c(count++) = value_[r];
  }
  C.conservativeResize(count, columns_), c.conservativeResize(count);
}

// Whether a strict row is zero at all of them.
bool ModeTableau::on_border(const ExtremePoints& found) const {
  for (int r = 0; r < rows_; ++r) {
    if (kind_[r] != positive) continue;
    Real most = 0;
    const auto raise = [&](const Eigen::VectorXd& z, Real value) {
      for (int c = 0; c < columns_; ++c) value += t_[c][r] * z(c);
      most = std::max(most, value);
    };
    for (const Eigen::VectorXd& z : found.points) raise(z, value_[r]);
    for (const Eigen::VectorXd& z : found.rays) raise(z, 0);
    if (most <= border) return true;
  }
  return false;
}

ExtremePoints extremes(const ModeTableau& tableau) {
  Eigen::MatrixXd C;
  Eigen::VectorXd c;
  tableau.inequalities(C, c);
  ExtremePoints found = extreme_points(C, c);
  if (tableau.on_border(found)) return {{}, {}, found.complete};
  Eigen::MatrixXd directions(tableau.point().size(), tableau.open());
  for (int k = 0; k < tableau.open(); ++k) directions.col(k) = tableau.direction(k);
  for (Eigen::VectorXd& z : found.points) z = (tableau.point() + directions * z).cwiseMax(0);
  for (Eigen::VectorXd& z : found.rays) z = (directions * z).cwiseMax(0);
  return found;
}

}  // namespace cairn
