// A law chosen at run time for problems in which some contacts resist rolling or drilling: rows of velocity, then rows
// of spin (law/rolling.hpp). Contacts without resistance have bounds of zero there, joints use the rows of velocity.
#pragma once

#include "cairn/law/mixed.hpp"
#include "cairn/law/rolling.hpp"

namespace cairn {

template <int D>
inline constexpr int torque_rows = D == 2 ? 3 : 6;  // N, T, R;  N, T1, T2, R1, R2, drilling

template <int D>
struct MixedTorque {
  static constexpr int dim = torque_rows<D>;
  using Rows = Vec<dim>;
  enum class Kind : unsigned char { rolling, joint, dry };

  static MixedTorque rolling(Real mu, Real roll, Real drill) {
    MixedTorque law;
    if constexpr (D == 2)
      law.data.rolling = {{mu, roll}}, (void)drill;
    else
      law.data.rolling = {{mu, roll, drill}};
    return law;
  }
  // A joint's, in a problem with torques.
  static MixedTorque of(const MixedLaw<D>& joint) {
    MixedTorque law;
    if (joint.kind == LawKind::dry)
      law.kind = Kind::dry, law.data.dry = {joint.data.dry.bound};
    else
      law.kind = Kind::joint, law.data.joint = {joint.data.joint.mask};
    return law;
  }

  template <class F>
  CAIRN_HD auto visit(const F& f) const {
    switch (kind) {
      case Kind::joint: return f(data.joint);
      case Kind::dry: return f(data.dry);
      default: return f(data.rolling);
    }
  }

  union Local {
    typename Rolling<dim>::Local rolling;
    typename JointRows<dim>::Local joint;
    typename DryRow<dim>::Local dry;
    Local() {}  // set by prepare()
  };

  CAIRN_HD Rows project(const Rows& x) const {
    return visit([&](const auto& law) { return law.project(x); });
  }
  CAIRN_HD Rows shift(const Rows& U) const {
    return visit([&](const auto& law) { return law.shift(U); });
  }
  CAIRN_HD Local prepare(const Mat<dim>& H) const {
    Local local;
    switch (kind) {
      case Kind::joint: local.joint = data.joint.prepare(H); break;
      case Kind::dry: local.dry = data.dry.prepare(H); break;
      default: local.rolling = data.rolling.prepare(H);
    }
    return local;
  }
  CAIRN_HD LocalSolution<dim> solve(Local& local, const Rows& b) const {
    switch (kind) {
      case Kind::joint: return data.joint.solve(local.joint, b);
      case Kind::dry: return data.dry.solve(local.dry, b);
      default: return data.rolling.solve(local.rolling, b);
    }
  }
  CAIRN_HD bool bounds_normal() const {
    return kind == Kind::rolling || (kind == Kind::joint && data.joint.constrains(0));
  }

  Kind kind = Kind::rolling;
  union Data {
    Rolling<dim> rolling{};
    JointRows<dim> joint;
    DryRow<dim> dry;
  } data{};
};

static_assert(ContactLaw<MixedTorque<2>> && ContactLaw<MixedTorque<3>>);

}  // namespace cairn
