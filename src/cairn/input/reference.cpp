#include "cairn/input/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "cairn/base/json.hpp"
#include "cairn/input/scene_file.hpp"
#include "cairn/run/measure.hpp"

namespace cairn::input {
namespace {

// A default of a kind's keys is that of the object the kind makes.
std::string default_of(const Key& key, const void* object) { return key.shown ? key.shown(object) : ""; }

std::string type_of(const Key& k) {
  switch (k.type) {
    case Type::number: return "number";
    case Type::integer: return "whole number";
    case Type::flag: return "true or false";
    case Type::text: return "text";
    case Type::choice: return fmt::format("one of {}", fmt::join(k.choices, ", "));
    case Type::material: return "name of a material";
    case Type::numbers:
      return k.most_entries == k.least_entries ? fmt::format("{} numbers", k.least_entries)
             : k.most_entries <= 3             ? fmt::format("{} to {} numbers", k.least_entries, k.most_entries)
                                               : "numbers";
    case Type::texts: return k.choices.empty() ? "texts" : "some of the names below";
    case Type::table: return "table";
    case Type::tables: return "tables";
  }
  return "";
}

// --- the page --------------------------------------------------------------------------------------------------------

class Page {
 public:
  std::string text() {
    out_ =
        "# Keys of a scene file\n\n"
        "Made by `cairn keys`; the same table checks scene files. SI units. Vectors are (x, up) in the plane and "
        "(x, y, up) in space; one with two entries in space lies in the plane y = 0, of one with three the plane takes "
        "the first and the last. Where a number is expected a formula of the parameters may stand: `\"=2*mu\"`; where "
        "a text is expected, `\"=name\"` is the value of a parameter that is a text.\n\n"
        "`[parameters]` declares names: `mu = 0.3`, or `mu = { value = 0.3, unit = \"\", doc = \"friction\", least = "
        "0, "
        "most = 2 }`, with `choices = [...]` for texts. `--set mu=0.4` changes one.\n\n";
    section(scene_section(), "", "The scene");
    measures();
    return std::move(out_);
  }

 private:
  void rows(const Section& s, const void* object) {
    out_ += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
    for (const Key& k : s.keys) {
      const std::string limits = describe(k.limits), given = k.required ? "required" : default_of(k, object);
      out_ += fmt::format("| `{}` | {}{} | {} | {} | {} |\n", k.name, type_of(k), limits.empty() ? "" : ", " + limits,
                          k.unit, given.empty() || k.required ? given : "`" + given + "`", k.doc);
    }
    out_ += "\n";
  }

  void section(const Section& s, const std::string& path, const std::string& title) {
    if (!seen_.insert(&s).second) return;
    out_ += fmt::format("## {}\n\n{}\n\n", title, s.doc);
    const std::shared_ptr<void> object = s.fresh();
    if (!s.keys.empty()) rows(s, object.get());
    for (const Kind& k : s.kinds) kind(k, s, path);
    for (const Key& k : s.keys)
      if (k.child != nullptr) child(k, path);
    for (const Kind& kind : s.kinds)
      for (const Key& k : kind.section->keys)
        if (k.child != nullptr) child(k, path);
  }
  void child(const Key& k, const std::string& path) {
    const std::string name = path.empty() ? k.name : path + "." + k.name;
    section(*k.child, name, k.type == Type::tables ? "[[" + name + "]]" : "[" + name + "]");
  }
  void kind(const Kind& k, const Section& s, const std::string& path) {
    out_ += fmt::format("### {} `kind = \"{}\"`\n\n{}\n\n", path, k.name, k.doc);
    if (k.section->keys.empty()) return;
    if (!kinds_.insert({&s, k.section}).second) {
      out_ += "Keys as above.\n\n";
      return;
    }
    const std::shared_ptr<void> object = s.fresh();
    rows(*k.section, k.object(object.get()));
  }

  void measures() {
    out_ += "## Names of `outcome`\n\n| name | unit | meaning |\n|---|---|---|\n";
    for (const run::MeasureDoc& m : run::measure_docs())
      out_ += fmt::format("| `{}` | {} | {}{} |\n", m.name, m.unit, m.doc,
                          m.dimension == 2   ? " (plane)"
                          : m.dimension == 3 ? " (space)"
                                             : "");
  }

