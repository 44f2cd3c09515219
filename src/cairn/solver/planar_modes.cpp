#include "cairn/solver/planar_modes.hpp"

#include <algorithm>
#include <cmath>

#include "cairn/base/least_norm.hpp"

namespace cairn {

const char* name(ContactMode mode) {
  switch (mode) {
    case ContactMode::take_off: return "take-off";
    case ContactMode::stick: return "stick";
    case ContactMode::slide_plus: return "slide +";
    case ContactMode::slide_minus: return "slide -";
    case ContactMode::slide: return "slide";
  }
  return "?";
}

unsigned conditions(ContactMode mode) {
  switch (mode) {
    case ContactMode::take_off: return no_plus | no_minus;
    case ContactMode::stick: return still_n | still_t;
    case ContactMode::slide_plus: return no_plus | still_n | forward;
    case ContactMode::slide_minus: return no_minus | still_n | backward;
    case ContactMode::slide: return no_minus | still_n;
  }
  return 0;
}

std::span<const ContactMode> modes_of(const Coulomb2& law) {
  using enum ContactMode;
  static constexpr ContactMode rough[] = {stick, slide_plus, slide_minus, take_off}, smooth[] = {slide, take_off};
  if (law.mu_plus + law.mu_minus > 0) return rough;
  return smooth;
}

unsigned admitted(const Coulomb2& law, const Vec<2>& U, const Vec<2>& S, Real slack) {
  const auto bit = [](ContactMode mode) { return 1u << static_cast<unsigned>(mode); };
  const bool still_normal = std::abs(U[0]) <= slack, pressed = S[0] >= -slack;
  unsigned found = 0;
  if (std::abs(S[0]) <= slack && std::abs(S[1]) <= slack && U[0] >= -slack) found |= bit(ContactMode::take_off);
  if (!still_normal || !pressed) return found;
  if (!(law.mu_plus + law.mu_minus > 0)) return std::abs(S[1]) <= slack ? found | bit(ContactMode::slide) : found;
  const Real above = law.mu_plus * S[0] - S[1], below = law.mu_minus * S[0] + S[1];  // from the edges of the cone
  if (std::abs(U[1]) <= slack && above >= -slack && below >= -slack) found |= bit(ContactMode::stick);
  if (U[1] >= -slack && std::abs(below) <= slack) found |= bit(ContactMode::slide_plus);
  if (U[1] <= slack && std::abs(above) <= slack) found |= bit(ContactMode::slide_minus);
  return found;
}

ContactMode shown_mode(unsigned found) {
  using enum ContactMode;
  for (const ContactMode mode : {take_off, stick, slide_plus, slide_minus})
    if (found >> static_cast<unsigned>(mode) & 1) return mode;
  return slide;
}

Eigen::VectorXd velocity(const PlanarProblem& p, const Eigen::VectorXd& S) {
  Eigen::VectorXd U(p.q.size());
  for (int r = 0; r < U.size(); ++r) {
    long double sum = p.q(r);
    for (int c = 0; c < S.size(); ++c) sum += static_cast<long double>(p.W(r, c)) * S(c);
    U(r) = static_cast<Real>(sum);
  }
  return U;
}

Eigen::VectorXd impulses(const PlanarProblem& p, const Eigen::VectorXd& x) {
  Eigen::VectorXd S(x.size());
  for (int a = 0; a < p.contacts(); ++a) {
    const Vec<2> plus = p.generator(a, false), minus = p.generator(a, true);
    const Real n = x(2 * a) * plus[0] + x(2 * a + 1) * minus[0];
    S(2 * a) = n;
    // On an edge of the cone to the last bit.
    if (x(2 * a + 1) == 0)
      S(2 * a + 1) = p.law[a].mu_plus * n;
    else if (x(2 * a) == 0)
      S(2 * a + 1) = -p.law[a].mu_minus * n;
    else
      S(2 * a + 1) = x(2 * a) * plus[1] + x(2 * a + 1) * minus[1];
  }
  return S;
}

Real natural_error(const PlanarProblem& p, const Eigen::VectorXd& U, const Eigen::VectorXd& S) {
  Real sum = 0;
  for (int a = 0; a < p.contacts(); ++a)
    sum += norm2(natural_map(p.law[a], Vec<2>::load(&U[2 * a]), Vec<2>::load(&S[2 * a])));
  const Real size = p.q.norm();
  return std::sqrt(sum) / (size > 0 ? size : 1);
}

Eigen::VectorXd refined(const PlanarProblem& p, std::span<const ContactMode> modes, const Eigen::VectorXd& start,
                        bool active) {
  Eigen::VectorXd x = start, U = velocity(p, impulses(p, x));
  const Real slack = Real(1e-9) * (1 + x.cwiseAbs().maxCoeff());
  std::vector<int> rows, free;  // equations, unknowns
  for (int a = 0; a < p.contacts(); ++a) {
    const unsigned holds = conditions(modes[static_cast<std::size_t>(a)]);
    const int n = 2 * a, t = n + 1;
    if ((holds & still_n) || (active && std::abs(U(n)) <= slack)) rows.push_back(n);
    const bool bound = holds & (forward | backward);
    if ((holds & still_t) || (active && bound && std::abs(U(t)) <= slack)) rows.push_back(t);
    if (!(holds & no_plus) && !(active && x(n) <= slack))
      free.push_back(n);
    else
      x(n) = 0;
    if (!(holds & no_minus) && !(active && x(t) <= slack))
      free.push_back(t);
    else
      x(t) = 0;
  }
  if (free.empty() || rows.empty()) return x;
  const Eigen::MatrixXd B = p.columns();
  const Eigen::MatrixXd system = B(rows, free);
  const LeastNorm factors(system, Real(1e-11));
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd step = factors.solve(Eigen::VectorXd(velocity(p, impulses(p, x))(rows)));
    for (std::size_t i = 0; i < free.size(); ++i) x(free[i]) -= step(static_cast<Eigen::Index>(i));
  }
  return x;
}

}  // namespace cairn
