#include "cairn/lagrange/certify_impact.hpp"

#include <fmt/format.h>

namespace cairn::impact_detail {
namespace {

std::string listed(const Eigen::VectorXd& x) {
  std::string text;
  for (Eigen::Index i = 0; i < x.size(); ++i) text += fmt::format("{}{:.6g}", i > 0 ? ", " : "", x(i));
  return "(" + text + ")";
}

std::string rows(const Eigen::MatrixXd& m) {
  std::string text;
  for (Eigen::Index i = 0; i < m.rows(); ++i) text += (i > 0 ? " " : "") + listed(m.row(i).transpose());
  return text;
}

}  // namespace

std::string describe_count(bool passes, long count, Real tolerance) {
  return fmt::format("{} on {} states, tolerance {:.1e}\n",
                     passes ? "satisfies the conditions of an impact law" : "is not an impact law", count, tolerance);
}

std::string describe_violation(const char* condition, Real value, long member, const Eigen::MatrixXd& A,
                               const Eigen::MatrixXd& G, const Eigen::VectorXd& before, const Eigen::VectorXd& after) {
  return fmt::format("{}: {:.3e}, state {}\n  A rows {}\n  G rows {}\n  u- {}\n  u+ {}\n", condition, value, member,
                     rows(A), rows(G), listed(before), listed(after));
}

}  // namespace cairn::impact_detail
