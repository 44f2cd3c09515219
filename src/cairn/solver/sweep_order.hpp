// The order of sweeps over contacts between bodies: islands, which share no body, one after the other; of an island
// pieces, stage after stage, those of a stage by any number of threads; of a piece runs, in each of which no two
// contacts share a body; in a run groups of four contacts, which are solved at once.
//
// The bodies of a large island are cut into blocks that a core's cache holds. The pieces of the first stage are the
// contacts within a block each; those of the other stages are contacts of one colour each, between blocks, or all of
// them where the island is small.
//
// What one piece of a stage does, no other piece of it can feel, nor one contact of a run another: neither the number
// of lanes nor that of threads changes a bit of the result, and the order within an island depends on nothing outside
// it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn {

struct SweepIsland {
  int first_contact = 0, last_contact = 0;  // in SweepOrder::contact
  int first_stage = 0, last_stage = 0;      // in SweepOrder::stage
  int first_body = 0, last_body = 0;        // in SweepOrder::body
};

class SweepOrder {
 public:
  using Pair = std::array<int, 2>;  // bodies of a contact; -1: a boundary. At least one is a body

  // Bodies that are near each other should have numbers that are.
  void make(int bodies, std::span<const Pair> contacts);

  std::vector<SweepIsland> island;  // in the order of their first contacts
  std::vector<int> contact;         // contacts, island after island, each ascending
  std::vector<int> body;            // bodies, island after island, each ascending; those without a contact are missing
  std::vector<int> place;           // (bodies) in `body`; -1: without a contact
  std::vector<int> stage;           // first piece of each stage, of all islands, and one number more
  std::vector<int> piece;           // first run of each piece, and one number more
  std::vector<Pair> home;           // (pieces) places of the bodies of its block: first, last; of others none
  std::vector<int> run;             // first group of each run, and one number more
  std::vector<int> slot;            // (contacts) group * 4 + lane
  int groups = 0;

 private:
  void find_islands(int bodies, std::span<const Pair> contacts);
  void paint(SweepIsland& island, std::span<const Pair> contacts);
  void add_run(int first_bucket, int last_bucket);
  int root(int body);

  std::vector<int> parent_, number_, start_;
  std::vector<std::uint64_t> used_;         // (bodies) colours of their contacts within the block
  std::vector<std::uint64_t> used_across_;  // (bodies) of their other contacts
  std::vector<int> block_;                  // (bodies)
  std::vector<int> bucket_;                 // (contacts of an island) what they are sorted by
  std::vector<int> next_;                   // (buckets) where the next contact of it goes
};

}  // namespace cairn
