#include "cairn/solver/linear_program.hpp"

#include <ClpSimplex.hpp>
#include <limits>

namespace cairn {

struct LinearProgram::Clp {
  ClpSimplex model;
};

namespace {

constexpr double tight = 1e-9;       // [-] feasibility; data are of the order of one
constexpr double of_prices = 1e-11;  // [-] their error

}  // namespace

LinearProgram::LinearProgram(const std::vector<Real>& b) : clp_(std::make_unique<Clp>()) {
  ClpSimplex& m = clp_->model;
  m.setLogLevel(0);
  m.resize(static_cast<int>(b.size()), 0);
  for (int i = 0; i < static_cast<int>(b.size()); ++i) {
    const double value = b[static_cast<std::size_t>(i)];
    m.setRowBounds(i, value, value);
  }
  m.setPrimalTolerance(tight), m.setDualTolerance(of_prices);
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
  switch (m.status()) {
    case 0: return Outcome::optimal;
    case 1: return Outcome::infeasible;
    case 2: return Outcome::unbounded;
    default: return Outcome::failed;
  }
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

std::span<const Real> LinearProgram::prices() const {
  return {clp_->model.dualRowSolution(), static_cast<std::size_t>(clp_->model.numberRows())};
}

}  // namespace cairn
