#include "gallery_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cairn/export/picture.hpp"
#include "cairn/record/reader.hpp"
#include "cairn/view/gallery.hpp"
#include "exit_code.hpp"
#include "export_page.hpp"
#include "interruption.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

constexpr double picture_width = 480;  // [px]
constexpr double picture_scale = 2;    // for screens with fine pixels

std::vector<fs::path> results_in(const std::string& folder, std::error_code& failure) {
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure))
    if (at->path().extension() == ".h5" && !at->is_directory()) files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Gallery {
 public:
  explicit Gallery(const GalleryCommand& command) : command_(command), site_(command.out) {}

  int run();

 private:
  // Empty: good.
  std::string prepare();
  std::string add(const fs::path& file);
  template <int D>
  std::string picture(const fs::path& file, view::Card& card) const;
  int finish();

  const GalleryCommand& command_;
  fs::path site_;
  std::string before_;  // the front page of an earlier call
  std::vector<view::Card> cards_;
  std::vector<view::Unreadable> unreadable_;
  ProgressLine line_;
};

std::string Gallery::prepare() {
  const fs::path front = site_ / "index.html";
  std::error_code failure;
  if (fs::exists(front, failure)) {
    if (!view::has_generator_tag(front.string(), view::gallery_kind))
      return fmt::format("{}: exists and is no gallery of Cairn's, expected a new folder", front.string());
    before_ = read_text(front);
  }
  for (const char* part : {"pages", "pictures"}) {
    fs::create_directories(site_ / part, failure);
    if (failure) return fmt::format("{}: the folder cannot be made ({})", (site_ / part).string(), failure.message());
  }
  return "";
}

// The last frame, with its forces; what the card says of steps and bodies on the way.
template <int D>
std::string Gallery::picture(const fs::path& file, view::Card& card) const {
  const auto reader = record::Reader<D>::open(file.string());
  if (!reader) return reader.error();
  const auto& bodies = reader->cast().bodies;
  card.bodies = static_cast<long>(bodies.size());
  card.free = std::ranges::count_if(bodies, [](const Body<D>& b) { return b.free(); });
  if (reader->times().empty()) return "holds no frame yet";
  card.time = reader->times().back();
  const auto steps = reader->steps();
  if (!steps) return steps.error();
  view::add_steps(card, *steps);
  const auto first = reader->frame(0);
  const auto last = reader->frame(static_cast<int>(reader->times().size()) - 1);
  if (!first || !last) return first ? last.error() : first.error();
  exporting::PictureOptions options;
  options.width = picture_width, options.key = false;
  if (D == 3) options.azimuth_deg = -60, options.elevation_deg = 20;
  const plot::Figure figure = exporting::picture_figure<D>(reader->cast(), *first, *last, options);
  card.picture_width = figure.width, card.picture_height = figure.height;
  const fs::path path = site_ / card.picture;
  std::error_code ignored;
  if (fs::exists(path, ignored) && !view::shows(before_, card.picture))
    return path.string() + ": exists and is not of this gallery";
  const auto written = plot::write_png(path.string(), figure, picture_scale);
  return written ? "" : written.error();
}

std::string Gallery::add(const fs::path& file) {
  const auto info = record::read_info(file.string());
  if (!info) return info.error();
  view::Card card;
  card.name = file.stem().string(), card.title = info->title, card.scene = info->scene_name;
  card.page = "pages/" + card.name + ".html", card.picture = "pictures/" + card.name + ".png";
  card.dimension = info->dimension, card.finished = info->finished, card.outcome = info->outcome;
  const std::string bad = info->dimension == 2 ? picture<2>(file, card) : picture<3>(file, card);
  if (!bad.empty()) return bad;
  view::PageOptions options;
  options.max_mb = command_.max_mb;
  const auto report = make_page(file.string(), (site_ / card.page).string(), options, line_);
  if (!report) return report.error();
  card.megabytes = report->megabytes, card.frames = report->all, card.page_frames = report->frames;
  cards_.push_back(std::move(card));
  return "";
}

int Gallery::finish() {
  const std::string title =
      command_.title.empty() ? fs::weakly_canonical(command_.folder).filename().string() : command_.title;
  const std::string front = (site_ / "index.html").string();
  const auto written = plot::write_text(front, view::gallery_html(title, CAIRN_VERSION, cards_, unreadable_));
  if (!written) return complain(written.error(), failed);
  fmt::print("{}: {} {}{}\n", front, cards_.size(), cards_.size() == 1 ? "page" : "pages",
             unreadable_.empty()
                 ? ""
                 : fmt::format(", {} {} without", unreadable_.size(), unreadable_.size() == 1 ? "file" : "files"));
  return done;
}

int Gallery::run() {
  std::error_code failure;
  const std::vector<fs::path> files = results_in(command_.folder, failure);
  if (failure) return complain(fmt::format("{}: cannot be read ({})", command_.folder, failure.message()));
  if (files.empty()) return complain(command_.folder + ": holds no results, expected files NAME.h5");
  if (const std::string bad = prepare(); !bad.empty()) return complain(bad);
  for (std::size_t k = 0; k < files.size(); ++k) {
    line_.show(fmt::format("gallery: {} of {}, {}", k + 1, files.size(), files[k].filename().string()));
    const std::string bad = add(files[k]);
    line_.clear();
    if (interruption()) return complain("interrupted, the front page was left as it was", interrupted);
    if (bad.empty()) continue;
    // Of the message, where it begins with the path: a page that is sent around need not tell folders.
    const std::string path = files[k].string() + ": ";
    unreadable_.push_back({files[k].filename().string(), bad.starts_with(path) ? bad.substr(path.size()) : bad});
    complain(bad.find(files[k].string()) == std::string::npos ? path + bad : bad);
  }
  if (cards_.empty()) return complain(command_.folder + ": no page could be made of its results", failed);
  return finish();
}

}  // namespace

int run(const GalleryCommand& command) {
  const InterruptionWatch signals;
  return Gallery(command).run();
}

}  // namespace cairn::app
