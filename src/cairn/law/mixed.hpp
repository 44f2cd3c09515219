// A law chosen at run time, so that one step problem may hold contacts and joints of several kinds. Every kind is a law
// of its own; nothing is decided here but which.
#pragma once

#include <type_traits>

#include "cairn/law/anisotropic.hpp"
#include "cairn/law/bilateral.hpp"
#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"
#include "cairn/law/dry.hpp"
#include "cairn/law/static_dynamic.hpp"

namespace cairn {

// Perfect joint on some of the rows (M88 sec. 1): U_i = 0 with S_i free for i in the mask, S_i = 0 whatever U_i else.
// K is a subspace. A joint with fewer rows than D leaves the other rows of G zero; nothing is asked of them.
template <int D>
struct JointRows {
  static constexpr int dim = D;
  unsigned char mask = (1u << D) - 1;  // bit i: row i is constrained

  using Local = typename Bilateral<D>::Local;

  CAIRN_HD bool constrains(int row) const { return (mask >> row & 1u) != 0; }

  CAIRN_HD Vec<D> project(Vec<D> x) const {
    for (int i = 0; i < D; ++i)
      if (!constrains(i)) x[i] = 0;
    return x;
  }
  CAIRN_HD Vec<D> shift(const Vec<D>&) const { return Vec<D>::zero(); }

  // The other rows become S_i = 0, apart from the rest: the joint of all rows then solves the block of the mask.
  CAIRN_HD Local prepare(Mat<D> H) const {
    for (int i = 0; i < D; ++i) {
      if (constrains(i)) continue;
      for (int j = 0; j < D; ++j) H(i, j) = H(j, i) = i == j ? 1 : 0;
    }
    return Bilateral<D>{}.prepare(H);
  }
  CAIRN_HD LocalSolution<D> solve(Local& local, const Vec<D>& b) const {
    LocalSolution<D> found = Bilateral<D>{}.solve(local, project(b));
    found.S = project(found.S);  // no -0 in the other rows
    return found;
  }
};

enum class LawKind : unsigned char { coulomb, ellipse, static_dynamic, bilateral, dry };

// Without friction until made otherwise. Rows of one joint should be of one kind, all velocities or all spins: the
// solvers measure them with one unit.
template <int D>
struct MixedLaw {
  static_assert(D == 2 || D == 3);
  static constexpr int dim = D;
  using Coulomb = std::conditional_t<D == 2, Coulomb2, Coulomb3>;
  using Ellipse = std::conditional_t<D == 2, Coulomb2, EllipseFriction>;  // in the plane there is none: never made

  static constexpr MixedLaw coulomb(const Coulomb& law) { return {LawKind::coulomb, {.coulomb = law}}; }
  static constexpr MixedLaw coulomb(Real mu) { return coulomb(isotropic(mu)); }
  static constexpr MixedLaw frictionless() { return coulomb(Real(0)); }
  static constexpr MixedLaw ellipse(const EllipseFriction& law) requires(D == 3) {
    return {LawKind::ellipse, {.ellipse = law}};
  }
  static constexpr MixedLaw static_dynamic(const StaticDynamic<Coulomb>& law) {
    return {LawKind::static_dynamic, {.static_dynamic = law}};
  }
  static constexpr MixedLaw static_dynamic(Real mu_s, Real mu_d, bool slid = false) {
    return static_dynamic({isotropic(mu_s), isotropic(mu_d), slid});
  }
  static constexpr MixedLaw bilateral(int rows = D) { return bilateral_rows((1u << rows) - 1); }  // the first ones
  static constexpr MixedLaw bilateral_rows(unsigned mask) {                                       // bit i: row i
    return {LawKind::bilateral, {.joint = {static_cast<unsigned char>(mask)}}};
  }

  static constexpr MixedLaw dry(Real bound) { return {LawKind::dry, {.dry = {bound}}}; }  // [N s] row 0

  // f(law), law being the one in force: a Coulomb, an EllipseFriction, a JointRows or a DryRow.
  template <class F>
  CAIRN_HD auto visit(const F& f) const {
    switch (kind) {
      case LawKind::bilateral: return f(data.joint);
      case LawKind::dry: return f(data.dry);
      case LawKind::ellipse: return f(data.ellipse);
      case LawKind::static_dynamic: return f(data.static_dynamic.current());
      default: return f(data.coulomb);
    }
  }

  union Local {
    typename Coulomb::Local coulomb;
    typename Ellipse::Local ellipse;
    typename JointRows<D>::Local joint;
    typename DryRow<D>::Local dry;
  };

  CAIRN_HD Vec<D> project(const Vec<D>& x) const {
    return visit([&](const auto& law) { return law.project(x); });
  }
  CAIRN_HD Vec<D> shift(const Vec<D>& U) const {
    return visit([&](const auto& law) { return law.shift(U); });
  }
  // Part of the friction allowed that is in use, [0, 1]; joints have none.
  CAIRN_HD Real use(const Vec<D>& S) const {
    return visit([&](const auto& law) -> Real {
      if constexpr (requires { law.use(S); })
        return law.use(S);
      else
        return 0;
    });
  }
  CAIRN_HD Local prepare(const Mat<D>& H) const {
    switch (kind) {
      case LawKind::bilateral: return {.joint = data.joint.prepare(H)};
      case LawKind::dry: return {.dry = data.dry.prepare(H)};
      case LawKind::ellipse: return {.ellipse = data.ellipse.prepare(H)};
      case LawKind::static_dynamic: return {.coulomb = data.static_dynamic.prepare(H)};
      default: return {.coulomb = data.coulomb.prepare(H)};
    }
  }
  CAIRN_HD LocalSolution<D> solve(Local& local, const Vec<D>& b) const {
    switch (kind) {
      case LawKind::bilateral: return data.joint.solve(local.joint, b);
      case LawKind::dry: return data.dry.solve(local.dry, b);
      case LawKind::ellipse: return data.ellipse.solve(local.ellipse, b);
      case LawKind::static_dynamic: return data.static_dynamic.solve(local.coulomb, b);
      default: return data.coulomb.solve(local.coulomb, b);
    }
  }

  CAIRN_HD bool is_contact() const { return kind != LawKind::bilateral && kind != LawKind::dry; }
  // Whether the law demands U_N >= 0: all contacts do, and joints with the first row in their mask.
  CAIRN_HD bool bounds_normal() const {
    return is_contact() || (kind == LawKind::bilateral && data.joint.constrains(0));
  }

  // The law for the next step, from the outcome of this one (M88 17).
  CAIRN_HD MixedLaw after(Status status) const {
    return kind == LawKind::static_dynamic ? static_dynamic(data.static_dynamic.after(status)) : *this;
  }

  LawKind kind = LawKind::coulomb;
  union Data {
    Coulomb coulomb{};
    Ellipse ellipse;
    StaticDynamic<Coulomb> static_dynamic;
    JointRows<D> joint;
    DryRow<D> dry;
  } data{};

 private:
  static constexpr Coulomb isotropic(Real mu) {
    if constexpr (D == 2)
      return Coulomb2::with(mu);
    else
      return {mu};
  }
};

using Mixed2 = MixedLaw<2>;
using Mixed3 = MixedLaw<3>;

static_assert(ContactLaw<JointRows<2>> && ContactLaw<Mixed2> && ContactLaw<Mixed3>);
static_assert(std::is_trivially_copyable_v<Mixed3> && std::is_trivially_copyable_v<Mixed3::Local>);

}  // namespace cairn
