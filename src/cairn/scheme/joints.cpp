#include "cairn/scheme/joints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cairn/base/at.hpp"
#include "cairn/base/body_rows.hpp"
#include "cairn/solver/joint_factor.hpp"

namespace cairn {
namespace {

// The angle that differs from x by whole turns and lies within half a turn of `middle`.
Real nearest_turn(Real x, Real middle) { return middle + std::remainder(x - middle, 2 * std::numbers::pi); }

// Angle of a turn about x, the rest of it being small.
Real twist(const Rotation<2>& r) { return std::atan2(r.s, r.c); }
Real twist(const Rotation<3>& r) { return nearest_turn(2 * std::atan2(r.x, r.w), 0); }

// Rotation vector of a small turn.
Vec<2> small_turn(const Rotation<2>& r) { return {std::atan2(r.s, r.c), 0}; }
Vec<3> small_turn(const Rotation<3>& r) {
  const Real sign = r.w < 0 ? -2 : 2;
  return {sign * r.x, sign * r.y, sign * r.z};
}

template <int D>
Vec<D> axis(const Mat<D>& axes, int i) {
  return Vec<D>::load(axes.v + i * D);
}

// Axes of turns and how far those that are held are from zero.
void turns(JointKind, const Rotation<2>& first, const Rotation<2>& second, Mat<2>&, Vec<2>& error) {
  error = small_turn(second.inverse() * first);
}
void turns(JointKind kind, const Rotation<3>& first, const Rotation<3>& second, Mat<3>& axes, Vec<3>& error) {
  const Vec<3> x = first * Vec<3>{1, 0, 0};
  if (kind == JointKind::hinge) {  // x of the second frame x that of the first
    const Vec<3> a = second.inverse() * x;
    error = {0, -a[2], a[1]};
  } else if (kind == JointKind::universal) {
    const Vec<3> y = second * Vec<3>{0, 1, 0}, c = cross(x, y);
    for (int k = 0; k < 3; ++k) axes.v[k] = c[k];
    error = {dot(x, y), 0, 0};
  } else {
    error = small_turn(second.inverse() * first);
  }
}

}  // namespace

template <int D>
struct Joints<D>::Frames {
  Pose<D> body[2], joint[2];  // in the world
  Mat<D> axes;

  Frames(const Joint<D>& j, const std::vector<Pose<D>>& poses) {
    for (int s = 0; s < 2; ++s) {
      if (j.body[s] >= 0) body[s] = poses[at(j.body[s])];
      joint[s] = body[s] * j.frame[s];
    }
    axes = joint[1].R.matrix();
  }
  Real coordinate(JointKind kind) const {
    return kind == JointKind::slider ? dot(axis(axes, 0), joint[0].x - joint[1].x)
                                     : twist(joint[1].R.inverse() * joint[0].R);
  }
};

template <int D>
Real Joints<D>::coordinate(int j, const std::vector<Pose<D>>& poses) const {
  const Joint<D>& joint = model_.joints[at(j)];
  return Frames(joint, poses).coordinate(joint.kind);
}

template <int D>
Joints<D>::Joints(const Model<D>& model) : model_(model), length_(model.size > 0 ? model.size : 1) {
  for (const Joint<D>& j : model.joints)
    if (!j.collide) together_.emplace_back(std::min(j.body[0], j.body[1]), std::max(j.body[0], j.body[1]));
  std::sort(together_.begin(), together_.end());
}

template <int D>
bool Joints<D>::pass_through(int a, int b) const {
  return std::binary_search(together_.begin(), together_.end(), std::pair(std::min(a, b), std::max(a, b)));
}

// Rows of all axes, of turns or of displacements.
template <int D>
JointBlock<D> Joints<D>::block(int j, JointPart part, const Frames& f, bool turns) const {
  const Joint<D>& joint = model_.joints[at(j)];
  JointBlock<D> b{j, part, {joint.body[0], joint.body[1]}, {}, {}, {}, {}};
  for (int s = 0; s < 2; ++s) {
    if (joint.body[s] < 0) continue;
    const Real sign = s == 0 ? 1 : -1;
    b.G[s] = turns ? sign * length_ * spin_rows(f.body[s], f.axes) : sign * point_rows(f.body[s], f.joint[0].x, f.axes);
    const Body<D>& body = model_.bodies[at(joint.body[s])];
    for (int k = 0; k < F; ++k)
      for (int i = 0; i < D; ++i)
        if (body.locked[k] != 0) b.G[s](i, k) = 0;
  }
  return b;
}

template <int D>
void Joints<D>::hold(int j, const Frames& f, Real t, Real h, Blocks& out) const {
  const Joint<D>& joint = model_.joints[at(j)];
  const HeldRows rows = held(joint);
  const bool slides = joint.kind == JointKind::slider;
  const auto add = [&](JointBlock<D> b, unsigned mask, bool driven, Real unit) {
    b.law = MixedLaw<D>::bilateral_rows(mask);
    if (driven) {
      const Real c = f.coordinate(joint.kind), now = joint.motor(t);
      b.error[0] = unit * (slides ? c - now : nearest_turn(c - now, 0));
      b.rate[0] = h > 0 ? unit * (joint.motor(t + h) - now) / h : 0;
    }
    for (int i = 0; i < D; ++i) {
      if (mask >> i & 1u) continue;
      b.error[i] = 0;
      for (Mat<D, F>& G : b.G)
        for (int k = 0; k < F; ++k) G(i, k) = 0;
    }
    out.push_back(b);
  };
  if (rows.displacement != 0) {
    JointBlock<D> b = block(j, JointPart::displacement, f, false);
    for (int i = 0; i < D; ++i) b.error[i] = dot(axis(f.axes, i), f.joint[0].x - f.joint[1].x);
    add(b, rows.displacement, joint.motor && slides, 1);
  }
  if (rows.turn != 0) {
    Frames about = f;
    Vec<D> error{};
    turns(joint.kind, f.joint[0].R, f.joint[1].R, about.axes, error);
    JointBlock<D> b = block(j, JointPart::turn, about, true);
    b.error = length_ * error;
    add(b, rows.turn, joint.motor && !slides, length_);
  }
}

// Limits and friction, on the coordinate.
template <int D>
void Joints<D>::act(int j, const Frames& f, Real h, Real reaction, Blocks& out) const {
  const Joint<D>& joint = model_.joints[at(j)];
  const bool turns = joint.kind == JointKind::hinge;
  const Real unit = turns ? length_ : 1;
  const auto limit = [&](JointPart part, Real value, Real sign) {
    if (!std::isfinite(value)) return;
    const bool both = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    Real c = f.coordinate(joint.kind);
    if (turns) c = nearest_turn(c, both ? (joint.lower + joint.upper) / 2 : value);
    JointBlock<D> b = block(j, part, f, turns);
    if (D == 2 && turns) {  // its second row would be zero
      const JointBlock<D> other = block(j, part, f, false);
      for (int s = 0; s < 2; ++s)
        for (int k = 0; k < F; ++k) b.G[s](1, k) = other.G[s](0, k);
    }
    for (Mat<D, F>& G : b.G) G = sign * G;
    b.error[0] = sign * unit * (c - value);
    b.law = MixedLaw<D>::frictionless();
    out.push_back(b);
  };
  limit(JointPart::lower, joint.lower, 1);
  limit(JointPart::upper, joint.upper, -1);
  if (joint.rubs()) {
    JointBlock<D> b = block(j, JointPart::friction, f, turns);
    for (Mat<D, F>& G : b.G)
      for (int k = 0; k < F; ++k)
        for (int i = 1; i < D; ++i) G(i, k) = 0;
    b.law = MixedLaw<D>::dry(h * (joint.friction + joint.friction_arm * reaction) / unit);
    out.push_back(b);
  }
}

template <int D>
auto Joints<D>::blocks(const std::vector<Pose<D>>& poses, Real t, Real h, const std::vector<Real>& reaction) const
    -> Blocks {
  Blocks out;
  for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
    const Frames f(model_.joints[at(j)], poses);
    hold(j, f, t, h, out);
    act(j, f, h, reaction.empty() ? 0 : reaction[at(j)], out);
  }
  return out;
}

