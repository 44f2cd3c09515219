// A checkpoint comes back bit for bit, or not at all.
#include "cairn/record/checkpoint.hpp"

#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "cairn/base/test/share.hpp"
#include "cairn/record/test/sample.hpp"

namespace cairn::record {
namespace {

using namespace test;

template <int D>
Checkpoint<D> sample_checkpoint() {
  std::mt19937 random(3);
  Checkpoint<D> c;
  ModelState<D>& s = c.state;
  s.t = Real(1) / 3, s.assured = std::nan("");
  for (int b = 0; b < 5; ++b) {
    s.x.push_back(random_point<D>(random));
    s.r.push_back(random_orientation(random, Vec<D>{}));
    s.u.push_back(random_point<freedoms<D>>(random));
  }
  s.x[0][0] = Real(-0.0);
  for (int a = 0; a < 7; ++a) {
    s.contact.push_back({a, a + 2, static_cast<std::uint32_t>(random())});
    s.impulse.push_back(random_point<D>(random));
    s.torque.push_back(random_point<spins<D>>(random));
    s.slid.push_back(a % 2 == 0);
  }
  s.joint.assign(3, random_point<D>(random));
  c.step = 123456789012, c.frames = 17, c.rows = 400;
  c.pending = {sample_row(1), sample_row(2)}, c.pending_probes = {1, 2, 3, 4}, c.memory = {Real(0.1), Real(-7)};
  c.scene_text = std::string("text\0with a zero", 16), c.scene_path = "a/scene.toml", c.results_path = "a/results.h5";
  c.settings = {"wall.courses=16", "", "h=1e-3"}, c.version = "0.1.0";
  return c;
}

template <int D>
void expect_alike(const Checkpoint<D>& a, const Checkpoint<D>& b) {
  const ModelState<D>&s = a.state, &q = b.state;
  EXPECT_TRUE(same_bits(s.t, q.t) && same_bits(s.assured, q.assured) && same_bits(s.x, q.x) && same_bits(s.r, q.r) &&
              same_bits(s.u, q.u) && s.contact == q.contact && same_bits(s.impulse, q.impulse) &&
              same_bits(s.torque, q.torque) && s.slid == q.slid && same_bits(s.joint, q.joint));
  EXPECT_TRUE(a.step == b.step && a.frames == b.frames && a.rows == b.rows);
  EXPECT_TRUE(same_bits(a.pending, b.pending) && same_bits(a.pending_probes, b.pending_probes) &&
              same_bits(a.memory, b.memory));
  EXPECT_TRUE(a.scene_text == b.scene_text && a.scene_path == b.scene_path && a.results_path == b.results_path &&
              a.settings == b.settings && a.version == b.version);
}

template <int D>
void expect_round_trip() {
  const Folder folder;
  for (const Checkpoint<D>& c : {sample_checkpoint<D>(), Checkpoint<D>{}}) {
    ASSERT_EQ(write_checkpoint<D>(folder / "c", c), "");
    const auto dimension = checkpoint_dimension(folder / "c");
    ASSERT_TRUE(dimension) << dimension.error();
    EXPECT_EQ(*dimension, D);
    const auto back = read_checkpoint<D>(folder / "c");
    ASSERT_TRUE(back) << back.error();
    expect_alike(*back, c);
    EXPECT_FALSE(read_checkpoint<5 - D>(folder / "c"));
  }
}

TEST(Checkpoint, comes_back_bit_for_bit) {
  expect_round_trip<2>();
  expect_round_trip<3>();
}

TEST(Checkpoint, any_byte_altered_or_cut_is_noticed) {
  const Folder folder;
  ASSERT_EQ(write_checkpoint<3>(folder / "c", sample_checkpoint<3>()), "");
  const std::string good = bytes_of(folder / "c");
  const std::size_t stride = cairn::test::sanitized ? 97 : 13;
  for (std::size_t i = 0; i < good.size(); i += stride) {
    std::string altered = good;
    altered[i] = static_cast<char>(altered[i] ^ (1 << (i % 8)));
    for (const std::string& bytes : {altered, good.substr(0, i), good + good.substr(0, 1 + i % 9)}) {
      write_bytes(folder / "d", bytes);
      const auto back = read_checkpoint<3>(folder / "d");
      ASSERT_FALSE(back) << "byte " << i;
      ASSERT_TRUE(back.error().starts_with((folder / "d") + ": ")) << back.error();
      ASSERT_FALSE(checkpoint_dimension(folder / "d"));
    }
  }
  EXPECT_NE(read_checkpoint<3>(folder / "none").error().find("No such file"), std::string::npos);
}

TEST(Checkpoint, one_that_finds_no_room_leaves_the_one_before) {
  const Folder folder;
  Checkpoint<2> c = sample_checkpoint<2>();
  ASSERT_EQ(write_checkpoint<2>(folder / "c", c), "");
  const std::string before = bytes_of(folder / "c");
  c.memory.assign(100000, 1);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{4096, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string bad = write_checkpoint<2>(folder / "c", c);
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(bad.find("File too large"), std::string::npos) << bad;
  EXPECT_TRUE(bytes_of(folder / "c") == before);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) EXPECT_EQ(entry.path(), folder / "c");
  EXPECT_NE(write_checkpoint<2>(folder / "none/c", c), "");
}

}  // namespace
}  // namespace cairn::record
