#include "cairn/ensemble/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::ensemble {
namespace {

// Departures of pairs, or of all members where there are none.
class Departures {
 public:
  Departures(const Design& design, Real resolution) : design_(design), resolution_(resolution) {}
  void add(int member, Real departure) { all_.emplace_back(member, departure); }
  Judgement judge(Real scale) const {
    std::vector<Real> full, tenth;
    const auto of = [&](int member) {
      const auto found = std::ranges::find(all_, member, &std::pair<int, Real>::first);
      return found == all_.end() ? nullptr : &found->second;
    };
    if (!design_.paired()) {
      for (const auto& entry : all_) full.push_back(entry.second);
      const bool could = design_.perturbation.sized() || design_.shrinking_parameters;
      return judge_single(full, scale, resolution_, could);
    }
    for (const auto& [member, departure] : all_)
      if (design_.full(member))
        if (const Real* other = of(member + 1)) full.push_back(departure), tenth.push_back(*other);
    return judge_pairs(full, tenth, scale, resolution_);
  }

 private:
  const Design& design_;
  Real resolution_;
  std::vector<std::pair<int, Real>> all_;
};

const run::Value* find(const Member& m, const std::string& name) {
  for (const auto& [key, value] : m.outcome)
    if (key == name) return &value;
  return nullptr;
}

// A value that one has and the other has not is as far as can be.
Real departure(Real a, Real b, Real scale) {
  if (std::isfinite(a) && std::isfinite(b)) return std::fabs(a - b);
  return std::isfinite(a) == std::isfinite(b) ? 0 : scale;
}

OutcomeResult outcome_of(const Design& design, const Layout& layout, const std::vector<Member>& members,
                         const Column& column) {
  OutcomeResult r;
  r.column = column;
  r.first = *find(members[0], column.name);
  const Real own = std::isfinite(r.first.number) ? std::fabs(r.first.number) : 0;
  r.scale = r.first.is_flag ? 1 : std::max(own, layout.scales.of(column.unit));
  Departures departures(design, layout.resolution());
  for (const Member& m : members) {
    const run::Value* v = find(m, column.name);
    if (m.index == 0 || v == nullptr) continue;
    departures.add(m.index, departure(v->number, r.first.number, r.scale));
    if (design.full(m.index)) r.values.push_back(v->number);
  }
  r.distribution = distribution_of(r.values);
  if (r.first.is_flag) {
    r.yes = std::ranges::count(r.values, Real(1));
    r.probability = wilson(r.yes, static_cast<long>(r.values.size()));
  }
  r.judgement = departures.judge(r.scale);
  return r;
}

// (times) Root mean square over the members chosen; not a number where none has a value.
template <class Chosen>
std::vector<Real> spread(const std::vector<Member>& members, std::size_t column, const Chosen& chosen) {
  const std::vector<Real>& first = members[0].samples[column];
  std::vector<Real> out(first.size(), run::not_a_number);
  for (std::size_t k = 0; k < first.size(); ++k) {
    std::vector<Real> d;
    for (const Member& m : members)
      if (m.index > 0 && chosen(m.index) && std::isfinite(m.samples[column][k] - first[k]))
        d.push_back(m.samples[column][k] - first[k]);
    if (!d.empty()) out[k] = root_mean_square(d);
  }
  return out;
}

std::vector<Real> differences(const std::vector<Real>& a, const std::vector<Real>& b) {
  std::vector<Real> d;
  for (std::size_t k = 0; k < a.size(); ++k) d.push_back(std::fabs(a[k] - b[k]));
  return d;
}

Real finite_root_mean_square(std::vector<Real> d) {
  std::erase_if(d, [](Real x) { return !std::isfinite(x); });
  return d.empty() ? 0 : root_mean_square(d);
}

ObservableResult observable_of(const Design& design, const Layout& layout, const std::vector<Member>& members,
                               std::size_t column, Real tolerance) {
  ObservableResult r;
  r.column = layout.observables[column];
  const std::vector<Real>& first = members[0].samples[column];
  const Distribution own = distribution_of(first);
  r.range = own.most - own.least;
  r.scale = std::max(r.range, layout.scales.of(r.column.unit));
  r.spread_full = spread(members, column, [&](int m) { return design.full(m); });
  if (design.paired()) r.spread_tenth = spread(members, column, [&](int m) { return !design.full(m); });
  Departures departures(design, layout.resolution());
  std::vector<Real> times;
  for (const Member& m : members) {
    if (m.index == 0) continue;
    const std::vector<Real> d = differences(m.samples[column], first);
    departures.add(m.index, finite_root_mean_square(d));
    r.departs.push_back(first_above(layout.times, d, tolerance * r.scale));
    if (!design.full(m.index)) continue;
    ++r.of;
    if (r.departs.back()) ++r.parted, times.push_back(*r.departs.back());
  }
  r.times = distribution_of(times);
  r.growth = growth_of(layout.times, design.paired() ? r.spread_tenth : r.spread_full);
  r.judgement = departures.judge(r.scale);
  return r;
}

}  // namespace

Expected<Result> result_of(const Design& design, const Layout& layout, const std::vector<Member>& members, int runs,
                           Real tolerance) {
  Result r;
  r.tolerance = tolerance;
  for (const Member& m : members) {
    if (m.index >= runs) continue;
    if (!m.failed.empty()) {
      r.failed.emplace_back(m.index, m.failed);
      continue;
    }
    r.members.push_back(m);
    r.missed += m.missed;
    r.error_max = std::max(r.error_max, m.error_max), r.violation_max = std::max(r.violation_max, m.violation_max);
  }
  if (r.members.empty() || r.members[0].index != 0)
    return Error{fmt::format("run 0, the scene as it stands, has no outcome: {}",
                             r.failed.empty() ? "it was not run" : r.failed[0].second)};
  for (const Column& c : layout.outcomes) r.outcomes.push_back(outcome_of(design, layout, r.members, c));
  for (std::size_t k = 0; k < layout.observables.size(); ++k)
    r.observables.push_back(observable_of(design, layout, r.members, k, tolerance));
  return r;
}

}  // namespace cairn::ensemble
