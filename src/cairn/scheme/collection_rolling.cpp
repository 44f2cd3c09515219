// Contacts that resist rolling and drilling: rows of spin beside those of velocity, in the islands that have them.
#include <algorithm>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/law/mixed_torque.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/solver/solve_bodies.hpp"
#include "cairn/solver/units.hpp"

namespace cairn {
namespace {

// Row of the torque about axis i of the contact's frame. In space: N, T1, T2, about T1, about T2, about the normal.
template <int D>
constexpr int torque_row(int i) {
  return D == 2 ? 2 : 3 + (i + 2) % 3;
}

template <int D>
MixedTorque<D> with_rolling(const MixedLaw<D>& law, const Surface& surface) {
  Real mu = 0;
  if constexpr (D == 2)
    mu = law.data.coulomb.mu_plus;
  else
    mu = law.kind == LawKind::ellipse ? law.data.ellipse.a[0] : law.data.coulomb.mu;
  return MixedTorque<D>::rolling(mu, surface.rolling, surface.drilling);
}

}  // namespace

template <int D>
bool Collection<D>::resists_rolling(int a) const {
  if (!rolls_ || a >= static_cast<int>(active_.size())) return false;
  const Contact<D>& c = active_[at(a)];
  const Surface& surface = model_.materials.between(c.material[0], c.material[1]);
  return surface.rolling > 0 || (D == 3 && surface.drilling > 0);
}

template <int D>
Report Collection<D>::solve_rolling(const Problem& part, const std::vector<int>& contacts, const SolverOptions& options,
                                    std::vector<Real>& S, std::vector<Real>& u) {
  constexpr int R = torque_rows<D>;
  BodyProblem<MixedTorque<D>, F> wide;
  wide.inverse_inertia = part.inverse_inertia, wide.u_free = part.u_free;
  wide.contact.resize(contacts.size()), wide.law.resize(contacts.size()), wide.w.assign(contacts.size() * R, 0);
  std::vector<Real> all(contacts.size() * R, 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::size_t a = at(contacts[i]);
    const bool contact = a < active_.size();
    std::copy_n(&part.w[i * D], D, &wide.w[i * R]);
    std::copy_n(&S[i * D], D, &all[i * R]);
    if (contact) {
      wide.law[i] = with_rolling(part.law[i], model_.materials.between(active_[a].material[0], active_[a].material[1]));
      for (int k = 0; k < spins<D>; ++k) all[i * R + at(torque_row<D>(k))] = M_[a][k];
    } else {
      wide.law[i] = MixedTorque<D>::of(part.law[i]);
    }
    for (int side = 0; side < 2; ++side) {
      const int body = wide.contact[i].body[side] = part.contact[i].body[side];
      Mat<R, F>& G = wide.contact[i].G[side];
      G = Mat<R, F>::zero();
      for (int k = 0; k < F; ++k)
        for (int row = 0; row < D; ++row) G(row, k) = part.contact[i].G[side](row, k);
      if (!contact) continue;
      const std::size_t b = at(active_[a].body[side]);
      const Mat<D, F> turn = spin_rows(pose_[b], frame_[a]);
      for (int row = 0; row < spins<D>; ++row)
        for (int k = 0; k < F; ++k) {
          const Real g = model_.bodies[b].locked[k] != 0 ? 0 : (side == 0 ? turn(row, k) : -turn(row, k));
          if (body >= 0)
            G(torque_row<D>(row), k) = g;
          else
            wide.w[i * R + at(torque_row<D>(row))] += g * velocity_[b][k];
        }
    }
  }
  const Report report = solve_bodies(wide, options, all, u);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    std::copy_n(&all[i * R], D, &S[i * D]);
    if (at(contacts[i]) >= active_.size()) continue;
    for (int k = 0; k < spins<D>; ++k) M_[at(contacts[i])][k] = all[i * R + at(torque_row<D>(k))];
  }
  return report;
}

// Of the first body less the second, in the axes of the contact.
template <int D>
Vec<spins<D>> Collection<D>::relative_spin(int a, const Vec<F>& first, const Vec<F>& second) const {
  const Contact<D>& c = active_[at(a)];
  return spin_to_frame(frame_[at(a)], to_world(pose_[at(c.body[0])].R, spin<D>(first)) -
                                          to_world(pose_[at(c.body[1])].R, spin<D>(second)));
}

// Torques in the ledger and in the error; spins times the model's size are velocities.
template <int D>
void Collection<D>::certify_rolling(int a, const std::vector<Vec<F>>& u_I, const ModelState<D>& s,
                                    Certified& sum) const {
  constexpr int R = torque_rows<D>;
  const Contact<D>& c = active_[at(a)];
  const Vec<spins<D>> M = torque(a), w_F = relative_spin(a, s.u[at(c.body[0])], s.u[at(c.body[1])]);
  Vec<F> mean[2], driven[2] = {};
  for (int side = 0; side < 2; ++side) {
    const std::size_t b = at(c.body[side]);
    const bool free = free_[b];
    mean[side] = free ? Real(0.5) * (u_I[b] + s.u[b]) : s.u[b];
    if (!free) driven[side] = s.u[b];
  }
  sum.energy.dissipation -= dot(M, relative_spin(a, mean[0], mean[1]));
  sum.energy.boundary -= dot(M, relative_spin(a, driven[0], driven[1]));
  MixedTorque<D> law = with_rolling(problem_.law[at(a)], model_.materials.between(c.material[0], c.material[1]));
  divide_units(law, model_.size, 1);
  const Real H = scale_[at(a)];
  Vec<R> U{}, S{};
  const Vec<D> U_D = U_[at(a)], S_D = impulse(a);
  for (int i = 0; i < D; ++i) U[i] = U_D[i], S[i] = H * S_D[i];
  for (int i = 0; i < spins<D>; ++i)
    U[torque_row<D>(i)] = model_.size * w_F[i], S[torque_row<D>(i)] = H * M[i] / model_.size;
  sum.velocity_error2 = std::max(sum.velocity_error2, norm2(natural_map(law, U, S)));
}

template bool Collection<2>::resists_rolling(int) const;
template bool Collection<3>::resists_rolling(int) const;
template Report Collection<2>::solve_rolling(const Problem&, const std::vector<int>&, const SolverOptions&,
                                             std::vector<Real>&, std::vector<Real>&);
template Report Collection<3>::solve_rolling(const Problem&, const std::vector<int>&, const SolverOptions&,
                                             std::vector<Real>&, std::vector<Real>&);
template void Collection<2>::certify_rolling(int, const std::vector<Vec<3>>&, const ModelState<2>&,
                                             Collection<2>::Certified&) const;
template void Collection<3>::certify_rolling(int, const std::vector<Vec<6>>&, const ModelState<3>&,
                                             Collection<3>::Certified&) const;

}  // namespace cairn
