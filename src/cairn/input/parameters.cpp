#include "cairn/input/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>

#include "cairn/base/closest.hpp"
#include "cairn/input/load.hpp"

namespace cairn::input {
namespace {

bool is_name(const std::string& word) {
  if (word.empty() || word == "t" || word == "pi" || word.size() > 64) return false;
  for (const char c : word)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return !std::isdigit(static_cast<unsigned char>(word[0]));
}

class Parameters {
 public:
  Parameters(const std::vector<std::string>& settings, Diagnostics& diagnostics) : out_(diagnostics) {
    for (const std::string& s : settings) {
      const auto equals = s.find('=');
      if (equals == std::string::npos || equals == 0)
        out_.add({}, fmt::format("--set {}: expected name=value", s));
      else
        settings_.emplace_back(s.substr(0, equals), s.substr(equals + 1));
    }
  }

  std::vector<Parameter> read(const Node& table) {
    for (const Node::Entry& e : table.entries) declare(e);
    for (const auto& [name, value] : settings_)
      if (!find(name)) unknown(name);
    return std::move(all_);
  }

 private:
  Parameter* find(const std::string& name) {
    for (Parameter& p : all_)
      if (p.name == name) return &p;
    return nullptr;
  }
  void unknown(const std::string& name) {
    std::vector<std::string> names;
    for (const Parameter& p : all_) names.push_back(p.name);
    out_.add({}, names.empty() ? fmt::format("--set {}: the scene has no parameters", name)
                               : fmt::format("--set {}: no such parameter{}; expected one of {}", name,
                                             hint(name, names), fmt::join(names, ", ")));
  }

  void declare(const Node::Entry& e) {
    if (!is_name(e.key)) {
      out_.add(e.at, fmt::format("parameter '{}': expected a name of letters, digits and _, not t or pi", e.key));
      return;
    }
    Parameter p;
    p.name = e.key, p.at = e.value.at;
    const Node* value = &e.value;
    if (e.value.kind == Node::table && !(value = described(p, e))) return;
    if (!evaluate_into(p, *value)) return;
    for (const auto& [name, text] : settings_)
      if (name == p.name) set(p, text);
    check(p);
    all_.push_back(std::move(p));
  }

  // { value = ..., unit = "...", doc = "...", least = ..., most = ..., choices = [...] }
  const Node* described(Parameter& p, const Node::Entry& e) {
    Node rest = e.value;
    const Node::Entry* value = e.value.find("value");
    if (value == nullptr) {
      out_.add(e.value.at, fmt::format("parameter {}: the key 'value' is missing", p.name));
      return nullptr;
    }
    std::erase_if(rest.entries, [](const Node::Entry& entry) { return entry.key == "value"; });
    read_section(parameter_section(), &p, rest, fmt::format("parameter {}", p.name), scope_of(all_), out_);
    p.at = value->value.at;
    return &value->value;
  }

  bool evaluate_into(Parameter& p, const Node& node) {
    p.whole = node.kind == Node::integer;
    if (node.is_number() || node.is_formula()) {
      const auto x = number_of(node, p.name, scope_of(all_), out_);
      if (x) p.value = *x;
      return x.has_value();
    }
    if (node.kind == Node::flag) return p.value = node.on, true;
    if (node.kind == Node::text) return p.value = node.word, true;
    out_.add(node.at,
             fmt::format("parameter {} is {}, expected a number, true, false or a text", p.name, describe(node)));
    return false;
  }

  void set(Parameter& p, const std::string& text) {
    p.given = true;
    if (std::holds_alternative<std::string>(p.value)) {
      p.value = text;
    } else if (std::holds_alternative<bool>(p.value)) {
      if (text != "true" && text != "false") return refuse(p, text, "true or false");
      p.value = text == "true";
    } else {
      const Expected<Real> x = evaluate(text, constants_of(all_));
      if (!x || !std::isfinite(*x)) return refuse(p, text, "a number");
      if (p.whole && *x != std::floor(*x)) return refuse(p, text, "a whole number");
      p.value = *x;
    }
  }
  void refuse(const Parameter& p, const std::string& text, const char* expected) {
    out_.add({}, fmt::format("--set {}={}: expected {}", p.name, text, expected));
  }

  void check(const Parameter& p) {
    const Position at = p.given ? Position{} : p.at;
    if (const Real* x = std::get_if<Real>(&p.value); x && !(*x >= p.limits.least && *x <= p.limits.most))
      out_.add(at, fmt::format("parameter {} is {}, expected a number {}", p.name, *x, describe(p.limits)));
    const std::string* word = std::get_if<std::string>(&p.value);
    if (word == nullptr || p.choices.empty() || std::ranges::find(p.choices, *word) != p.choices.end()) return;
    out_.add(at, fmt::format("parameter {} is \"{}\"{}; expected one of {}", p.name, *word, hint(*word, p.choices),
                             fmt::join(p.choices, ", ")));
  }

  Diagnostics& out_;
  std::vector<std::pair<std::string, std::string>> settings_;
  std::vector<Parameter> all_;
};

}  // namespace

std::vector<Parameter> read_parameters(const Node& root, const std::vector<std::string>& settings,
                                       Diagnostics& diagnostics) {
  const Node::Entry* e = root.find("parameters");
  static const Node none;
  if (e != nullptr && e->value.kind != Node::table) {
    diagnostics.add(e->at, fmt::format("'parameters' is {}, expected a table: [parameters]", describe(e->value)));
    return {};
  }
  return Parameters(settings, diagnostics).read(e != nullptr ? e->value : none);
}

Scope scope_of(const std::vector<Parameter>& parameters) {
  Scope scope;
  scope.numbers = constants_of(parameters);
  for (const Parameter& p : parameters)
    if (const auto* word = std::get_if<std::string>(&p.value)) scope.texts[p.name] = *word;
  return scope;
}

Constants constants_of(const std::vector<Parameter>& parameters) {
  Constants constants;
  for (const Parameter& p : parameters) {
    if (const auto* x = std::get_if<Real>(&p.value)) constants[p.name] = *x;
    if (const auto* on = std::get_if<bool>(&p.value)) constants[p.name] = *on ? 1 : 0;
  }
  return constants;
}

std::string value_text(const Parameter& p) {
  if (const auto* x = std::get_if<Real>(&p.value)) return fmt::format("{}", *x);
  if (const auto* on = std::get_if<bool>(&p.value)) return *on ? "true" : "false";
  return std::get<std::string>(p.value);
}

}  // namespace cairn::input
