#include "cairn/view/quantise_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn::view {
namespace {

// [N s]
double strength(const Touches& c, std::size_t k) {
  return std::hypot(c.impulse[3 * k], c.impulse[3 * k + 1], c.impulse[3 * k + 2]);
}

// Point, normal, impulse, velocity; gap, use, status.
std::size_t numbers_of(const Grid& grid) { return static_cast<std::size_t>(4 * grid.dimension + 3); }

}  // namespace

ContactGroup::ContactGroup(const Grid& grid) : grid_(grid), columns_(numbers_of(grid)) {}

std::vector<std::size_t> ContactGroup::chosen(const Touches& contacts, double weak) const {
  double greatest = 0;
  for (std::size_t k = 0; k < contacts.gap.size(); ++k) greatest = std::max(greatest, strength(contacts, k));
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < contacts.gap.size(); ++k)
    if (const double s = strength(contacts, k); s > 0 && s >= weak * greatest) kept.push_back(k);
  std::ranges::stable_sort(kept, {}, [&](std::size_t k) {
    return std::pair{contacts.body[2 * k], contacts.body[2 * k + 1]};
  });
  return kept;
}

// Both lists are in order: one walk tells what stayed, went and came.
void ContactGroup::match(const std::vector<Pair>& pairs) {
  std::size_t old = 0;
  std::int64_t fresh = 0;
  std::uint32_t first = 0;
  for (const Pair& pair : pairs) {
    for (; old < last_.size() && last_[old] < pair; ++old) gone_.push_back(1);
    if (old < last_.size() && last_[old] == pair) {
      match_.push_back(static_cast<std::int64_t>(last_begin_ + old++));
      gone_.push_back(0);
      continue;
    }
    match_.push_back(-1), ++fresh;
    fresh_first_.push_back(static_cast<std::int64_t>(pair.first) - first);
    fresh_second_.push_back(static_cast<std::int64_t>(pair.second) - static_cast<std::int64_t>(pair.first));
    first = pair.first;
  }
  for (; old < last_.size(); ++old) gone_.push_back(1);
  fresh_.push_back(fresh);
}

// Adds the numbers of one contact to the columns; false where one has no place on the grid.
bool ContactGroup::numbers(const Touches& c, std::size_t k) {
  std::size_t at = 0;
  const auto n = static_cast<std::size_t>(grid_.dimension);
  const auto rounded = [&](double value) {
    const bool good = std::abs(value) < largest;
    columns_[at++].push_back(good ? std::llround(value) : 0);
    return good;
  };
  bool good = true;
  for (std::size_t i = 0; i < n; ++i) good = rounded(c.point[3 * k + i] / grid_.place) && good;
  for (std::size_t i = 0; i < n; ++i) good = rounded(c.normal[3 * k + i] * unit_scale) && good;
  // What is far below the largest component of an impulse is the solver's last bits.
  const double noise = 0x1p-12 * strength(c, k);
  for (std::size_t i = 0; i < n; ++i) columns_[at++].push_back(short_float(c.impulse[3 * k + i], noise));
  for (std::size_t i = 0; i < n; ++i) columns_[at++].push_back(short_float(c.velocity[3 * k + i], grid_.speed));
  columns_[at++].push_back(short_float(c.gap[k], grid_.gap));
  columns_[at++].push_back(std::isfinite(c.use[k]) ? std::llround(std::clamp(c.use[k], 0.f, 1.f) * use_scale)
                                                   : use_unknown);
  columns_[at++].push_back(c.status[k]);
  return good;
}

std::string ContactGroup::add(const Touches& contacts, double weak) {
  const std::vector<std::size_t> kept = chosen(contacts, weak);
  std::vector<Pair> pairs;
  for (const std::size_t k : kept) {
    Pair pair{contacts.body[2 * k], contacts.body[2 * k + 1], 0};
    if (!pairs.empty() && pairs.back().first == pair.first && pairs.back().second == pair.second)
      pair.index = pairs.back().index + 1;
    pairs.push_back(pair);
  }
  const std::size_t begin = match_.size();
  match(pairs);
  count_.push_back(static_cast<std::int64_t>(kept.size()));
  last_ = std::move(pairs), last_begin_ = begin;
  for (const std::size_t k : kept)
    if (!numbers(contacts, k))
      return fmt::format("the contact of bodies {} and {} is nowhere, or too far away to be written",
                         contacts.body[2 * k], contacts.body[2 * k + 1]);
  return "";
}

Integers ContactGroup::column(std::size_t which, int form) const {
  Integers out = columns_[which];
  if (form == 0) return out;
  for (std::size_t k = 0; k < out.size(); ++k)
    if (match_[k] >= 0) out[k] -= columns_[which][static_cast<std::size_t>(match_[k])];
  return out;
}

std::string ContactGroup::bytes() const {
  constexpr int forms = 2;
  std::string out;
  for (const Integers* part : {&count_, &gone_, &fresh_, &fresh_first_, &fresh_second_}) append_stream(out, *part);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    append_shortest(out, forms, [&](int form) { return column(c, form); });
  return out;
}

}  // namespace cairn::view
