#include "cairn/lagrange/check_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "cairn/base/symmetric_eigen.hpp"

namespace cairn {

// Neville's table over halved steps (Ridders). Differences at small steps suffer from rounding, those at large steps
// from curvature and kinks; the entry that agrees best with its neighbours is kept.
Slope slope_at_zero(const std::function<Real(Real)>& f, Real step) {
  constexpr std::size_t halvings = 20;  // down to 1e-6 of the first step
  std::array<Real, halvings> above{}, row{};
  Slope best{std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()};
  Real h = step;
  for (std::size_t i = 0; i < halvings; ++i, h /= 2) {
    const Real after = f(h), before = f(-h);
    row[0] = (after - before) / (2 * h);
    // No value is surer than rounding lets it be, though two may agree by chance.
    const Real rounding = std::numeric_limits<Real>::epsilon() * (std::abs(after) + std::abs(before)) / (2 * h);
    Real factor = 4;
    for (std::size_t j = 1; j <= i; ++j, factor *= 4) {
      row[j] = row[j - 1] + (row[j - 1] - above[j - 1]) / (factor - 1);
      const Real error = std::max({rounding, std::abs(row[j] - row[j - 1]), std::abs(row[j] - above[j - 1])});
      if (error < best.error) best = {row[j], error};
    }
    above = row;
  }
  return best;
}

namespace check {

std::string text(Real x) { return fmt::format("{:.6g}", x); }

std::string not_finite(const std::string& what, const Vector<dynamic_size>& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!std::isfinite(x(i))) return fmt::format("{}: entry {} is {}, not a finite number", what, i, x(i));
  return "";
}

void inertia(const Matrix<dynamic_size, dynamic_size>& A, const CheckOptions& options,
             std::vector<std::string>& found) {
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (const std::string row = not_finite(fmt::format("row {} of A", i), A.row(i)); !row.empty())
      return found.push_back(row);
  const Real size = A.cwiseAbs().maxCoeff();
  bool symmetric = true;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (!(std::abs(A(i, j) - A(j, i)) <= options.symmetry * size)) {
        found.push_back(
            fmt::format("A is not symmetric: A({},{}) = {:.6g}, A({},{}) = {:.6g}", i, j, A(i, j), j, i, A(j, i)));
        symmetric = false;
      }
  if (!symmetric) return;
  const Real least = symmetric_eigenvalues(A)(0);
  if (!(least > std::numeric_limits<Real>::epsilon() * size))
    found.push_back(fmt::format("A is not positive definite: its least eigenvalue is {:.6g}", least));
}

void force(const Vector<dynamic_size>& F, std::vector<std::string>& found) {
  if (const std::string wrong = not_finite("F", F); !wrong.empty()) found.push_back(wrong);
}

void normal_row(int a, const Vector<dynamic_size>& row, Real W, const std::vector<Slope>& slopes,
                const CheckOptions& options, std::vector<std::string>& found) {
  const Real size = std::max(Real(1), row.cwiseAbs().maxCoeff());
  const auto compare = [&](const std::string& entry, Real given, const Slope& slope, Real scale, const char* unclear) {
    const std::string start = of(a) + entry + " = " + text(given);
    if (!(slope.error <= options.tolerance * scale))
      found.push_back(start + unclear);
    else if (!(std::abs(given - slope.value) <= options.tolerance * scale))
      found.push_back(start + ", finite differences of the gap give " + text(slope.value));
  };
  for (Eigen::Index i = 0; i < row.size(); ++i)
    compare(fmt::format("G(0,{})", i), row(i), slopes[static_cast<std::size_t>(i)], size,
            ", finite differences of the gap do not settle: has it a derivative there?");
  compare("W(0)", W, slopes.back(), std::max(Real(1), std::abs(W)),
          ", finite differences of the gap in time do not settle: has it a derivative there?");
}

}  // namespace check
}  // namespace cairn
