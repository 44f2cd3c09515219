// The order of sweeps over contacts between bodies: islands, which share no body, one after the other; in an island
// colours, in each of which no two contacts share a body; in a colour groups of four contacts, which are solved at
// once. What one contact of a colour does, no other contact of it can feel: neither the number of lanes nor that of
// threads changes a bit of the result, and the order within an island depends on nothing outside it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

struct SweepIsland {
  int first_contact = 0, last_contact = 0;  // in SweepOrder::contact
  int first_colour = 0, last_colour = 0;    // in SweepOrder::colour
  int first_body = 0, last_body = 0;        // in SweepOrder::body
};

class SweepOrder {
 public:
  using Pair = std::array<int, 2>;  // bodies of a contact; -1: a boundary. At least one is a body

  void make(int bodies, std::span<const Pair> contacts);

  std::vector<SweepIsland> island;  // in the order of their first contacts
  std::vector<int> contact;         // contacts, island after island, each ascending
  std::vector<int> body;            // bodies, island after island, each ascending; those without a contact are missing
  std::vector<int> place;           // (bodies) in `body`; -1: without a contact
  std::vector<int> colour;          // first group of each colour, of all islands, and one number more
  std::vector<int> slot;            // (contacts) group * 4 + lane
  int groups = 0;

 private:
  void find_islands(int bodies, std::span<const Pair> contacts);
  void paint(SweepIsland& island, std::span<const Pair> contacts);
  int root(int body);

  std::vector<int> parent_, number_, start_;
  std::vector<std::uint64_t> used_;  // (bodies) colours of their contacts
  std::vector<int> shade_;           // (contacts of an island) their colours
  std::vector<int> count_;           // (colours of an island)
  std::vector<int> next_;            // (parts of colours) where the next contact of the part goes
};

}  // namespace cairn
