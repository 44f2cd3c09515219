// What a collection solves in a step, and the certificate.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/body_rows.hpp"
#include "cairn/problem/islands.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/scheme/rest.hpp"
#include "cairn/solver/simplest.hpp"
#include "cairn/solver/warm_sweeps.hpp"

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <int D, int F>
bool all_coulomb(const BodyProblem<MixedLaw<D>, F>& p) {
  return std::all_of(p.law.begin(), p.law.end(), [](const MixedLaw<D>& l) { return l.kind == LawKind::coulomb; });
}

// Work bounded by a count, never by the clock: the same start gives the same bits.
SolverOptions counted(Real tolerance, long iterations) {
  SolverOptions o;
  o.tolerance = tolerance;
  o.max_iterations = iterations;
  o.max_seconds = std::numeric_limits<Real>::infinity();
  return o;
}

}  // namespace

// Velocities for a first drift of length h, which no step before has restrained: those of the state where none leads
// through a body, else the nearest that do not. The state gets its own velocities back after the drift.
template <int D>
void Collection<D>::approach(ModelState<D>& s, Real h) {
  place(s, s.t, h);
  detect();
  const Real deep = -options_.tunnel * model_.size;
  if (std::none_of(active_.begin(), active_.end(), [&](const Contact<D>& c) {
        return c.gap > deep && c.gap + h * dot(c.normal, relative_velocity(c, velocity_)) < deep;
      }))
    return;
  idle_.clear(), cramped_.assign(s.x.size(), false);
  const std::vector<Vec<F>> u_I = s.u;
  for (int round = 0; round == 0 || (round < 10 && push_on(s.u, h)); ++round) {
    gather();
    for (std::size_t i = 0; i < member_.size(); ++i) u_I[at(member_[i])].store(&problem_.u_free[i * F]);
    for (std::size_t a = 0; a < contacts_and_blocks(); ++a) {
      const bool contact = a < active_.size();
      restrain(a, boundary_part(a), (contact ? active_[a].gap : blocks_[a - active_.size()].error[0]) / h);
    }
    std::vector<Real> S, u;
    solve_simplest(problem_, counted(Real(1e-6), options_.iterations), S, u);
    for (std::size_t i = 0; i < member_.size(); ++i) s.u[at(member_[i])] = Vec<F>::load(&u[i * F]);
  }
}

// Without friction, and U = G u + W, with `room` added in the normal row of contacts and limits.
template <int D>
void Collection<D>::restrain(std::size_t a, const Vec<D>& W, Real room) {
  const JointBlock<D>* block = a < active_.size() ? nullptr : &blocks_[a - active_.size()];
  Vec<D> w = W;
  if (block && block->part == JointPart::friction)
    problem_.law[a] = Law::dry(0);
  else if (block && block->law.kind == LawKind::bilateral)
    problem_.law[a] = block->law;
  else
    problem_.law[a] = Law::frictionless(), w = {}, w[0] = W[0] + room;
  w.store(&problem_.w[a * D]);
}

// Moves bodies at q_M to the nearest place, in the kinetic metric, where no violation is deeper than the slop, all
// contacts being linearised there; velocities are left alone (M88 Remark 11.1).
template <int D>
void Collection<D>::correct(ModelState<D>& s, CollectionReport& report) {
  const Real slop = options_.slop * model_.size;
  for (const Contact<D>& c : active_) report.deepest = std::max(report.deepest, -c.gap);
  for (const JointBlock<D>& b : blocks_)
    if (b.law.is_contact()) report.deepest = std::max(report.deepest, -b.error[0]);
  if (!(report.deepest > slop)) return;
  gather();
  std::fill(problem_.u_free.begin(), problem_.u_free.end(), Real(0));
  const std::size_t contacts = active_.size();
  for (std::size_t a = 0; a < contacts_and_blocks(); ++a)
    restrain(a, {}, (a < contacts ? active_[a].gap : blocks_[a - contacts].error[0]) + Real(0.9) * slop);
  std::vector<Real> S, d;
  if (solve_simplest(problem_, counted(Real(1e-6), options_.iterations), S, d).error > Real(1e-2))
    return;  // seen in the certificate
  for (std::size_t i = 0; i < member_.size(); ++i) {
    const std::size_t b = at(member_[i]);
    const Vec<F> move = Vec<F>::load(&d[i * F]);
    s.x[b] += linear<D>(move);
    s.r[b].turn(spin<D>(move));
    pose_[b] = s.pose(member_[i]);
    report.correction_work += model_.bodies[b].mass * dot(model_.gravity, linear<D>(move));
  }
  for (std::size_t a = 0; a < contacts_and_blocks(); ++a) {
    const Real moved = problem_.velocity(static_cast<int>(a), d.data())[0] - Real(0.9) * slop;
    if (a < contacts)
      active_[a].gap = moved;
    else if (blocks_[a - contacts].law.is_contact())
      blocks_[a - contacts].error[0] = moved;
  }
}

