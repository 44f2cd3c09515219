// How all solutions of a problem are shown.
#pragma once

#include <string>

#include "cairn/solver/solution_set.hpp"

namespace cairn::app {

// What is said of one problem.
struct ProblemSolutions {
  std::string file;
  int contacts = 0, dimension = 2;  // rows a contact
  AllSolutions all;
  double seconds = 0;
};

std::string solutions_table(const ProblemSolutions& problem);  // several lines
std::string solutions_json(const ProblemSolutions& problem);   // one object

}  // namespace cairn::app
