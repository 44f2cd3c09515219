// Pictures and movies from the command line: plain ones, and through the page where Chromium is installed.
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "cairn/view/browser.hpp"
#include "json_text.hpp"
#include "run_program.hpp"
#include "wall_scene.hpp"

namespace cairn::test {
namespace {

struct Size {
  unsigned width = 0, height = 0;
  bool operator==(const Size&) const = default;
};

// As the head of a PNG file says; zero where it is none.
Size size_of(const std::string& png) {
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t k = at; k < at + 4; ++k) value = value << 8 | static_cast<unsigned char>(png[k]);
    return value;
  };
  if (png.size() < 24 || !png.starts_with("\x89PNG")) return {};
  return {number(16), number(20)};
}

class RenderCli : public testing::Test {
 protected:
  Ran good(const std::vector<std::string>& words) const {
    const Ran ran = cairn(folder_, words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  void run_plane() const {
    folder_.write("small.toml", wall_scene);
    good({"run", "small.toml", "--until", "0.02", "--quiet", "--out", "a.h5"});
  }
  void run_space() const { good({"run", "rolling-sphere", "--until", "0.2", "--quiet", "--out", "b.h5"}); }
  std::string read(const std::string& name) const { return slurp(folder_.at(name)); }

  // What ffprobe says of a movie: width, height, pictures.
  std::string probed(const std::string& name) const {
    const Around around{.folder = folder_.path.string(), .out = folder_.at(".probe"), .err = folder_.at(".probe_err")};
    const int code = wait_for(start({view::find_program("ffprobe"), "-v", "error", "-count_frames", "-show_entries",
                                     "stream=width,height,nb_read_frames", "-of", "csv=p=0", name},
                                    around));
    EXPECT_EQ(code, 0) << slurp(folder_.at(".probe_err"));
    return slurp(folder_.at(".probe"));
  }

  Folder folder_;
};

class Setting {  // of the environment, for a while
 public:
  Setting(const char* name, const std::string& value)
      : name_(name), before_(std::getenv(name) ? std::getenv(name) : "") {
    ::setenv(name, value.c_str(), 1);
  }
  ~Setting() { before_.empty() ? ::unsetenv(name_) : ::setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

#define NEED_CHROMIUM \
  if (const auto found = view::find_chromium(); !found) GTEST_SKIP() << found.error()
#define NEED_FFMPEG \
  if (view::find_program("ffmpeg").empty() || view::find_program("ffprobe").empty()) GTEST_SKIP() << "no ffmpeg"

TEST_F(RenderCli, plain_pictures_are_as_wide_as_asked_for) {
  run_plane();
  good({"export", "a.h5", "--png", "p", "--at", "0,0.02", "--width", "301"});
  EXPECT_EQ(size_of(read("p/a_0000.png")).width, 301u);
  EXPECT_EQ(size_of(read("p/a_0010.png")).width, 301u);
  good({"export", "a.h5", "--png", "p", "--strip", "2", "--every", "5"});
  EXPECT_EQ(size_of(read("p/a.png")).width, 1280u);
}

TEST_F(RenderCli, without_chromium_pictures_of_space_are_plain_or_the_reason_is_told) {
  run_space();
  const Setting none("CAIRN_CHROMIUM", folder_.at("absent"));
  const Ran plain = good({"export", "b.h5", "--png", "p", "--at", "0"});
  EXPECT_TRUE(has(plain.err, "no Chromium found")) << plain.err;
  EXPECT_EQ(size_of(read("p/b_0000.png")).width, 1280u);
  const Ran page = cairn(folder_, {"export", "b.h5", "--png", "q", "--at", "0", "--render", "page"});
  EXPECT_EQ(page.code, 1);
  EXPECT_TRUE(has(page.err, "no Chromium found")) << page.err;
}

TEST_F(RenderCli, the_page_draws_pictures_of_space) {
  NEED_CHROMIUM;
  run_space();
  good({"export", "b.h5", "--png", "p", "--at", "0,0.2", "--width", "321", "--height", "240"});
  const std::string first = read("p/b_0000.png"), last = read("p/b_0010.png");
  EXPECT_EQ(size_of(first), (Size{321, 240}));
  EXPECT_EQ(size_of(last), (Size{321, 240}));
  EXPECT_GT(first.size(), 3000u) << "blank: such a picture of one colour takes less than 1000 bytes";
  EXPECT_NE(first, last) << "the sphere rolls";
  good({"export", "b.h5", "--png", "d", "--at", "0", "--width", "321", "--height", "240", "--theme", "dark"});
  EXPECT_NE(first, read("d/b_0000.png"));
}

TEST_F(RenderCli, movies_run_in_real_time) {
  NEED_FFMPEG;
  run_plane();
  good({"export", "a.h5", "--movie", "a.mp4", "--width", "201", "--speed", "0.1"});  // 0.02 s in 0.2 s, at 25 a second
  EXPECT_TRUE(probed("a.mp4").starts_with("200,")) << probed("a.mp4");
  EXPECT_TRUE(has(probed("a.mp4"), ",6")) << probed("a.mp4");
  good({"export", "a.h5", "--movie", "a.gif", "--width", "201", "--speed", "0.1", "--fps", "10"});
  EXPECT_TRUE(has(probed("a.gif"), ",3")) << probed("a.gif");
}

TEST_F(RenderCli, the_page_draws_movies) {
  NEED_CHROMIUM;
  NEED_FFMPEG;
  run_space();
  const Ran told = good({"export", "b.h5", "--movie", "b.webm", "--width", "320", "--fps", "10"});
  EXPECT_EQ(told.out, "b.webm: 3 pictures, 0.3 s\n");
  EXPECT_TRUE(probed("b.webm").starts_with("320,240,3")) << probed("b.webm");
}

TEST_F(RenderCli, movies_that_cannot_be_are_refused_before_any_work) {
  run_plane();
  const Ran kind = cairn(folder_, {"export", "a.h5", "--movie", "a.avi"});
  EXPECT_EQ(kind.code, 2);
  EXPECT_TRUE(has(kind.err, ".mp4, .webm or .gif")) << kind.err;
  const Setting nothing("PATH", folder_.path.string());
  const Ran absent = cairn(folder_, {"export", "a.h5", "--movie", "a.mp4"});
  EXPECT_EQ(absent.code, 2);
  EXPECT_TRUE(has(absent.err, "apt-get install ffmpeg")) << absent.err;
}

TEST_F(RenderCli, an_interrupted_movie_leaves_nothing) {
  run_plane();
  const std::string fake =
      folder_.write("ffmpeg", "#!/bin/sh\nfor out; do :; done\necho x >\"${out#file:}\"\n: >begun\nexec sleep 600\n");
  ::chmod(fake.c_str(), 0755);
  const Setting ours("PATH", folder_.path.string() + ":" + std::getenv("PATH"));
  const pid_t child = start({CAIRN_PROGRAM, "export", "a.h5", "--movie", "a.mp4"},
                            {.folder = folder_.path.string(), .err = folder_.at(".err")});
  for (int k = 0; k < 2000 && !fs::exists(folder_.at("begun")); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 130) << read(".err");
  for (const auto& entry : fs::directory_iterator(folder_.path))
    EXPECT_FALSE(entry.path().filename().string().starts_with("a.mp4")) << entry.path();
}

}  // namespace
}  // namespace cairn::test
