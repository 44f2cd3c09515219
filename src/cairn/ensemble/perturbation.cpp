#include "cairn/ensemble/perturbation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>

#include "cairn/base/closest.hpp"

namespace cairn::ensemble {
namespace {

struct Kind {
  const char* name;
  const char* unit;  // of an absolute size; empty: relative alone
  Real standard;     // size where none is given
  Real most;         // relative
};
constexpr Kind kinds_of_size[] = {
    {"h", "", 1e-3, 0.5}, {"mu", "", 1e-3, 1}, {"positions", "m", 1e-6, 0.05}, {"velocities", "m/s", 1e-6, 1}};

// A number and what follows it; none: it does not begin with a number.
std::optional<std::pair<Real, std::string>> number_and_rest(const std::string& text) {
  char* end = nullptr;
  const Real x = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(x)) return std::nullopt;
  return std::pair{x, std::string(end)};
}

Expected<Size> size_of(const Kind& kind, const std::string& given, const std::string& text) {
  const auto parsed = number_and_rest(text);
  const std::string unit = kind.unit;
  const auto wrong = [&](const std::string& expected) {
    return Error{fmt::format("--perturb {}: expected {}", given, expected)};
  };
  if (!parsed || !(parsed->first > 0) || !(parsed->second.empty() || (!unit.empty() && parsed->second == unit)))
    return wrong(fmt::format("{}=SIZE with a size above 0, as {}={:g}{}", kind.name, kind.name, kind.standard,
                             unit.empty() ? "" : fmt::format(" (relative) or {}=1e-5{}", kind.name, unit)));
  const Size size{parsed->first, !parsed->second.empty()};
  if (!size.absolute && size.value > kind.most) return wrong(fmt::format("a relative size up to {:g}", kind.most));
  return size;
}

std::string put(Perturbation& p, const std::string& given) {
  const auto equals = given.find('=');
  const std::string name = given.substr(0, equals);
  const auto twice = [&] { return fmt::format("--perturb {}: {} is given twice", given, name); };
  if (name == "numbering") {
    if (equals != std::string::npos) return fmt::format("--perturb {}: numbering has no size", given);
    return p.numbering ? twice() : (p.numbering = true, "");
  }
  std::vector<std::string> names{"numbering"};
  for (const Kind& kind : kinds_of_size) {
    names.emplace_back(kind.name);
    if (name != kind.name) continue;
    const Expected<Size> size =
        equals == std::string::npos ? Size{kind.standard, false} : size_of(kind, given, given.substr(equals + 1));
    if (!size) return size.error();
    const auto set = [&](auto& what, auto value) { return what ? twice() : (what = value, std::string()); };
    if (name == "h") return set(p.h, size->value);
    if (name == "mu") return set(p.mu, size->value);
    return set(name == "positions" ? p.positions : p.velocities, *size);
  }
  return fmt::format("--perturb {}: no such kind{}; expected one of {}", given, hint(name, names),
                     fmt::join(names, ", "));
}

Expected<Variation> variation_of(const std::string& given) {
  const Error wrong{
      fmt::format("--vary {}: expected NAME=low:high with low < high, or NAME=normal(mean,deviation)", given)};
  const auto equals = given.find('=');
  if (equals == std::string::npos || equals == 0) return wrong;
  Variation v;
  v.name = given.substr(0, equals);
  std::string rest = given.substr(equals + 1);
  v.normal = rest.starts_with("normal(") && rest.ends_with(")");
  if (v.normal) rest = rest.substr(7, rest.size() - 8);
  const auto first = number_and_rest(rest);
  if (!first || first->second.empty() || first->second[0] != (v.normal ? ',' : ':')) return wrong;
  const auto second = number_and_rest(first->second.substr(1));
  if (!second || !second->second.empty()) return wrong;
  v.a = first->first, v.b = second->first;
  if (v.normal ? !(v.b > 0) : !(v.a < v.b)) return wrong;
  return v;
}

std::string text_of(const char* name, const Size& size, const char* relative, const char* unit) {
  return size.absolute ? fmt::format("{} by {:g} {}", name, size.value, unit)
                       : fmt::format("{} by {:g} of {}", name, size.value, relative);
}

}  // namespace

Expected<Perturbation> read_perturbation(const std::vector<std::string>& kinds, const std::vector<std::string>& vary) {
  Perturbation p;
  for (const std::string& given : kinds)
    if (const std::string bad = put(p, given); !bad.empty()) return Error{bad};
  for (const std::string& given : vary) {
    auto v = variation_of(given);
    if (!v) return Error{v.error()};
    for (const Variation& other : p.vary)
      if (other.name == v->name) return Error{fmt::format("--vary {}: {} is given twice", given, v->name)};
    p.vary.push_back(std::move(*v));
  }
  if (p.none())
    return Error{"nothing is perturbed: expected --perturb positions, velocities, h, mu or numbering, or --vary"};
  return p;
}

std::string describe(const Perturbation& p) {
  std::vector<std::string> parts;
  if (p.h) parts.push_back(fmt::format("h by {:g}", *p.h));
  if (p.positions) parts.push_back(text_of("positions", *p.positions, "a body's reach", "m"));
  if (p.velocities) parts.push_back(text_of("velocities", *p.velocities, "the scene's speed", "m/s"));
  if (p.mu) parts.push_back(fmt::format("friction by {:g}", *p.mu));
  if (p.numbering) parts.emplace_back("numbering");
  for (const Variation& v : p.vary)
    parts.push_back(v.normal ? fmt::format("{} normal about {:g}, deviation {:g}", v.name, v.a, v.b)
                             : fmt::format("{} from {:g} to {:g}", v.name, v.a, v.b));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace cairn::ensemble
