// What a collection solves in a step, and the certificate.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/scheme/pieces.hpp"
#include "cairn/scheme/rest.hpp"
#include "cairn/solver/simplest.hpp"

namespace cairn {

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
  idle_.clear(), waiting_ = 0, cramped_.assign(s.x.size(), false);
  const std::vector<Vec<F>> u_I = s.u;
  for (int round = 0; round == 0 || (round < 10 && push_on(s.u, h, false)); ++round) {
    if (round > 0) take_in();
    gather();
    complete_problem(u_I);
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

// One attempt at an island, from its impulses as they are; those found and their velocities replace them.
template <int D>
typename Collection<D>::Outcome Collection<D>::solve_island(int island, const SolverOptions& o,
                                                            CollectionReport& report) {
  const std::span<const int> own = sweeps_.contacts(island);
  const std::vector<int> contacts(own.begin(), own.end());
  std::vector<int> bodies;
  const Problem part = this->part(contacts, u_free_, bodies);
  std::vector<Real> S, u;
  for (const int a : contacts) S.insert(S.end(), &S_[at(a) * D], &S_[at(a) * D] + D);
  const bool rolling = std::any_of(contacts.begin(), contacts.end(), [&](int a) { return resists_rolling(a); });
  const Report solved = rolling ? solve_rolling(part, contacts, o, S, u) : solve_simplest(part, o, S, u);
  report.iterations += solved.iterations, report.factorisations += solved.factorisations;
  for (std::size_t i = 0; i < contacts.size(); ++i) std::copy_n(&S[i * D], D, &S_[at(contacts[i]) * D]);
  for (std::size_t i = 0; i < bodies.size(); ++i) std::copy_n(&u[i * F], F, &u_[at(bodies[i]) * F]);
  take_velocities(contacts, part, u);
  return {solved.error <= std::max(o.tolerance, o.enough), solved.error, solved.method};
}

// Of contacts, in the velocities u of their problem.
template <int D>
void Collection<D>::take_velocities(const std::vector<int>& contacts, const Problem& part, const std::vector<Real>& u) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int k = static_cast<int>(i);
    U_[at(contacts[i])] = part.velocity(k, u.data());
    scale_[at(contacts[i])] = trace(part.diagonal_block(k)) / D;
  }
}

// An island with joints, or with other laws than Coulomb's: towards the tolerance, and with more work where the
// required error was not reached.
template <int D>
void Collection<D>::solve_mixed_island(int island, CollectionReport& report) {
  const std::span<const int> own = sweeps_.contacts(island);
  const std::vector<int> contacts(own.begin(), own.end());
  const bool rolling = std::any_of(contacts.begin(), contacts.end(), [&](int a) { return resists_rolling(a); });
  std::vector<Real> S;
  for (const int a : contacts) S.insert(S.end(), &S_[at(a) * D], &S_[at(a) * D] + D);
  std::vector<int> bodies;
  const Problem part = this->part(contacts, u_free_, bodies);
  if (Real error = 0; !rolling && stays_at_rest(part, S, error)) {
    for (const int i : bodies) std::fill_n(&u_[at(i) * F], F, Real(0));
    take_velocities(contacts, part, std::vector<Real>(bodies.size() * F, 0));
    report.error = std::max(report.error, error);
    ++report.at_rest;
    return;
  }
  SolverOptions o = counted(options_.tolerance, options_.iterations);
  if (static_cast<int>(contacts.size()) > options_.small) o.enough = options_.required;
  o.warm_start = std::any_of(S.begin(), S.end(), [](Real x) { return x != 0; });
  Outcome best = solve_island(island, o, report);
  if (best.error > options_.required) {
    o = counted(options_.required, 20 * options_.iterations);
    o.warm_start = true;
    best = solve_island(island, o, report);
  }
  if (best.error >= report.error) report.error = best.error, report.method = best.method;
}

template <int D>
void Collection<D>::solve(CollectionReport& report) {
  u_.resize(member_.size() * F), U_.resize(pairs_.size()), scale_.resize(pairs_.size());
  report.error = 0, report.at_rest = 0;
  sweeps_.start();
  report.islands = sweeps_.islands();
  const bool all_plain = blocks_.empty() && !rolls_ && !grained_;
  for (int i = 0; i < sweeps_.islands(); ++i) {
    const std::span<const int> contacts = sweeps_.contacts(i);
    if (all_plain || std::all_of(contacts.begin(), contacts.end(), [&](int a) { return plain(a); }))
      sweep_island(i, report);
    else
      solve_mixed_island(i, report);
  }
  report.missed = report.error > options_.required;
}

