// What an ensemble says, as JSON and as tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cairn/base/json.hpp"
#include "cairn/ensemble/result.hpp"

namespace cairn::ensemble {
namespace {

template <class List, class F>
std::string array(const List& list, const F& text) {
  std::vector<std::string> parts;
  for (const auto& item : list) parts.push_back(text(item));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string numbers(const std::vector<Real>& values) {
  return array(values, [](Real x) { return json_number(x); });
}

std::string json(const Distribution& d) {
  JsonObject o;
  o.integer("count", d.count).integer("missing", d.missing);
  if (d.count == 0) return o.str();
  o.number("mean", d.mean).number("sd", d.deviation).number("least", d.least).number("q05", d.q05);
  o.number("q25", d.q25).number("median", d.median).number("q75", d.q75).number("q95", d.q95).number("most", d.most);
  return o.str();
}

std::string json(const Judgement& j) {
  JsonObject o;
  o.text("verdict", name(j.verdict)).text("why", j.why).number("full", j.full).number("tenth", j.tenth);
  o.number("relative", j.relative);
  if (j.ratio) o.number("ratio", *j.ratio).raw("ratio_90", numbers({j.ratio_range.low, j.ratio_range.high}));
  return o.str();
}

std::string json(const OutcomeResult& r) {
  JsonObject o;
  o.text("name", r.column.name).text("unit", r.column.unit).raw("run_0", run::json(r.first));
  if (r.first.is_flag) {
    o.integer("true", r.yes).integer("count", static_cast<long>(r.values.size()));
    o.raw("probability_95", numbers({r.probability.low, r.probability.high}));
  } else {
    o.raw("distribution", json(r.distribution));
  }
  return o.number("scale", r.scale).raw("judgement", json(r.judgement)).str();
}

std::string json(const ObservableResult& r) {
  JsonObject o;
  o.text("name", r.column.name).text("unit", r.column.unit).number("range", r.range).number("scale", r.scale);
  o.raw("judgement", json(r.judgement)).integer("parted", r.parted).integer("of", r.of);
  o.raw("parting_times", json(r.times));
  if (r.growth) {
    JsonObject g;
    g.text("law", r.growth->exponential ? "exponential" : "power").number("rate", r.growth->rate);
    g.number("from", r.growth->from).number("to", r.growth->to).number("decades", r.growth->decades);
    o.raw("growth", g.number("fit", r.growth->fit).str());
  }
  o.raw("departs", array(r.departs, [](const auto& t) { return t ? json_number(*t) : std::string("null"); }));
  o.raw("spread_full", numbers(r.spread_full));
  if (!r.spread_tenth.empty()) o.raw("spread_tenth", numbers(r.spread_tenth));
  return o.str();
}

std::string json(const Design& design, const Member& m) {
  JsonObject o, parameters, outcome;
  for (const auto& [key, value] : m.varied) parameters.number(key.c_str(), value);
  for (const auto& [key, value] : m.outcome) outcome.raw(key.c_str(), run::json(value));
  o.integer("member", m.index).number("size", design.factor(m.index)).number("h", m.h);
  o.raw("parameters", parameters.str()).number("time", m.time).text("stopped", m.stopped);
  o.raw("outcome", outcome.str()).integer("steps", m.steps).integer("missed", m.missed);
  o.number("error_max", m.error_max).number("violation_max", m.violation_max);
  return o.number("energy_defect", m.energy_defect).str();
}

// --- tables ----------------------------------------------------------------------------------------------------------

std::string short_number(Real x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : "-"; }

std::string verdict_text(const Judgement& j) {
  std::string text = name(j.verdict);
  if (j.ratio)
    text += fmt::format(" ({:.2g} at a tenth, {:.2g} to {:.2g})", *j.ratio, j.ratio_range.low, j.ratio_range.high);
  else if (!j.why.empty())
    text += " (" + j.why + ")";
  return text;
}

std::string outcome_row(const OutcomeResult& r, std::size_t width) {
  const std::string title = r.column.name + (r.column.unit.empty() ? "" : " [" + r.column.unit + "]");
  std::string head = fmt::format("    {:<{}}  {:>9}  ", title, width,
                                 r.first.is_flag ? run::json(r.first) : short_number(r.first.number));
  if (r.first.is_flag)
    head += fmt::format("{:<44}", fmt::format("true in {} of {}: probability {:.2f} to {:.2f}", r.yes, r.values.size(),
                                              r.probability.low, r.probability.high));
  else if (const Distribution& d = r.distribution; d.count > 0)
    head += fmt::format("{:>9} {:>8}  {:>9} {:>9}    ", short_number(d.mean), short_number(d.deviation),
                        short_number(d.q05), short_number(d.q95));
  else
    head += fmt::format("{:<44}", "none in all members");
  return head + fmt::format("  {:>7}  {}\n", size_text(r.judgement.relative), verdict_text(r.judgement));
}

std::string growth_text(const std::optional<Growth>& g) {
  if (!g) return "-";
  return g->exponential ? fmt::format("exp({:.3g} t)", g->rate) : fmt::format("t^{:.2g}", g->rate);
}

std::string observable_row(const ObservableResult& r, std::size_t width) {
  const std::string title = r.column.name + (r.column.unit.empty() ? "" : " [" + r.column.unit + "]");
  const std::string parted =
      r.parted == 0 ? fmt::format("0 of {}", r.of) : fmt::format("{} of {}, {:.3g} s", r.parted, r.of, r.times.median);
  return fmt::format("    {:<{}}  {:>9}  {:>18}  {:>14}  {:>7}  {}\n", title, width, short_number(r.range), parted,
                     growth_text(r.growth), size_text(r.judgement.relative), verdict_text(r.judgement));
}

std::size_t widest(const auto& rows) {
  std::size_t most = 10;
  for (const auto& r : rows)
    most = std::max(most, r.column.name.size() + (r.column.unit.empty() ? 0 : r.column.unit.size() + 3));
  return most;
}

}  // namespace

std::string size_text(Real x) {
  if (x == 0) return "0";
  if (x >= 1) return fmt::format("x {:.2g}", x);
  return x < Real(1e-3) ? fmt::format("{:.0e}", x) : fmt::format("{:.2g} %", 100 * x);
}

std::string result_json(const Design& design, const Layout& layout, const Result& r) {
  JsonObject o;
  o.text("scene", design.scene.name).text("title", layout.title);
  o.raw("set", array(design.settings, [](const std::string& s) { return json_string(s); }));
  o.raw("perturbation", array(design.given, [](const std::string& s) { return json_string(s); }));
  o.text("perturbed", describe(design.perturbation)).integer("seed", static_cast<long>(design.seed));
  o.raw("paired", design.paired() ? "true" : "false").number("end", layout.end).number("h", layout.h);
  o.integer("runs", static_cast<long>(r.members.size() + r.failed.size()));
  o.integer("failed", static_cast<long>(r.failed.size())).integer("missed", r.missed);
  o.number("error_max", r.error_max).number("violation_max", r.violation_max).number("tolerance", r.tolerance);
  o.number("resolution", layout.resolution());
  o.raw("outcomes", array(r.outcomes, [](const OutcomeResult& x) { return json(x); }));
  o.raw("times", numbers(layout.times));
  o.raw("observables", array(r.observables, [](const ObservableResult& x) { return json(x); }));
  o.raw("members", array(r.members, [&](const Member& m) { return json(design, m); }));
  o.raw("failures", array(r.failed, [](const auto& f) {
          return JsonObject().integer("member", f.first).text("message", f.second).str();
        }));
  return o.str();
}

std::string result_text(const Design& design, const Layout& layout, const Result& r) {
  long full = 0;
  for (const Member& m : r.members) full += design.full(m.index);
  const long others = static_cast<long>(r.members.size()) - 1 - full;
  std::string out = fmt::format("{}: {}\n", design.scene.name, layout.title);
  out += fmt::format("  perturbed: {}; seed {}\n", describe(design.perturbation), design.seed);
  out += fmt::format(
      "  {} runs to t = {:g} s: run 0 as it stands, {} in full{}{}\n", r.members.size(), layout.end, full,
      design.paired() ? fmt::format(", {} at a tenth", others) : "",
      r.failed.empty() ? "" : fmt::format("; {} failed, the first: {}", r.failed.size(), r.failed[0].second));
  out += fmt::format(
      "  certificate: contact error at most {:.2e}, {} steps above the required error, violation at most "
      "{:.2e} m\n",
      r.error_max, r.missed, r.violation_max);
  if (!r.outcomes.empty()) {
    const std::size_t width = widest(r.outcomes);
    out += fmt::format("\n    {:<{}}  {:>9}  {:>9} {:>8}  {:>9} {:>9}      {:>7}  {}\n", "outcome", width, "run 0",
                       "mean", "sd", "5 %", "95 %", "spread", "verdict");
    for (const OutcomeResult& x : r.outcomes) out += outcome_row(x, width);
  }
  const std::size_t width = widest(r.observables);
  out += fmt::format("\n    {:<{}}  {:>9}  {:>18}  {:>14}  {:>7}  {}\n", "motion", width, "range",
                     fmt::format("part by {:g} %", 100 * r.tolerance), "growth", "spread", "verdict");
  for (const ObservableResult& x : r.observables) out += observable_row(x, width);
  return out;
}

}  // namespace cairn::ensemble
