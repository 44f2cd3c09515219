#include "cairn/ensemble/folder_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cairn/base/json.hpp"
#include "cairn/ensemble/folder.hpp"

namespace cairn::ensemble {
namespace {

using Json = nlohmann::json;

std::string list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& t : texts) quoted.push_back(json_string(t));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

Real number_of(const Json& value) { return value.is_null() ? run::not_a_number : value.get<Real>(); }

std::string shortened(const Json* value) {
  if (value == nullptr) return "nothing";
  const std::string text = value->dump();
  return text.size() > 60 ? "another text" : text;
}

Member member_of(const Json& o) {
  Member m;
  m.index = o.at("member").get<int>(), m.failed = o.value("failed", "");
  m.h = number_of(o.at("h")), m.seconds = o.at("seconds").get<double>();
  for (const auto& [name, value] : o.at("parameters").items()) m.varied.emplace_back(name, number_of(value));
  m.time = number_of(o.at("time")), m.stopped = o.at("stopped").get<std::string>();
  for (const Json& entry : o.at("outcome")) {
    const Json& v = entry.at(1);
    m.outcome.emplace_back(entry.at(0).get<std::string>(),
                           v.is_boolean() ? run::Value::flag(v.get<bool>()) : run::Value::of(number_of(v)));
  }
  m.steps = o.at("steps").get<long>(), m.missed = o.at("missed").get<long>();
  m.error_max = number_of(o.at("error_max")), m.violation_max = number_of(o.at("violation_max"));
  m.energy_defect = number_of(o.at("energy_defect"));
  for (const Json& column : o.at("samples")) {
    m.samples.emplace_back();
    for (const Json& x : column) m.samples.back().push_back(number_of(x));
  }
  return m;
}

}  // namespace

std::string difference(const std::string& found, const std::string& wanted) {
  const Json a = Json::parse(found, nullptr, false), b = Json::parse(wanted, nullptr, false);
  if (!a.is_object() || !b.is_object()) return "its design.json is unreadable";
  std::vector<std::string> parts;
  const auto field = [](const Json& o, const std::string& key) { return o.contains(key) ? &o.at(key) : nullptr; };
  for (const auto& [key, value] : b.items())
    if (const Json* other = field(a, key); other == nullptr || *other != value)
      parts.push_back(fmt::format("{}: {}, here {}", key, shortened(other), shortened(&value)));
  for (const auto& [key, value] : a.items())
    if (!b.contains(key)) parts.push_back(fmt::format("{}: {}, here nothing", key, shortened(&value)));
  return parts.empty() ? "written otherwise" : fmt::format("{}", fmt::join(parts, "; "));
}

std::string design_json(const Design& d) {
  JsonObject o;
  o.text("scene", d.scene.name).raw("set", list(d.settings)).raw("perturbation", list(d.given));
  o.integer("seed", static_cast<long>(d.seed)).number("until", d.until).integer("samples", d.samples);
  o.raw("one_size", d.one_size ? "true" : "false").text("version", CAIRN_VERSION).text("text", d.scene.text);
  return o.str();
}

std::string member_json(const Member& m) {
  JsonObject o, varied;
  for (const auto& [name, value] : m.varied) varied.number(name.c_str(), value);
  std::vector<std::string> outcome, samples;
  for (const auto& [name, value] : m.outcome)
    outcome.push_back(fmt::format("[{}, {}]", json_string(name), run::json(value)));
  for (const std::vector<Real>& column : m.samples) {
    std::vector<std::string> numbers;
    for (const Real x : column) numbers.push_back(json_number(x));
    samples.push_back(fmt::format("[{}]", fmt::join(numbers, ",")));
  }
  o.integer("member", m.index);
  if (!m.failed.empty()) o.text("failed", m.failed);
  o.number("h", m.h).raw("parameters", varied.str()).number("time", m.time).text("stopped", m.stopped);
  o.raw("outcome", fmt::format("[{}]", fmt::join(outcome, ", ")));
  o.integer("steps", m.steps).integer("missed", m.missed).number("error_max", m.error_max);
  o.number("violation_max", m.violation_max).number("energy_defect", m.energy_defect);
  o.number("seconds", m.seconds).raw("samples", fmt::format("[{}]", fmt::join(samples, ", ")));
  return o.str();
}

std::optional<Member> read_member(const std::string& line) {
  const Json o = Json::parse(line, nullptr, false);
  if (!o.is_object()) return std::nullopt;
  try {
    return member_of(o);
  } catch (const Json::exception&) {  // a field is missing or is something else
    return std::nullopt;
  }
}

}  // namespace cairn::ensemble
