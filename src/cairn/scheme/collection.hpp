// The midpoint step of Moreau and Jean (JM92 7) for a collection of rigid bodies.
//
//   q_M = q_I + h/2 u_I;   contacts at q_M;   u_F, S from the waist;   q_F = q_M + h/2 u_F
//
// A contact with gap g > 0 at q_M takes part with U_N >= -g/h: the gap at the next q_M is then not negative, and
// nothing tunnels. One with restitution waits for its gap to close, or a body would bounce before it touches; only
// where the next gap would be deeper than `tunnel` it bounces before, by less than a step.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "cairn/detection/detect.hpp"
#include "cairn/law/mixed.hpp"
#include "cairn/problem/bodies.hpp"
#include "cairn/scheme/joints.hpp"
#include "cairn/scheme/step_report.hpp"
#include "cairn/scheme/z_order.hpp"
#include "cairn/solver/body_sweeps.hpp"
#include "cairn/solver/report.hpp"

namespace cairn {

struct CollectionOptions {
  Real tolerance = Real(1e-9);  // [-] sought for the contact problem (natural map over the free velocities)
  Real required = Real(1e-6);   // [-] a step with a larger error has missed; more work is spent to avoid that
  ErrorScale scale = ErrorScale::free_velocities;  // of both, where islands are solved by sweeps
  int small = 100;           // contacts; larger islands are content with the required error where the tolerance is dear
  long iterations = 2000;    // to seek the tolerance; 20 times as many for the required error. Counted, not timed:
                             // the same start gives the same bits
  Real closed = Real(1e-6);  // [-] of the model's size: a smaller gap counts as none
  Real slop = Real(2e-6);    // [-] of the model's size: deeper violations are corrected, back to half of it; if that is
                             // more, a tenth of the tolerance, or all of it where errors are over impulses
  Real tunnel = Real(0.1);   // [-] of the model's size
  bool correct = true;       // M88 Remark 11.1
};

struct StageSeconds {
  double broad = 0, narrow = 0, assembly = 0, solution = 0, correction = 0, certificate = 0;
};

struct CollectionReport : StepReport {
  bool missed = false;                // the error is above the required one
  Method method = Method::automatic;  // that reached the answer
  int factorisations = 0;
  double swept = 0;          // contacts, in all sweeps together
  double swept_single = 0;   // of them, in single precision
  int further = 0;           // rounds after the first: contacts that showed up in the course of the step
  int nearby = 0;            // of them, those that solved for what is near these contacts alone
  int islands = 0;           // groups of contacts that share no body, solved apart; the error is that of the worst
  int at_rest = 0;           // of them, those that the impulses of the last step hold still
  Real impulse_error = 0;    // [-] natural maps of all contacts over all impulses, both as velocities
  Real velocity_error = 0;   // [m/s] largest error of a contact, as a velocity
  Real correction_work = 0;  // [J] of the weight in moves that correct violations
  Real deepest = 0;          // [m] violation found at q_M, before correction
  Real joint_error = 0;      // [m] largest displacement left in a joint at q_F (turns times the model's size)
  StageSeconds seconds;

  void count(const SweepResult& result, std::size_t contacts) {
    iterations += result.sweeps;
    swept += static_cast<double>(contacts) * static_cast<double>(result.sweeps);
    swept_single += static_cast<double>(contacts) * static_cast<double>(result.single);
  }
};

template <int D>
class Collection {
 public:
  static constexpr int F = freedoms<D>;
  using Law = MixedLaw<D>;
  using Problem = BodyProblem<Law, F>;

  // The model must outlive it and keep its bodies and joints.
  explicit Collection(const Model<D>& model, const CollectionOptions& options = {});

  CollectionReport step(ModelState<D>& state, Real h);

  // Of the last step: the contacts that took part, those that showed up in its course last; place(): where the lists of
  // the state, which are in the order of the keys, have one.
  const std::vector<Contact<D>>& contacts() const { return active_; }
  std::size_t place(int contact) const { return rank(static_cast<std::size_t>(contact)); }
  // [N s] in local axes, normal first; in the world's.
  Vec<D> impulse(int contact) const { return Vec<D>::load(&S_[static_cast<std::size_t>(contact) * D]); }
  Vec<D> world_impulse(int contact) const { return frame_[static_cast<std::size_t>(contact)] * impulse(contact); }
  const Law& law(int contact) const { return problem_.law[static_cast<std::size_t>(contact)]; }
  // Of what excludes each other, sliding velocity and room for more friction, whether the former is there.
  bool slides(int contact) const;
  // [N m s] of rolling resistance, in local axes: about the normal first.
  Vec<spins<D>> torque(int contact) const { return M_[static_cast<std::size_t>(contact)]; }
  const Problem& problem() const;          // contacts first, then the blocks of joints
  Vec<D> reaction(int body) const;         // [N s] of all contacts on a body or boundary, in the world's axes
  Vec<D> joint_reaction(int joint) const;  // [N s] on the joint's first body, along the axes of its second frame

