// What is wrong with a scene file, as a compiler would say it: file:line:column, the line, a caret.
#pragma once

#include <string>
#include <vector>

#include "cairn/input/node.hpp"

namespace cairn::input {

class Diagnostics {
 public:
  Diagnostics(std::string file, const std::string& text);

  void add(const Position& at, std::string message);
  bool any() const { return !found_.empty(); }
  int count() const { return static_cast<int>(found_.size()); }
  std::string str() const;  // the first ones in the order of the file, and how many more there are

  const std::string& file() const { return file_; }

 private:
  struct Found {
    Position at;
    std::string message;
  };
  std::string shown(const Found& found) const;

  std::string file_;
  std::vector<std::string> lines_;
  std::vector<Found> found_;
};

}  // namespace cairn::input
