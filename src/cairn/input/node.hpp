// A scene file as plain data with places in the text: what the parser gives and everything else reads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn::input {

struct Position {
  int line = 0, column = 0;  // from 1; 0: not in the file
  int length = 1;            // of what a message points at

  bool known() const { return line > 0; }
};

struct Node {
  enum Kind { real, integer, flag, text, date, list, table };
  struct Entry;

  Kind kind = table;
  Real number = 0;  // of a real or an integer
  bool on = false;
  std::string word;
  std::vector<Node> items;     // of a list
  std::vector<Entry> entries;  // of a table, in the order of the file
  Position at;

  bool is_number() const { return kind == real || kind == integer; }
  bool is_formula() const { return kind == text && !word.empty() && word[0] == '='; }
  const Entry* find(const std::string& key) const;
};

struct Node::Entry {
  std::string key;
  Position at;  // of the key
  Node value;
};

inline const Node::Entry* Node::find(const std::string& key) const {
  for (const Entry& e : entries)
    if (e.key == key) return &e;
  return nullptr;
}

// "a number", "a text" ...: what a node is, for messages.
std::string describe(const Node& node);

}  // namespace cairn::input
