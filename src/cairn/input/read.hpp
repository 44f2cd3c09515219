// Nodes into objects, by the table of keys.
#pragma once

#include <map>

#include "cairn/base/formula.hpp"
#include "cairn/input/diagnostics.hpp"
#include "cairn/input/schema.hpp"

namespace cairn::input {

// What formulas and names of the file may refer to.
struct Scope {
  Constants numbers;                         // parameters
  std::map<std::string, std::string> texts;  // parameters that are texts
  std::vector<std::string> materials;
};

// `where`: how messages call the table: "[time]", "[[body]]" ...
void read_section(const Section& section, void* object, const Node& table, const std::string& where, const Scope& scope,
                  Diagnostics& diagnostics);

// The number that a node stands for; none, and a message, where it is none.
std::optional<Real> number_of(const Node& node, const std::string& what, const Scope& scope, Diagnostics& diagnostics);
std::optional<std::string> text_of(const Node& node, const std::string& what, const Scope& scope,
                                   Diagnostics& diagnostics);

}  // namespace cairn::input