  std::string out_;
  std::set<const Section*> seen_;
  std::set<std::pair<const Section*, const Section*>> kinds_;
};

// --- the schema ------------------------------------------------------------------------------------------------------

std::string list_of(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& w : words) quoted.push_back(json_string(w));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string formula() { return R"({"type": "string", "pattern": "^="})"; }

std::string number_schema(const Key& k, const char* type) {
  JsonObject o;
  o.text("type", type);
  if (std::isfinite(k.limits.least)) o.number(k.limits.open ? "exclusiveMinimum" : "minimum", k.limits.least);
  if (std::isfinite(k.limits.most)) o.number("maximum", k.limits.most);
  return fmt::format("{{\"anyOf\": [{}, {}]}}", o.str(), formula());
}

std::string section_schema(const Section& s);

std::string value_schema(const Key& k) {
  switch (k.type) {
    case Type::number: return number_schema(k, "number");
    case Type::integer: return number_schema(k, "integer");
    case Type::flag: return fmt::format(R"({{"anyOf": [{{"type": "boolean"}}, {}]}})", formula());
    case Type::choice: return fmt::format(R"({{"anyOf": [{{"enum": {}}}, {}]}})", list_of(k.choices), formula());
    case Type::text:
    case Type::material: return R"({"type": "string"})";
    case Type::numbers:
    case Type::texts: {
      JsonObject o;
      o.text("type", "array");
      if (k.type == Type::numbers)
        o.raw("items", number_schema(k, "number"));
      else
        o.raw("items",
              k.choices.empty() ? R"({"type": "string"})" : fmt::format(R"({{"enum": {}}})", list_of(k.choices)));
      if (k.least_entries > 0) o.integer("minItems", static_cast<long>(k.least_entries));
      if (k.most_entries < 1000000) o.integer("maxItems", static_cast<long>(k.most_entries));
      return o.str();
    }
    case Type::table: return section_schema(*k.child);
    case Type::tables: return fmt::format(R"({{"type": "array", "items": {}}})", section_schema(*k.child));
  }
  return "{}";
}

std::string described(const Key& k) {
  std::string schema = value_schema(k);
  const std::string doc = k.unit.empty() ? k.doc : fmt::format("{} [{}]", k.doc, k.unit);
  schema.insert(schema.size() - 1, fmt::format("{}\"description\": {}", schema == "{}" ? "" : ", ", json_string(doc)));
  return schema;
}

// One object; of a kind where one is given.
std::string object_schema(const Section& s, const Kind* kind) {
  JsonObject properties;
  std::vector<std::string> required;
  const auto add = [&](const Section& part) {
    for (const Key& k : part.keys) {
      properties.raw(k.name.c_str(), described(k));
      if (k.required) required.push_back(k.name);
    }
  };
  if (kind != nullptr) {
    properties.raw(
        "kind", fmt::format(R"({{"const": {}, "description": {}}})", json_string(kind->name), json_string(kind->doc)));
    required.emplace_back("kind");
  }
  add(s);
  if (kind != nullptr) add(*kind->section);
  if (&s == &scene_section())
    properties.raw("parameters", R"({"type": "object", "description": "names that formulas may use"})");
  JsonObject o;
  o.text("type", "object").raw("properties", properties.str()).raw("additionalProperties", "false");
  if (!required.empty()) o.raw("required", list_of(required));
  return o.str();
}

std::string section_schema(const Section& s) {
  if (s.kinds.empty()) return object_schema(s, nullptr);
  std::vector<std::string> alternatives;
  for (const Kind& k : s.kinds) alternatives.push_back(object_schema(s, &k));
  return fmt::format("{{\"oneOf\": [{}]}}", fmt::join(alternatives, ", "));
}

}  // namespace

std::string reference_page() { return Page().text(); }

std::string json_schema() {
  std::string schema = section_schema(scene_section());
  schema.insert(1, "\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"Cairn scene\", ");
  return schema + "\n";
}

}  // namespace cairn::input
