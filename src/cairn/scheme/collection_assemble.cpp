// What a collection solves: bodies, frames, rows and data of its contacts and joints (JM92 7.1, 7.3).
#include <algorithm>
#include <atomic>
#include <cmath>

#include "cairn/base/ask_for.hpp"
#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/list_walk.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/scheme/collection.hpp"
#include "cairn/scheme/contact_frame.hpp"
#include "cairn/scheme/pieces.hpp"

namespace cairn {
namespace {

constexpr std::size_t contacts_ahead = 12;
constexpr std::size_t many_bodies = 2000;  // more than a core's nearest cache holds

// Friction along the first tangent, with a grain (if any) that has the component `along` on it.
MixedLaw<2> friction(Real mu, Real mu_across, const Vec<1>& along) {
  if (mu_across < 0 || along[0] == 0) return MixedLaw<2>::coulomb(mu);
  return MixedLaw<2>::coulomb(along[0] > 0 ? Coulomb2{mu, mu_across} : Coulomb2{mu_across, mu});
}
MixedLaw<3> friction(Real mu, Real mu_across, const Vec<2>& along) {
  if (mu_across < 0 || along[0] == 0 || mu == mu_across) return MixedLaw<3>::coulomb(mu);
  return MixedLaw<3>::ellipse({{0, 0}, {mu, mu_across}, {1, 0}});
}

}  // namespace

// W of contact or block a: the velocity of boundaries, free bodies being at rest.
template <int D>
Vec<D> Collection<D>::boundary_part(std::size_t a) const {
  Vec<D> W{};
  if (a < active_.size()) {
    const Contact<D>& c = active_[a];
    for (int side = 0; side < 2; ++side) {
      const std::size_t b = at(c.body[side]);
      if (number_[b] < 0) W += Real(side == 0 ? 1 : -1) * point_velocity(pose_[b], velocity_[b], c.point);
    }
    return transpose(frame_[a]) * W;
  }
  const JointBlock<D>& block = blocks_[a - active_.size()];
  for (int side = 0; side < 2; ++side)
    if (block.body[side] >= 0 && number_[at(block.body[side])] < 0)
      W += block.G[side] * velocity_[at(block.body[side])];
  return W;
}

// The bodies that contacts and joints touch, numbered, and pairs of them.
template <int D>
void Collection<D>::gather_bodies() {
  complete_ = false;
  number_.assign(model_.bodies.size(), -1);
  member_.clear();
  const auto touch = [&](const auto& bodies) {
    for (const int b : bodies)
      if (b >= 0 && free_[at(b)]) std::atomic_ref(number_[at(b)]).store(0, std::memory_order_relaxed);
  };
  const int contacts = static_cast<int>(active_.size());
  share_range(contacts, contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t a = at(first); a < at(last); ++a) touch(ends_[a]);
  });
  for (const JointBlock<D>& b : blocks_) touch(b.body);
  const auto take = [&](int b) {
    if (number_[at(b)] == 0) number_[at(b)] = static_cast<int>(member_.size()), member_.push_back(b);
  };
  if (model_.bodies.size() >= many_bodies)
    for (const int b : near_.sort(pose_, cell_)) take(b);
  else
    for (int b = 0; b < static_cast<int>(number_.size()); ++b) take(b);
  const std::size_t all = contacts_and_blocks();
  problem_.w.resize(all * D), problem_.law.resize(all);
  pairs_.resize(all), frame_.resize(active_.size()), arm_.resize(active_.size());
  share_range(contacts, contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t a = at(first); a < at(last); ++a) number_ends(a);
  });
  for (std::size_t a = active_.size(); a < all; ++a)
    for (std::size_t side = 0; side < 2; ++side) {
      const int b = blocks_[a - active_.size()].body[side];
      pairs_[a][side] = b < 0 ? -1 : number_[at(b)];
    }
}

// The same, and frames of contacts.
template <int D>
void Collection<D>::gather() {
  gather_bodies();
  share_range(static_cast<int>(active_.size()), contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t a = at(first); a < at(last); ++a) gather_contact(a);
  });
}

template <int D>
void Collection<D>::gather_contact(std::size_t a) {
  const Contact<D>& c = active_[a];
  frame_[a] = frame_of(c.normal, grain(c));
  arm_[a] = {arm(c, 0), arm(c, 1)};
}

// Rows of a contact or block, between bodies of the problem.
template <int D>
typename Collection<D>::Problem::Contact Collection<D>::rows(int number) const {
  const std::size_t a = at(number), contacts = active_.size();
  typename Problem::Contact c{};
  for (std::size_t side = 0; side < 2; ++side) {
    c.body[side] = pairs_[a][side];
    Mat<D, F>& G = c.G[side];
    if (a >= contacts) {
      G = blocks_[a - contacts].G[side];
    } else if (pairs_[a][side] >= 0) {
      const std::size_t b = at(active_[a].body[side]);
      const Vec<D> point = pose_[b].x + arm_[a][side];
      G = Real(side == 0 ? 1 : -1) * point_rows(pose_[b], point, frame_[a]);
      for (int k = 0; k < F; ++k)
        for (int i = 0; i < D; ++i)
          if (model_.bodies[b].locked[k] != 0) G(i, k) = 0;
    }
  }
  return c;
}