 private:
  struct Outcome {
    bool reached;  // what was asked for
    Real error;
    Method method;
  };
  struct Certified {  // of some bodies or contacts
    EnergyLedger energy;
    int closed = 0;
    Real velocity_error2 = 0, violation = 0;  // largest
    Real natural2 = 0, impulse2 = 0;          // [m^2/s^2] sums of squares: of natural maps, of impulses as velocities
  };
  struct Nearby {  // [m^2/s^2] sums of squares over contacts: of natural maps, of free velocities
    Real natural2 = 0, free2 = 0;
  };
  // Work bounded by a count, never by the clock: the same start gives the same bits.
  static SolverOptions counted(Real tolerance, long iterations) {
    SolverOptions o;
    o.tolerance = tolerance, o.max_iterations = iterations;
    o.max_seconds = std::numeric_limits<Real>::infinity();
    return o;
  }

  void drift(ModelState<D>& state, Real h) const;
  void approach(ModelState<D>& state, Real h);
  void start_joints(const ModelState<D>& state, Real h);
  void place(const ModelState<D>& state, Real t, Real h);
  void set_pose(int b, const ModelState<D>& state);
  void detect();
  static SweepOrder::Pair ends_of(const Contact<D>& c) { return {c.body[0], c.body[1]}; }
  void list_ends();
  void number_ends(std::size_t a) {  // bodies of the contact in the problem
    for (std::size_t side = 0; side < 2; ++side) pairs_[a][side] = number_[static_cast<std::size_t>(ends_[a][side])];
  }
  bool push_on(const std::vector<Vec<F>>& u, Real h, bool nearby);
  bool goes_further(std::size_t body, const Vec<F>& u, Real h);
  bool closes(const Contact<D>& c, const std::vector<Vec<F>>& u, Real h) const;
  void take_in();
  void take_in_rows();
  void put_in_order();
  void look_around();
  bool solve_nearby(const ModelState<D>& state, Real h, CollectionReport& report);
  bool take_nearby(CollectionReport& report);
  Nearby measure_nearby();
  Real alert_of(std::size_t body, const Vec<F>& u, Real h) const;
  bool finite(const ModelState<D>& state, Real h) const;
  void place_joints(const ModelState<D>& state, Real h);
  void restrain(std::size_t a, const Vec<D>& W, Real room);
  Vec<D> boundary_part(std::size_t a) const;
  void correct(ModelState<D>& state, CollectionReport& report);
  void press();
  bool presses_more();
  template <class Do>
  void share_pressed(Do&& f);
  bool press_by_sweeps(int island);
  void press_exactly(int island);
  void shorten_moves(int island);
  Real slop() const;  // [m]
  Real gap(std::size_t a) const;
  void free_velocities(const ModelState<D>& state, Real h);
  void activate(Real h);
  void gather();
  void gather_bodies();
  void gather_contact(std::size_t a);
  typename Problem::Contact rows(int contact) const;
  void complete_problem(const std::vector<Vec<F>>& free) const;
  Problem part(const std::vector<int>& contacts, const std::vector<Vec<F>>& free, std::vector<int>& bodies) const;
  void assemble(const ModelState<D>& state, Real h, bool again);
  void assemble_contact(std::size_t a, Real h, bool slid);
  Vec<D> arm(const Contact<D>& c, int side) const;
  Vec<D> grain(const Contact<D>& c) const;
  void assemble_joints(const ModelState<D>& state, Real h);
  bool plain(int contact) const;
  void plan_sweeps();
  void assemble_contacts(const ModelState<D>& state, Real h, int first, int last);
  SweepBody<D> sweep_body(std::size_t body, const Vec<F>& u) const;
  SweepContact<D> sweep_contact(int contact) const;
  Vec<F> sweep_velocity(const BodySweeps<D>& sweeps, int number, int member) const;
  template <class Do>
  void share_contacts(int island, Do&& f);
  template <class Do>
  void share_bodies(int island, Do&& f);
  void set_island(int island);
  bool rests(int island, CollectionReport& report);
  std::size_t most_moving(int island) const;
  bool may_rest(int island, Real bound2) const;
  void hold(int contact, const Vec<D>& S);
  Vec<F> held_velocity(int i) const;
  Real twice_energy(std::size_t body, const Vec<F>& u) const;
  Real mean_diagonal(int contact) const;
  void hold_bodies(int island);
  Real choose_moving(int island, Real bound2);
  Real rest_error2(int island) const;
  bool solve_beside(int island, Real tolerance, CollectionReport& report);
  void sweep_island(int island, CollectionReport& report);
  Outcome swept(int island, const SweepLimits& limits, CollectionReport& report);
  void take_island(int island);
  void take_velocities(const std::vector<int>& contacts, const Problem& part, const std::vector<Real>& u);
  Outcome solve_island(int island, const SolverOptions& options, CollectionReport& report);
  void solve_mixed_island(int island, CollectionReport& report);
  bool resists_rolling(int contact) const;
  Report solve_rolling(const Problem& part, const std::vector<int>& contacts, const SolverOptions& options,
                       std::vector<Real>& S, std::vector<Real>& u);
  Vec<spins<D>> relative_spin(int contact, const Vec<F>& first, const Vec<F>& second) const;
  void certify_rolling(int contact, const std::vector<Vec<F>>& u_I, const ModelState<D>& state, Certified& sum) const;
  void solve(CollectionReport& report);
  void rank_contacts() const;
  std::size_t rank(std::size_t contact) const {
    return late_.empty() ? contact : static_cast<std::size_t>(rank_[contact]);
  }
  void keep_impulses(std::vector<ContactKey>& contact, std::vector<Vec<D>>& impulses,
                     std::vector<Vec<spins<D>>>& torques) const;
  void remember(ModelState<D>& state) const;
  void certify(const std::vector<Vec<F>>& u_I, const ModelState<D>& state, Real h, CollectionReport& report) const;
  void certify_body(std::size_t b, const std::vector<Vec<F>>& u_I, const ModelState<D>& state, Real h,
                    Certified& sum) const;
  void certify_contact(int a, Real h, Certified& sum) const;
  bool takes_part(Real gap, Real restitution, Real approach, Real h) const;
  Vec<D> relative_velocity(const Contact<D>& c, const std::vector<Vec<F>>& u) const;
  std::size_t contacts_and_blocks() const { return active_.size() + blocks_.size(); }

