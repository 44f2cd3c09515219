// What the FCLIB benchmark found, and how it is printed.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/vec.hpp"

namespace bench {

// Best run of one solver (fastest of its variants) on one problem for one tolerance.
struct Cell {
  std::string solver, detail;
  bool ours = false;
  bool reached = false;
  double seconds = 0;      // median CPU time of the repeats, when reached
  cairn::Real error = -1;  // natural map over |q|; when not reached, the best seen (-1: nothing came back)
  long iterations = 0;
};

struct Row {
  std::string problem;
  int contacts = 0;
  std::vector<Cell> cells;  // one a solver
};

struct Table {
  cairn::Real tolerance;
  std::vector<Row> rows;
};

const Cell* find(const Row& row, const std::string& solver);
const Cell* best_peer(const Row& row);  // fastest that reached the tolerance, or null

void print_markdown(const Table& table);
void print_json(const std::vector<Table>& tables);

}  // namespace bench