// Bodies and rows of the problem, from what is gathered.
template <int D>
void Collection<D>::complete_problem(const std::vector<Vec<F>>& free) const {
  const std::size_t n = member_.size();
  problem_.inverse_inertia.resize(n * F), problem_.u_free.resize(n * F), problem_.contact.resize(pairs_.size());
  for (std::size_t i = 0; i < n; ++i) {
    const Body<D>& body = model_.bodies[at(member_[i])];
    for (int k = 0; k < F; ++k) problem_.inverse_inertia[i * F + at(k)] = 1 / body.A(k);
    free[at(member_[i])].store(&problem_.u_free[i * F]);
  }
  for (std::size_t a = 0; a < pairs_.size(); ++a) problem_.contact[a] = rows(static_cast<int>(a));
  complete_ = true;
}

// The problem of some contacts and blocks alone. `bodies`: which ones of the whole its bodies are, ascending.
template <int D>
typename Collection<D>::Problem Collection<D>::part(const std::vector<int>& contacts, const std::vector<Vec<F>>& free,
                                                    std::vector<int>& bodies) const {
  bodies.clear();
  for (const int a : contacts)
    for (const int i : pairs_[at(a)])
      if (i >= 0) bodies.push_back(i);
  std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  Problem part;
  for (const int i : bodies) {
    const Body<D>& body = model_.bodies[at(member_[at(i)])];
    for (int k = 0; k < F; ++k)
      part.inverse_inertia.push_back(1 / body.A(k)), part.u_free.push_back(free[at(member_[at(i)])][k]);
  }
  for (const int a : contacts) {
    part.contact.push_back(rows(a));
    for (int& i : part.contact.back().body)
      if (i >= 0) i = static_cast<int>(std::ranges::lower_bound(bodies, i) - bodies.begin());
    part.law.push_back(problem_.law[at(a)]);
    for (int i = 0; i < D; ++i) part.w.push_back(problem_.w[at(a * D + i)]);
  }
  return part;
}

template <int D>
const typename Collection<D>::Problem& Collection<D>::problem() const {
  if (!complete_) complete_problem(u_free_);
  return problem_;
}

// [m] From the body's centre to the contact; of a sphere along the normal, also when a correction has moved it since.
template <int D>
Vec<D> Collection<D>::arm(const Contact<D>& c, int side) const {
  const std::size_t b = at(c.body[side]);
  const Vec<D> arm = c.point - pose_[b].x;
  return round_[b] ? dot(arm, c.normal) * c.normal : arm;
}

// The direction that friction at the contact depends on, in the world's axes: that of the impulse on the first body
// when the other slides along the grain of the carrier. Zero where there is none.
template <int D>
Vec<D> Collection<D>::grain(const Contact<D>& c) const {
  if (!grained_) return {};
  for (int side = 0; side < 2; ++side) {
    const std::size_t b = at(c.body[side]);
    if (norm2(model_.bodies[b].grain) > 0) return Real(side == 0 ? 1 : -1) * (pose_[b].R * model_.bodies[b].grain);
  }
  return {};
}

// `again`: with more contacts than in the round before, whose impulses are the start.
template <int D>
void Collection<D>::assemble(const ModelState<D>& s, Real h, bool again) {
  again_ = again;
  gather_bodies();
  W_.resize(contacts_and_blocks()), U_I_.resize(contacts_and_blocks());
  S_.resize(contacts_and_blocks() * D), M_.resize(active_.size());
  // One thread plans the sweeps while the others begin with the contacts.
  const int n = static_cast<int>(active_.size()),
            stage[] = {0, 1 + (n + contacts_of_a_piece - 1) / contacts_of_a_piece};
  share_stages(stage, [&](int piece) {
    if (piece == 0)
      plan_sweeps();
    else
      assemble_contacts(s, h, (piece - 1) * contacts_of_a_piece, std::min(n, piece * contacts_of_a_piece));
  });
  assemble_joints(s, h);
}

template <int D>
void Collection<D>::assemble_contacts(const ModelState<D>& s, Real h, int first, int last) {
  // Impulses of the last step, or of the round before; whether a contact slid is of the last step.
  const auto& keys = again_ ? found_.contact : s.contact;
  const auto& impulses = again_ ? found_.impulse : s.impulse;
  const auto& torques = again_ ? found_.torque : s.torque;
  ListWalk last_step(s.contact, active_[at(first)].key), known(keys, active_[at(first)].key);
  const std::size_t asked = model_.bodies.size() < many_bodies ? 0 : ends_.size();
  for (std::size_t a = at(first); a < at(last); ++a) {
    if (const std::size_t next = a + contacts_ahead; next < asked)
      for (const int b : ends_[next]) ask_for(pose_[at(b)].x), ask_for(velocity_[at(b)]), ask_for(spin_[at(b)]);
    const bool lasts = last_step.to(active_[a].key);
    gather_contact(a);
    assemble_contact(a, h, lasts && s.slid[last_step.place()] != 0);
    const bool start = again_ ? known.to(active_[a].key) : lasts;
    const std::size_t place = again_ ? known.place() : last_step.place();
    (start ? transpose(frame_[a]) * impulses[place] : Vec<D>{}).store(&S_[a * D]);
    if (rolls_) M_[a] = start ? spin_to_frame(frame_[a], torques[place]) : Vec<spins<D>>{};
  }
}

