#include "cairn/input/read.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "cairn/base/closest.hpp"

namespace cairn::input {
namespace {

class Reader {
 public:
  Reader(const Scope& scope, Diagnostics& diagnostics) : scope_(scope), out_(diagnostics) {}

  void section(const Section& s, void* object, const Node& table, const std::string& where) {
    if (table.kind != Node::table) {
      out_.add(table.at, fmt::format("{} is {}, expected a table of keys", where, describe(table)));
      return;
    }
    if (s.located) locate(*s.located(object), table);
    const Kind* kind = nullptr;
    if (!s.kinds.empty()) {
      kind = kind_of(s, table, where);
      if (kind == nullptr) return;
    }
    void* inner = kind != nullptr ? kind->object(object) : nullptr;
    const std::string name = kind != nullptr ? fmt::format("{} of kind {}", where, kind->name) : where;
    for (const Node::Entry& e : table.entries) {
      if (!s.kinds.empty() && e.key == "kind") continue;
      if (const Key* k = find(s, e.key))
        value(*k, object, e);
      else if (const Key* own = kind != nullptr ? find(*kind->section, e.key) : nullptr)
        value(*own, inner, e);
      else
        unknown(s, kind, e, name);
    }
    require(s, table, name);
    if (kind != nullptr) require(*kind->section, table, name);
  }

  std::optional<Real> number(const Node& node, const std::string& what, const char* expected = "a number") {
    if (node.is_formula()) {
      const Expected<Real> value = evaluate(node.word.substr(1), scope_.numbers);
      if (value && std::isfinite(*value)) return *value;
      out_.add(node.at, value ? fmt::format("{}: the formula gives {}, expected a finite number", what, *value)
                              : fmt::format("{}: formula {}", what, value.error()));
      return std::nullopt;
    }
    if (node.is_number()) {
      if (std::isfinite(node.number)) return node.number;
      out_.add(node.at, fmt::format("{} is {}, expected a finite number", what, node.number));
      return std::nullopt;
    }
    const bool quoted = node.kind == Node::text && !node.word.empty() &&
                        node.word.find_first_not_of("0123456789.+-eE") == std::string::npos;
    out_.add(node.at, fmt::format("{} is {}, expected {}{}", what, describe(node), expected,
                                  quoted                    ? " (without quotes)"
                                  : node.kind == Node::text ? " or a formula of the parameters, \"=...\""
                                                            : ""));
    return std::nullopt;
  }

  std::optional<std::string> text(const Node& node, const std::string& what) {
    if (node.is_formula()) {
      const std::string name = trimmed(node.word.substr(1));
      if (const auto found = scope_.texts.find(name); found != scope_.texts.end()) return found->second;
      out_.add(node.at, fmt::format("{}: '{}' is no parameter that is a text{}", what, name, hint(name, text_names())));
      return std::nullopt;
    }
    if (node.kind == Node::text) return node.word;
    out_.add(node.at, fmt::format("{} is {}, expected a text in quotes", what, describe(node)));
    return std::nullopt;
  }

 private:
  static std::string trimmed(const std::string& s) {
    const auto a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
    return a == std::string::npos ? "" : s.substr(a, b - a + 1);
  }
  std::vector<std::string> text_names() const {
    std::vector<std::string> names;
    for (const auto& t : scope_.texts) names.push_back(t.first);
    return names;
  }
  static void locate(Located& located, const Node& table) {
    located.at = table.at;
    for (const Node::Entry& e : table.entries) located.keys.emplace_back(e.key, e.value.at);
  }
  static const Key* find(const Section& s, const std::string& name) {
    for (const Key& k : s.keys)
      if (k.name == name) return &k;
    return nullptr;
  }

  const Kind* kind_of(const Section& s, const Node& table, const std::string& where) {
    std::vector<std::string> names;
    for (const Kind& k : s.kinds) names.push_back(k.name);
    const Node::Entry* e = table.find("kind");
    if (e == nullptr) {
      out_.add(table.at,
               fmt::format("{}: the key 'kind' is missing, expected one of {}", where, fmt::join(names, ", ")));
      return nullptr;
    }
    const auto word = text(e->value, "kind");
    if (!word) return nullptr;
    for (const Kind& k : s.kinds)
      if (k.name == *word) return &k;
    out_.add(e->value.at, fmt::format("{}: no kind \"{}\"{}; expected one of {}", where, *word, hint(*word, names),
                                      fmt::join(names, ", ")));
    return nullptr;
  }

  void unknown(const Section& s, const Kind* kind, const Node::Entry& e, const std::string& name) {
    std::vector<std::string> names;
    for (const Key& k : s.keys) names.push_back(k.name);
    if (kind != nullptr)
      for (const Key& k : kind->section->keys) names.push_back(k.name);
    out_.add(e.at, fmt::format("unknown key '{}' in {}{}; expected one of {}", e.key, name, hint(e.key, names),
                               fmt::join(names, ", ")));
  }

  void require(const Section& s, const Node& table, const std::string& name) {
    for (const Key& k : s.keys)
      if (k.required && table.find(k.name) == nullptr)
        out_.add(table.at, fmt::format("{}: the key '{}' is missing ({})", name, k.name, k.doc));
  }

