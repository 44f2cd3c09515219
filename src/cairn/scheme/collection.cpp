#include "cairn/scheme/collection.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <variant>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/model/build.hpp"
#include "cairn/model/reach.hpp"
#include "cairn/scheme/pieces.hpp"
#include "cairn/scheme/spin.hpp"

namespace cairn {
namespace {

class Watch {
 public:
  explicit Watch(double& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~Watch() { total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_;
};

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
  Real sum = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body<D>& body = model.bodies[b];
    free_.push_back(body.free()), grained_ |= norm2(body.grain) > 0;
    const Real m = body.mass, J = body.inertia[0];
    inertia_.push_back(round_[b] ? Inertia{m, J, 1 / m, 1 / J} : Inertia{});
    inverse_.emplace_back();
    for (int k = 0; k < F; ++k) inverse_.back()[k] = !body.free() || body.locked[k] != 0 ? 0 : 1 / body.A(k);
    if (body.free())
      sum += 2 * reach_[b];
    else
      boundaries_.push_back(static_cast<int>(b));
  }
  if (sum > 0 && std::isfinite(sum)) cell_ = sum / static_cast<Real>(model.bodies.size() - boundaries_.size());
}

template <int D>
CollectionReport Collection<D>::step(ModelState<D>& s, Real h) {
  CollectionReport report;
  if (!finite(s, h)) {
    report.fault = Fault::not_finite;
    return report;
  }
  share_copy(s.u, u_I_);
  const std::vector<Vec<F>>& u_I = u_I_;
  rolls_ = model_.materials.any([](const Surface& m) { return m.rolling > 0 || (D == 3 && m.drilling > 0); });
  start_joints(s, h);
  const bool held_back = s.assured < h / 2;
  if (held_back) approach(s, h / 2);
  drift(s, h / 2);  // q_M = q_I + h/2 u_I
  if (held_back) share_copy(u_I, s.u);
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
    free_velocities(s, h);  // u_L = u_I + h A^-1 F, and spins in the world's axes
    activate(h);            // J = { a : g_a(t_M, q_M) <= 0 }, and those that could close
  }
  bool nearby = false;  // the last round has solved for some bodies only
  for (int round = 0; round == 0 || (round < 10 && push_on(s.u, h, nearby)); ++round) {
    {
      const Watch watch(report.seconds.assembly);
      if (round == 0)
        assemble(s, h, false);  // G_a, w_a   (JM92 7.1, 7.3)
      else
        take_in(), take_in_rows();
    }
    const Watch watch(report.seconds.solution);
    report.further = round;
    nearby = round > 0 && solve_nearby(s, h, report);
    if (nearby) {
      ++report.nearby;
      for (const int i : near_body_) s.u[at(member_[at(i)])] = Vec<F>::load(&u_[at(i) * F]);
      continue;
    }
    if (round > 0) {
      keep_impulses(found_.contact, found_.impulse, found_.torque);
      put_in_order();
      assemble(s, h, true);
    }
    solve(report);  // u_F and S_a   (JM92 7.4, 7.5)
    share_range(static_cast<int>(s.u.size()), bodies_of_a_piece, [&](int first, int last) {
      for (std::size_t b = at(first); b < at(last); ++b)
        s.u[b] = number_[b] < 0 ? u_free_[b] : Vec<F>::load(&u_[at(number_[b]) * F]);
    });
  }
  remember(s);
  drift(s, h / 2);  // q_F = q_M + h/2 u_F
  s.t += h;
  s.assured = h / 2;
  for (const int b : boundaries_) move_boundary(model_, s, b);
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
  std::atomic<bool> good = true;
  share_range(static_cast<int>(s.x.size()), bodies_of_a_piece, [&](int first, int last) {
    Real sum = 0;
    for (std::size_t b = at(first); b < at(last); ++b)
      if (free_[b]) sum += norm2(s.x[b]) + norm2(s.u[b]);
    if (!std::isfinite(sum)) good = false;
  });
  Real sum = 0;
  for (const int b : boundaries_) {
    if (model_.bodies[at(b)].drive < 0) continue;
    const Real t = s.t + h / 2;
    sum += norm2(boundary_pose(model_, b, t).x) + norm2(boundary_velocity(model_, b, t, h));
  }
  return good && std::isfinite(sum);
}

template <int D>
void Collection<D>::drift(ModelState<D>& s, Real h) const {
  share_range(static_cast<int>(s.x.size()), bodies_of_a_piece, [&](int first, int last) {
    for (std::size_t b = at(first); b < at(last); ++b) {
      if (!free_[b]) continue;
      s.x[b] += h * linear<D>(s.u[b]);
      if (norm2(spin<D>(s.u[b])) > 0) s.r[b].turn(h * spin<D>(s.u[b]));
    }
  });
}

// Poses at q_M, time t; alert distances: what a body may cover in the step, falling freely too, and a little.
template <int D>
void Collection<D>::place(const ModelState<D>& s, Real t, Real h) {
  const std::size_t n = s.x.size();
  pose_.resize(n), alert_.resize(n), velocity_.resize(n);
  posed_angle_.resize(D == 2 ? n : 0, std::numeric_limits<Real>::quiet_NaN());
  const Real fall = h * h * norm(model_.gravity);
  for (const int b : boundaries_) {
    pose_[at(b)] = boundary_pose(model_, b, t);
    velocity_[at(b)] = boundary_velocity(model_, b, t, h);
  }
  const auto set_alert = [&](int b) { alert_[at(b)] = alert_of(at(b), velocity_[at(b)], h) + fall; };
  share_range(static_cast<int>(n), bodies_of_a_piece, [&](int first, int last) {
    for (int b = first; b < last; ++b)
      if (free_[at(b)]) set_pose(b, s), velocity_[at(b)] = s.u[at(b)], set_alert(b);
  });
  for (const int b : boundaries_) set_alert(b);  // it may depend on where the others are
}

// Of a free body. In the plane the sine and cosine stay while the angle does.
template <int D>
void Collection<D>::set_pose(int b, const ModelState<D>& s) {
  if constexpr (D == 2) {
    const bool same = joints_.none() && posed_angle_[at(b)] == s.r[at(b)].angle;  // joints set poses by themselves
    posed_angle_[at(b)] = s.r[at(b)].angle;
    if (same) {
      pose_[at(b)].x = s.x[at(b)];
      return;
    }
  }
  pose_[at(b)] = s.pose(b);
}

template <int D>
Real Collection<D>::alert_of(std::size_t b, const Vec<F>& u, Real h) const {
  const Real little = 10 * options_.closed * model_.size, turning = round_[b] ? 0 : norm(spin<D>(u));
  Real reach = turning > 0 ? reach_[b] : 0;
  if (!std::isfinite(reach)) {  // a half-space that turns: as far as the farthest body
    reach = 0;
    for (std::size_t k = 0; k < pose_.size(); ++k)
      if (free_[k]) reach = std::max(reach, norm(pose_[k].x - pose_[b].x) + reach_[k]);
  }
  return little + h * (norm(linear<D>(u)) + turning * reach);
}

template <int D>
void Collection<D>::detect() {
  const std::vector<Contact<D>>& found = detector_.detect(pose_, alert_);
  active_.resize(found.size()), ends_.resize(found.size());
  share_range(static_cast<int>(found.size()), contacts_of_a_piece, [&](int first, int last) {
    for (std::size_t a = at(first); a < at(last); ++a) {
      active_[a] = found[a];
      ends_[a] = ends_of(found[a]);
    }
  });
  if (!joints_.none()) {
    std::erase_if(active_, [&](const Contact<D>& c) { return joints_.pass_through(c.body[0], c.body[1]); });
    list_ends();
  }
  ordered_ = active_.size(), late_.clear();
}

template <int D>
void Collection<D>::list_ends() {
  ends_.clear();
  for (const Contact<D>& c : active_) ends_.push_back(ends_of(c));
}

// Blocks at q_I, and G(q_I) u_I; velocities of boundaries are those at t_I.
template <int D>
void Collection<D>::start_joints(const ModelState<D>& s, Real h) {
  if (joints_.none()) return;
  place(s, s.t, h);
  start_velocity_ = s.u;
  for (const int b : boundaries_) start_velocity_[at(b)] = boundary_velocity(model_, b, s.t - h / 2, h);
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
  u_free_.resize(n), force_.resize(n), spin_.resize(n);
  const auto apply = [&](std::size_t b) {
    if (!free_[b]) return;
    const Body<D>& body = model_.bodies[b];
    Vec<F>& force = force_[b];
    for (int i = 0; i < D; ++i) force[i] += body.mass * model_.gravity[i], u_free_[b][i] += h / body.mass * force[i];
    free_spin(body.inertia, spin<D>(s.u[b]), Vec<spins<D>>::load(force.v + D), h).store(u_free_[b].v + D);
    for (int i = 0; i < F; ++i)
      if (body.locked[i] != 0) u_free_[b][i] = 0;
  };
  share_range(static_cast<int>(n), bodies_of_a_piece, [&](int first, int last) {
    for (std::size_t b = at(first); b < at(last); ++b) {
      u_free_[b] = velocity_[b], force_[b] = {}, spin_[b] = to_world(pose_[b].R, spin<D>(velocity_[b]));
      if (model_.loads.empty()) apply(b);
    }
  });
  if (model_.loads.empty()) return;
  for (const Load<D>& load : model_.loads) load({s.t + h / 2, pose_, velocity_, force_});
  share_range(static_cast<int>(n), bodies_of_a_piece, [&](int first, int last) {
    for (int b = first; b < last; ++b) apply(at(b));
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
    ordered_ = active_.size();
    list_ends();
  }
  waiting_ = idle_.size();
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

template class Collection<2>;
template class Collection<3>;

}  // namespace cairn
