#include "cairn/solver/sweep_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "cairn/base/at.hpp"
#include "cairn/solver/sweep_kernel.hpp"

namespace cairn {
namespace {
constexpr int contacts_of_a_block = 5000, some_blocks = 8;  // as many, or twice as many, ...: for so many threads
constexpr int parts = 16;                                   // of a small island's bodies
constexpr int colours = 64;
constexpr int groups_of_a_piece = 16;
static_assert(groups_of_a_piece % 2 == 0);  // pairs of them are groups of sixteen
}  // namespace

void SweepOrder::make(int bodies, std::span<const Pair> contacts) {
  find_islands(bodies, contacts);
  slot.resize(contacts.size());
  used_.assign(at(bodies), 0), used_across_.assign(at(bodies), 0);
  block_.resize(at(bodies));
  stage.clear(), piece.clear(), home.clear(), run.clear();
  groups = 0;
  for (SweepIsland& i : island) paint(i, contacts);
  stage.push_back(static_cast<int>(piece.size())), piece.push_back(static_cast<int>(run.size())), run.push_back(groups);
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
  for (int& up : parent_) up = parent_[at(up)];  // roots come before what hangs on them: each has its root now
  const auto any = [&](const Pair& c) { return parent_[at(c[0] >= 0 ? c[0] : c[1])]; };
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
  const auto island_of = [&](int b) { return number_[at(parent_[at(b)])]; };
  for (int b = 0; b < bodies; ++b)
    if (const int i = island_of(b); i >= 0) ++start_[at(i) + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  for (std::size_t i = 0; i < island.size(); ++i) island[i].first_body = island[i].last_body = start_[i];
  body.resize(at(start_.back())), place.assign(at(bodies), -1);
  for (int b = 0; b < bodies; ++b)
    if (const int i = island_of(b); i >= 0) place[at(b)] = island[at(i)].last_body++, body[at(place[at(b)])] = b;
}

// Each contact gets the first colour that its bodies do not have yet. Beyond 64, contacts of one crowded body, each is
// a colour of its own. Buckets: block, colour, whether there is a boundary; of contacts across: colour, block of the
// first body, so that what is near is worked on by one thread, boundary. Groups without boundaries need no care.
void SweepOrder::paint(SweepIsland& i, std::span<const Pair> contacts) {
  const int count = i.last_contact - i.first_contact, bodies = i.last_body - i.first_body;
  const bool cut = count > some_blocks / 2 * contacts_of_a_block;
  const int blocks = cut ? (count / contacts_of_a_block / some_blocks + 1) * some_blocks : parts;
  const int within = cut ? blocks * colours * 2 : 0;
  for (long k = 0; k < bodies; ++k)
    block_[at(body[at(i.first_body + static_cast<int>(k))])] = static_cast<int>(k * blocks / bodies);
  bucket_.resize(at(count));
  next_.assign(at(within), 0);
  int last = colours;  // colour beyond 64
  for (int k = 0; k < count; ++k) {
    const Pair& c = contacts[at(contact[at(i.first_contact + k)])];
    const bool boundary = c[0] < 0 || c[1] < 0;
    const int first = block_[at(c[0] >= 0 ? c[0] : c[1])];
    const auto paint_in = [&](std::vector<std::uint64_t>& used) {
      std::uint64_t sum = 0;
      for (const int b : c)
        if (b >= 0) sum |= used[at(b)];
      const int colour = std::countr_one(sum);
      for (const int b : c)
        if (b >= 0 && colour < colours) used[at(b)] |= std::uint64_t{1} << colour;
      return colour;
    };
    const bool inner = cut && (boundary || block_[at(c[1])] == first);
    int colour = inner ? paint_in(used_) : colours;
    int& bucket = bucket_[at(k)];
    if (colour < colours) {
      bucket = (first * colours + colour) * 2 + boundary;
    } else {
      colour = paint_in(used_across_);
      if (colour == colours) colour = last++;
      bucket = within + (colour * blocks + first) * 2 + boundary;
      if (at(bucket) >= next_.size()) next_.resize(at(within + (colour + 1) * blocks * 2), 0);
    }
    ++next_[at(bucket)];
  }
  i.first_stage = static_cast<int>(stage.size());
  if (cut) stage.push_back(static_cast<int>(piece.size()));
  for (int b = 0, next = i.first_body; b < within; b += colours * 2) {
    piece.push_back(static_cast<int>(run.size())), home.push_back({next, next});
    while (next < i.last_body && block_[at(body[at(next)])] == b / (colours * 2)) home.back()[1] = ++next;
    for (int c = b; c < b + colours * 2; c += 2) add_run(c, c + 2);
  }
  for (int c = within; c < static_cast<int>(next_.size()); c += blocks * 2) {
    const int first = groups, runs = static_cast<int>(run.size());
    add_run(c, c + blocks * 2);
    if (groups == first) continue;  // 63 empty colours may precede those beyond 64
    stage.push_back(static_cast<int>(piece.size()));
    run.resize(at(runs));
    for (int g = first; g < groups; g += groups_of_a_piece)
      piece.push_back(static_cast<int>(run.size())), home.push_back({0, 0}), run.push_back(g);
  }
  i.last_stage = static_cast<int>(stage.size());
  for (int k = 0; k < count; ++k) slot[at(contact[at(i.first_contact + k)])] = next_[at(bucket_[at(k)])]++;
}

// Of the contacts in some buckets, if there are any: from there on the buckets have slots instead of counts.
void SweepOrder::add_run(int first_bucket, int last_bucket) {
  const int first = groups * group_of<Real>;
  int slots = first;
  for (int b = first_bucket; b < last_bucket; ++b) slots += std::exchange(next_[at(b)], slots);
  if (slots == first) return;
  run.push_back(groups);
  groups += (slots - first + group_of<Real> - 1) / group_of<Real>;
}

}  // namespace cairn
