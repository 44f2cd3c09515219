#include "cairn/solver/sweep_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "cairn/base/lanes.hpp"

namespace cairn {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
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
  i.first_colour = static_cast<int>(colour.size());
  for (int& n : count_) {  // becomes where the next contact of the colour goes
    if (n == 0) continue;  // 63 empty ones may precede those beyond 64
    colour.push_back(groups);
    const int first = groups * lane_count;
    groups += (n + lane_count - 1) / lane_count;
    n = first;
  }
  i.last_colour = static_cast<int>(colour.size());
  for (const bool boundaries : {false, true})  // apart: groups without them need no care
    for (int k = i.first_contact; k < i.last_contact; ++k) {
      const Pair& c = contacts[at(contact[at(k)])];
      if ((c[0] < 0 || c[1] < 0) != boundaries) continue;
      slot[at(contact[at(k)])] = count_[at(shade_[at(k - i.first_contact)])]++;
    }
}

}  // namespace cairn
