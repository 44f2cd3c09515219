// The same bits with any number of threads: ten scenes, a hash after every step. With CAIRN_ALL_THREADS=1 all of the
// steps, whatever the machine.
#include "cairn/base/threads.hpp"

#include <cstdlib>
#include <cstring>

#include "cairn/scene/arch.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/rocks.hpp"
#include "cairn/scene/test/world.hpp"
#include "cairn/scene/wall.hpp"

namespace cairn {
namespace {

using test::World;

class Hash {
 public:
  void add(const Real* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, numbers + i, sizeof bits);
      value_ = (value_ ^ bits) * 0x100000001b3u;
      value_ ^= value_ >> 29;
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

template <int D>
std::vector<std::uint64_t> hashes(const World<D>& world, int steps, const CollectionOptions& options, int count) {
  set_threads(count, true);
  ModelState<D> state = world.state;
  Collection<D> scheme(world.model, options);
  std::vector<std::uint64_t> all;
  Hash hash;
  for (int k = 0; k < steps; ++k) {
    const CollectionReport r = scheme.step(state, Real(1e-3));
    for (std::size_t b = 0; b < state.x.size(); ++b) hash.add(state.x[b].v, D), hash.add(state.u[b].v, freedoms<D>);
    for (const auto& S : state.impulse) hash.add(S.v, D);
    const Real certificate[] = {r.error, r.velocity_error, r.violation, r.energy.defect(), r.energy.dissipation};
    hash.add(certificate, std::size(certificate));
    all.push_back(hash.value());
  }
  set_threads(1);
  return all;
}

template <int D>
void expect_same(const World<D>& world) {
  const int steps = test::sanitized ? 5 : 2000;
  // More threads than processors wait for each other most of the time.
  const bool all = std::getenv("CAIRN_ALL_THREADS") != nullptr;
  const auto of = [&](int count) {
    return all || count <= std::max(2, hardware_threads()) ? steps : std::max(5, steps / 20);
  };
  CollectionOptions options;
  options.required = 1, options.iterations = 6;  // work is shared whether or not an answer is reached
  const std::vector<std::uint64_t> one = hashes(world, steps, options, 1);
  for (const int count : {2, 3, 4, 8}) {
    const std::vector<std::uint64_t> more = hashes(world, of(count), options, count);
    const auto first = std::mismatch(more.begin(), more.end(), one.begin()).first;
    EXPECT_EQ(first - more.begin(), of(count)) << count << " threads differ from that step on";
  }
}

template <int D>
World<D> packed(int count, scene::Grains::Kind kind, Real restitution = 0) {
  World<D> world(Real(0.5), restitution);
  scene::Packing packing;
  packing.grains.count = count, packing.grains.kind = kind;
  packing.width = D == 2 ? 1 : Real(0.3), packing.depth = Real(0.3);
  world.put(packing);
  return world;
}

template <int D>
World<D> shaken_wall() {
  World<D> world(Real(0.3));
  scene::Wall wall;
  wall.courses = D == 2 ? 8 : 5, wall.blocks = D == 2 ? 10 : 6;
  Vec<D> along{};
  along[0] = 1;
  world.put(wall, harmonic<D>(along, {{Real(0.125), 2, 0}}));
  return world;
}

TEST(Threads, give_the_same_bits_for_spheres) { expect_same(packed<3>(600, scene::Grains::balls)); }
TEST(Threads, give_the_same_bits_for_discs) { expect_same(packed<2>(500, scene::Grains::balls)); }
TEST(Threads, give_the_same_bits_for_polyhedra) { expect_same(packed<3>(60, scene::Grains::angular)); }
TEST(Threads, give_the_same_bits_for_polygons) { expect_same(packed<2>(200, scene::Grains::angular)); }
TEST(Threads, give_the_same_bits_for_spheres_that_bounce) {
  expect_same(packed<3>(300, scene::Grains::balls, Real(0.6)));
}
TEST(Threads, give_the_same_bits_for_discs_that_bounce) {
  expect_same(packed<2>(300, scene::Grains::balls, Real(0.6)));
}
TEST(Threads, give_the_same_bits_for_a_shaken_wall_in_the_plane) { expect_same(shaken_wall<2>()); }
TEST(Threads, give_the_same_bits_for_a_shaken_wall_in_space) { expect_same(shaken_wall<3>()); }
TEST(Threads, give_the_same_bits_for_an_arch_that_falls) {
  World<2> world(Real(0.7));
  scene::Arch arch;
  arch.voussoirs = 120, arch.thickness = Real(0.05) * arch.radius;
  world.put(arch);
  expect_same(world);
}
TEST(Threads, give_the_same_bits_for_rocks_on_terrain) {
  World<3> world(Real(0.6));
  scene::Rocks rocks;
  rocks.count = 6;
  world.put(rocks);
  expect_same(world);
}

}  // namespace
}  // namespace cairn