  void value(const Key& k, void* object, const Node::Entry& e) {
    const Node& node = e.value;
    if (k.type == Type::table) return section(*k.child, k.child_object(object), node, fmt::format("[{}]", e.key));
    if (k.type == Type::tables) return tables(k, object, e);
    Given given;
    if (read(k, node, given)) k.assign(object, given);
  }

  void tables(const Key& k, void* object, const Node::Entry& e) {
    if (e.value.kind != Node::list) {
      out_.add(e.at, fmt::format("'{0}' is {1}, expected tables: write [[{0}]]", e.key, describe(e.value)));
      return;
    }
    for (const Node& item : e.value.items)
      section(*k.child, k.child_object(object), item, fmt::format("[[{}]]", e.key));
  }

  bool read(const Key& k, const Node& node, Given& given) {
    switch (k.type) {
      case Type::number: return read_number(k, node, given);
      case Type::integer: return read_number(k, node, given) && whole(k, node, given.numbers.back());
      case Type::flag: return read_flag(k, node, given);
      case Type::text:
      case Type::choice: return read_text(k, node, given);
      case Type::material: return read_material(k, node, given);
      case Type::numbers:
      case Type::texts: return read_list(k, node, given);
      default: return false;
    }
  }

  bool read_number(const Key& k, const Node& node, Given& given) {
    const auto x = number(node, k.name, k.type == Type::integer ? "a whole number" : "a number");
    if (!x) return false;
    const Limits& l = k.limits;
    if (l.open ? !(*x > l.least) : !(*x >= l.least)) return outside(k, node, *x);
    if (!(*x <= l.most)) return outside(k, node, *x);
    given.numbers.push_back(*x);
    return true;
  }
  bool outside(const Key& k, const Node& node, Real x) {
    out_.add(node.at, fmt::format("{} is {}, expected a number {}{}", k.name, x, describe(k.limits),
                                  k.unit.empty() ? "" : " [" + k.unit + "]"));
    return false;
  }
  bool whole(const Key& k, const Node& node, Real x) {
    if (x == std::floor(x) && std::abs(x) < 2e9) return true;
    out_.add(node.at, fmt::format("{} is {}, expected a whole number below 2e9", k.name, x));
    return false;
  }

  bool read_flag(const Key& k, const Node& node, Given& given) {
    if (node.kind == Node::flag) {
      given.numbers.push_back(node.on ? 1 : 0);
      return true;
    }
    if (node.is_formula()) return read_number(k, node, given);
    out_.add(node.at, fmt::format("{} is {}, expected true or false", k.name, describe(node)));
    return false;
  }

  bool read_text(const Key& k, const Node& node, Given& given) {
    const auto word = text(node, k.name);
    if (!word || !allowed(k, node, *word)) return false;
    given.texts.push_back(*word);
    return true;
  }
  bool allowed(const Key& k, const Node& node, const std::string& word) {
    if (k.choices.empty()) return true;
    for (const std::string& c : k.choices)
      if (c == word) return true;
    out_.add(node.at, fmt::format("{} is \"{}\"{}; expected one of {}", k.name, word, hint(word, k.choices),
                                  fmt::join(k.choices, ", ")));
    return false;
  }

  bool read_material(const Key& k, const Node& node, Given& given) {
    const auto word = text(node, k.name);
    if (!word) return false;
    for (std::size_t m = 0; m < scope_.materials.size(); ++m)
      if (scope_.materials[m] == *word) {
        given.numbers.push_back(static_cast<Real>(m));
        return true;
      }
    out_.add(node.at, fmt::format("{}: no material \"{}\"{}; expected one of {}", k.name, *word,
                                  hint(*word, scope_.materials), fmt::join(scope_.materials, ", ")));
    return false;
  }

  bool read_list(const Key& k, const Node& node, Given& given) {
    const bool words = k.type == Type::texts;
    if (node.kind != Node::list) {
      out_.add(node.at, fmt::format("{} is {}, expected a list of {}: [...]", k.name, describe(node),
                                    words ? "texts" : "numbers"));
      return false;
    }
    if (node.items.size() < k.least_entries || node.items.size() > k.most_entries) {
      const std::string many = k.least_entries == k.most_entries ? fmt::format("{}", k.least_entries)
                               : k.most_entries > 1000000        ? fmt::format("at least {}", k.least_entries)
                                                          : fmt::format("{} to {}", k.least_entries, k.most_entries);
      out_.add(node.at, fmt::format("{} has {} entries, expected {}", k.name, node.items.size(), many));
      return false;
    }
    bool good = true;
    for (const Node& item : node.items) good &= words ? read_text(k, item, given) : read_number(k, item, given);
    return good;
  }

  const Scope& scope_;
  Diagnostics& out_;
};

}  // namespace

void read_section(const Section& section, void* object, const Node& table, const std::string& where, const Scope& scope,
                  Diagnostics& diagnostics) {
  Reader(scope, diagnostics).section(section, object, table, where);
}

std::optional<Real> number_of(const Node& node, const std::string& what, const Scope& scope, Diagnostics& diagnostics) {
  return Reader(scope, diagnostics).number(node, what);
}
std::optional<std::string> text_of(const Node& node, const std::string& what, const Scope& scope,
                                   Diagnostics& diagnostics) {
  return Reader(scope, diagnostics).text(node, what);
}

}  // namespace cairn::input
