// Boundaries moved along a direction by recorded motion: places at given times, or an accelerogram.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/model/drive.hpp"

namespace cairn {

// Two columns of a file.
struct Table {
  std::vector<Real> times;   // [s] (rows)
  std::vector<Real> values;  // (rows)
};

// Velocity along the direction [m/s] at the first and at the last time. None: natural, without acceleration there.
struct TableEnds {
  std::optional<Real> first = 0, last = 0;
};

// The cubic spline through the places, twice differentiable between the first and the last time; constant before and
// after. The direction is not made unit: places are its multiples. With ends not at rest the velocity jumps there.
template <int D>
Expected<Drive<D>> table(const Vec<D>& direction, std::vector<Real> times, std::vector<Real> positions,
                         const TableEnds& ends = {});

struct AccelerogramOptions {
  // Takes c (t - t_0) off the acceleration, c such that the velocity at the end is zero: the record as it is seldom
  // ends at rest. Its first value stays, and the place at the end is what comes out.
  bool end_at_rest = false;
};

// The place, from rest at 0, whose second derivative is the record [m/s^2], linear between its values: a cubic in each
// interval, without error of integration. Before, the boundary rests; after, it keeps the velocity it has at the end.
template <int D>
Expected<Drive<D>> accelerogram(const Vec<D>& direction, Real dt, std::vector<Real> accelerations,
                                const AccelerogramOptions& options = {});
template <int D>  // the same at uneven times
Expected<Drive<D>> accelerogram(const Vec<D>& direction, Table record, const AccelerogramOptions& options = {});

// Two numbers a line, between them spaces, tabs, a comma or a semicolon. Empty lines, and what follows #, do not count.
Expected<Table> read_table(const std::string& path);

}  // namespace cairn
