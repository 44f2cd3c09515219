#include "cairn/input/parse.hpp"

#include <fmt/format.h>

#include <algorithm>

// Some texts break what toml++ takes for granted of itself ("[" and a stray byte, in 3.3). Its assertions abort, and
// with NDEBUG they become assumptions, which is worse: here they are faults of the text like others.
namespace cairn::input {
struct Confused {};
}  // namespace cairn::input
#undef NDEBUG
#define TOML_ASSERT(expr)                          \
  do {                                             \
    if (!(expr)) throw ::cairn::input::Confused{}; \
  } while (false)
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wexceptions"
#else
#pragma GCC diagnostic ignored "-Wterminate"  // functions that must not throw hold assertions, too
#endif
#include <toml++/toml.h>
#pragma GCC diagnostic pop

namespace cairn::input {
namespace {

Position position(const toml::source_region& region, std::size_t shortest = 1) {
  Position p{static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), static_cast<int>(shortest)};
  if (region.end.line == region.begin.line && region.end.column > region.begin.column)
    p.length = static_cast<int>(region.end.column - region.begin.column);
  return p;
}

Node converted(const toml::node& source);

void fill_table(Node& node, const toml::table& table) {
  node.kind = Node::table;
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    node.entries.push_back({name, position(key.source(), name.size()), converted(value)});
  }
  std::ranges::stable_sort(node.entries, [](const Node::Entry& a, const Node::Entry& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
}

Node converted(const toml::node& source) {
  Node node;
  node.at = position(source.source());
  if (const auto* table = source.as_table()) {
    fill_table(node, *table);
  } else if (const auto* list = source.as_array()) {
    node.kind = Node::list;
    for (const toml::node& item : *list) node.items.push_back(converted(item));
  } else if (const auto* text = source.as_string()) {
    node.kind = Node::text, node.word = text->get();
  } else if (const auto* integer = source.as_integer()) {
    node.kind = Node::integer, node.number = static_cast<Real>(integer->get());
  } else if (const auto* real = source.as_floating_point()) {
    node.kind = Node::real, node.number = real->get();
  } else if (const auto* flag = source.as_boolean()) {
    node.kind = Node::flag, node.on = flag->get();
  } else {
    node.kind = Node::date;
  }
  return node;
}

}  // namespace

std::optional<Node> parse_toml(const std::string& text, Diagnostics& diagnostics) {
  if (text.size() > most_bytes) {
    diagnostics.add({}, fmt::format("{} bytes, expected a scene file of at most {}; many bodies are given by [[table]] "
                                    "and a CSV file",
                                    text.size(), most_bytes));
    return std::nullopt;
  }
  try {
    const toml::table root = toml::parse(text, diagnostics.file());
    Node node;
    node.at = {1, 1, 1};
    fill_table(node, root);
    return node;
  } catch (const toml::parse_error& error) {
    diagnostics.add(position(error.source()), fmt::format("not TOML: {}", error.description()));
  } catch (const Confused&) {
    diagnostics.add({}, "not TOML: a key or a table's name is none; expected letters, digits, - and _, or quotes");
  }
  return std::nullopt;
}

}  // namespace cairn::input
