#include "cairn/scheme/collection.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "cairn/model/build.hpp"
#include "cairn/problem/islands.hpp"
#include "cairn/scheme/spin.hpp"
#include "cairn/solver/solve_bodies.hpp"

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Watch {
 public:
  explicit Watch(double& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~Watch() { total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_;
};

// Columns n, t (n turned by a quarter); n, t1, t2 right-handed.
Mat<2> frame_of(const Vec<2>& n) { return {{n[0], n[1], -n[1], n[0]}}; }
Mat<3> frame_of(const Vec<3>& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[least])) least = i;
  Vec<3> axis{};
  axis[least] = 1;
  const Vec<3> t = normalised(cross(n, axis)), s = cross(n, t);
  return {{n[0], n[1], n[2], t[0], t[1], t[2], s[0], s[1], s[2]}};
}

template <int D>
Vec<D> linear(const Vec<freedoms<D>>& u) {
  return Vec<D>::load(u.v);
}
template <int D>
Vec<spins<D>> spin(const Vec<freedoms<D>>& u) {
  return Vec<spins<D>>::load(u.v + D);
}

// d(velocity along e of the point at r)/d(spin): r x e, in the body's own axes in space.
Vec<1> arm(const Vec<2>& r, const Vec<2>& e, const Rotation<2>&) { return {cross(r, e)}; }
Vec<3> arm(const Vec<3>& r, const Vec<3>& e, const Rotation<3>& R) { return R.inverse() * cross(r, e); }

// Work bounded by a count, never by the clock: the same start gives the same bits.
SolverOptions counted(Real tolerance, long iterations) {
  SolverOptions o;
  o.tolerance = tolerance;
  o.max_iterations = iterations;
  o.max_seconds = std::numeric_limits<Real>::infinity();
  return o;
}

Coulomb2 friction(Real mu, const Coulomb2*) { return Coulomb2::with(mu); }
Coulomb3 friction(Real mu, const Coulomb3*) { return Coulomb3{mu}; }

}  // namespace

template <int D>
Collection<D>::Collection(const Model<D>& model, const CollectionOptions& options)
    : model_(model), options_(options), detector_(model) {}

template <int D>
CollectionReport Collection<D>::step(ModelState<D>& s, Real h) {
  CollectionReport report;
  const std::vector<Vec<F>> u_I = s.u;
  if (s.assured < h / 2) approach(s, h / 2);
  drift(s, h / 2);  // q_M = q_I + h/2 u_I
  s.u = u_I;
  place(s, s.t + h / 2, h);
  {
    const Watch watch(report.seconds.detection);
    active_ = detector_.detect(pose_, alert_);
  }
  if (options_.correct) {
    const Watch watch(report.seconds.correction);
    correct(s, report);
  }
  {
    const Watch watch(report.seconds.assembly);
    free_velocities(s, h);  // u_L = u_I + h A^-1 F
    activate(h);            // J = { a : g_a(t_M, q_M) <= 0 }, and those that could close
    assemble(s, h);         // G_a, w_a   (JM92 7.1, 7.3)
  }
  {
    const Watch watch(report.seconds.solution);
    solve(s, report);  // u_F and S_a   (JM92 7.4, 7.5)
  }
  s.u = u_free_;
  for (std::size_t i = 0; i < member_.size(); ++i) s.u[at(member_[i])] = Vec<F>::load(&u_[i * F]);
  drift(s, h / 2);  // q_F = q_M + h/2 u_F
  s.t += h;
  s.assured = h / 2;
  for (int b = 0; b < static_cast<int>(s.x.size()); ++b)
    if (!model_.bodies[at(b)].free()) move_boundary(model_, s, b);
  const Watch watch(report.seconds.certificate);
  certify(u_I, s, h, report);
  return report;
}

