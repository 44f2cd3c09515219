// Ranges of forces that rigidity leaves open, as `cairn forces --out` writes them, for the page (docs/forces.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/view/result.hpp"

namespace cairn::view {

struct ForceRanges {
  int frame = 0;     // of the results
  double time = 0;   // [s]
  long freedom = 0;  // dimension of the set of forces
  // [N] (contacts), along the normal; a greatest one without bound is infinite, a central one that does not exist is
  // nan.
  std::vector<double> least, greatest, solution, central;
  // Where they are: a page that leaves out contacts can still show all ranges.
  std::vector<std::uint32_t> body;   // (contacts, 2)
  std::vector<float> point, normal;  // (contacts, 3) [m], from the second body to the first
};

// Refuses what is no such file, or is of other results: frame, time, contacts and the solver's forces must agree.
Expected<ForceRanges> read_force_ranges(const std::string& path, Result& result);

// `frame`: its number on the page.
std::string force_bundle(const ForceRanges& ranges, int frame);
// What the page gets where nobody has named a file.
std::string no_force_bundle();

}  // namespace cairn::view
