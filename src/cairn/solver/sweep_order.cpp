#include "cairn/solver/sweep_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "cairn/base/lanes.hpp"

namespace cairn {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int blocks = 16;
}  // namespace

void SweepOrder::make(int bodies, std::span<const Pair> contacts) {
  find_islands(bodies, contacts);
  slot.resize(contacts.size());
  used_.assign(at(bodies), 0);
  colour.clear();
  groups = 0;
  for (SweepIsland& i : island) paint(i, contacts);
  colour.push_back(groups);
}

int SweepOrder::root(int b) {
  while (parent_[at(b)] != b) {
    int& up = parent_[at(b)];
    b = up = parent_[at(up)];
  }
  return b;
}

void SweepOrder::find_islands(int bodies, std::span<const Pair> contacts) {
  parent_.resize(at(bodies));
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const Pair& c : contacts)
    if (c[0] >= 0 && c[1] >= 0) {
      const int a = root(c[0]), b = root(c[1]);
      parent_[at(std::max(a, b))] = std::min(a, b);
    }
  const auto any = [&](const Pair& c) { return root(c[0] >= 0 ? c[0] : c[1]); };
  number_.assign(at(bodies), -1);  // of the island with this root
  island.clear();
  for (const Pair& c : contacts) {
    int& i = number_[at(any(c))];
    if (i < 0) i = static_cast<int>(island.size()), island.emplace_back();
    ++island[at(i)].last_contact;
  }
  int sum = 0;
  for (SweepIsland& i : island) {
    const int count = i.last_contact;
    i.first_contact = i.last_contact = sum, sum += count;
  }
  contact.resize(contacts.size());
  for (int a = 0; a < static_cast<int>(contacts.size()); ++a)
    contact[at(island[at(number_[at(any(contacts[at(a)]))])].last_contact++)] = a;
  // Bodies likewise.
  start_.assign(island.size() + 1, 0);
  const auto island_of = [&](int b) { return number_[at(root(b))]; };
  for (int b = 0; b < bodies; ++b)
    if (const int i = island_of(b); i >= 0) ++start_[at(i) + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  for (std::size_t i = 0; i < island.size(); ++i) island[i].first_body = island[i].last_body = start_[i];
  body.resize(at(start_.back())), place.assign(at(bodies), -1);
  for (int b = 0; b < bodies; ++b)
    if (const int i = island_of(b); i >= 0) place[at(b)] = island[at(i)].last_body++, body[at(place[at(b)])] = b;
}

// Each contact gets the first colour that its bodies do not have yet. Beyond 64, contacts of one crowded body, each is
// a colour of its own.
void SweepOrder::paint(SweepIsland& i, std::span<const Pair> contacts) {
  shade_.clear(), count_.clear();
  for (int k = i.first_contact; k < i.last_contact; ++k) {
    const Pair& c = contacts[at(contact[at(k)])];
    std::uint64_t used = 0;
    for (const int b : c)
      if (b >= 0) used |= used_[at(b)];
    int shade = std::countr_one(used);
    if (shade < 64)
      for (const int b : c) {
        if (b >= 0) used_[at(b)] |= std::uint64_t{1} << shade;
      }
    else
      shade = std::max(64, static_cast<int>(count_.size()));
    if (at(shade) >= count_.size()) count_.resize(at(shade) + 1, 0);
    ++count_[at(shade)];
    shade_.push_back(shade);
  }
  // In a colour, block after block of bodies, so that what is near is worked on by one thread; in a block those with
  // boundaries apart: groups without them need no care.
  const long bodies = i.last_body - i.first_body;
  const auto part = [&](const Pair& c) {
    const long first = place[at(c[0] >= 0 ? c[0] : c[1])] - i.first_body;
    return static_cast<int>(first * blocks / bodies) * 2 + (c[0] < 0 || c[1] < 0);
  };
  next_.assign(count_.size() * 2 * blocks, 0);
  for (int k = i.first_contact; k < i.last_contact; ++k)
    ++next_[at(shade_[at(k - i.first_contact)] * 2 * blocks + part(contacts[at(contact[at(k)])]))];
  i.first_colour = static_cast<int>(colour.size());
  for (std::size_t c = 0; c < count_.size(); ++c) {
    if (count_[c] == 0) continue;  // 63 empty ones may precede those beyond 64
    colour.push_back(groups);
    int slots = groups * lane_count;
    for (std::size_t p = c * 2 * blocks; p < (c + 1) * 2 * blocks; ++p) slots += std::exchange(next_[p], slots);
    groups += (count_[c] + lane_count - 1) / lane_count;
  }
  i.last_colour = static_cast<int>(colour.size());
  for (int k = i.first_contact; k < i.last_contact; ++k) {
    const int a = contact[at(k)];
    slot[at(a)] = next_[at(shade_[at(k - i.first_contact)] * 2 * blocks + part(contacts[at(a)]))]++;
  }
}

}  // namespace cairn