template <int D>
void Collection<D>::drift(ModelState<D>& s, Real h) const {
  for (std::size_t b = 0; b < s.x.size(); ++b) {
    if (!model_.bodies[b].free()) continue;
    s.x[b] += h * linear<D>(s.u[b]);
    s.r[b].turn(h * spin<D>(s.u[b]));
  }
}

// Velocities for a first drift of length h, which no step before has restrained: those of the state where none leads
// through a body, else the nearest that do not. The state gets its own velocities back after the drift.
template <int D>
void Collection<D>::approach(ModelState<D>& s, Real h) {
  place(s, s.t, h);
  active_ = detector_.detect(pose_, alert_);
  const Real deep = -options_.tunnel * model_.size;
  if (std::none_of(active_.begin(), active_.end(), [&](const Contact<D>& c) {
        return c.gap > deep && c.gap + h * dot(c.normal, relative_velocity(c, velocity_)) < deep;
      }))
    return;
  gather();
  for (std::size_t i = 0; i < member_.size(); ++i) s.u[at(member_[i])].store(&problem_.u_free[i * F]);
  for (std::size_t a = 0; a < active_.size(); ++a) restrain(a, boundary_part(a)[0] + active_[a].gap / h);
  std::vector<Real> S, u;
  solve_bodies(problem_, counted(Real(1e-6), options_.iterations), S, u);
  for (std::size_t i = 0; i < member_.size(); ++i) s.u[at(member_[i])] = Vec<F>::load(&u[i * F]);
}

// Contact a without friction, and with U_N = G_N u + w_N.
template <int D>
void Collection<D>::restrain(std::size_t a, Real w_N) {
  problem_.law[a] = friction(0, static_cast<const Law*>(nullptr));
  for (int i = 0; i < D; ++i) problem_.w[a * D + at(i)] = i == 0 ? w_N : 0;
}

// W of contact a: the velocity of boundaries, free bodies being at rest.
template <int D>
Vec<D> Collection<D>::boundary_part(std::size_t a) const {
  const Contact<D>& c = active_[a];
  Vec<D> W{};
  for (int side = 0; side < 2; ++side)
    if (number_[at(c.body[side])] < 0) W += Real(side == 0 ? 1 : -1) * point_velocity(c.body[side], c.point, velocity_);
  return transpose(frame_[a]) * W;
}

// Poses at q_M, time t; alert distances: what a body may cover in the step, and a little.
template <int D>
void Collection<D>::place(const ModelState<D>& s, Real t, Real h) {
  const std::size_t n = s.x.size();
  pose_.resize(n), alert_.resize(n), velocity_.resize(n);
  const Real little = 10 * options_.closed * model_.size, fall = h * norm(model_.gravity);
  for (std::size_t b = 0; b < n; ++b) {
    const bool free = model_.bodies[b].free();
    const int number = static_cast<int>(b);
    pose_[b] = free ? s.pose(number) : boundary_pose(model_, number, t);
    velocity_[b] = free ? s.u[b] : boundary_velocity(model_, number, t, h);
    const Real turning = norm(spin<D>(velocity_[b]));
    alert_[b] = little + h * (norm(linear<D>(velocity_[b])) + fall + turning * model_.size);
  }
}

template <int D>
void Collection<D>::free_velocities(const ModelState<D>& s, Real h) {
  const std::size_t n = s.x.size();
  u_free_ = velocity_;
  force_.assign(n, {});
  for (std::size_t b = 0; b < n; ++b) {
    const Body<D>& body = model_.bodies[b];
    if (!body.free()) continue;
    Vec<F>& force = force_[b];
    if (model_.load) force = model_.load(static_cast<int>(b), s.t + h / 2, pose_[b], s.u[b]);
    for (int i = 0; i < D; ++i) force[i] += body.mass * model_.gravity[i], u_free_[b][i] += h / body.mass * force[i];
    free_spin(body.inertia, spin<D>(s.u[b]), Vec<spins<D>>::load(force.v + D), h).store(u_free_[b].v + D);
    for (int i = 0; i < F; ++i)
      if (body.locked[i] != 0) u_free_[b][i] = 0;
  }
}