  const Model<D>& model_;
  CollectionOptions options_;
  Detector<D> detector_;
  Joints<D> joints_;
  std::vector<Pose<D>> pose_;              // (bodies) at q_M
  std::vector<Real> posed_angle_;          // [rad] (bodies in the plane) of that
  std::vector<Vec<F>> velocity_;           // (bodies) u_I; of boundaries the prescribed one
  std::vector<Vec<F>> u_I_;                // (bodies)
  std::vector<Real> alert_;                // [m] (bodies)
  std::vector<Vec<F>> u_free_;             // (bodies) u_L; of boundaries the prescribed one
  std::vector<Vec<F>> force_;              // [N, N m] (bodies) applied
  std::vector<Real> reach_;                // [m] (bodies)
  std::vector<Contact<D>> active_, idle_;  // idle: near, but with restitution and not to be missed; then those that
  std::size_t waiting_ = 0;                // bodies that go further come near, from this one on
  std::vector<SweepOrder::Pair> ends_;     // (active) bodies in the model: all that many loops look at
  std::vector<char> closes_;               // (idle) in the course of the step
  std::vector<Contact<D>> more_;           // those of them
  struct {                                 // in the world's axes: what a round of the step has found
    std::vector<ContactKey> contact;
    std::vector<Vec<D>> impulse;
    std::vector<Vec<spins<D>>> torque;
  } found_;
  // Active contacts are in the order of their keys up to `ordered_`; then come those that showed up in the course of
  // the step, round after round.
  std::size_t ordered_ = 0, taken_in_ = 0;   // and the first of the last round
  std::vector<int> late_;                    // those that showed up, in the order of their keys
  mutable std::vector<int> rank_;            // (active, if any is late) in the order of all keys
  std::vector<int> nearby_, rim_;            // contacts solved for again; those next to them
  std::vector<char> is_nearby_;              // (active)
  std::vector<int> ring_;                    // (problem's bodies) how far from the new contacts
  std::vector<int> near_body_;               // (bodies of nearby_) in the problem
  std::vector<SweepOrder::Pair> near_pair_;  // (nearby_)
  std::vector<Vec<F>> near_u_;               // (bodies of nearby_)
  std::vector<Vec<D>> near_S_;               // (nearby_)
  BodySweeps<D> near_sweeps_;
  std::vector<char> further_;                  // (bodies) go further than they were looked around for
  std::vector<int> far_;                       // those
  std::vector<char> cramped_;                  // (bodies) meet more in the step than can be resolved: no restitution
  std::vector<Mat<D>> frame_;                  // (active) columns: normal, tangents
  std::vector<std::array<Vec<D>, 2>> arm_;     // [m] (active) see arm()
  std::vector<JointBlock<D>> blocks_;          // of joints, at q_M
  std::vector<Vec<D>> bend_;                   // [m/s] (blocks) (G(q_M) - G(q_I)) u_I
  std::vector<Vec<F>> start_velocity_;         // (bodies) u_I, that of boundaries at t_I
  std::vector<Vec<D>> W_;                      // [m/s] (active, blocks) from boundaries
  ZOrder<D> near_;                             // bodies
  Real cell_ = 1;                              // [m] diameter of free bodies, in the mean
  std::vector<int> number_;                    // (bodies) in the problem, or -1
  std::vector<int> member_;                    // (problem's bodies) in the model; of many, near ones follow each other
  mutable Problem problem_;                    // its rows and bodies follow when they are asked for
  mutable bool complete_ = false;              // they are there
  std::vector<Real> S_, u_;                    // of the problem
  std::vector<Vec<D>> U_I_, U_;                // [m/s] (active, blocks) G u_I + W; G u + w
  std::vector<Real> scale_;                    // [1/kg] (active, blocks) mean diagonal of G A^-1 G^T
  std::vector<Vec<F>> held_;                   // [N s, N m s] (problem's bodies) by contacts, in the world's axes
  std::vector<Real> left_;                     // [J] (problem's bodies) twice the energy that these impulses leave
  std::vector<Real> own_;                      // [J] (problem's bodies) what that is relative to
  std::vector<int> moving_;                    // few bodies of an island at rest that move
  std::vector<int> restless_;                  // those left with more than all are
  std::vector<int> mover_;                     // (problem's bodies) which of these it is, or -1
  std::vector<int> beside_;                    // contacts of these
  std::vector<SweepOrder::Pair> beside_pair_;  // (beside_)
  BodySweeps<D> beside_sweeps_;
  mutable std::vector<Certified> certified_;  // by pieces
  std::vector<Vec<F>> move_;                  // [m, rad] (bodies) that corrects violations
  std::vector<char> presses_;                 // (active, blocks) looked at for that
  std::vector<Real> deepest_;                 // [m] by pieces
  std::vector<char> pressed_;                 // (bodies) is one of those below
  std::vector<int> pressing_, pressed_body_;  // those; their bodies
  std::vector<SweepOrder::Pair> pressing_pair_;
  BodySweeps<D> presser_;
  BodySweeps<D> sweeps_;
  std::vector<SweepOrder::Pair> pairs_;   // (active, blocks) bodies in the problem
  std::vector<char> round_, round_here_;  // (bodies, problem's bodies) spheres about their centres
  struct Inertia {                        // of a round body
    Real mass = 0, moment = 0;            // [kg], [kg m^2]
    Real inverse_mass = 0, inverse_moment = 0;
  };
  std::vector<Inertia> inertia_;     // (bodies) side by side: all that sweeps need of a sphere
  std::vector<Vec<F>> inverse_;      // (bodies) 1/A; 0: locked
  std::vector<char> free_;           // (bodies)
  std::vector<int> boundaries_;      // the others
  bool grained_ = false;             // some body has a grain
  bool again_ = false;               // the problem is that of a further round of the step
  bool rolls_ = false;               // some surface resists rolling or drilling
  std::vector<Vec<spins<D>>> spin_;  // [rad/s] (bodies) of velocity_, in the world's axes
  std::vector<Vec<spins<D>>> M_;     // [N m s] (active) torques
};

}  // namespace cairn
