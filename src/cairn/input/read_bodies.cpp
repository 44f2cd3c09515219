// Bodies from a CSV file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "cairn/base/closest.hpp"
#include "cairn/input/build.hpp"

namespace cairn::input {
namespace {

const std::vector<std::string> known{"x",      "y",         "z",  "radius", "size_x", "size_y",
                                     "size_z", "angle_deg", "vx", "vy",     "vz",     "density"};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    const auto a = cell.find_first_not_of(" \t\r"), b = cell.find_last_not_of(" \t\r");
    cells.push_back(a == std::string::npos ? "" : cell.substr(a, b - a + 1));
  }
  return cells;
}

// A line of the file: the numbers by the names of their columns.
class Row {
 public:
  Row(const std::vector<std::string>& columns, const std::vector<std::string>& cells) {
    for (std::size_t k = 0; k < columns.size() && k < cells.size(); ++k) {
      char* end = nullptr;
      const Real x = std::strtod(cells[k].c_str(), &end);
      if (cells[k].empty() || *end != '\0' || !std::isfinite(x)) {
        if (bad_.empty())
          bad_ = fmt::format("column {} is \"{}\", expected a finite number", columns[k], cells[k].substr(0, 40));
        continue;
      }
      values_[columns[k]] = x;
    }
    if (columns.size() != cells.size() && bad_.empty())
      bad_ = fmt::format("{} cells, expected {}", cells.size(), columns.size());
  }

  const std::string& bad() const { return bad_; }
  Real operator()(const std::string& name, Real otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }

 private:
  std::map<std::string, Real> values_;
  std::string bad_;
};

template <int D>
Vec<D> vector_in(const Row& row, const char* x, const char* y, const char* z, Real otherwise) {
  if constexpr (D == 2)
    return {row(x, otherwise), row(z, otherwise)};
  else
    return {row(x, otherwise), row(y, otherwise), row(z, otherwise)};
}

template <int D>
Shape<D> shape_in(const TableSpec& spec, const Row& row) {
  if (spec.shape == "ball") return Ball<D>{row("radius", 0)};
  return std::conditional_t<D == 2, Polygon, Polyhedron>::box(Real(0.5) *
                                                              vector_in<D>(row, "size_x", "size_y", "size_z", 0));
}

std::string wrong_columns(const std::vector<std::string>& columns, const TableSpec& spec, int dimension) {
  std::vector<std::string> needed{"x", "z"};
  if (spec.shape == "ball")
    needed.push_back("radius");
  else
    needed.insert(needed.end(), {"size_x", "size_z"});
  if (dimension == 3) needed.push_back("y");
  if (dimension == 3 && spec.shape == "box") needed.push_back("size_y");
  for (const std::string& c : columns)
    if (std::ranges::find(known, c) == known.end())
      return fmt::format("unknown column '{}'{}; expected some of {}", c, hint(c, known), fmt::join(known, ", "));
  for (const std::string& n : needed)
    if (std::ranges::find(columns, n) == columns.end())
      return fmt::format("the column '{}' is missing{}", n, n == "z" ? " (z is up; y is the depth, in space)" : "");
  return "";
}

}  // namespace

template <int D>
Expected<TableBodies<D>> read_bodies(const TableSpec& spec, const std::string& path, Real density, Real most) {
  std::ifstream file(path);
  if (!file) return Error{fmt::format("{}: cannot be read, expected a CSV file", path)};
  TableBodies<D> out;
  std::vector<std::string> columns;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line == "\r" || line[0] == '#') continue;
    if (columns.empty()) {
      columns = cells_of(line);
      if (const std::string bad = wrong_columns(columns, spec, D); !bad.empty())
        return Error{fmt::format("{}:{}: {}", path, number, bad)};
      continue;
    }
    const Row row(columns, cells_of(line));
    scene::Block<D> block{shape_in<D>(spec, row), {}};
    std::string bad = row.bad();
    if (bad.empty()) bad = complaint(block.shape);
    if (bad.empty() && !(row("density", density) > 0)) bad = "density: expected a number above 0";
    if (!bad.empty()) return Error{fmt::format("{}:{}: {}", path, number, bad)};
    if (static_cast<Real>(out.blocks.blocks.size()) >= most)
      return Error{fmt::format("{}: more than {} bodies", path, most)};
    block.pose = scene::in_plane<D>({}, row("angle_deg", 0) * std::numbers::pi / 180);
    block.pose.x = vector_in<D>(row, "x", "y", "z", 0);
    block.density = row("density", density), block.material = spec.material, block.fixed = spec.fixed;
    out.blocks.blocks.push_back(std::move(block));
    out.velocity.push_back(vector_in<D>(row, "vx", "vy", "vz", 0));
  }
  if (columns.empty()) return Error{fmt::format("{}: empty, expected a line with the names of the columns", path)};
  return out;
}
template Expected<TableBodies<2>> read_bodies<2>(const TableSpec&, const std::string&, Real, Real);
template Expected<TableBodies<3>> read_bodies<3>(const TableSpec&, const std::string&, Real, Real);

}  // namespace cairn::input
