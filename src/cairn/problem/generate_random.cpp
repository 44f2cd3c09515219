// Random bodies and contacts, with a guarantee that a solution exists.
//
// Existence. With K the product of the Coulomb cones, K* = { U : U_N >= mu |U_T| } its dual, the incremental problem
// A (u - u_free) = G^T S, U = G u + w, law(U, S) has a solution as soon as some velocity v satisfies G v + w in the
// interior of K*: Acary, Cadoux, Lemarechal and Malick, "A formulation of the linear discrete Coulomb friction problem
// via convex optimization", ZAMM 91 (2011) 155-175, theorem of existence under that Slater condition (De Saxce's shift
// only enlarges the normal part of w, which keeps v strictly admissible for each convex subproblem of the fixed point).
// Here w = 0 and v is drawn first: each contact normal is tilted from the direction d of the relative velocity that v
// gives at the contact by an angle t with tan t < 1/mu, so that U_N - mu |U_T| = |U| (cos t - mu sin t) > 0. Nothing is
// asked of the rank of G: W may be as singular as one likes.
#include <algorithm>

#include "cairn/problem/generate_parts.hpp"

namespace cairn {
namespace {

using generate::Random;

template <class P>
struct Draw {
  static constexpr int D = P::dim, F = P::freedoms;

  // Velocity of the point at `lever` of a body, in the common frame.
  static Vec<D> point_velocity(const Real* v, const Vec<D>& lever, Real sign) {
    return generate::velocity_map(Mat<D>::identity(), lever, sign) * Vec<F>::load(v);
  }

  static Vec<D> tilted(const Vec<D>& d, Real angle, Random& random) {
    Vec<D> t{};
    Real length = 0;
    while (length < 0.1) {  // a random direction orthogonal to d
      t = random.direction<D>();
      t -= dot(t, d) * d;
      length = norm(t);
    }
    return std::cos(angle) * d + (std::sin(angle) / length) * t;
  }

  static void add_body(P& p, Random& random, Real mass_ratio) {
    const Real mass = std::pow(mass_ratio, random.unit());
    for (int i = 0; i < D; ++i) p.inverse_inertia.push_back(1 / mass);
    for (int i = D; i < F; ++i) {
      const Real gyration = random.within(0.3, 0.9);  // [m] levers are 0.5 to 1.5 m long
      p.inverse_inertia.push_back(1 / (mass * gyration * gyration));
    }
    for (int i = 0; i < F; ++i) p.u_free.push_back(random.within(-1, 1));
  }

  // False when v separates the two points too slowly to orient a normal.
  static bool add_contact(P& p, const std::vector<Real>& v, Random& random, const RandomBodies& o) {
    typename P::Contact c{};
    c.body[0] = random.below(p.bodies());
    c.body[1] = p.bodies() == 1 || random.unit() < o.boundary ? -1 : random.below(p.bodies() - 1);
    if (c.body[1] >= c.body[0]) ++c.body[1];
    Vec<D> lever[2], relative{};
    for (int s = 0; s < 2; ++s) {
      lever[s] = random.within(0.5, 1.5) * random.direction<D>();
      if (c.body[s] >= 0) relative += point_velocity(&v[static_cast<size_t>(c.body[s]) * F], lever[s], s == 0 ? 1 : -1);
    }
    const Real speed = norm(relative), mu = random.within(o.mu_min, o.mu_max);
    const Real angle = random.within(0, 0.9) * std::atan2(1, mu);
    if (speed < 1e-2) return false;
    const Mat<D> f = generate::frame(tilted((1 / speed) * relative, angle, random));
    for (int s = 0; s < 2; ++s)
      if (c.body[s] >= 0) c.G[s] = generate::velocity_map(f, lever[s], s == 0 ? 1 : -1);
    p.contact.push_back(c);
    typename P::Law law{};
    generate::set_law(law, mu);
    p.law.push_back(law);
    return true;
  }
};

template <class P>
P random_bodies(const RandomBodies& o) {
  Random random(o.seed);
  P p;
  const int bodies = std::max(1, static_cast<int>(std::lround(P::dim * o.contacts / (P::freedoms * o.redundancy))));
  for (int b = 0; b < bodies; ++b) Draw<P>::add_body(p, random, o.mass_ratio);
  std::vector<Real> v;  // the velocity that separates every contact
  for (int i = 0; i < bodies * P::freedoms; ++i) v.push_back(random.within(-1, 1));
  while (p.contacts() < o.contacts) Draw<P>::add_contact(p, v, random, o);
  p.w.assign(static_cast<size_t>(o.contacts) * P::dim, 0);
  return p;
}

}  // namespace

PlaneProblem random_bodies_2d(const RandomBodies& options) { return random_bodies<PlaneProblem>(options); }
SpaceProblem random_bodies_3d(const RandomBodies& options) { return random_bodies<SpaceProblem>(options); }

}  // namespace cairn