template <int D>
void Collection<D>::rank_contacts() const {
  if (late_.empty()) return;
  rank_.resize(active_.size());
  const auto key = [&](int a) { return active_[at(a)].key; };
  share_range(static_cast<int>(ordered_), contacts_of_a_piece, [&](int first, int last) {
    auto late = std::ranges::lower_bound(late_, key(first), {}, key);
    for (int a = first; a < last; ++a) {
      while (late != late_.end() && key(*late) < key(a)) ++late;
      rank_[at(a)] = a + static_cast<int>(late - late_.begin());
    }
  });
  const auto early = active_.begin() + static_cast<std::ptrdiff_t>(ordered_);
  for (std::size_t k = 0; k < late_.size(); ++k) {
    const auto before = std::ranges::lower_bound(active_.begin(), early, key(late_[k]), {}, &Contact<D>::key);
    rank_[at(late_[k])] = static_cast<int>(k) + static_cast<int>(before - active_.begin());
  }
}

// In the world's axes, in the order of the keys.
template <int D>
void Collection<D>::keep_impulses(std::vector<ContactKey>& contact, std::vector<Vec<D>>& impulses,
                                  std::vector<Vec<spins<D>>>& torques) const {
  const std::size_t n = active_.size();
  contact.resize(n), impulses.resize(n), torques.resize(n);
  rank_contacts();
  share_range(static_cast<int>(n), contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t a = at(first); a < at(last); ++a) {
      const std::size_t k = rank(a);
      contact[k] = active_[a].key;
      impulses[k] = world_impulse(static_cast<int>(a));
      if (rolls_) torques[k] = spin_to_world(frame_[a], M_[a]);  // else zero for good
    }
  });
}

template <int D>
void Collection<D>::remember(ModelState<D>& s) const {
  const std::size_t n = active_.size();
  keep_impulses(s.contact, s.impulse, s.torque);
  s.slid.assign(n, false);
  const bool matters = model_.materials.any([](const Surface& m) { return m.mu_dynamic >= 0; });
  if (matters)
    share_range(static_cast<int>(n), contacts_of_a_piece, [&](int first, int last) {
      for (std::size_t a = at(first); a < at(last); ++a) {
        const Contact<D>& c = active_[a];
        const bool depends = model_.materials.between(c.material[0], c.material[1]).mu_dynamic >= 0;
        s.slid[rank(a)] = depends && slides(static_cast<int>(a));
      }
    });
  s.joint.assign(model_.joints.size() * joint_parts, {});
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    s.joint[at(blocks_[b].joint * joint_parts + static_cast<int>(blocks_[b].part))] = impulse(static_cast<int>(n + b));
}

template <int D>
bool Collection<D>::slides(int a) const {
  const Vec<D> S = impulse(a), U = U_[at(a)];
  if (!(S[0] > 0)) return false;
  Vec<D> V{}, more = S;  // sliding; S with the friction that would stop it
  for (int i = 1; i < D; ++i) V[i] = U[i];
  const Real H = scale_[at(a)];
  more -= (1 / H) * V;
  return norm(problem_.law[at(a)].project(more) - more) * H > norm(V) / 2;
}

// The ledger closes to rounding, since A (u_F - u_I) = h F + sum G^T S, gyroscopic impulses being in h F. Summed by
// pieces.
template <int D>
void Collection<D>::certify(const std::vector<Vec<F>>& u_I, const ModelState<D>& s, Real h,
                            CollectionReport& report) const {
  Certified all;
  constexpr int piece = contacts_of_a_piece;  // or bodies
  const auto in_pieces = [&](std::size_t count, auto&& add) {
    const int n = static_cast<int>(count);
    certified_.assign(at((n + piece - 1) / piece), {});
    share_range(n, piece, [&](int first, int last) {
      for (int i = first; i < last; ++i) add(i, certified_[at(first / piece)]);
    });
    for (const Certified& part : certified_) {
      all.energy += part.energy, all.closed += part.closed;
      all.velocity_error2 = std::max(all.velocity_error2, part.velocity_error2);
      all.violation = std::max(all.violation, part.violation);
      all.natural2 += part.natural2, all.impulse2 += part.impulse2;
    }
  };
  in_pieces(s.u.size(), [&](int b, Certified& part) { certify_body(at(b), u_I, s, h, part); });
  if (!std::isfinite(all.energy.change)) report.fault = Fault::not_finite;
  in_pieces(contacts_and_blocks(), [&](int a, Certified& part) {
    certify_contact(a, h, part);
    if (resists_rolling(a)) certify_rolling(a, u_I, s, part);
  });
  report.active = static_cast<int>(active_.size());
  report.energy += all.energy, report.closed += all.closed;
  report.velocity_error = std::sqrt(all.velocity_error2), report.violation = std::max(report.violation, all.violation);
  report.impulse_error = all.natural2 > 0 ? std::sqrt(all.natural2 / all.impulse2) : 0;
}

