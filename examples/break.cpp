// The break of a billiard rack under Moreau's law: the cue ball strikes the apex of a triangle of touching balls,
// without friction, and all the contacts answer at once (BC18 eq. 4).
#include <fmt/format.h>

#include <algorithm>

#include "cairn/base/least_norm.hpp"
#include "cairn/lagrange/contact_problem.hpp"
#include "cairn/law/signorini.hpp"
#include "examples/example.hpp"

namespace cairn::examples {
namespace {

// Equal discs of unit mass and diameter; the first is the cue ball, at the left of the apex.
struct Rack {
  using Law = Signorini;
  static constexpr int freedoms = dynamic_size;
  struct Pair {
    int i, j;
  };
  int balls = 0;
  Real e = 0;
  Vector<dynamic_size> q;
  std::vector<Pair> pairs;  // that touch

  Vector<2> separation(int a, const Vector<dynamic_size>& at) const {
    const Pair pair = pairs[static_cast<std::size_t>(a)];
    return at.segment<2>(2 * pair.j) - at.segment<2>(2 * pair.i);
  }
  int contacts() const { return static_cast<int>(pairs.size()); }
  Matrix<dynamic_size, dynamic_size> inertia(Real, const Vector<dynamic_size>&) const {
    return Matrix<dynamic_size, dynamic_size>::Identity(2 * balls, 2 * balls);
  }
  Vector<dynamic_size> force(Real, const Vector<dynamic_size>&, const Vector<dynamic_size>&) const {
    return Vector<dynamic_size>::Zero(2 * balls);
  }
  Real gap(int a, Real, const Vector<dynamic_size>& at) const { return separation(a, at).norm() - 1; }
  Kinematics<1, dynamic_size> kinematics(int a, Real, const Vector<dynamic_size>& at) const {
    const Pair pair = pairs[static_cast<std::size_t>(a)];
    const Vector<2> n = separation(a, at).normalized();
    Matrix<1, dynamic_size> G = Matrix<1, dynamic_size>::Zero(1, 2 * balls);
    G.segment<2>(2 * pair.i) = -n.transpose();
    G.segment<2>(2 * pair.j) = n.transpose();
    return {G, Vector<1>(0)};
  }
  Law law(int, Real, const Vector<dynamic_size>&) const { return {}; }
  Restitution restitution(int) const { return {e, e}; }
};

Rack rack(int rows, Real e) {
  Rack out;
  out.e = e;
  out.balls = 1 + rows * (rows + 1) / 2;
  out.q = Vector<dynamic_size>::Zero(2 * out.balls);
  out.q(0) = -1;
  int ball = 1;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k <= row; ++k, ++ball) {
      out.q(2 * ball) = row * std::sqrt(Real(3)) / 2;
      out.q(2 * ball + 1) = k - Real(0.5) * row;
    }
  for (int i = 0; i < out.balls; ++i)
    for (int j = i + 1; j < out.balls; ++j)
      if ((out.q.segment<2>(2 * j) - out.q.segment<2>(2 * i)).norm() < 1 + Real(1e-9)) out.pairs.push_back({i, j});
  return out;
}

plot::Figure picture(const Rack& system, const ContactProblem<Rack>& impact) {
  plot::Axes axes{"Velocities after (arrows) and percussions (width of the lines)", "x [diameters]", "y [diameters]"};
  axes.equal_aspect = true;
  Real most = 0, fastest = 0;
  for (int a = 0; a < impact.size(); ++a) most = std::max(most, impact.impulse(a)(0));
  for (int i = 0; i < system.balls; ++i) {
    axes.shapes.push_back(plot::circle(system.q(2 * i), system.q(2 * i + 1), 0.5, i == 0 ? "#ffffff" : "#dde8f0"));
    fastest = std::max(fastest, impact.velocity().segment<2>(2 * i).norm());
  }
  for (int a = 0; a < impact.size(); ++a) {
    const Real P = impact.impulse(a)(0);
    if (!(P > Real(1e-9) * most)) continue;
    const Rack::Pair pair = system.pairs[static_cast<std::size_t>(a)];
    plot::Shape line = plot::polyline({system.q(2 * pair.i), system.q(2 * pair.j)},
                                      {system.q(2 * pair.i + 1), system.q(2 * pair.j + 1)}, "#0072b2");
    line.closed = false, line.width = 12 * P / most;
    axes.shapes.push_back(line);
  }
  for (int i = 0; i < system.balls; ++i) {
    const Vector<2> x = system.q.segment<2>(2 * i), u = impact.velocity().segment<2>(2 * i) / fastest;
    if (u.norm() > 0.03) axes.shapes.push_back(plot::arrow(x(0), x(1), x(0) + u(0), x(1) + u(1), "#d55e00"));
  }
  return {"", {axes}, 1, 640, 600};
}

Expected<Output> run(const Parameters& p) {
  const Rack system = rack(p.integer("rows"), p.number("e"));
  ContactProblem<Rack> impact(system);
  Vector<dynamic_size> u = Vector<dynamic_size>::Zero(2 * system.balls);
  u(0) = p.number("speed");
  if (!impact.begin(0, system.q)) return Error{"the inertia matrix is not positive definite"};
  for (int a = 0; a < system.contacts(); ++a) impact.add(a);
  if (!impact.solve(u, u).converged)
    return Error{fmt::format("rows: {}: the impact was not solved", p.integer("rows"))};
  Matrix<dynamic_size, dynamic_size> G(system.contacts(), 2 * system.balls);
  for (int a = 0; a < impact.size(); ++a) G.row(a) = impact.contact(a).G;

  Output out;
  std::vector<std::vector<double>> velocities;
  std::vector<double> x, y, vx, vy;
  for (int i = 0; i < system.balls; ++i) {
    const Vector<2> v = impact.velocity().segment<2>(2 * i);
    velocities.push_back({v(0), v(1)});
    x.push_back(system.q(2 * i)), y.push_back(system.q(2 * i + 1)), vx.push_back(v(0)), vy.push_back(v(1));
  }
  std::vector<double> first, second, percussion;
  for (int a = 0; a < impact.size(); ++a) {
    const Rack::Pair pair = system.pairs[static_cast<std::size_t>(a)];
    first.push_back(pair.i), second.push_back(pair.j), percussion.push_back(impact.impulse(a)(0));
  }
  const auto rank = column_rank(G);
  out.set("cue_speed", impact.velocity()(0));
  out.set("velocities", velocities);
  out.set("energy_ratio", impact.velocity().squaredNorm() / u.squaredNorm());
  out.set("contacts", system.contacts());
  out.set("rank", rank);
  out.set("apex_speed", impact.velocity()(2));
  if (rank < system.contacts())
    out.remark(
        fmt::format("{} contacts on {} independent directions: the velocities are unique, the percussions are not.",
                    system.contacts(), rank));
  out.table("balls", {{"x", x}, {"y", y}, {"vx", vx}, {"vy", vy}});
  out.table("contacts", {{"ball", first}, {"other", second}, {"percussion", percussion}});
  out.figure("break", picture(system, impact));
  return out;
}

}  // namespace

Example break_shot() {
  return {"break",
          "A cue ball breaks a billiard rack: many contacts in one impact",
          "BC18 4.2",
          {integer("rows", 5, "of the rack: 5 make the 15 balls of pool", 1, 15),
           number("e", 0, "", "coefficient of restitution", 0, 1),
           number("speed", 1, "m/s", "of the cue ball, along the axis of the rack", above_zero)},
          {{"cue_speed", "m/s", "velocity of the cue ball after, along the axis"},
           {"velocities", "m/s", "of each ball, the cue ball first, then row by row"},
           {"energy_ratio", "", "kinetic energy after over before"},
           {"contacts", "", "number of contacts"},
           {"rank", "", "number of independent ones among them"},
           {"apex_speed", "m/s", "velocity of the apex ball along the axis"}},
          run};
}

}  // namespace cairn::examples
