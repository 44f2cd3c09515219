#include "cairn/view/quantise_bodies.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cairn/base/check.hpp"

namespace cairn::view {
namespace {

std::size_t components(const Grid& grid) { return grid.dimension == 2 ? 6 : 13; }
std::size_t place_components(const Grid& grid) { return grid.dimension == 2 ? 3 : 7; }  // and rotation

// Writes the columns of one body after the other; `good` turns false where a number has no place on the grid.
class Rounder {
 public:
  Rounder(const Grid& grid, const Places& frame, const CoarsePlaces& before, CoarsePlaces& out)
      : grid_(grid), frame_(frame), before_(before), out_(out) {}

  void body(std::size_t b) {
    const auto n = static_cast<std::size_t>(grid_.dimension);
    column_ = 0;
    for (std::size_t i = 0; i < n; ++i) put(b, frame_.x[3 * b + i] / grid_.place);
    n == 2 ? angle(b) : quaternion(b);
    for (std::size_t i = 0; i < n; ++i) next()[b] = short_float(frame_.u[3 * b + i], grid_.speed);
    for (std::size_t i = n == 2 ? 2 : 0; i < 3; ++i) next()[b] = short_float(frame_.w[3 * b + i], grid_.spin);
  }
  bool good() const { return good_; }

 private:
  Integers& next() { return out_.columns[column_++]; }
  void put(std::size_t b, double value) {
    good_ = good_ && std::abs(value) < largest;  // false for what is not a number
    next()[b] = good_ ? std::llround(value) : 0;
  }
  // The turn nearest to the frame before, so that a spinning body's angle has no jumps.
  void angle(std::size_t b) {
    constexpr double turn = 2 * std::numbers::pi;
    const double a = 2 * std::atan2(frame_.r[4 * b + 2], frame_.r[4 * b + 3]);
    const double near = a + turn * std::round((before_.angle[b] - a) / turn);
    out_.angle[b] = near;
    put(b, near / grid_.turn);
  }
  // q and -q are one rotation: the one nearer to the frame before.
  void quaternion(std::size_t b) {
    double dot = 0;
    for (std::size_t i = 0; i < 4; ++i)
      dot += frame_.r[4 * b + i] * static_cast<double>(before_.columns[column_ + i][b]);
    for (std::size_t i = 0; i < 4; ++i) put(b, (dot < 0 ? -unit_scale : unit_scale) * frame_.r[4 * b + i]);
  }

  const Grid& grid_;
  const Places& frame_;
  const CoarsePlaces& before_;
  CoarsePlaces& out_;
  std::size_t column_ = 0;
  bool good_ = true;
};

CoarsePlaces zero(const Grid& grid, std::size_t bodies) {
  return {std::vector<Integers>(components(grid), Integers(bodies)), std::vector<double>(bodies)};
}

}  // namespace

BodyGroup::BodyGroup(const Grid& grid, std::size_t bodies, const CoarsePlaces* first)
    : grid_(grid), bodies_(bodies), first_(first ? *first : zero(grid, bodies)) {
  for (std::size_t c = place_components(grid); c < first_.columns.size(); ++c) first_.columns[c].assign(bodies, 0);
}

std::string BodyGroup::add(const Places& frame) {
  CAIRN_CHECK(frame.x.size() == 3 * bodies_ && frame.r.size() == 4 * bodies_ && frame.u.size() == 3 * bodies_ &&
                  frame.w.size() == 3 * bodies_,
              "a frame has all bodies");
  CoarsePlaces coarse = zero(grid_, bodies_);
  Rounder rounder(grid_, frame, frames_.empty() ? first_ : frames_.back(), coarse);
  for (std::size_t b = 0; b < bodies_; ++b) {
    rounder.body(b);
    if (!rounder.good()) return fmt::format("body {} is nowhere, or too far away to be written", b);
  }
  frames_.push_back(std::move(coarse));
  return "";
}

Integers BodyGroup::column(std::size_t component, int form) const {
  Integers out;
  out.reserve(frames_.size() * bodies_);
  const auto at = [&](std::size_t frame) -> const Integers& { return frames_[frame].columns[component]; };
  for (std::size_t f = 0; f < frames_.size(); ++f)
    for (std::size_t b = 0; b < bodies_; ++b) {
      std::int64_t guess = first_.columns[component][b];
      if (form > 0 && f > 0) guess = at(f - 1)[b];
      if (form > 1 && f > 1) guess += at(f - 1)[b] - at(f - 2)[b];
      out.push_back(at(f)[b] - guess);
    }
  return out;
}

std::string BodyGroup::bytes() const {
  constexpr int forms = 3;
  std::string out;
  for (std::size_t c = 0; c < components(grid_); ++c)
    append_shortest(out, forms, [&](int form) { return column(c, form); });
  return out;
}

}  // namespace cairn::view
