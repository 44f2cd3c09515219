// Static and dynamic friction (M88 17): the coefficient depends on whether the contact slid in the antecedent step.
// Within a step it is a constant, so that every property of the base law holds.
#pragma once

#include "cairn/law/coulomb2.hpp"
#include "cairn/law/coulomb3.hpp"

namespace cairn {

template <ContactLaw Base>
struct StaticDynamic {
  static constexpr int dim = Base::dim;
  Base at_rest;       // mu_s
  Base sliding;       // mu_d
  bool slid = false;  // in the antecedent step; a new contact has not slid

  using Local = typename Base::Local;

  CAIRN_HD const Base& current() const { return slid ? sliding : at_rest; }
  CAIRN_HD Vec<dim> project(const Vec<dim>& x) const { return current().project(x); }
  CAIRN_HD Vec<dim> shift(const Vec<dim>& U) const { return current().shift(U); }
  CAIRN_HD Local prepare(const Mat<dim>& H) const { return current().prepare(H); }
  CAIRN_HD LocalSolution<dim> solve(Local& local, const Vec<dim>& b) const { return current().solve(local, b); }

  // The law for the next step, from the outcome of this one.
  CAIRN_HD StaticDynamic after(Status status) const { return {at_rest, sliding, status == Status::slide}; }
};

using StaticDynamic2 = StaticDynamic<Coulomb2>;
using StaticDynamic3 = StaticDynamic<Coulomb3>;

static_assert(ContactLaw<StaticDynamic2> && ContactLaw<StaticDynamic3>);

}  // namespace cairn