template <int D>
void Collection<D>::assemble_contact(std::size_t a, Real h, bool slid) {
  const Contact<D>& c = active_[a];
  const Surface& surface = model_.materials.between(c.material[0], c.material[1]);
  const Mat<D> local = transpose(frame_[a]);
  const Real mu = slid && surface.mu_dynamic >= 0 ? surface.mu_dynamic : surface.mu;
  if (surface.mu_across < 0)
    problem_.law[a] = Law::coulomb(mu);
  else
    problem_.law[a] = friction(mu, surface.mu_across, Vec<D - 1>::load((local * grain(c)).v + 1));
  Vec<D> velocity{}, boundary{};  // of the first body against the second; the part of boundaries
  for (int side = 0; side < 2; ++side) {
    const std::size_t b = at(c.body[side]);
    const Vec<D> part = linear<D>(velocity_[b]) + spin_velocity(spin_[b], arm_[a][at(side)]);
    velocity = side == 0 ? part : velocity - part;
    if (pairs_[a][at(side)] < 0) boundary = side == 0 ? part : -part;
  }
  W_[a] = local * boundary, U_I_[a] = local * velocity;
  Vec<D> w = W_[a];
  const Vec<D> U_I = U_I_[a];
  const bool cramped = cramped_[at(c.body[0])] || cramped_[at(c.body[1])];
  if (c.gap > options_.closed * model_.size && (cramped || !(surface.restitution > 0 && U_I[0] < 0))) {
    // U_N >= -g/h, and from there to 0 without a jump as the gap closes: rounding of a gap must not decide on a force.
    w[0] += std::min(c.gap, 2 * (c.gap - options_.closed * model_.size)) / h;
  } else if (!cramped) {  // closed; or an impact that must not be missed, which then comes early by less than a step
    w[0] += surface.restitution * U_I[0];
    for (int i = 1; i < D; ++i) w[i] += surface.restitution_tangent * U_I[i];
  }
  w.store(&problem_.w[a * D]);
}

template <int D>
void Collection<D>::assemble_joints(const ModelState<D>& s, Real h) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t a = active_.size() + b;
    const JointBlock<D>& block = blocks_[b];
    problem_.law[a] = block.law;
    W_[a] = boundary_part(a) - block.rate;
    U_I_[a] = block.velocity(velocity_) - block.rate;
    Vec<D> w = W_[a];
    if (block.law.kind == LawKind::bilateral) {
      for (int i = 0; i < D; ++i)
        if (block.law.data.joint.constrains(i)) w[i] += bend_[b][i];
    } else if (block.part != JointPart::friction) {
      const Real gap = block.error[0], e = model_.joints[at(block.joint)].restitution;
      w[0] += gap > options_.closed * model_.size ? gap / h : e * block.velocity(velocity_)[0];
    }
    w.store(&problem_.w[a * D]);
    const auto last = at(block.joint * joint_parts + static_cast<int>(block.part));
    (s.joint.empty() ? Vec<D>{} : s.joint[last]).store(&S_[a * D]);
  }
}

template Vec<2> Collection<2>::boundary_part(std::size_t) const;
template void Collection<2>::gather();
template Vec<2> Collection<2>::arm(const Contact<2>&, int) const;
template void Collection<2>::gather_contact(std::size_t);
template Collection<2>::Problem::Contact Collection<2>::rows(int) const;
template void Collection<2>::assemble_contact(std::size_t, Real, bool);
template void Collection<2>::complete_problem(const std::vector<Vec<3>>&) const;
template const Collection<2>::Problem& Collection<2>::problem() const;
template Collection<2>::Problem Collection<2>::part(const std::vector<int>&, const std::vector<Vec<3>>&,
                                                    std::vector<int>&) const;
template void Collection<2>::assemble(const ModelState<2>&, Real, bool);
template Vec<3> Collection<3>::boundary_part(std::size_t) const;
template void Collection<3>::gather();
template Vec<3> Collection<3>::arm(const Contact<3>&, int) const;
template void Collection<3>::gather_contact(std::size_t);
template Collection<3>::Problem::Contact Collection<3>::rows(int) const;
template void Collection<3>::assemble_contact(std::size_t, Real, bool);
template void Collection<3>::complete_problem(const std::vector<Vec<6>>&) const;
template const Collection<3>::Problem& Collection<3>::problem() const;
template Collection<3>::Problem Collection<3>::part(const std::vector<int>&, const std::vector<Vec<6>>&,
                                                    std::vector<int>&) const;
template void Collection<3>::assemble(const ModelState<3>&, Real, bool);

}  // namespace cairn
