#include "cairn/lagrange/diagnostics.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "cairn/base/check.hpp"
#include "cairn/base/least_norm.hpp"

namespace cairn {
namespace {

// Rows of length one in the metric A^-1, as columns in an orthonormal frame: x = L^-1 d, A = L L^T.
Eigen::MatrixXd unit_columns(const Eigen::LLT<Eigen::MatrixXd>& A, const Eigen::MatrixXd& rows) {
  Eigen::MatrixXd x = A.matrixL().solve(rows.transpose());
  for (Eigen::Index a = 0; a < x.cols(); ++a) {
    const Real size = x.col(a).norm();
    if (size > 0) x.col(a) /= size;
  }
  return x;
}

// Gradients are taken in order; one that lies in the span of those kept closes a circuit with the ones it needs.
void find_dependence(const Eigen::MatrixXd& x, Real tolerance, ImpactDiagnosis& d) {
  std::vector<int> basis;
  for (int a = 0; a < x.cols(); ++a) {
    const auto m = static_cast<Eigen::Index>(basis.size());
    Eigen::MatrixXd B(x.rows(), m);
    for (Eigen::Index i = 0; i < m; ++i) B.col(i) = x.col(basis[static_cast<std::size_t>(i)]);
    Eigen::VectorXd part = Eigen::VectorXd::Zero(m);
    if (m > 0) part = least_norm_solution(B, x.col(a));
    if ((x.col(a) - B * part).norm() > tolerance) {
      basis.push_back(a);
      continue;
    }
    std::vector<int> circuit;
    for (Eigen::Index i = 0; i < m; ++i)
      if (std::abs(part(i)) > tolerance)
        circuit.push_back(d.contacts[static_cast<std::size_t>(basis[static_cast<std::size_t>(i)])]);
    circuit.push_back(d.contacts[static_cast<std::size_t>(a)]);
    d.dependent.push_back(std::move(circuit));
  }
  d.rank = static_cast<int>(basis.size());
}

void judge(Real tolerance, ImpactDiagnosis& d) {
  const auto k = static_cast<int>(d.contacts.size());
  if (k < 2) {
    d.continuity = k == 0 ? Continuity::free : Continuity::single;
    return;
  }
  // With e = 0 only a positive product breaks the condition; otherwise any that is not zero does.
  const auto weight = [&](Real c) { return d.soft ? c : std::abs(c); };
  Real largest = 0;
  for (int a = 0; a < k; ++a)
    for (int b = a + 1; b < k; ++b) {
      largest = std::max(largest, std::abs(d.cosine(a, b)));
      if (d.worst_first >= 0 && !(weight(d.cosine(a, b)) > weight(d.worst_cosine))) continue;
      d.worst_cosine = d.cosine(a, b);
      d.worst_first = d.contacts[static_cast<std::size_t>(a)], d.worst_second = d.contacts[static_cast<std::size_t>(b)];
    }
  if (largest <= tolerance)
    d.continuity = Continuity::orthogonal;
  else
    d.continuity = weight(d.worst_cosine) <= tolerance ? Continuity::acute : Continuity::sensitive;
}

std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int n : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", n);
  return text;
}

}  // namespace

const char* describe(Continuity continuity) {
  switch (continuity) {
    case Continuity::free: return "no active constraint";
    case Continuity::single: return "one active constraint: the outcome depends continuously on data";
    case Continuity::orthogonal: return "orthogonal constraints: the outcome depends continuously on data for every e";
    case Continuity::acute: return "e = 0 and no acute angle of gradients: the outcome depends continuously on data";
    case Continuity::sensitive: return "sensitive: neighbouring data may give other outcomes";
  }
  return "";
}

ImpactDiagnosis diagnose(const Eigen::MatrixXd& A, const Eigen::MatrixXd& rows, const Eigen::MatrixXd& all_rows,
                         std::vector<int> contacts, bool soft, Real tolerance) {
  CAIRN_CHECK(static_cast<std::size_t>(rows.rows()) == contacts.size(), "one gradient for each contact");
  ImpactDiagnosis d;
  d.contacts = std::move(contacts);
  d.soft = soft;
  d.frictional = all_rows.rows() > rows.rows();
  const Eigen::LLT<Eigen::MatrixXd> factors(A);
  CAIRN_CHECK(factors.info() == Eigen::Success, "the inertia matrix is positive definite");
  const Eigen::MatrixXd x = unit_columns(factors, rows);
  d.cosine = x.transpose() * x;
  find_dependence(x, tolerance, d);
  judge(tolerance, d);
  if (all_rows.rows() > 0)
    d.hyperstaticity = static_cast<int>(all_rows.rows()) - column_rank(unit_columns(factors, all_rows), tolerance);
  return d;
}

std::string describe(const ImpactDiagnosis& d) {
  std::string text = fmt::format("{} active: {}\n{}\n", d.contacts.size(), joined(d.contacts), describe(d.continuity));
  if (d.frictional) text += "(of the normal parts: nothing is known with friction)\n";
  if (d.worst_first >= 0)
    text +=
        fmt::format("decided by contacts {} and {}: cosine {:.6g}\n", d.worst_first, d.worst_second, d.worst_cosine);
  text += fmt::format("rank of the gradients {}", d.rank);
  for (const std::vector<int>& set : d.dependent) text += fmt::format("; dependent: {}", joined(set));
  text += "\n";
  if (d.hyperstaticity > 0) text += fmt::format("self-balanced impulses: {} dimension(s)\n", d.hyperstaticity);
  return text;
}

}  // namespace cairn
