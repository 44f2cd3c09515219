// A system known at run time only: sizes are numbers, functions are std::function. For bindings, scripts and tables of
// systems; slower than a compiled one (calls through pointers, matrices on the heap), with the same results: to the bit
// where the compiled one has sizes of run time or two freedoms at most, else to rounding (Eigen orders sums by size).
//
//   AnyFunctions<Signorini> f;
//   f.freedoms = 2;
//   f.inertia = [](Real t, const auto& q) { ... };
//   f.contacts = 1, f.gap = [](int a, Real t, const auto& q) { ... };
//   const Expected<AnySystem<Signorini>> system = AnySystem<Signorini>::make(f);
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "cairn/base/check.hpp"
#include "cairn/base/expected.hpp"
#include "cairn/lagrange/system.hpp"

namespace cairn {

template <ContactLaw L>
struct AnyFunctions {
  using Q = Vector<dynamic_size>;
  using Slopes = Kinematics<L::dim, dynamic_size>;

  int freedoms = 0;
  int coordinates = 0;  // 0: as many as freedoms
  int contacts = 0;
  std::function<Matrix<dynamic_size, dynamic_size>(Real, const Q&)> inertia;  // A(t,q); absent: the identity
  std::function<Q(Real, const Q&, const Q&)> force;                           // F(t,q,u); absent: zero
  std::function<Real(int, Real, const Q&)> gap;                               // needed where there are contacts
  std::function<Slopes(int, Real, const Q&)> kinematics;  // absent, dimension 1: differences of the gap
  std::function<L(int, Real, const Q&)> law;              // absent, dimension 1: L{}
  std::function<Restitution(int)> restitution;            // absent: 0
  std::function<Q(const Q&, const Q&, Real)> drift;       // absent: q + dt u

  // [-] step of central differences, relative to the coordinate (or to 1): cube root of the precision, which leaves
  // errors of 1e-10 or so on smooth gaps of size 1. Where gaps vary over far less, give less, or kinematics.
  Real step = 6e-6;
};

template <ContactLaw L>
class AnySystem {
 public:
  using Law = L;
  using Functions = AnyFunctions<L>;
  static constexpr int freedoms = dynamic_size, coordinates = dynamic_size, D = L::dim;
  using Q = Vector<dynamic_size>;

  // The message says what is missing.
  static Expected<AnySystem> make(Functions f) {
    if (f.coordinates == 0) f.coordinates = f.freedoms;
    if (const std::string wrong = wrong_with(f); !wrong.empty()) return Error{"system: " + wrong};
    return AnySystem(std::move(f));
  }

  // A copy of a compiled system. One with sizes of run time is told them here.
  template <System S>
  requires std::same_as<typename S::Law, L>
  static AnySystem from(const S& system, int freedoms_now = S::freedoms, int coordinates_now = coordinates_of<S>()) {
    CAIRN_CHECK(freedoms_now > 0 && coordinates_now >= freedoms_now, "the sizes of a system are missing");
    const auto s = std::make_shared<const S>(system);
    Functions f;
    f.freedoms = freedoms_now, f.coordinates = coordinates_now, f.contacts = s->contacts();
    f.inertia = [s](Real t, const Q& q) -> Matrix<dynamic_size, dynamic_size> { return s->inertia(t, q); };
    f.force = [s](Real t, const Q& q, const Q& u) -> Q { return s->force(t, q, u); };
    f.gap = [s](int a, Real t, const Q& q) -> Real { return s->gap(a, t, q); };
    f.kinematics = [s](int a, Real t, const Q& q) -> typename Functions::Slopes {
      const Kinematics<D, S::freedoms> k = s->kinematics(a, t, q);
      return {k.G, k.W};
    };
    f.law = [s](int a, Real t, const Q& q) -> L { return s->law(a, t, q); };
    f.restitution = [s](int a) { return restitution_of(*s, a); };
    if constexpr (requires(const Configuration<S>& q, const Velocity<S>& u) { s->drift(q, u, Real(0)); })
      f.drift = [s](const Q& q, const Q& u, Real dt) -> Q { return s->drift(q, u, dt); };
    return AnySystem(std::move(f));
  }

  int freedom_count() const { return f_.freedoms; }
  int coordinate_count() const { return f_.coordinates; }
  int contacts() const { return f_.contacts; }
  Matrix<dynamic_size, dynamic_size> inertia(Real t, const Q& q) const {
    if (f_.inertia) return f_.inertia(t, q);
    return Matrix<dynamic_size, dynamic_size>::Identity(f_.freedoms, f_.freedoms);
  }
  Q force(Real t, const Q& q, const Q& u) const {
    if (f_.force) return f_.force(t, q, u);
    return Q::Zero(f_.freedoms);
  }
  Real gap(int a, Real t, const Q& q) const { return f_.gap(a, t, q); }
  Law law(int a, Real t, const Q& q) const { return f_.law ? f_.law(a, t, q) : L{}; }
  Restitution restitution(int a) const { return f_.restitution ? f_.restitution(a) : Restitution{}; }
  Q drift(const Q& q, const Q& u, Real dt) const { return f_.drift ? f_.drift(q, u, dt) : Q(q + dt * u); }
  Kinematics<D, dynamic_size> kinematics(int a, Real t, const Q& q) const {
    return f_.kinematics ? f_.kinematics(a, t, q) : differences(a, t, q);
  }

 private:
  explicit AnySystem(Functions f) : f_(std::move(f)) {}

  static std::string wrong_with(const Functions& f) {
    if (f.freedoms < 1) return "freedoms = " + std::to_string(f.freedoms) + ", expected at least 1";
    if (f.contacts < 0) return "contacts = " + std::to_string(f.contacts) + ", expected at least 0";
    if (f.coordinates < f.freedoms)
      return "coordinates = " + std::to_string(f.coordinates) + ", expected at least the " +
             std::to_string(f.freedoms) + " freedoms";
    if (f.coordinates != f.freedoms && !f.drift) return "more coordinates than freedoms need a drift function";
    if (f.contacts > 0 && !f.gap) return "a gap function is missing, expected with contacts";
    if (D > 1 && f.contacts > 0 && !f.kinematics) return "a kinematics function is missing, expected with friction";
    if (D > 1 && f.contacts > 0 && !f.law) return "a law function is missing, expected with friction";
    if (!(f.step > 0)) return "step = " + std::to_string(f.step) + ", expected above 0";
    return "";
  }

  // Central differences of the gap along each freedom and in time.
  Kinematics<D, dynamic_size> differences(int a, Real t, const Q& q) const {
    Kinematics<D, dynamic_size> k;
    k.G.setZero(D, f_.freedoms), k.W.setZero();
    const bool same = f_.coordinates == f_.freedoms;
    Q e = Q::Zero(f_.freedoms);
    for (int i = 0; i < f_.freedoms; ++i) {
      const Real h = f_.step * (same ? std::max(Real(1), std::abs(q(i))) : Real(1));
      e(i) = 1;
      k.G(0, i) = (gap(a, t, drift(q, e, h)) - gap(a, t, drift(q, e, -h))) / (2 * h);
      e(i) = 0;
    }
    const Real h = f_.step * std::max(Real(1), std::abs(t));
    k.W(0) = (gap(a, t + h, q) - gap(a, t - h, q)) / (2 * h);
    return k;
  }

  Functions f_;
};

}  // namespace cairn
