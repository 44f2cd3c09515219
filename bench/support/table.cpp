#include "support/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

std::vector<std::string> columns(const Table& t) {
  std::vector<std::string> names;
  for (const bool ours : {true, false})
    for (const Row& row : t.rows)
      for (const Cell& c : row.cells)
        if (c.ours == ours && std::find(names.begin(), names.end(), c.solver) == names.end()) names.push_back(c.solver);
  return names;
}

std::string text(const Cell* c) {
  if (!c) return "";
  if (c->reached) return fmt::format("{:.3g}", 1e3 * c->seconds);
  return c->error < 0 ? "-" : fmt::format("- [{:.0e}]", c->error);
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

const Cell* find(const Row& row, const std::string& solver) {
  for (const Cell& c : row.cells)
    if (c.solver == solver) return &c;
  return nullptr;
}

const Cell* best_peer(const Row& row) {
  const Cell* best = nullptr;
  for (const Cell& c : row.cells)
    if (!c.ours && c.reached && (!best || c.seconds < best->seconds)) best = &c;
  return best;
}

void print_markdown(const Table& t) {
  const auto names = columns(t);
  fmt::print("\nTolerance {:.0e}: CPU ms, median; '-' not reached [best error]; ratio = best Siconos / auto\n\n",
             t.tolerance);
  std::string head = "| problem | contacts |", rule = "|---|---|";
  for (const auto& n : names) head += fmt::format(" {} |", n), rule += "---|";
  fmt::print("{} error of auto | best Siconos | ratio |\n{}---|---|---|\n", head, rule);
  double log_sum = 0;
  int compared = 0, only_ours = 0, only_peers = 0;
  for (const Row& row : t.rows) {
    fmt::print("| {} | {} |", row.problem, row.contacts);
    for (const auto& n : names) fmt::print(" {} |", text(find(row, n)));
    const Cell *mine = find(row, "auto"), *peer = best_peer(row);
    const bool ok = mine && mine->reached;
    fmt::print(" {} |", mine && mine->error >= 0 ? fmt::format("{:.1e}", mine->error) : "");
    fmt::print(" {} |", peer ? fmt::format("{:.3g} ({}, {})", 1e3 * peer->seconds, peer->solver, peer->detail) : "-");
    fmt::print(" {} |\n", ok && peer ? fmt::format("{:.2f}", peer->seconds / mine->seconds) : "");
    if (ok && peer) log_sum += std::log(peer->seconds / mine->seconds), ++compared;
    only_ours += ok && !peer, only_peers += mine && !ok && peer;
  }
  if (compared > 0)
    fmt::print("\nGeometric mean of ratios over {} problems: {:.2f}; reached by us alone: {}; by Siconos alone: {}\n",
               compared, std::exp(log_sum / compared), only_ours, only_peers);
}

void print_json(const std::vector<Table>& tables) {
  const char* separator = "";
  fmt::print("[");
  for (const Table& t : tables)
    for (const Row& row : t.rows)
      for (const Cell& c : row.cells) {
        fmt::print("{}\n  {{\"tolerance\": {:g}, \"problem\": {}, \"contacts\": {}, \"solver\": {}, \"detail\": {}, ",
                   separator, t.tolerance, quoted(row.problem), row.contacts, quoted(c.solver), quoted(c.detail));
        fmt::print("\"ours\": {}, \"reached\": {}, \"ms\": {:.6g}, \"error\": {:.3e}, \"iterations\": {}}}", c.ours,
                   c.reached, 1e3 * c.seconds, c.error, c.iterations);
        separator = ",";
      }
  fmt::print("\n]\n");
}

}  // namespace bench