// Newton's method: the move d with G d = -e that is shortest in the kinetic metric, d = A^-1 G^T l with
// G A^-1 G^T l = -e.
template <int D>
Real Joints<D>::project(ModelState<D>& state, std::vector<Pose<D>>& poses, Real t) const {
  Real last = std::numeric_limits<Real>::infinity();
  for (int iteration = 0; iteration < 20; ++iteration) {
    Blocks held;
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j)
      hold(j, Frames(model_.joints[at(j)], poses), t, 0, held);
    std::vector<Eigen::Triplet<Real>> entries;  // of G A^-1/2
    Eigen::VectorXd e(static_cast<Eigen::Index>(held.size()) * D);
    Real worst = 0;
    for (std::size_t b = 0; b < held.size(); ++b)
      for (int i = 0; i < D; ++i) {
        const int row = static_cast<int>(b) * D + i;
        e[row] = held[b].error[i];
        worst = std::max(worst, std::abs(e[row]));
        for (int s = 0; s < 2; ++s) {
          const int body = held[b].body[s];
          if (body < 0 || !model_.bodies[at(body)].free()) continue;
          for (int k = 0; k < F; ++k)
            if (held[b].G[s](i, k) != 0)
              entries.emplace_back(row, body * F + k, held[b].G[s](i, k) / std::sqrt(model_.bodies[at(body)].A(k)));
        }
      }
    if (!(worst > Real(1e-13) * length_) || !(worst < Real(0.5) * last)) return worst;
    last = worst;
    Eigen::SparseMatrix<Real> G(e.size(), static_cast<Eigen::Index>(model_.bodies.size()) * F);
    G.setFromTriplets(entries.begin(), entries.end());
    JointFactor factor;
    if (!factorise_joints(G, factor)) return worst;
    const Eigen::VectorXd move = G.transpose() * factor.solve(-e);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body<D>& body = model_.bodies[b];
      if (!body.free()) continue;
      Vec<F> d;
      for (int k = 0; k < F; ++k) d[k] = move[static_cast<Eigen::Index>(b) * F + k] / std::sqrt(body.A(k));
      if (norm2(d) == 0) continue;
      state.x[b] += linear<D>(d);
      state.r[b].turn(spin<D>(d));
      poses[b] = state.pose(static_cast<int>(b));
    }
  }
  return last;
}

template class Joints<2>;
template class Joints<3>;

}  // namespace cairn
