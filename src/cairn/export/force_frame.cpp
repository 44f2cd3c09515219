#include "cairn/export/force_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/model/build.hpp"
#include "cairn/scheme/joints.hpp"

namespace cairn::exporting {
namespace {

// Columns n, t; n, t1, t2, with t1 as near to `along` as it can be: the grain, where friction depends on direction.
Mat<2> axes_of(const Vec<2>& n, const Vec<2>&) { return {{n[0], n[1], -n[1], n[0]}}; }
Mat<3> axes_of(const Vec<3>& n, const Vec<3>& along) {
  Vec<3> t = along - dot(along, n) * n;
  if (!(norm(t) > Real(1e-6))) {
    Vec<3> axis{};
    axis[std::fabs(n[0]) < Real(0.5) ? 0 : 1] = 1;
    t = cross(n, axis);
  }
  t = normalised(t);
  const Vec<3> s = cross(n, t);
  return {{n[0], n[1], n[2], t[0], t[1], t[2], s[0], s[1], s[2]}};
}

// A sphere about its centre: contact arms are along normals, whatever a correction of violations has moved.
template <int D>
bool is_round(const Model<D>& model, int body) {
  const Body<D>& b = model.bodies[at(body)];
  bool round = b.free() && norm2(b.locked) == 0;
  for (int k = 1; k < spins<D>; ++k) round = round && b.inertia[k] == b.inertia[0];
  return round;
}
template <int D>
std::vector<char> round_bodies(const Model<D>& model) {
  std::vector<char> round(model.bodies.size());
  for (int b = 0; b < static_cast<int>(round.size()); ++b) round[at(b)] = is_round(model, b);
  for (const BodyPart<D>& part : model.parts)
    if (!std::holds_alternative<Ball<D>>(part.shape) || norm2(part.pose.x) > 0) round[at(part.body)] = false;
  return round;
}

template <int D>
class FrameRows {
 public:
  static constexpr int F = freedoms<D>;
  using Problem = BodyProblem<MixedLaw<D>, F>;

  FrameRows(const Model<D>& model, const record::Frame<D>& frame)
      : model_(model), frame_(frame), round_(round_bodies(model)) {
    for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {  // q_M = q_F - h/2 u_F
      Pose<D> pose{frame.x[at(b)], frame.r[at(b)].rotation()};
      if (model.bodies[at(b)].free())
        pose.x -= frame.h / 2 * linear<D>(frame.u[at(b)]);
      else
        pose = boundary_pose(model, b, frame.t - frame.h / 2);
      pose_.push_back(pose);
    }
  }

  // Why the frame does not tell; empty: it does.
  std::string refusal() const {
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (model_.joints[j].limited() || model_.joints[j].rubs())
        return fmt::format("joint {} has limits or friction, whose forces are not recorded", j);
    for (std::size_t a = 0; a < frame_.contacts.size(); ++a) {
      const Surface& s = surface(a);
      if (s.rolling > 0 || s.drilling > 0)
        return fmt::format("contact {} resists rolling, and its torque is not recorded", a);
    }
    return "";
  }

  FrameForces<D> forces(Real tolerance) {
    FrameForces<D> out;
    out.speed_tolerance = tolerance * speed();
    problem_.inverse_inertia.assign(model_.bodies.size() * F, 1);  // rows are all that is asked for
    for (std::size_t a = 0; a < frame_.contacts.size(); ++a) add(a, out);
    if (!model_.joints.empty()) add_joints();
    S_.resize(at(problem_.rows()), 0), U_.resize(at(problem_.rows()), 0);
    out.set = force_set<D, F>(problem_, S_, U_, out.state);
    return out;
  }

 private:
  const Surface& surface(std::size_t a) const {
    const record::ContactRow<D>& c = frame_.contacts[a];
    return model_.materials.between(model_.parts[at(c.part[0])].material, model_.parts[at(c.part[1])].material);
  }

  // [m/s] that tolerances are relative to.
  Real speed() const {
    Real most = norm(model_.gravity) * frame_.h;
    for (const record::ContactRow<D>& c : frame_.contacts) most = std::max(most, norm(c.velocity));
    return most;
  }

  void add(std::size_t a, FrameForces<D>& out) {
    const record::ContactRow<D>& c = frame_.contacts[a];
    const Mat<D> axes = axes_of(c.normal, grain(c)), local = transpose(axes);
    typename Problem::Contact row{};
    for (int side = 0; side < 2; ++side) {
      const std::size_t b = at(c.body[side]);
      row.body[side] = model_.bodies[b].free() ? c.body[side] : -1;
      if (row.body[side] < 0) continue;
      Vec<D> arm = c.point - pose_[b].x;
      if (round_[b]) arm = dot(arm, c.normal) * c.normal;
      row.G[side] = Real(side == 0 ? 1 : -1) * point_rows(pose_[b], pose_[b].x + arm, axes);
      for (int k = 0; k < F; ++k)
        for (int i = 0; i < D; ++i)
          if (model_.bodies[b].locked[k] != 0) row.G[side](i, k) = 0;
    }
    problem_.contact.push_back(row);
    const Vec<D> S = local * c.impulse, U = local * c.velocity;
    problem_.law.push_back(law(a, local, S));
    S_.insert(S_.end(), S.v, S.v + D), U_.insert(U_.end(), U.v, U.v + D);
    out.state.push_back(state(c, S, U, out.speed_tolerance));
  }

