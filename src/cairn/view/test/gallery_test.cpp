// The front page of a gallery: nothing in a result can break it, and it says what it shows.
#include "cairn/view/gallery.hpp"

#include <gtest/gtest.h>

#include "cairn/view/html.hpp"

namespace cairn::view::test {
namespace {

Card sample() {
  Card card;
  card.name = "wall", card.title = "A wall", card.scene = "wall";
  card.page = "pages/wall.html", card.picture = "pictures/wall.png", card.picture_width = 480,
  card.picture_height = 300.4;
  card.bodies = 12, card.free = 11, card.contacts = 40, card.steps = 6500, card.time = 6.5;
  card.error = 1e-6, card.violation = 2e-5, card.energy_defect = 3e-16;
  card.outcome = R"({"stands": true, "sag": 0.123456789, "why": "fell <over>"})";
  card.frames = card.page_frames = 10, card.megabytes = 2.96;
  return card;
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

TEST(Gallery, says_the_main_numbers) {
  const std::string html = gallery_html("Walls", "1.2", {sample()}, {});
  for (const char* part :
       {"<title>Walls</title>", "<h1>Walls</h1>", "<h2><a href=\"pages/wall.html\">A wall</a></h2>",
        "<img src=\"pictures/wall.png\" width=\"480\" height=\"300\" loading=\"lazy\" alt=\"A wall: ",
        "wall \u00b7 plane \u00b7 3.0 MB</p>", "<dd>12, 11 free</dd>", "<dt>contacts, at most</dt><dd>40</dd>",
        "<dd>6.5 s</dd>", "<dd>6500</dd>", "<dd>1.0e-06</dd>", "<dd>2.0e-05 m</dd>", "<dd>3.0e-16</dd>",
        "<dt>stands</dt><dd>yes</dd>", "<dt>sag</dt><dd>0.1235</dd>", "<dd>fell &lt;over&gt;</dd>", "1 result. ",
        "Made by Cairn 1.2."})
    EXPECT_TRUE(has(html, part)) << part << "\n" << html;
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "Files without a page"));
  EXPECT_TRUE(has(html, generator_tag("1.2", gallery_kind)));
}

TEST(Gallery, says_where_a_page_has_fewer_frames_and_where_a_run_has_not_ended) {
  Card card = sample();
  card.page_frames = 4, card.finished = false, card.scene = "other", card.dimension = 3;
  const std::string html = gallery_html("Walls", "1.2", {card, sample()}, {});
  EXPECT_TRUE(has(html, "wall \u00b7 other \u00b7 space \u00b7 3.0 MB, 4 of 10 frames"));
  EXPECT_TRUE(has(html, "6.5 s, not finished"));
  EXPECT_TRUE(has(html, "2 results. "));
}

TEST(Gallery, escapes_every_text) {
  const std::string evil = "\"><script>alert(1)</script>&'";
  Card card = sample();
  card.name = card.title = card.scene = evil;
  card.page = "pages/" + evil + ".html", card.picture = "pictures/" + evil + ".png";
  card.outcome = R"({"<i>\"&": "<b>", "x\u003c": 1})";
  const std::string html = gallery_html(evil, evil, {card}, {{evil, evil}});
  for (const char* bad : {"<script", "<i>", "<b>", "alert(1)</script"}) EXPECT_FALSE(has(html, bad)) << bad;
  EXPECT_TRUE(has(html, "<h1>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;'</h1>"));
  EXPECT_TRUE(has(html, "<dt>&lt;i&gt;&quot;&amp;</dt><dd>&lt;b&gt;</dd>"));
  EXPECT_TRUE(has(html, "<h2>Files without a page</h2>"));
  EXPECT_TRUE(has(html, "href=\"pages/%22%3E%3Cscript%3Ealert%281%29%3C/script%3E%26%27.html\""));
}

TEST(Gallery, knows_its_own_files) {
  EXPECT_EQ(address_of("pages/a b#c%d?\xC3\xA4.html"), "pages/a%20b%23c%25d%3F%C3%A4.html");
  const std::string html = gallery_html("Walls", "1", {sample()}, {});
  EXPECT_TRUE(shows(html, "pictures/wall.png"));
  EXPECT_TRUE(shows(html, "pages/wall.html"));
  EXPECT_FALSE(shows(html, "pictures/wal.png"));
  EXPECT_FALSE(shows("", "pictures/wall.png"));
}

TEST(Gallery, takes_the_worst_of_all_steps) {
  record::StepRow a, b;
  a.active = 3, a.error = 1e-8, a.violation = 1e-4, a.deepest = 3e-4, a.kinetic = 10;
  a.change = 5, a.applied = 4, a.inertial = 0.5, a.boundary = 1, a.dissipation = 0.75;
  b.active = 7, b.error = 1e-9, b.violation = 2e-4, b.kinetic = 6;
  b.change = -4, b.applied = -2, b.boundary = -1, b.dissipation = 2;
  Card card;
  add_steps(card, {a, b});
  EXPECT_EQ(card.steps, 2);
  EXPECT_EQ(card.contacts, 7);
  EXPECT_EQ(card.error, 1e-8);
  EXPECT_EQ(card.violation, 3e-4);
  // defects 0.25 and 1; exchanged 5.75 and 5
  EXPECT_DOUBLE_EQ(card.energy_defect, 1.25 / (10.75 + 10));
  Card none;
  add_steps(none, {});
  EXPECT_EQ(none.energy_defect, 0);
}

}  // namespace
}  // namespace cairn::view::test
