// One VTK PolyData file (.vtp): XML that names the arrays, then their bytes as they are in memory ("appended raw", each
// behind its length as UInt64).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/base/vec.hpp"

namespace cairn::exporting {

// Connectivity of cells of one kind: corners of all cells, and the end of each.
struct CellList {
  std::span<const std::int32_t> corners, ends;
};

class Vtp {
 public:
  Vtp(std::string comment, Real t, std::span<const Real> xyz);  // [m] (points * 3)

  // The order is VTK's: vertices, lines, polygons; numbers of cells follow it.
  void cells(CellList vertices, CellList lines, CellList polygons);
  void cell_data() { open("CellData"); }
  void point_data() { open("PointData"); }
  void array(const std::string& name, std::span<const float> values, int components = 1);
  void array(const std::string& name, std::span<const Real> values, int components = 1);
  void array(const std::string& name, std::span<const std::int32_t> values, int components = 1);

  // To a temporary name, then renamed; the answer is the path.
  Expected<std::string> write(const std::string& path);

 private:
  void open(const std::string& section);
  void append(const std::string& type, const std::string& name, int components, std::span<const char> bytes);

  std::string head_, xml_, section_, bytes_;
};

}  // namespace cairn::exporting
