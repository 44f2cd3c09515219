#include "cairn/export/fclib_step.hpp"

#include <fmt/format.h>

#include "cairn/base/at.hpp"
#include "cairn/problem/generate.hpp"
#include "cairn/problem/transform.hpp"

namespace cairn::exporting {
namespace {

std::string direction_of(const Coulomb2& law) {
  if (law.mu_plus == law.mu_minus) return "";
  return fmt::format("has friction {} one way and {} the other", law.mu_plus, law.mu_minus);
}
std::string direction_of(const Coulomb3&) { return ""; }

// Why the law cannot be written; empty: it can.
template <int D>
std::string refusal(const MixedLaw<D>& law) {
  switch (law.kind) {
    case LawKind::ellipse: return "has friction that depends on direction";
    case LawKind::bilateral: return "belongs to a joint";
    case LawKind::dry: return "is the dry friction of a joint";
    case LawKind::static_dynamic: return direction_of(law.data.static_dynamic.current());
    case LawKind::coulomb: return direction_of(law.data.coulomb);
  }
  return "has an unknown law";
}

template <int D>
std::string refusal(const Model<D>& model, const Collection<D>& collection) {
  const auto& contacts = collection.contacts();
  const int rows = collection.problem().contacts(), count = static_cast<int>(contacts.size());
  for (int a = 0; a < rows; ++a) {
    std::string reason = refusal(collection.problem().law[at(a)]);
    if (reason.empty() && a >= count) reason = "is the stop of a joint";
    if (reason.empty() && a < count) {
      const Surface& s = model.materials.between(contacts[at(a)].material[0], contacts[at(a)].material[1]);
      if (s.rolling > 0 || s.drilling > 0) reason = "resists rolling";
    }
    if (reason.empty()) continue;
    const std::string where = a < count ? fmt::format("contact {} between bodies {} and {}", a, contacts[at(a)].body[0],
                                                      contacts[at(a)].body[1])
                                        : fmt::format("row block {}", a);
    return fmt::format("FCLIB: {} {}; expected Coulomb's law with one coefficient at every contact", where, reason);
  }
  return "";
}

template <int D>
auto with_coulomb(const BodyProblem<MixedLaw<D>, freedoms<D>>& mixed) {
  BodyProblem<typename MixedLaw<D>::Coulomb, freedoms<D>> p;
  p.inverse_inertia = mixed.inverse_inertia, p.u_free = mixed.u_free, p.w = mixed.w;
  for (const auto& c : mixed.contact) p.contact.push_back({{c.body[0], c.body[1]}, {c.G[0], c.G[1]}});
  for (const MixedLaw<D>& law : mixed.law)
    p.law.push_back(law.kind == LawKind::static_dynamic ? law.data.static_dynamic.current() : law.data.coulomb);
  return p;
}

template <class P>
fclib::Solution solution_of(const P& problem, const std::vector<Real>& S, bool global) {
  const auto vector = [](const std::vector<Real>& v) {
    return fclib::Vector(Eigen::Map<const fclib::Vector>(v.data(), static_cast<Eigen::Index>(v.size())));
  };
  std::vector<Real> U(S.size()), u(problem.u_free.size());
  problem.velocities(S.data(), U.data());
  problem.body_velocities(S.data(), u.data());
  fclib::Solution solution;
  solution.r = vector(S), solution.u = vector(U);
  if (global) solution.v = vector(u);
  return solution;
}

}  // namespace

template <int D>
Expected<fclib::Problem> fclib_of_step(const Model<D>& model, const Collection<D>& collection, fclib::Kind kind) {
  if (kind == fclib::Kind::global_rolling) return Error{"FCLIB: expected the local or the global form of a step"};
  if (collection.contacts().empty()) return Error{"FCLIB: the last step had no contact; expected one at least"};
  if (const std::string wrong = refusal(model, collection); !wrong.empty()) return Error{wrong};
  const auto problem = with_coulomb<D>(collection.problem());
  std::vector<Real> S(at(problem.rows()));
  for (int a = 0; a < problem.contacts(); ++a) collection.impulse(a).store(&S[at(a) * D]);
  const bool global = kind == fclib::Kind::global;
  fclib::Problem written = global ? to_fclib_global(problem) : to_fclib_local(problem);
  written.solution = solution_of(problem, S, global);
  return written;
}

template <int D>
Expected<std::string> write_fclib(const std::string& path, const Model<D>& model, const Collection<D>& collection,
                                  const std::string& title, fclib::Kind kind) {
  Expected<fclib::Problem> problem = fclib_of_step(model, collection, kind);
  if (!problem) return Error{path + ": " + problem.error()};
  problem->info = {title,
                   fmt::format("one step of {} rigid bodies in {} dimensions, {} contacts", model.bodies.size(), D,
                               problem->contacts()),
                   "velocities in m/s and rad/s at the end of the step, impulses in N s over it; normal first"};
  const std::string failure = fclib::write(path, *problem, problem->solution);
  if (!failure.empty()) return Error{failure};
  return path;
}

template Expected<fclib::Problem> fclib_of_step(const Model<2>&, const Collection<2>&, fclib::Kind);
template Expected<fclib::Problem> fclib_of_step(const Model<3>&, const Collection<3>&, fclib::Kind);
template Expected<std::string> write_fclib(const std::string&, const Model<2>&, const Collection<2>&,
                                           const std::string&, fclib::Kind);
template Expected<std::string> write_fclib(const std::string&, const Model<3>&, const Collection<3>&,
                                           const std::string&, fclib::Kind);

}  // namespace cairn::exporting
