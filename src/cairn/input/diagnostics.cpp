#include "cairn/input/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace cairn::input {
namespace {

constexpr std::size_t most_shown = 12;
constexpr std::size_t most_columns = 160;  // of a source line in a message

// As it may be printed: no tabs or control characters, cut where it is long.
std::string printable(const std::string& line) {
  std::string out = line.substr(0, most_columns);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
  return out;
}

}  // namespace

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::real: return fmt::format("the number {}", node.number);
    case Node::integer: return fmt::format("the number {}", node.number);
    case Node::flag: return node.on ? "true" : "false";
    case Node::text:
      return node.word.size() > 40 ? fmt::format("the text \"{}...\"", node.word.substr(0, 40))
                                   : fmt::format("the text \"{}\"", node.word);
    case Node::date: return "a date";
    case Node::list: return fmt::format("a list of {}", node.items.size());
    case Node::table: return "a table";
  }
  return "";
}

Diagnostics::Diagnostics(std::string file, const std::string& text) : file_(std::move(file)) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines_.push_back(line);
}

void Diagnostics::add(const Position& at, std::string message) {
  for (const Found& f : found_)  // one fault, one message
    if (f.at.line == at.line && f.at.column == at.column && at.known()) return;
  found_.push_back({at, std::move(message)});
}

std::string Diagnostics::shown(const Found& f) const {
  if (!f.at.known()) return fmt::format("{}: {}\n", file_, f.message);
  std::string out = fmt::format("{}:{}:{}: {}\n", file_, f.at.line, f.at.column, f.message);
  const auto line = static_cast<std::size_t>(f.at.line) - 1;
  const auto column = static_cast<std::size_t>(std::max(1, f.at.column)) - 1;
  if (line >= lines_.size() || column > most_columns) return out;
  const std::string source = printable(lines_[line]);
  const auto room = source.size() > column ? source.size() - column : 1;
  const auto length = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1, f.at.length)), 1, room);
  out += fmt::format("{:>5} | {}\n      | {:>{}}^{:~>{}}\n", f.at.line, source, "", column, "", length - 1);
  return out;
}

std::string Diagnostics::str() const {
  std::vector<Found> sorted = found_;
  std::ranges::stable_sort(sorted, [](const Found& a, const Found& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
  std::string out;
  for (std::size_t k = 0; k < sorted.size() && k < most_shown; ++k) out += shown(sorted[k]);
  if (sorted.size() > most_shown) out += fmt::format("{}: {} more like these\n", file_, sorted.size() - most_shown);
  return out;
}

}  // namespace cairn::input
