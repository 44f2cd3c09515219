// What a results file keeps, taken from a world, its state and the step just made.
#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/base/check.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/model/build.hpp"
#include "cairn/record/writer.hpp"

namespace cairn::record {
namespace {

constexpr int contacts_of_a_piece = 256;

// At the middle of the step, where contacts were found: q_M = q_F - h/2 u_F. A turn back along the spin leaves the spin
// in the world's axes as it is, so that of the end will do.
template <int D>
std::vector<Pose<D>> middle_of_step(const Model<D>& model, const ModelState<D>& s, Real h) {
  std::vector<Pose<D>> middle(model.bodies.size());
  for (int b = 0; b < static_cast<int>(middle.size()); ++b) {
    middle[at(b)] = model.bodies[at(b)].free() ? s.pose(b) : boundary_pose(model, b, s.t - h / 2);
    if (model.bodies[at(b)].free()) middle[at(b)].x -= h / 2 * linear<D>(s.u[at(b)]);
  }
  return middle;
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
  frame.contacts.resize(contacts.size());
  const std::vector<Pose<D>> middle = middle_of_step(model, s, h);
  const auto velocity = [&](int body, const Vec<D>& point) {
    return point_velocity(middle[at(body)], s.u[at(body)], point);
  };
  share_range(static_cast<int>(contacts.size()), contacts_of_a_piece, [&](int first, int last) {
    for (int a = first; a < last; ++a) {
      const Contact<D>& c = contacts[at(a)];
      const Vec<D> S = scheme->impulse(a);
      const Status status = !(S[0] > 0) ? Status::take_off : scheme->slides(a) ? Status::slide : Status::stick;
      frame.contacts[scheme->place(a)] = {{c.body[0], c.body[1]},
                                          {c.key.first, c.key.second},
                                          c.key.feature,
                                          c.point,
                                          c.normal,
                                          scheme->world_impulse(a),
                                          velocity(c.body[0], c.point) - velocity(c.body[1], c.point),
                                          c.gap,
                                          status,
                                          scheme->law(a).use(S)};
    }
  });
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
