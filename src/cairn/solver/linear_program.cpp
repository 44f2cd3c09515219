#include "cairn/solver/linear_program.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {

struct LinearProgram::Clp {
  ClpSimplex model;
};

namespace {

constexpr double tight = 1e-9;       // [-] feasibility; data are of the order of one
constexpr double of_prices = 1e-11;  // [-] where new columns are made from them

LinearProgram::Outcome outcome_of(int status) {
  switch (status) {
    case 0: return LinearProgram::Outcome::optimal;
    case 1: return LinearProgram::Outcome::infeasible;
    case 2: return LinearProgram::Outcome::unbounded;
    default: return LinearProgram::Outcome::failed;
  }
}

}  // namespace

LinearProgram::LinearProgram(const std::vector<Real>& b, bool precise_prices) : clp_(std::make_unique<Clp>()) {
  ClpSimplex& m = clp_->model;
  m.setLogLevel(0);
  m.resize(static_cast<int>(b.size()), 0);
  for (int i = 0; i < static_cast<int>(b.size()); ++i) {
    const double value = b[static_cast<std::size_t>(i)];
    m.setRowBounds(i, value, value);
  }
  m.setPrimalTolerance(tight), m.setDualTolerance(precise_prices ? of_prices : tight);
  m.scaling(0);
  m.setPerturbation(100);  // none: answers are vertices of the set itself
}

LinearProgram::~LinearProgram() = default;

int LinearProgram::add_column(const std::vector<ForceEntry>& entries, bool free) {
  std::vector<int> rows;
  std::vector<double> values;
  for (const ForceEntry& e : entries) rows.push_back(e.row), values.push_back(e.value);
  constexpr double infinite = std::numeric_limits<double>::max();
  clp_->model.addColumn(static_cast<int>(rows.size()), rows.data(), values.data(), free ? -infinite : 0.0, infinite, 0);
  return clp_->model.numberColumns() - 1;
}

LinearProgram::Outcome LinearProgram::minimise(std::span<const Cost> cost) {
  ClpSimplex& m = clp_->model;
  for (const int c : priced_) m.setObjectiveCoefficient(c, 0);
  priced_.clear();
  for (const Cost& c : cost) m.setObjectiveCoefficient(c.column, c.value), priced_.push_back(c.column);
  m.primal(0, 3);
  iterations_ += m.numberIterations();
  if (m.status() == 0 || m.status() == 2) return outcome_of(m.status());
  // The basis has become a bad one: from the beginning, then by the other method, then with a coarser measure.
  const double prices = m.dualTolerance();
  for (int attempt = 0; attempt < 3 && m.status() != 0 && m.status() != 2; ++attempt) {
    if (attempt == 2) m.setDualTolerance(tight), m.setPrimalTolerance(10 * tight);
    m.allSlackBasis(true);
    if (attempt == 1)
      m.dual();
    else
      m.primal();
    iterations_ += m.numberIterations();
  }
  m.setDualTolerance(prices), m.setPrimalTolerance(tight);
  return outcome_of(m.status());
}

bool LinearProgram::basic(int column) const { return clp_->model.getColumnStatus(column) == ClpSimplex::basic; }

void LinearProgram::remove_columns(const std::vector<int>& columns) {
  for (const int c : priced_) clp_->model.setObjectiveCoefficient(c, 0);
  priced_.clear();
  clp_->model.deleteColumns(static_cast<int>(columns.size()), columns.data());
}

int LinearProgram::columns() const { return clp_->model.numberColumns(); }

std::span<const Real> LinearProgram::point() const {
  return {clp_->model.primalColumnSolution(), static_cast<std::size_t>(clp_->model.numberColumns())};
}

Real LinearProgram::overstated() const {
  const ClpSimplex& m = clp_->model;
  double below = 0, costs = 0, off = 0, prices = 0;
  for (int j = 0; j < m.numberColumns(); ++j) {
    if (m.columnLower()[j] < 0) continue;  // free
    below = std::max(below, -m.primalColumnSolution()[j]), costs += std::max(0.0, m.dualColumnSolution()[j]);
  }
  for (int i = 0; i < m.numberRows(); ++i) {
    off = std::max(off, std::fabs(m.primalRowSolution()[i] - m.rowLower()[i]));
    prices += std::fabs(m.dualRowSolution()[i]);
  }
  return below * costs + off * (costs + prices);
}

std::span<const Real> LinearProgram::prices() const {
  return {clp_->model.dualRowSolution(), static_cast<std::size_t>(clp_->model.numberRows())};
}

}  // namespace cairn
