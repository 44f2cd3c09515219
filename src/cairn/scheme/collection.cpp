#include "cairn/scheme/collection.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <variant>

#include "cairn/base/body_rows.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/model/build.hpp"
#include "cairn/model/reach.hpp"
#include "cairn/scheme/spin.hpp"

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int bodies_of_a_piece = 256, contacts_of_a_piece = 256;

class Watch {
 public:
  explicit Watch(double& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~Watch() { total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_;
};

// Columns n, t (n turned by a quarter); n, t1, t2 right-handed, t1 as near to `along` as it can be.
Mat<2> frame_of(const Vec<2>& n, const Vec<2>&) { return {{n[0], n[1], -n[1], n[0]}}; }
Mat<3> frame_of(const Vec<3>& n, const Vec<3>& along) {
  Vec<3> t = along - dot(along, n) * n;
  if (!(norm(t) > Real(1e-6))) {
    int least = 0;
    for (int i = 1; i < 3; ++i)
      if (std::abs(n[i]) < std::abs(n[least])) least = i;
    Vec<3> axis{};
    axis[least] = 1;
    t = cross(n, axis);
  }
  t = normalised(t);
  const Vec<3> s = cross(n, t);
  return {{n[0], n[1], n[2], t[0], t[1], t[2], s[0], s[1], s[2]}};
}

// Friction along the first tangent, with a grain (if any) that has the component `along` on it.
MixedLaw<2> friction(Real mu, Real mu_across, const Vec<1>& along) {
  if (mu_across < 0 || along[0] == 0) return MixedLaw<2>::coulomb(mu);
  return MixedLaw<2>::coulomb(along[0] > 0 ? Coulomb2{mu, mu_across} : Coulomb2{mu_across, mu});
}
MixedLaw<3> friction(Real mu, Real mu_across, const Vec<2>& along) {
  if (mu_across < 0 || along[0] == 0 || mu == mu_across) return MixedLaw<3>::coulomb(mu);
  return MixedLaw<3>::ellipse({{0, 0}, {mu, mu_across}, {1, 0}});
}

// Spheres about their centres, free to move in every way: arms of their contacts are along the normals.
template <int D>
std::vector<char> round_bodies(const Model<D>& model) {
  std::vector<char> round(model.bodies.size());
  for (std::size_t b = 0; b < round.size(); ++b) {
    const Body<D>& body = model.bodies[b];
    round[b] = body.free() && norm2(body.locked) == 0;
    for (int k = 1; k < spins<D>; ++k) round[b] = round[b] && body.inertia[k] == body.inertia[0];
  }
  for (const BodyPart<D>& part : model.parts)
    if (!std::holds_alternative<Ball<D>>(part.shape) || norm2(part.pose.x) > 0) round[at(part.body)] = false;
  return round;
}

}  // namespace

template <int D>
Collection<D>::Collection(const Model<D>& model, const CollectionOptions& options)
    : model_(model),
      options_(options),
      detector_(model),
      joints_(model),
      reach_(reach_of_bodies(model)),
      round_(round_bodies(model)) {
  for (const Body<D>& body : model.bodies) free_.push_back(body.free()), grained_ |= norm2(body.grain) > 0;
}

template <int D>
CollectionReport Collection<D>::step(ModelState<D>& s, Real h) {
  CollectionReport report;
  if (!finite(s, h)) {
    report.fault = Fault::not_finite;
    return report;
  }
  const std::vector<Vec<F>>& u_I = u_I_ = s.u;
  start_joints(s, h);
  if (s.assured < h / 2) approach(s, h / 2);
  drift(s, h / 2);  // q_M = q_I + h/2 u_I
  s.u = u_I;
  place(s, s.t + h / 2, h);
  if (!joints_.none()) joints_.project(s, pose_, s.t + h / 2);
  detect();
  report.seconds.broad = detector_.seconds().broad, report.seconds.narrow = detector_.seconds().narrow;
  place_joints(s, h);
  if (options_.correct) {
    const Watch watch(report.seconds.correction);
    correct(s, report);
  }
  {
    const Watch watch(report.seconds.assembly);
    free_velocities(s, h);  // u_L = u_I + h A^-1 F
    activate(h);            // J = { a : g_a(t_M, q_M) <= 0 }, and those that could close
  }
  for (int round = 0; round == 0 || (round < 10 && push_on(s.u, h)); ++round) {
    {
      const Watch watch(report.seconds.assembly);
      assemble(s, h);  // G_a, w_a   (JM92 7.1, 7.3)
    }
    const Watch watch(report.seconds.solution);
    solve(report);  // u_F and S_a   (JM92 7.4, 7.5)
    s.u = u_free_;
    for (std::size_t i = 0; i < member_.size(); ++i) s.u[at(member_[i])] = Vec<F>::load(&u_[i * F]);
  }
  remember(s);
  drift(s, h / 2);  // q_F = q_M + h/2 u_F
  s.t += h;
  s.assured = h / 2;
  for (int b = 0; b < static_cast<int>(s.x.size()); ++b)
    if (!model_.bodies[at(b)].free()) move_boundary(model_, s, b);
  const Watch watch(report.seconds.certificate);
  certify(u_I, s, h, report);
  if (!joints_.none()) {
    for (int b = 0; b < static_cast<int>(s.x.size()); ++b) pose_[at(b)] = s.pose(b);
    report.joint_error = joints_.project(s, pose_, s.t);
  }
  return report;
}

// Whether the state and what drives give for the step are numbers. If not, nothing has been changed.
template <int D>
bool Collection<D>::finite(const ModelState<D>& s, Real h) const {
  Real sum = 0;
  for (std::size_t b = 0; b < s.x.size(); ++b) {
    const int number = static_cast<int>(b);
    if (model_.bodies[b].free()) {
      sum += norm2(s.x[b]) + norm2(s.u[b]);
    } else if (model_.bodies[b].drive >= 0) {
      const Real t = s.t + h / 2;
      sum += norm2(boundary_pose(model_, number, t).x) + norm2(boundary_velocity(model_, number, t, h));
    }
  }
  return std::isfinite(sum);
}

template <int D>
void Collection<D>::drift(ModelState<D>& s, Real h) const {
  share_range(static_cast<int>(s.x.size()), bodies_of_a_piece, [&](int first, int last) {
    for (std::size_t b = at(first); b < at(last); ++b) {
      if (!model_.bodies[b].free()) continue;
      s.x[b] += h * linear<D>(s.u[b]);
      s.r[b].turn(h * spin<D>(s.u[b]));
    }
  });
}

// Poses at q_M, time t; alert distances: what a body may cover in the step, falling freely too, and a little.
template <int D>
void Collection<D>::place(const ModelState<D>& s, Real t, Real h) {
  const std::size_t n = s.x.size();
  pose_.resize(n), alert_.resize(n), velocity_.resize(n);
  for (std::size_t b = 0; b < n; ++b)
    if (!model_.bodies[b].free()) {
      pose_[b] = boundary_pose(model_, static_cast<int>(b), t);
      velocity_[b] = boundary_velocity(model_, static_cast<int>(b), t, h);
    }
  share_range(static_cast<int>(n), bodies_of_a_piece, [&](int first, int last) {
    for (int b = first; b < last; ++b)
      if (model_.bodies[at(b)].free()) pose_[at(b)] = s.pose(b), velocity_[at(b)] = s.u[at(b)];
  });
  share_range(static_cast<int>(n), bodies_of_a_piece, [&](int first, int last) {
    for (int b = first; b < last; ++b)
      alert_[at(b)] = alert_of(at(b), velocity_[at(b)], h) + h * h * norm(model_.gravity);
  });
}

template <int D>
Real Collection<D>::alert_of(std::size_t b, const Vec<F>& u, Real h) const {
  const Real little = 10 * options_.closed * model_.size, turning = round_[b] ? 0 : norm(spin<D>(u));
  Real reach = turning > 0 ? reach_[b] : 0;
  if (!std::isfinite(reach)) {  // a half-space that turns: as far as the farthest body
    reach = 0;
    for (std::size_t k = 0; k < pose_.size(); ++k)
      if (model_.bodies[k].free()) reach = std::max(reach, norm(pose_[k].x - pose_[b].x) + reach_[k]);
  }
  return little + h * (norm(linear<D>(u)) + turning * reach);
}

template <int D>
void Collection<D>::detect() {
  const std::vector<Contact<D>>& found = detector_.detect(pose_, alert_);
  active_.resize(found.size());
  share_range(static_cast<int>(found.size()), contacts_of_a_piece, [&](int first, int last) {
    std::copy(&found[at(first)], &found[at(first)] + (last - first), &active_[at(first)]);
  });
  if (joints_.none()) return;
  std::erase_if(active_, [&](const Contact<D>& c) { return joints_.pass_through(c.body[0], c.body[1]); });
}

// Bodies that others push or throw back may go further than their own velocity would have led them: takes in the
// contacts that the velocities u, those at the end of the step, would lead through. False: there are none.
template <int D>
bool Collection<D>::push_on(const std::vector<Vec<F>>& u, Real h) {
  const Real little = 10 * options_.closed * model_.size;
  further_.assign(u.size(), false);
  share_range(static_cast<int>(u.size()), bodies_of_a_piece, [&](int first, int last) {
    for (std::size_t b = at(first); b < at(last); ++b) {
      if (!free_[b]) continue;
      if (const Real a = alert_of(b, u[b], h); a > alert_[b] + little) alert_[b] = a, further_[b] = true;
    }
  });
  if (std::ranges::find(further_, true) != further_.end()) {
    std::erase_if(idle_, [&](const Contact<D>& c) { return further_[at(c.body[0])] || further_[at(c.body[1])]; });
    const std::vector<Contact<D>>& found = detector_.detect_of(further_, pose_, alert_);
    idle_.insert(idle_.end(), found.begin(), found.end());
  }
  const auto by_key = [](const auto& x, const auto& y) { return x.key < y.key; };
  const auto before = static_cast<std::ptrdiff_t>(active_.size());
  for (const Contact<D>& c : idle_) {
    const Real approach = dot(c.normal, relative_velocity(c, u));
    if (!(c.gap + h * approach < 0) || joints_.pass_through(c.body[0], c.body[1])) continue;
    if (std::binary_search(active_.begin(), active_.begin() + before, c, by_key)) continue;
    const Surface& surface = model_.materials.between(c.material[0], c.material[1]);
    if (!takes_part(c.gap, surface.restitution, approach, h)) continue;
    active_.push_back(c);
    for (const int b : c.body) cramped_[at(b)] = model_.bodies[at(b)].free();
  }
  std::inplace_merge(active_.begin(), active_.begin() + before, active_.end(), by_key);
  return static_cast<std::ptrdiff_t>(active_.size()) > before;
}

// Blocks at q_I, and G(q_I) u_I; velocities of boundaries are those at t_I.
template <int D>
void Collection<D>::start_joints(const ModelState<D>& s, Real h) {
  if (joints_.none()) return;
  place(s, s.t, h);
  start_velocity_ = s.u;
  for (int b = 0; b < static_cast<int>(s.x.size()); ++b)
    if (!model_.bodies[at(b)].free()) start_velocity_[at(b)] = boundary_velocity(model_, b, s.t - h / 2, h);
  blocks_ = joints_.blocks(pose_, s.t, h, {});
  bend_.clear();
  for (const JointBlock<D>& b : blocks_) bend_.push_back(-b.velocity(start_velocity_));
}

template <int D>
void Collection<D>::place_joints(const ModelState<D>& s, Real h) {
  if (joints_.none()) return;
  std::vector<Real> reaction(model_.joints.size(), 0);
  if (!s.joint.empty())
    for (std::size_t j = 0; j < reaction.size(); ++j) reaction[j] = norm(s.joint[j * joint_parts]) / h;
  blocks_ = joints_.blocks(pose_, s.t + h / 2, h, reaction);
  for (std::size_t b = 0; b < blocks_.size(); ++b) bend_[b] += blocks_[b].velocity(start_velocity_);
}

template <int D>
void Collection<D>::free_velocities(const ModelState<D>& s, Real h) {
  const std::size_t n = s.x.size();
  u_free_ = velocity_;
  force_.assign(n, {});
  for (const Load<D>& load : model_.loads) load({s.t + h / 2, pose_, velocity_, force_});
  share_range(static_cast<int>(n), bodies_of_a_piece, [&](int first, int last) {
    for (std::size_t b = at(first); b < at(last); ++b) {
      const Body<D>& body = model_.bodies[b];
      if (!body.free()) continue;
      Vec<F>& force = force_[b];
      for (int i = 0; i < D; ++i) force[i] += body.mass * model_.gravity[i], u_free_[b][i] += h / body.mass * force[i];
      free_spin(body.inertia, spin<D>(s.u[b]), Vec<spins<D>>::load(force.v + D), h).store(u_free_[b].v + D);
      for (int i = 0; i < F; ++i)
        if (body.locked[i] != 0) u_free_[b][i] = 0;
    }
  });
}

template <int D>
bool Collection<D>::takes_part(Real gap, Real restitution, Real approach, Real h) const {
  if (gap <= options_.closed * model_.size || restitution == 0) return true;
  return gap + h * approach < -options_.tunnel * model_.size;
}

template <int D>
void Collection<D>::activate(Real h) {
  const auto idle = [&](const Contact<D>& c) {
    const Surface& surface = model_.materials.between(c.material[0], c.material[1]);
    return surface.restitution > 0 &&
           !takes_part(c.gap, surface.restitution, dot(c.normal, relative_velocity(c, u_free_)), h);
  };
  idle_.clear(), cramped_.assign(model_.bodies.size(), false);
  if (model_.materials.any([](const Surface& s) { return s.restitution > 0; })) {
    std::copy_if(active_.begin(), active_.end(), std::back_inserter(idle_), idle);
    std::erase_if(active_, idle);
  }
  for (std::size_t b = blocks_.size(); b-- > 0;) {
    if (blocks_[b].part != JointPart::lower && blocks_[b].part != JointPart::upper) continue;
    const Real restitution = model_.joints[at(blocks_[b].joint)].restitution;
    if (takes_part(blocks_[b].error[0], restitution, blocks_[b].velocity(u_free_)[0], h)) continue;
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
    bend_.erase(bend_.begin() + static_cast<std::ptrdiff_t>(b));
  }
}

template <int D>
Vec<D> Collection<D>::relative_velocity(const Contact<D>& c, const std::vector<Vec<F>>& u) const {
  return point_velocity(pose_[at(c.body[0])], u[at(c.body[0])], c.point) -
         point_velocity(pose_[at(c.body[1])], u[at(c.body[1])], c.point);
}

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

// The bodies that contacts and joints touch, numbered; frames of contacts.
template <int D>
void Collection<D>::gather() {
  complete_ = false;
  number_.assign(model_.bodies.size(), -1);
  member_.clear();
  const auto touch = [&](const auto& c) {
    for (const int b : c.body)
      if (b >= 0 && free_[at(b)]) number_[at(b)] = 0;
  };
  for (const Contact<D>& c : active_) touch(c);
  for (const JointBlock<D>& b : blocks_) touch(b);
  for (int b = 0; b < static_cast<int>(number_.size()); ++b)
    if (number_[at(b)] == 0) number_[at(b)] = static_cast<int>(member_.size()), member_.push_back(b);
  const std::size_t all = contacts_and_blocks();
  problem_.w.resize(all * D), problem_.law.resize(all);
  pairs_.resize(all), frame_.resize(active_.size()), arm_.resize(active_.size());
  share_range(static_cast<int>(active_.size()), contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t a = at(first); a < at(last); ++a) {
      const Contact<D>& c = active_[a];
      pairs_[a] = {number_[at(c.body[0])], number_[at(c.body[1])]};
      frame_[a] = frame_of(c.normal, grain(c));
      arm_[a] = {arm(c, 0), arm(c, 1)};
    }
  });
  for (std::size_t a = active_.size(); a < all; ++a)
    for (std::size_t side = 0; side < 2; ++side) {
      const int b = blocks_[a - active_.size()].body[side];
      pairs_[a][side] = b < 0 ? -1 : number_[at(b)];
    }
}

