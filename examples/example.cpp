#include "examples/example.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "cairn/base/check.hpp"

namespace cairn::examples {
namespace {

std::optional<double> to_number(std::string text) {
  const auto from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
  if (from == std::string::npos) return {};
  text = text.substr(from, to + 1 - from);
  if (text.starts_with('+')) text.erase(0, 1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Error refusal(const Parameter& p, const std::string& found, const std::string& wanted) {
  return Error{fmt::format("{}: {}, expected {}", p.name, found, wanted)};
}

const char* kind(const Parameter& p) { return p.whole ? "a whole number" : "a number"; }

// Empty where the number is one the parameter takes.
bool takes(const Parameter& p, double value) {
  return value >= p.min && value <= p.max && (!p.whole || value == std::floor(value));
}

Expected<double> number_for(const Parameter& p, const std::string& text) {
  const auto value = to_number(text);
  if (!value) return refusal(p, "'" + text + "'", kind(p));
  if (!takes(p, *value)) {
    const std::string limits = allowed(p);
    return refusal(p, text, p.whole ? fmt::format("a whole number{}{}", limits.empty() ? "" : ", ", limits) : limits);
  }
  return *value;
}

Expected<Setting> setting_for(const Parameter& p, const std::string& text) {
  if (std::holds_alternative<std::string>(p.value)) {
    if (!p.names.empty() && std::ranges::find(p.names, text) == p.names.end())
      return refusal(p, "'" + text + "'", allowed(p));
    return Setting(text);
  }
  if (std::holds_alternative<double>(p.value)) {
    const auto value = number_for(p, text);
    if (!value) return Error{value.error()};
    return Setting(*value);
  }
  std::vector<double> values;
  if (text.empty()) return Setting(values);
  for (const std::string& part : parts_of(text)) {
    const auto value = number_for(p, part);
    if (!value) return Error{value.error()};
    values.push_back(*value);
  }
  return Setting(values);
}

}  // namespace

Parameter number(std::string name, double value, std::string unit, std::string doc, double min, double max) {
  return {std::move(name), value, std::move(unit), std::move(doc), min, max};
}

Parameter integer(std::string name, int value, std::string doc, double min, double max) {
  return {std::move(name), static_cast<double>(value), "", std::move(doc), min, max, true};
}

Parameter word(std::string name, std::string value, std::vector<std::string> names, std::string doc) {
  Parameter p{std::move(name), std::move(value), "", std::move(doc)};
  p.names = std::move(names);
  return p;
}

Parameter list(std::string name, std::vector<double> value, std::string unit, std::string doc, double min, double max) {
  return {std::move(name), std::move(value), std::move(unit), std::move(doc), min, max};
}

std::string allowed(const Parameter& p) {
  if (!p.names.empty()) return fmt::format("one of {}", fmt::join(p.names, ", "));
  const std::string low = p.min == above_zero ? "more than 0" : fmt::format("at least {}", p.min);
  if (p.min == -infinite && p.max == infinite) return "";
  if (p.max == infinite) return low;
  if (p.min == -infinite) return fmt::format("at most {}", p.max);
  return p.min == above_zero ? fmt::format("more than 0, at most {}", p.max) : fmt::format("{} to {}", p.min, p.max);
}

std::string to_text(const Setting& value) {
  if (const auto* x = std::get_if<double>(&value)) return fmt::format("{}", *x);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return fmt::format("{}", fmt::join(std::get<std::vector<double>>(value), ","));
}

// --- Parameters ------------------------------------------------------------------------------------------------------

const Parameter& Parameters::at(const std::string& name) const {
  const auto found = std::ranges::find(all_, name, &Parameter::name);
  CAIRN_CHECK(found != all_.end(), ("no parameter " + name).c_str());
  return *found;
}

bool Parameters::has(const std::string& name) const {
  return std::ranges::find(all_, name, &Parameter::name) != all_.end();
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> list;
  for (const Parameter& p : all_) list.push_back(p.name);
  return list;
}

double Parameters::number(const std::string& name) const {
  const auto* value = std::get_if<double>(&at(name).value);
  CAIRN_CHECK(value, (name + " is no number").c_str());
  return *value;
}

int Parameters::integer(const std::string& name) const {
  const double value = number(name);
  CAIRN_CHECK(std::abs(value) < 2147483647.0, (name + " is no int").c_str());
  return static_cast<int>(value);
}

const std::string& Parameters::word(const std::string& name) const {
  const auto* value = std::get_if<std::string>(&at(name).value);
  CAIRN_CHECK(value, (name + " is no word").c_str());
  return *value;
}

const std::vector<double>& Parameters::list(const std::string& name) const {
  const auto* value = std::get_if<std::vector<double>>(&at(name).value);
  CAIRN_CHECK(value, (name + " is no list").c_str());
  return *value;
}

Expected<bool> Parameters::set(const std::string& name, const std::string& text) {
  const auto found = std::ranges::find(all_, name, &Parameter::name);
  if (found == all_.end())
    return Error{fmt::format("no parameter '{}', expected {}", name,
                             all_.empty() ? "none" : fmt::format("one of {}", fmt::join(names(), ", ")))};
  auto value = setting_for(*found, text);
  if (!value) return Error{value.error()};
  found->value = std::move(*value);
  return true;
}

Expected<bool> Parameters::set(const std::string& name, double value) { return set(name, fmt::format("{}", value)); }

// --- Output ----------------------------------------------------------------------------------------------------------

void Output::put(const std::string& name, Value value) {
  static constexpr std::array reserved{"example", "parameters", "remarks", "files"};  // keys of the JSON object
  CAIRN_CHECK(std::ranges::find(reserved, name) == reserved.end(), (name + " cannot name an output").c_str());
  for (auto& [known, old] : values)
    if (known == name) {
      old = std::move(value);
      return;
    }
  values.emplace_back(name, std::move(value));
}

const Value* Output::find(const std::string& name) const {
  for (const auto& [known, value] : values)
    if (known == name) return &value;
  return nullptr;
}

void Output::table(std::string name, std::vector<Column> columns) {
  for (const Column& column : columns)
    CAIRN_CHECK(column.values.size() == columns.front().values.size(), "columns of one table differ in length");
  tables.push_back({std::move(name), std::move(columns)});
}

std::string to_csv(const Table& table) {
  std::string out;
  for (const Column& column : table.columns) {
    const bool plain = column.name.find_first_of(",\"\n") == std::string::npos;
    std::string name;
    for (const char c : column.name) name += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += (out.empty() ? "" : ",") + (plain ? name : "\"" + name + "\"");
  }
  out += '\n';
  const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().values.size();
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      fmt::format_to(std::back_inserter(out), "{}{}", table.columns[k].values[row],
                     k + 1 == table.columns.size() ? '\n' : ',');
  return out;
}

// --- the list --------------------------------------------------------------------------------------------------------

const Example* find(const std::string& name) {
  const auto found = std::ranges::find(all(), name, &Example::name);
  return found == all().end() ? nullptr : &*found;
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const Example& example : all()) list.push_back(example.name);
  return list;
}

}  // namespace cairn::examples