// Moves bodies at q_M to the nearest place, in the kinetic metric, where no violation is deeper than the slop, all
// contacts being linearised there; velocities are left alone (M88 Remark 11.1).
template <int D>
void Collection<D>::correct(ModelState<D>& s, CollectionReport& report) {
  const Real slop = options_.slop * model_.size;
  for (const Contact<D>& c : active_) report.deepest = std::max(report.deepest, -c.gap);
  if (!(report.deepest > slop)) return;
  gather();
  for (std::size_t i = 0; i < member_.size(); ++i)
    for (int k = 0; k < F; ++k) problem_.u_free[i * F + at(k)] = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) restrain(a, active_[a].gap + Real(0.9) * slop);
  std::vector<Real> S, d;
  if (solve_bodies(problem_, counted(Real(1e-6), options_.iterations), S, d).error > Real(1e-2))
    return;  // seen in the certificate
  for (std::size_t i = 0; i < member_.size(); ++i) {
    const std::size_t b = at(member_[i]);
    const Vec<F> move = Vec<F>::load(&d[i * F]);
    s.x[b] += linear<D>(move);
    s.r[b].turn(spin<D>(move));
    pose_[b] = s.pose(member_[i]);
    report.correction_work += model_.bodies[b].mass * dot(model_.gravity, linear<D>(move));
  }
  for (std::size_t a = 0; a < active_.size(); ++a) {
    Vec<D> moved = problem_.velocity(static_cast<int>(a), d.data());
    active_[a].gap = moved[0] - Real(0.9) * slop;
  }
}

template <int D>
bool Collection<D>::takes_part(const Contact<D>& c, const Surface& surface, Real approach, Real h) const {
  if (c.gap <= options_.closed * model_.size || surface.restitution == 0) return true;
  return c.gap + h * approach < -options_.tunnel * model_.size;
}

template <int D>
void Collection<D>::activate(Real h) {
  const auto idle = [&](const Contact<D>& c) {
    const Surface& surface = model_.materials.between(c.material[0], c.material[1]);
    return !takes_part(c, surface, dot(c.normal, relative_velocity(c, u_free_)), h);
  };
  active_.erase(std::remove_if(active_.begin(), active_.end(), idle), active_.end());
}

template <int D>
Vec<D> Collection<D>::point_velocity(int body, const Vec<D>& point, const std::vector<Vec<F>>& u) const {
  const std::size_t b = at(body);
  Vec<spins<D>> w = spin<D>(u[b]);
  if constexpr (D == 3) w = pose_[b].R * w;
  return linear<D>(u[b]) + spin_velocity(w, point - pose_[b].x);
}
template <int D>
Vec<D> Collection<D>::relative_velocity(const Contact<D>& c, const std::vector<Vec<F>>& u) const {
  return point_velocity(c.body[0], c.point, u) - point_velocity(c.body[1], c.point, u);
}

// What relates one body's velocity to the local velocity, without its sign: rows along the columns of the frame.
template <int D>
auto Collection<D>::rows(int body, const Contact<D>& c, const Mat<D>& frame) const -> Mat<D, F> {
  const std::size_t b = at(body);
  Mat<D, F> G;
  for (int i = 0; i < D; ++i) {
    const Vec<D> e = Vec<D>::load(frame.v + i * D);
    const Vec<spins<D>> m = arm(c.point - pose_[b].x, e, pose_[b].R);
    for (int k = 0; k < D; ++k) G(i, k) = e[k];
    for (int k = 0; k < spins<D>; ++k) G(i, D + k) = m[k];
    for (int k = 0; k < F; ++k)
      if (model_.bodies[b].locked[k] != 0) G(i, k) = 0;
  }
  return G;
}