  // The law was U_N >= -g/h for an open gap g. Where it presses it did not open, whatever error is left.
  ContactState state(const record::ContactRow<D>& c, const Vec<D>& S, const Vec<D>& U, Real slow) const {
    const Real closing = U[0] + std::max(c.gap, Real(0)) / frame_.h;
    if (!(S[0] > 0) && closing > slow) return ContactState::opens;
    Vec<D> along = U;
    along[0] = 0;
    return norm(along) > slow ? ContactState::slides : ContactState::sticks;
  }

  Vec<D> grain(const record::ContactRow<D>& c) const {
    for (int side = 0; side < 2; ++side) {
      const std::size_t b = at(c.body[side]);
      if (norm2(model_.bodies[b].grain) > 0) return Real(side == 0 ? 1 : -1) * (pose_[b].R * model_.bodies[b].grain);
    }
    return {};
  }

  MixedLaw<D> law(std::size_t a, const Mat<D>& local, const Vec<D>& S) const {
    const Surface& s = surface(a);
    const Real mu = in_force(s, frame_.contacts[a], S);
    const Vec<D> along = local * grain(frame_.contacts[a]);
    if (s.mu_across < 0 || along[1] == 0 || mu == s.mu_across) return MixedLaw<D>::coulomb(mu);
    if constexpr (D == 2)
      return MixedLaw<2>::coulomb(along[1] > 0 ? Coulomb2{mu, s.mu_across} : Coulomb2{s.mu_across, mu});
    else
      return MixedLaw<3>::ellipse({{0, 0}, {mu, s.mu_across}, {1, 0}});
  }

  // Static or dynamic: the part of friction in use, which is recorded, tells what it is a part of.
  static Real in_force(const Surface& s, const record::ContactRow<D>& c, const Vec<D>& S) {
    if (s.mu_dynamic < 0) return s.mu;
    Vec<D> t = S;
    t[0] = 0;
    if (!(S[0] > 0) || !(c.use > 0) || !(norm(t) > 0)) return s.mu;
    const Real mu = norm(t) / (c.use * S[0]);
    return std::fabs(mu - s.mu_dynamic) < std::fabs(mu - s.mu) ? s.mu_dynamic : s.mu;
  }

  // Impulses of joints are not recorded. They are free: whatever they were, the set is the same.
  void add_joints() {
    const Joints<D> joints(model_);
    const std::vector<Real> reaction(model_.joints.size(), 0);
    for (const JointBlock<D>& block : joints.blocks(pose_, frame_.t - frame_.h / 2, frame_.h, reaction)) {
      if (block.law.kind != LawKind::bilateral) continue;
      typename Problem::Contact row{};
      for (int side = 0; side < 2; ++side) {
        const int b = block.body[side];
        row.body[side] = b >= 0 && model_.bodies[at(b)].free() ? b : -1;
        row.G[side] = block.G[side];
      }
      problem_.contact.push_back(row), problem_.law.push_back(block.law);
    }
  }

  const Model<D>& model_;
  const record::Frame<D>& frame_;
  std::vector<char> round_;
  std::vector<Pose<D>> pose_;  // (bodies) at the middle of the step
  Problem problem_;
  std::vector<Real> S_, U_;
};

}  // namespace

template <int D>
Expected<FrameForces<D>> forces_of_frame(const Model<D>& model, const record::Frame<D>& frame, Real tolerance) {
  if (!(frame.h > 0)) return Error{"no step leads to this frame; expected a later one"};
  if (model.bodies.size() != frame.x.size()) return Error{"the scene in the results has other bodies than its frames"};
  for (const record::ContactRow<D>& c : frame.contacts)
    for (const int part : c.part)
      if (part < 0 || at(part) >= model.parts.size())
        return Error{"the scene in the results has other parts than its contacts"};
  FrameRows<D> rows(model, frame);
  if (const std::string wrong = rows.refusal(); !wrong.empty()) return Error{wrong};
  return rows.forces(tolerance);
}

template Expected<FrameForces<2>> forces_of_frame(const Model<2>&, const record::Frame<2>&, Real);
template Expected<FrameForces<3>> forces_of_frame(const Model<3>&, const record::Frame<3>&, Real);

}  // namespace cairn::exporting