template <int D>
void Collection<D>::certify_body(std::size_t b, const std::vector<Vec<F>>& u_I, const ModelState<D>& s, Real h,
                                 Certified& sum) const {
  if (!free_[b]) return;
  const Body<D>& body = model_.bodies[b];
  for (int k = 0; k < F; ++k) {
    if (body.locked[k] != 0) continue;
    const Real A = body.A(k), mean = (u_I[b][k] + s.u[b][k]) / 2;
    sum.energy.change += A * (s.u[b][k] - u_I[b][k]) * mean;
    sum.energy.applied += h * force_[b][k] * mean;
    sum.energy.inertial += (A * (u_free_[b][k] - u_I[b][k]) - h * force_[b][k]) * mean;
  }
}

template <int D>
void Collection<D>::certify_contact(int a, Real h, Certified& sum) const {
  const Vec<D> S = impulse(a), w = Vec<D>::load(&problem_.w[at(a) * D]), W = W_[at(a)], U = U_[at(a)];
  const Real H = scale_[at(a)];
  const Vec<D> at_end = U - w + W;  // G u_F + W
  sum.energy.boundary -= dot(S, W);
  sum.energy.dissipation -= dot(S, Real(0.5) * (U_I_[at(a)] + at_end));
  const Law& law = problem_.law[at(a)];
  const Real natural2 = norm2(law.kind == LawKind::coulomb ? natural_map(law.data.coulomb, U, H * S)
                              : law.kind == LawKind::dry   ? natural_map(Law::dry(H * law.data.dry.bound), U, H * S)
                                                           : natural_map(law, U, H * S));
  sum.velocity_error2 = std::max(sum.velocity_error2, natural2);
  sum.natural2 += natural2, sum.impulse2 += H * H * norm2(S);
  if (!law.is_contact()) return;
  const bool contact = at(a) < active_.size();
  sum.closed += contact && S[0] > 0;
  // The gap at the next q_M, which the step answers for.
  const Real gap = contact ? active_[at(a)].gap : blocks_[at(a) - active_.size()].error[0];
  sum.violation = std::max(sum.violation, -(gap + h * at_end[0]));
}

template <int D>
Vec<D> Collection<D>::reaction(int body) const {
  Vec<D> sum{};
  for (std::size_t a = 0; a < active_.size(); ++a)
    for (int side = 0; side < 2; ++side)
      if (active_[a].body[side] == body) sum += Real(side == 0 ? 1 : -1) * world_impulse(static_cast<int>(a));
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
template void Collection<2>::restrain(std::size_t, const Vec<2>&, Real);
template Collection<2>::Outcome Collection<2>::solve_island(int, const SolverOptions&, CollectionReport&);
template void Collection<2>::solve(CollectionReport&);
template void Collection<2>::keep_impulses(std::vector<ContactKey>&, std::vector<Vec<2>>&, std::vector<Vec<1>>&) const;
template bool Collection<2>::slides(int) const;
template void Collection<2>::remember(ModelState<2>&) const;
template void Collection<2>::certify(const std::vector<Vec<3>>&, const ModelState<2>&, Real, CollectionReport&) const;
template Vec<2> Collection<2>::reaction(int) const;
template Vec<2> Collection<2>::joint_reaction(int) const;
template void Collection<3>::approach(ModelState<3>&, Real);
template void Collection<3>::restrain(std::size_t, const Vec<3>&, Real);
template Collection<3>::Outcome Collection<3>::solve_island(int, const SolverOptions&, CollectionReport&);
template void Collection<3>::solve(CollectionReport&);
template void Collection<3>::keep_impulses(std::vector<ContactKey>&, std::vector<Vec<3>>&, std::vector<Vec<3>>&) const;
template bool Collection<3>::slides(int) const;
template void Collection<3>::remember(ModelState<3>&) const;
template void Collection<3>::certify(const std::vector<Vec<6>>&, const ModelState<3>&, Real, CollectionReport&) const;
template Vec<3> Collection<3>::reaction(int) const;
template Vec<3> Collection<3>::joint_reaction(int) const;

}  // namespace cairn