// The bodies that contacts touch, numbered; the rows of the contacts.
template <int D>
void Collection<D>::gather() {
  number_.assign(model_.bodies.size(), -1);
  member_.clear();
  for (const Contact<D>& c : active_)
    for (const int b : c.body)
      if (model_.bodies[at(b)].free()) number_[at(b)] = 0;
  for (int b = 0; b < static_cast<int>(number_.size()); ++b)
    if (number_[at(b)] == 0) number_[at(b)] = static_cast<int>(member_.size()), member_.push_back(b);
  const std::size_t n = member_.size(), contacts = active_.size();
  problem_.inverse_inertia.resize(n * F), problem_.u_free.resize(n * F);
  problem_.contact.resize(contacts), problem_.w.resize(contacts * D), problem_.law.resize(contacts);
  frame_.resize(contacts);
  for (std::size_t i = 0; i < n; ++i) {
    const Body<D>& body = model_.bodies[at(member_[i])];
    for (int k = 0; k < F; ++k) problem_.inverse_inertia[i * F + at(k)] = 1 / body.A(k);
  }
  for (std::size_t a = 0; a < contacts; ++a) {
    const Contact<D>& c = active_[a];
    frame_[a] = frame_of(c.normal);
    for (int side = 0; side < 2; ++side) {
      problem_.contact[a].body[side] = number_[at(c.body[side])];
      if (number_[at(c.body[side])] < 0) continue;
      problem_.contact[a].G[side] = Real(side == 0 ? 1 : -1) * rows(c.body[side], c, frame_[a]);
    }
  }
}

template <int D>
void Collection<D>::assemble(const ModelState<D>& s, Real h) {
  gather();
  for (std::size_t i = 0; i < member_.size(); ++i) u_free_[at(member_[i])].store(&problem_.u_free[i * F]);
  W_.resize(active_.size());
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const Contact<D>& c = active_[a];
    const Surface& surface = model_.materials.between(c.material[0], c.material[1]);
    const Mat<D> local = transpose(frame_[a]);
    W_[a] = boundary_part(a);
    problem_.law[a] = friction(surface.mu, static_cast<const Law*>(nullptr));
    Vec<D> w = W_[a];
    if (c.gap > options_.closed * model_.size) {
      w[0] += c.gap / h;  // U_N >= -g/h
    } else {
      const Vec<D> U_I = local * relative_velocity(c, velocity_);
      w[0] += surface.restitution * U_I[0];
      for (int i = 1; i < D; ++i) w[i] += surface.restitution_tangent * U_I[i];
    }
    w.store(&problem_.w[a * D]);
  }
  S_.assign(active_.size() * D, 0);
  std::size_t k = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) {  // impulses of the same contacts in the last step
    while (k < s.contact.size() && s.contact[k] < active_[a].key) ++k;
    if (k == s.contact.size()) break;
    if (s.contact[k] != active_[a].key) continue;
    (transpose(frame_[a]) * s.impulse[k]).store(&S_[a * D]);
  }
}

// One island, or the whole: towards the tolerance, and with more work where the required error was not reached.
template <int D>
void Collection<D>::solve_part(const Problem& problem, std::vector<Real>& S, std::vector<Real>& u,
                               CollectionReport& report) const {
  SolverOptions o = counted(options_.tolerance, options_.iterations);
  o.warm_start = std::any_of(S.begin(), S.end(), [](Real x) { return x != 0; });
  Report solved = solve_bodies(problem, o, S, u);
  report.iterations += solved.iterations, report.factorisations += solved.factorisations;
  if (solved.error > options_.required) {
    o = counted(options_.required, 20 * options_.iterations);
    o.warm_start = true;
    solved = solve_bodies(problem, o, S, u);
    report.iterations += solved.iterations, report.factorisations += solved.factorisations;
  }
  if (solved.error >= report.error) report.error = solved.error, report.method = solved.method;
}

