// What users do with pages and galleries: `cairn export --html`, `cairn gallery`.
#include "json_text.hpp"
#include "run_program.hpp"
#include "wall_scene.hpp"

namespace cairn::test {
namespace {

class PageCli : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("small.toml", wall_scene);
    fs::create_directories(folder_.path / "out");
    good({"run", "small.toml", "--until", "0.02", "--quiet", "--out", "out/small.h5"});
  }

  Ran cairn(const std::vector<std::string>& words) const { return test::cairn(folder_, words); }
  Ran good(const std::vector<std::string>& words) const {
    const Ran ran = cairn(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  std::string text(const std::string& name) const { return slurp(folder_.path / name); }

  Folder folder_;
};

TEST_F(PageCli, export_makes_one_page) {
  const Ran ran = good({"export", "out/small.h5", "--html", "page.html"});
  EXPECT_TRUE(ran.out.starts_with("page.html: ")) << ran.out;
  EXPECT_TRUE(has(ran.out, " frames, places to ")) << ran.out;
  const std::string page = text("page.html");
  EXPECT_TRUE(has(page, "<meta name=\"generator\" content=\"cairn "));
  EXPECT_TRUE(has(page, "<title>A small wall"));
  for (const char* name : {"cast", "timeline", "steps", "encoding", "first", "frames/0", "contacts/0"})
    EXPECT_TRUE(has(page, std::string("class=\"cairn-blob\" data-name=\"") + name + "\"")) << name;
  good({"export", "out/small.h5", "--html", "page.html", "--every", "2", "--csv", "tables"});
  EXPECT_TRUE(fs::exists(folder_.path / "tables/small_states.csv"));
}

TEST_F(PageCli, export_refuses_what_it_cannot_do) {
  folder_.write("notes.html", "<p>mine</p>");
  const Ran other = cairn({"export", "out/small.h5", "--html", "notes.html"});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(has(other.err, "notes.html: exists and is no page of Cairn's")) << other.err;
  EXPECT_EQ(text("notes.html"), "<p>mine</p>");
  const Ran small = cairn({"export", "out/small.h5", "--html", "page.html", "--max-mb", "0.01"});
  EXPECT_EQ(small.code, 1);
  EXPECT_TRUE(has(small.err, "expected --max-mb of at least that")) << small.err;
  const Ran nowhere = cairn({"export", "out/small.h5", "--html", "absent/page.html"});
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_TRUE(has(nowhere.err, "absent/page.html: cannot be written")) << nowhere.err;
  EXPECT_EQ(cairn({"export", "absent.h5", "--html", "page.html"}).code, 2);
  EXPECT_EQ(cairn({"export", "out/small.h5"}).code, 2);
  EXPECT_FALSE(fs::exists(folder_.path / "page.html"));
}

TEST_F(PageCli, gallery_shows_what_it_can_and_tells_what_it_cannot) {
  fs::copy_file(folder_.path / "out/small.h5", folder_.path / "out/a & <b> #2.h5");
  folder_.write("out/broken.h5", "no results");
  for (int time = 0; time < 2; ++time) {  // the second time it replaces its own files
    const Ran ran = good({"gallery", "out", "--out", "site", "--title", "Two <walls>"});
    EXPECT_EQ(ran.out, "site/index.html: 2 pages, 1 file without\n");
    EXPECT_TRUE(has(ran.err, "out/broken.h5: ")) << ran.err;
  }
  const std::string front = text("site/index.html");
  EXPECT_TRUE(has(front, "<h1>Two &lt;walls&gt;</h1>"));
  EXPECT_TRUE(has(front, "href=\"pages/a%20%26%20%3Cb%3E%20%232.html\""));
  EXPECT_TRUE(has(front, "<p>broken.h5: ")) << front;
  for (const char* file : {"pages/small.html", "pages/a & <b> #2.html", "pictures/small.png"})
    EXPECT_TRUE(fs::exists(folder_.path / "site" / file)) << file;
  EXPECT_TRUE(text("site/pictures/small.png").starts_with("\x89PNG"));
}

TEST_F(PageCli, gallery_leaves_files_of_others) {
  fs::create_directories(folder_.path / "site/pictures");
  folder_.write("site/pictures/small.png", "mine");
  const Ran taken = cairn({"gallery", "out", "--out", "site"});
  EXPECT_EQ(taken.code, 1);
  EXPECT_TRUE(has(taken.err, "site/pictures/small.png: exists and is not of this gallery")) << taken.err;
  EXPECT_EQ(text("site/pictures/small.png"), "mine");
  folder_.write("site/index.html", "<p>my site</p>");
  const Ran front = cairn({"gallery", "out", "--out", "site"});
  EXPECT_EQ(front.code, 2);
  EXPECT_TRUE(has(front.err, "site/index.html: exists and is no gallery of Cairn's")) << front.err;
  EXPECT_EQ(text("site/index.html"), "<p>my site</p>");
  EXPECT_EQ(cairn({"gallery", "absent", "--out", "site2"}).code, 2);
  fs::create_directories(folder_.path / "empty");
  EXPECT_EQ(cairn({"gallery", "empty", "--out", "site2"}).code, 2);
  EXPECT_FALSE(fs::exists(folder_.path / "site2"));
}

}  // namespace
}  // namespace cairn::test
