// Problem P4 on random one-constraint systems with friction sets of every kind, bounded or not, and P5 on systems of
// two or three constraints: how much kinetic energy an impact leaves at most. BC18 (8) says: never more than there was.
//
//   generalised [--impacts 1000000] [--seed 1]
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "cairn/lagrange/test/random_friction.hpp"

namespace {

using namespace cairn;

struct Tally {
  long impacts = 0, unbounded = 0, tangential = 0, failed = 0;
  Real worst = 0, error = 0;  // energy after over before; error of the law

  void add(const test::RandomFrictional& system, const GeneralisedImpact<test::RandomFrictional>& o) {
    ++impacts, failed += !o.report.converged, tangential += o.report.tangential;
    for (const auto& s : system.sets) unbounded += !s.set.bounded();
    worst = std::max(worst, o.energy_after / o.energy_before);
    error = std::max(error, o.report.error);
  }
};

// From `least` to `most` constraints, one coefficient of restitution for all of a system.
Tally tally(long impacts, std::uint64_t seed, int least, int most) {
  Tally out;
  for (long k = 0; k < impacts; ++k) {
    RandomStream random(seed, static_cast<std::uint64_t>(k));
    test::RandomFrictional system(random, least + random.below(most - least + 1));
    std::vector<int> all;
    for (int a = 0; a < system.contacts(); ++a) all.push_back(a), system.e[static_cast<std::size_t>(a)] = system.e[0];
    const Reals u = system.velocity(random);
    out.add(system, generalised_impact(system, 0, u, u, all));
  }
  return out;
}

void row(const char* name, long impacts, std::uint64_t seed, int least, int most) {
  const auto begin = std::chrono::steady_clock::now();
  const Tally t = tally(impacts, seed, least, most);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{:<10}{:>10}{:>12}{:>12}{:>10}{:>22.3e}{:>14.1e}{:>12.2f}\n", name, t.impacts, t.unbounded, t.tangential,
             t.failed, t.worst - 1, t.error, 1e6 * seconds.count() / static_cast<double>(t.impacts));
}

}  // namespace

int main(int argc, char** argv) {
  long impacts = 1000000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--impacts") impacts = std::atol(argv[i + 1]);
    if (option == "--seed") seed = static_cast<std::uint64_t>(std::atoll(argv[i + 1]));
  }
  fmt::print("{:<10}{:>10}{:>12}{:>12}{:>10}{:>22}{:>14}{:>12}\n", "problem", "impacts", "unbounded", "tangential",
             "failed", "worst ratio minus 1", "law error", "us/impact");
  row("P4", impacts, seed, 1, 1);
  row("P5", impacts / 10, seed, 2, 3);
  return 0;
}