// One island, or the whole: towards the tolerance, and with more work where the required error was not reached.
template <int D>
void Collection<D>::solve_part(const Problem& part, const std::vector<int>& contacts, std::vector<Real>& S,
                               std::vector<Real>& u, CollectionReport& report) {
  const bool rolling = std::any_of(contacts.begin(), contacts.end(), [&](int a) { return resists_rolling(a); });
  if (Real error = 0; !rolling && stays_at_rest(part, S, error)) {
    u.assign(part.u_free.size(), 0);
    report.error = std::max(report.error, error);
    ++report.at_rest;
    return;
  }
  const bool warm = std::any_of(S.begin(), S.end(), [](Real x) { return x != 0; });
  if (warm && !rolling && all_coulomb(part)) {  // a quiet scene needs no more than a sweep
    const WarmReport quick = WarmSweeps<D, F>(part).run(options_.tolerance, 4, S, u);
    report.iterations += quick.sweeps;
    if (quick.reached) {
      if (quick.error >= report.error) report.error = quick.error, report.method = Method::gauss_seidel;
      return;
    }
  }
  const auto attempt = [&](const SolverOptions& o) {
    const Report solved = rolling ? solve_rolling(part, contacts, o, S, u) : solve_simplest(part, o, S, u);
    report.iterations += solved.iterations, report.factorisations += solved.factorisations;
    return solved;
  };
  SolverOptions o = counted(options_.tolerance, options_.iterations);
  if (part.contacts() > options_.small) o.enough = options_.required;
  o.warm_start = warm;
  Report solved = attempt(o);
  if (solved.error > options_.required) {
    o = counted(options_.required, 20 * options_.iterations);
    o.warm_start = true;
    solved = attempt(o);
  }
  if (solved.error >= report.error) report.error = solved.error, report.method = solved.method;
}

template <int D>
void Collection<D>::solve(CollectionReport& report) {
  u_.resize(member_.size() * F);
  report.error = 0, report.at_rest = 0;
  const std::vector<std::vector<int>> apart = islands(problem_);
  report.islands = static_cast<int>(apart.size());
  if (apart.size() == 1) solve_part(problem_, apart[0], S_, u_, report);
  if (apart.size() > 1)
    for (const std::vector<int>& contacts : apart) {
      std::vector<int> bodies;
      const Problem part = part_of(problem_, contacts, bodies);
      std::vector<Real> S, u;
      for (const int a : contacts) S.insert(S.end(), &S_[at(a) * D], &S_[at(a) * D] + D);
      solve_part(part, contacts, S, u, report);
      for (std::size_t i = 0; i < contacts.size(); ++i) std::copy_n(&S[i * D], D, &S_[at(contacts[i]) * D]);
      for (std::size_t i = 0; i < bodies.size(); ++i) std::copy_n(&u[i * F], F, &u_[at(bodies[i]) * F]);
    }
  report.missed = report.error > options_.required;
}

template <int D>
void Collection<D>::remember(ModelState<D>& s) const {
  const std::size_t n = active_.size();
  s.contact.resize(n), s.impulse.resize(n), s.torque.resize(n), s.slid.resize(n);
  for (std::size_t a = 0; a < n; ++a) {
    s.contact[a] = active_[a].key;
    s.impulse[a] = frame_[a] * impulse(static_cast<int>(a));
    s.torque[a] = spin_to_world(frame_[a], M_[a]);
    s.slid[a] = slides(static_cast<int>(a));
  }
  s.joint.assign(model_.joints.size() * joint_parts, {});
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    s.joint[at(blocks_[b].joint * joint_parts + static_cast<int>(blocks_[b].part))] = impulse(static_cast<int>(n + b));
}

