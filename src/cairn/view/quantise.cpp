#include "cairn/view/quantise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cairn/base/check.hpp"

namespace cairn::view {
namespace {

constexpr int dropped_bits = 12;
constexpr std::uint32_t magnitude = 0x7FFFFFFF, infinite = 0x7F800000, not_a_number = 0x7FC00000;

std::uint64_t folded(std::int64_t v) {
  const auto twice = static_cast<std::uint64_t>(v) << 1;
  return v < 0 ? ~twice : twice;
}

// [bits] about what the numbers take.
double cost(std::span<const std::int64_t> values) {
  double sum = 0;
  for (const std::int64_t v : values) sum += std::bit_width(folded(v));
  return sum;
}

}  // namespace

Grid Grid::of(int dimension, double size, double duration) {
  constexpr double fineness = 1e-4, gap_fineness = 1e-3;
  Grid grid;
  grid.dimension = dimension;
  grid.place = fineness * (size > 0 && std::isfinite(size) ? size : 1);
  const double span = duration > 0 ? duration : 1;
  grid.speed = grid.place / span, grid.spin = grid.turn / span;
  grid.gap = gap_fineness * grid.place;
  return grid;
}

std::int64_t short_float(float value, double floor) {
  if (std::abs(value) < floor) return 0;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t size = bits & magnitude;
  if (size > infinite)
    size = not_a_number;
  else if (size < infinite - (1u << dropped_bits))  // the largest floats are not rounded up to infinity
    size += 1u << (dropped_bits - 1);
  const auto kept = static_cast<std::int64_t>(size >> dropped_bits);
  return bits > magnitude ? -kept : kept;
}

float float_of(std::int64_t integer) {
  const auto size = static_cast<std::uint32_t>(integer < 0 ? -integer : integer) << dropped_bits;
  const float value = std::bit_cast<float>(size);
  return integer < 0 ? -value : value;
}

void append_stream(std::string& out, std::span<const std::int64_t> values) {
  std::uint64_t all = 0;
  for (const std::int64_t v : values) all |= folded(v);
  const int bytes = (std::bit_width(all) + 7) / 8;
  CAIRN_CHECK(bytes <= 6, "integers of a page fit in six bytes");
  out += static_cast<char>(bytes);
  for (int plane = 0; plane < bytes; ++plane)
    for (const std::int64_t v : values) out += static_cast<char>(folded(v) >> (8 * plane) & 0xFF);
}

void append_shortest(std::string& out, int forms, const std::function<Integers(int)>& in_form) {
  Integers best = in_form(0);
  double least = cost(best);
  int chosen = 0;
  for (int form = 1; form < forms && least > 0; ++form) {
    Integers other = in_form(form);
    const double bits = cost(other);
    if (bits >= least) continue;
    best = std::move(other), least = bits, chosen = form;
  }
  out += static_cast<char>(chosen);
  append_stream(out, best);
}

}  // namespace cairn::view
