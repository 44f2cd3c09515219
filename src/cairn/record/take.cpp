// What a results file keeps, taken from a world, its state and the step just made.
#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/check.hpp"
#include "cairn/model/build.hpp"
#include "cairn/record/writer.hpp"

namespace cairn::record {
namespace {

// At the middle of the step, where contacts were found: q_M = q_F - h/2 u_F. A turn back along the spin leaves the spin
// in the world's axes as it is, so that of the end will do.
template <int D>
Pose<D> middle_of(const Model<D>& model, const ModelState<D>& s, int body, Real h) {
  if (!model.bodies[at(body)].free()) return boundary_pose(model, body, s.t - h / 2);
  const Pose<D> end = s.pose(body);
  return {end.x - h / 2 * linear<D>(s.u[at(body)]), end.R};
}

template <int D>
Vec<D> relative_velocity(const Model<D>& model, const ModelState<D>& s, const Contact<D>& c, Real h) {
  return point_velocity(middle_of(model, s, c.body[0], h), s.u[at(c.body[0])], c.point) -
         point_velocity(middle_of(model, s, c.body[1], h), s.u[at(c.body[1])], c.point);
}

// Of what excludes each other, sliding velocity and room for more friction, which one is there: the law's own view, as
// the scheme has it for static and dynamic friction.
template <int D>
Status status_of(const Collection<D>& scheme, const ModelState<D>& s, int a) {
  const auto& problem = scheme.problem();
  const Vec<D> S = scheme.impulse(a);
  if (!(S[0] > 0)) return Status::take_off;
  Vec<D> U = Vec<D>::load(&problem.w[at(a) * D]);
  for (int side = 0; side < 2; ++side)
    if (problem.contact[at(a)].body[side] >= 0)
      U += problem.contact[at(a)].G[side] * s.u[at(scheme.contacts()[at(a)].body[side])];
  const Real H = trace(problem.diagonal_block(a)) / D;
  Vec<D> V = U, more = S;  // sliding; S with the friction that would stop it
  V[0] = 0;
  more -= (1 / H) * V;
  const bool held_back = norm(problem.law[at(a)].project(more) - more) * H > norm(V) / 2;
  return held_back ? Status::slide : Status::stick;
}

}  // namespace

template <int D>
Cast<D> cast_of(const scene::World<D>& world) {
  Cast<D> cast{world.model.bodies, world.model.parts, world.names, world.part, world.model.gravity, world.model.size};
  for (Body<D>& b : cast.bodies) b.drive = b.drive >= 0 ? 0 : -1;
  return cast;
}

template <int D>
Frame<D> frame_of(const Model<D>& model, const ModelState<D>& s, const Collection<D>* scheme, long step, Real h) {
  Frame<D> frame{s.t, step, scheme != nullptr ? h : 0, s.x, s.r, s.u, {}};
  if (scheme == nullptr) return frame;
  const std::vector<Contact<D>>& contacts = scheme->contacts();
  CAIRN_CHECK(s.contact.size() == contacts.size(), "the state is that after the scheme's last step");
  frame.contacts.reserve(contacts.size());
  for (int a = 0; a < static_cast<int>(contacts.size()); ++a) {
    const Contact<D>& c = contacts[at(a)];
    frame.contacts.push_back({{c.body[0], c.body[1]},
                              {c.key.first, c.key.second},
                              c.key.feature,
                              c.point,
                              c.normal,
                              s.impulse[at(a)],
                              relative_velocity(model, s, c, h),
                              c.gap,
                              status_of(*scheme, s, a),
                              scheme->problem().law[at(a)].use(scheme->impulse(a))});
  }
  return frame;
}

template <int D>
StepRow step_row(const Model<D>& model, const ModelState<D>& s, const CollectionReport& r, Real h) {
  StepRow row;
  row.t = s.t, row.h = h;
  row.active = r.active, row.closed = r.closed, row.islands = r.islands, row.at_rest = r.at_rest;
  row.iterations = static_cast<Real>(r.iterations), row.missed = r.missed, row.ambiguous = r.ambiguous;
  row.error = r.error, row.violation = r.violation, row.deepest = r.deepest, row.joint_error = r.joint_error;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].free())
      for (int k = 0; k < freedoms<D>; ++k) row.kinetic += model.bodies[b].A(k) * s.u[b][k] * s.u[b][k] / 2;
  row.change = r.energy.change, row.applied = r.energy.applied, row.inertial = r.energy.inertial;
  row.boundary = r.energy.boundary, row.dissipation = r.energy.dissipation, row.correction = r.correction_work;
  return row;
}

template Cast<2> cast_of(const scene::World<2>&);
template Cast<3> cast_of(const scene::World<3>&);
template Frame<2> frame_of(const Model<2>&, const ModelState<2>&, const Collection<2>*, long, Real);
template Frame<3> frame_of(const Model<3>&, const ModelState<3>&, const Collection<3>*, long, Real);
template StepRow step_row(const Model<2>&, const ModelState<2>&, const CollectionReport&, Real);
template StepRow step_row(const Model<3>&, const ModelState<3>&, const CollectionReport&, Real);

}  // namespace cairn::record