// Of what excludes each other, sliding velocity and room for more friction, which one is there.
template <int D>
bool Collection<D>::slides(int a) const {
  const Surface& surface = model_.materials.between(active_[at(a)].material[0], active_[at(a)].material[1]);
  if (surface.mu_dynamic < 0) return false;  // nothing depends on it
  const Vec<D> S = impulse(a), U = problem_.velocity(a, u_.data());
  if (!(S[0] > 0)) return false;
  Vec<D> V{}, more = S;  // sliding; S with the friction that would stop it
  for (int i = 1; i < D; ++i) V[i] = U[i];
  const Real H = trace(problem_.diagonal_block(a)) / D;
  more -= (1 / H) * V;
  return norm(problem_.law[at(a)].project(more) - more) * H > norm(V) / 2;
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
  if (!std::isfinite(report.energy.change)) report.fault = Fault::not_finite;
  std::vector<Real> mean(u_.size());
  for (std::size_t i = 0; i < member_.size(); ++i)
    for (int k = 0; k < F; ++k) mean[i * F + at(k)] = (u_I[at(member_[i])][k] + u_[i * F + at(k)]) / 2;
  report.active = static_cast<int>(active_.size());
  for (int a = 0; a < static_cast<int>(contacts_and_blocks()); ++a) {
    certify_contact(a, mean, h, report);
    if (resists_rolling(a)) certify_rolling(a, u_I, s, report);
  }
}

template <int D>
void Collection<D>::certify_contact(int a, const std::vector<Real>& mean, Real h, CollectionReport& report) const {
  const Vec<D> S = impulse(a), w = Vec<D>::load(&problem_.w[at(a) * D]), W = W_[at(a)];
  Vec<D> U = w, V{};  // G u_F + w; G (u_I + u_F)/2
  Real H = 0;         // mean diagonal of G A^-1 G^T
  for (int side = 0; side < 2; ++side) {
    const int body = problem_.contact[at(a)].body[side];
    if (body < 0) continue;
    const Mat<D, F>& G = problem_.contact[at(a)].G[side];
    const std::size_t first = at(body) * F;
    for (int k = 0; k < F; ++k)
      for (int i = 0; i < D; ++i) {
        U[i] += G(i, k) * u_[first + at(k)], V[i] += G(i, k) * mean[first + at(k)];
        H += G(i, k) * G(i, k) * problem_.inverse_inertia[first + at(k)];
      }
  }
  H /= D;
  report.energy.boundary -= dot(S, W);
  report.energy.dissipation -= dot(S, V + W);
  Law law = problem_.law[at(a)];
  if (law.kind == LawKind::dry) law = Law::dry(H * law.data.dry.bound);
  report.velocity_error = std::max(report.velocity_error, norm(natural_map(law, U, H * S)));
  if (!law.is_contact()) return;
  const bool contact = a < report.active;
  report.closed += contact && S[0] > 0;
  // The gap at the next q_M, which the step answers for.
  const Real gap = contact ? active_[at(a)].gap : blocks_[at(a - report.active)].error[0];
  report.violation = std::max(report.violation, -(gap + h * (U[0] - w[0] + W[0])));
}

template <int D>
Vec<D> Collection<D>::reaction(int body) const {
  Vec<D> sum{};
  for (std::size_t a = 0; a < active_.size(); ++a)
    for (int side = 0; side < 2; ++side)
      if (active_[a].body[side] == body) sum += Real(side == 0 ? 1 : -1) * (frame_[a] * impulse(static_cast<int>(a)));
  return sum;
}

template <int D>
Vec<D> Collection<D>::joint_reaction(int joint) const {
  Vec<D> sum{};
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].joint == joint && blocks_[b].part == JointPart::displacement)
      sum += impulse(static_cast<int>(active_.size() + b));
  return sum;
}

template void Collection<2>::approach(ModelState<2>&, Real);
template void Collection<2>::correct(ModelState<2>&, CollectionReport&);
template void Collection<2>::solve(CollectionReport&);
template void Collection<2>::remember(ModelState<2>&) const;
template void Collection<2>::certify(const std::vector<Vec<3>>&, const ModelState<2>&, Real, CollectionReport&) const;
template Vec<2> Collection<2>::reaction(int) const;
template Vec<2> Collection<2>::joint_reaction(int) const;
template void Collection<3>::approach(ModelState<3>&, Real);
template void Collection<3>::correct(ModelState<3>&, CollectionReport&);
template void Collection<3>::solve(CollectionReport&);
template void Collection<3>::remember(ModelState<3>&) const;
template void Collection<3>::certify(const std::vector<Vec<6>>&, const ModelState<3>&, Real, CollectionReport&) const;
template Vec<3> Collection<3>::reaction(int) const;
template Vec<3> Collection<3>::joint_reaction(int) const;

}  // namespace cairn
