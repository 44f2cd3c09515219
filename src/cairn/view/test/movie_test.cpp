// Movies through a program that works, dies, hangs or makes nothing: the old file or the new one, never half of it.
#include "cairn/view/movie.hpp"

#include "cairn/view/test/fake_program.hpp"

namespace cairn::view {
namespace {

// Copies what it reads to the file that it is to write, behind its words.
constexpr const char* copier = R"(out="${@: -1}"
out="${out#file:}"
echo "$*" >"$HERE/words"
cat >"$out"
)";

class MovieTest : public FakeProgram {
 protected:
  MovieOptions options(const std::string& body, double patience = 20) const {
    return {25, script(body), {patience, {}}, patience};
  }
  // What is said about a movie of that many bytes in that many pictures; empty: it is there.
  std::string make(const MovieOptions& o, const std::string& name = "work/a.mp4", int pictures = 3,
                   std::size_t bytes = 100000) const {
    auto movie = Movie::open(at(name), o);
    if (!movie) return movie.error();
    for (int k = 0; k < pictures; ++k)
      if (std::string bad = movie->add(std::string(bytes, static_cast<char>('a' + k))); !bad.empty()) return bad;
    return movie->finish();
  }
  void old(const std::string& name = "work/a.mp4") const { std::ofstream(at(name)) << "old"; }
};

TEST_F(MovieTest, pictures_arrive_in_order_and_the_file_takes_its_name) {
  old();
  EXPECT_EQ(make(options(copier)), "");
  EXPECT_EQ(read("work/a.mp4"), std::string(100000, 'a') + std::string(100000, 'b') + std::string(100000, 'c'));
  EXPECT_EQ(left_behind(), 1);
  EXPECT_TRUE(has(read("words"), "-framerate 25 ")) << read("words");
  EXPECT_TRUE(has(read("words"), "libx264")) << read("words");
}

TEST_F(MovieTest, the_name_tells_the_kind) {
  EXPECT_EQ(make(options(copier), "work/a.WEBM"), "");
  EXPECT_TRUE(has(read("words"), "libvpx-vp9")) << read("words");
  EXPECT_EQ(make(options(copier), "work/a.gif"), "");
  EXPECT_TRUE(has(read("words"), "palettegen")) << read("words");
  for (const char* name : {"work/a.avi", "work/mp4", "work/a"})
    EXPECT_TRUE(has(make(options(copier), name), "expected a name that ends in .mp4, .webm or .gif")) << name;
  EXPECT_TRUE(has(make(options(copier), "absent/a.mp4"), "expected a folder that exists"));
  std::filesystem::create_directory(at("work/folder.mp4"));
  EXPECT_TRUE(has(make(options(copier), "work/folder.mp4"), "a folder"));
}

TEST_F(MovieTest, a_failure_leaves_the_old_file_and_tells_why) {
  old();
  const std::string early = make(options("echo 'Unknown encoder' >&2\nexit 1\n"), "work/a.mp4", 50, 1 << 20);
  EXPECT_TRUE(has(early, "not written: ffmpeg ended with code 1")) << early;
  EXPECT_TRUE(has(early, "Unknown encoder")) << early;
  const std::string late = make(options(std::string(copier) + "echo 'disk full' >&2\nexit 4\n"));
  EXPECT_TRUE(has(late, "ended with code 4") && has(late, "disk full")) << late;
  EXPECT_TRUE(has(make(options("cat >/dev/null\n")), "made no file"));
  EXPECT_TRUE(has(make(options("kill -9 $$\n"), "work/a.mp4", 50, 1 << 20), "signal 9"));
  EXPECT_EQ(read("work/a.mp4"), "old");
  EXPECT_EQ(left_behind(), 1);
}

TEST_F(MovieTest, one_that_hangs_is_given_up) {
  old();
  const std::string deaf = make(options("sleep 600\n", 0.4), "work/a.mp4", 50, 1 << 20);
  EXPECT_TRUE(has(deaf, "took no input for 0.4 s")) << deaf;
  const std::string slow = make(options(std::string(copier) + "sleep 600\n", 0.4));
  EXPECT_TRUE(has(slow, "did not end for 0.4 s")) << slow;
  EXPECT_EQ(read("work/a.mp4"), "old");
  EXPECT_EQ(left_behind(), 1);
  EXPECT_LT(seconds(), 15);
}

TEST_F(MovieTest, an_interruption_or_a_movie_not_finished_leaves_nothing) {
  MovieOptions o = options("out=\"${@: -1}\"\necho part >\"${out#file:}\"\nsleep 600\n", 300);
  o.patience.interrupted = [this] { return seconds() > 0.3; };
  const std::string bad = make(o, "work/a.mp4", 50, 1 << 20);
  EXPECT_TRUE(has(bad, "interrupted, not written")) << bad;
  {
    auto movie = Movie::open(at("work/b.mp4"), options("out=\"${@: -1}\"\nexec cat >\"${out#file:}\"\n"));
    ASSERT_TRUE(movie) << movie.error();
    EXPECT_EQ(movie->add("picture"), "");
  }
  EXPECT_EQ(left_behind(), 0);
  EXPECT_LT(seconds(), 15);
}

TEST_F(MovieTest, where_there_is_no_ffmpeg_it_says_how_to_get_it) {
  MovieOptions o;
  o.program = at("absent");
  EXPECT_TRUE(has(movie_refusal(at("work/a.mp4"), o), "apt-get install ffmpeg"));
  EXPECT_TRUE(has(make(o), "apt-get install ffmpeg"));
}

TEST(FramesEvery, shows_the_nearest_recorded_frames_at_an_even_rate) {
  const std::vector<double> times{0, 0.02, 0.04, 0.06, 0.08, 0.1};
  const auto list = [&](double interval) { return *frames_every(times, interval); };
  EXPECT_EQ(list(0.02), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(list(0.04), (std::vector<int>{0, 2, 4, 5}));  // 0.12 is as near to the end as 0.08
  EXPECT_EQ(list(0.05), (std::vector<int>{0, 3, 5}));
  EXPECT_EQ(list(0.0125), (std::vector<int>{0, 1, 1, 2, 3, 3, 4, 4, 5}));
  EXPECT_EQ(list(1), (std::vector<int>{0}));
  EXPECT_EQ(*frames_every({3.5}, 0.04), (std::vector<int>{0}));
  EXPECT_EQ(*frames_every({1, 1.5, 3}, 0.5), (std::vector<int>{0, 1, 1, 2, 2}));
}

TEST(FramesEvery, refuses_what_has_no_end) {
  EXPECT_FALSE(frames_every({}, 0.04));
  EXPECT_FALSE(frames_every({0, 1}, 1e-9));
  EXPECT_FALSE(frames_every({0, 1}, 0));
}

}  // namespace
}  // namespace cairn::view