// Bodies and rows of the problem, from what is gathered.
template <int D>
void Collection<D>::complete_problem(const std::vector<Vec<F>>& free) const {
  const std::size_t n = member_.size(), contacts = active_.size();
  problem_.inverse_inertia.resize(n * F), problem_.u_free.resize(n * F), problem_.contact.resize(pairs_.size());
  for (std::size_t i = 0; i < n; ++i) {
    const Body<D>& body = model_.bodies[at(member_[i])];
    for (int k = 0; k < F; ++k) problem_.inverse_inertia[i * F + at(k)] = 1 / body.A(k);
    free[at(member_[i])].store(&problem_.u_free[i * F]);
  }
  for (std::size_t a = 0; a < pairs_.size(); ++a)
    for (std::size_t side = 0; side < 2; ++side) {
      problem_.contact[a].body[side] = pairs_[a][side];
      Mat<D, F>& G = problem_.contact[a].G[side];
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
  complete_ = true;
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

template <int D>
void Collection<D>::assemble(const ModelState<D>& s, Real h) {
  gather();
  turn_spins();
  W_.resize(contacts_and_blocks()), U_I_.resize(contacts_and_blocks());
  S_.assign(contacts_and_blocks() * D, 0);
  M_.assign(active_.size(), {});
  share_range(static_cast<int>(active_.size()), contacts_of_a_piece, [&](int first, int last) {
    // k: in the list of the last step, whose impulses are the start
    auto k = static_cast<std::size_t>(std::ranges::lower_bound(s.contact, active_[at(first)].key) - s.contact.begin());
    for (std::size_t a = at(first); a < at(last); ++a) {
      while (k < s.contact.size() && s.contact[k] < active_[a].key) ++k;
      const bool known = k < s.contact.size() && s.contact[k] == active_[a].key;
      assemble_contact(a, h, known && s.slid[k] != 0);
      if (!known) continue;
      (transpose(frame_[a]) * s.impulse[k]).store(&S_[a * D]);
      M_[a] = spin_to_frame(frame_[a], s.torque[k]);
    }
  });
  assemble_joints(s, h);
}

template <int D>
void Collection<D>::turn_spins() {
  spin_.resize(velocity_.size());
  share_range(static_cast<int>(spin_.size()), bodies_of_a_piece, [&](int first, int last) {
    for (std::size_t b = at(first); b < at(last); ++b) spin_[b] = to_world(pose_[b].R, spin<D>(velocity_[b]));
  });
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
    if (!s.joint.empty()) s.joint[at(block.joint * joint_parts + static_cast<int>(block.part))].store(&S_[a * D]);
  }
}

template class Collection<2>;
template class Collection<3>;

}  // namespace cairn