template <int D>
void Collection<D>::solve(ModelState<D>& s, CollectionReport& report) {
  u_.resize(member_.size() * F);
  const std::vector<std::vector<int>> apart = islands(problem_);
  report.islands = static_cast<int>(apart.size());
  if (apart.size() == 1) solve_part(problem_, S_, u_, report);
  if (apart.size() > 1)
    for (const std::vector<int>& contacts : apart) {
      std::vector<int> bodies;
      const Problem part = part_of(problem_, contacts, bodies);
      std::vector<Real> S, u;
      for (const int a : contacts) S.insert(S.end(), &S_[at(a) * D], &S_[at(a) * D] + D);
      solve_part(part, S, u, report);
      for (std::size_t i = 0; i < contacts.size(); ++i) std::copy_n(&S[i * D], D, &S_[at(contacts[i]) * D]);
      for (std::size_t i = 0; i < bodies.size(); ++i) std::copy_n(&u[i * F], F, &u_[at(bodies[i]) * F]);
    }
  report.missed = report.error > options_.required;
  s.contact.resize(active_.size()), s.impulse.resize(active_.size());
  for (std::size_t a = 0; a < active_.size(); ++a) {
    s.contact[a] = active_[a].key;
    s.impulse[a] = frame_[a] * Vec<D>::load(&S_[a * D]);
  }
}

// The ledger closes to rounding, since A (u_F - u_I) = h F + sum G^T S, gyroscopic impulses being in h F.
template <int D>
void Collection<D>::certify(const std::vector<Vec<F>>& u_I, const ModelState<D>& s, Real h,
                            CollectionReport& report) const {
  for (std::size_t b = 0; b < s.u.size(); ++b) {
    const Body<D>& body = model_.bodies[b];
    if (!body.free()) continue;
    for (int k = 0; k < F; ++k) {
      if (body.locked[k] != 0) continue;
      const Real A = body.A(k), mean = (u_I[b][k] + s.u[b][k]) / 2;
      report.energy.change += A * (s.u[b][k] - u_I[b][k]) * mean;
      report.energy.applied += h * force_[b][k] * mean;
      report.energy.inertial += (A * (u_free_[b][k] - u_I[b][k]) - h * force_[b][k]) * mean;
    }
  }
  std::vector<Real> mean(u_.size());
  for (std::size_t i = 0; i < member_.size(); ++i)
    for (int k = 0; k < F; ++k) mean[i * F + at(k)] = (u_I[at(member_[i])][k] + u_[i * F + at(k)]) / 2;
  report.active = static_cast<int>(active_.size());
  for (int a = 0; a < report.active; ++a) {
    const Vec<D> S = impulse(a), w = Vec<D>::load(&problem_.w[at(a) * D]);
    report.energy.boundary -= dot(S, W_[at(a)]);
    report.energy.dissipation -= dot(S, problem_.velocity(a, mean.data()) - w + W_[at(a)]);
    report.closed += S[0] > 0;
    const Vec<D> U = problem_.velocity(a, u_.data());
    const Real H = trace(problem_.diagonal_block(a)) / D;
    report.velocity_error = std::max(report.velocity_error, norm(natural_map(problem_.law[at(a)], U, H * S)));
    // The gap at the next q_M, which the step answers for.
    report.violation = std::max(report.violation, -(active_[at(a)].gap + h * (U[0] - w[0] + W_[at(a)][0])));
  }
}

template <int D>
Vec<D> Collection<D>::reaction(int body) const {
  Vec<D> sum{};
  for (std::size_t a = 0; a < active_.size(); ++a)
    for (int side = 0; side < 2; ++side)
      if (active_[a].body[side] == body) sum += Real(side == 0 ? 1 : -1) * (frame_[a] * impulse(static_cast<int>(a)));
  return sum;
}

template class Collection<2>;
template class Collection<3>;

}  // namespace cairn
