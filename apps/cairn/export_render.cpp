#include "export_render.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "cairn/view/movie.hpp"
#include "interruption.hpp"
#include "page_painter.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

// --- plain pictures --------------------------------------------------------------------------------------------------

constexpr double png_width = 1280;  // [px] where none is asked for

// [px] of the figure of a picture: lines and letters are made for half as many pixels as a PNG has.
double figure_width(const ExportCommand& command) {
  return std::max(100.0, (command.width > 0 ? command.width : png_width) / 2);
}

// The bytes of a PNG as wide as the command asks for.
Expected<std::string> as_png(const ExportCommand& command, const plot::Figure& figure) {
  return plot::to_png(figure, (command.width > 0 ? command.width : png_width) / figure.width);
}

template <int D>
class PlainPainter : public Painter {
 public:
  PlainPainter(const ExportCommand& command, const record::Reader<D>& reader, record::Frame<D> first)
      : command_(command), reader_(reader), first_(std::move(first)), options_(picture_options(command)) {
    options_.width = figure_width(command);
  }

  Expected<std::string> png(int k, bool) override {
    const auto frame = reader_.frame(k);
    if (!frame) return Error{frame.error()};
    return as_png(command_, exporting::picture_figure<D>(reader_.cast(), first_, *frame, options_));
  }

  std::string agree_on(const std::vector<int>& frames) override {
    constexpr std::size_t enough = 64;
    exporting::CommonScale<D> common(reader_.cast(), first_, options_);
    const std::size_t count = std::min(enough, frames.size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto frame = reader_.frame(frames[count > 1 ? i * (frames.size() - 1) / (count - 1) : 0]);
      if (!frame) return frame.error();
      common.add(*frame);
    }
    options_ = common.options(options_.width);
    return "";
  }

 private:
  const ExportCommand& command_;
  const record::Reader<D>& reader_;
  record::Frame<D> first_;
  exporting::PictureOptions options_;
};

// --- which way -------------------------------------------------------------------------------------------------------

void note(const std::string& text) { fmt::print(stderr, "cairn: note: {}\n", text); }

// Whether the page draws, as asked for or as there is Chromium.
bool page_draws(const ExportCommand& command, int dimension) {
  const bool plain_only = command.displacement || command.shade;
  bool page = command.render == "page";
  if (command.render == "auto" && dimension == 3 && !plain_only) {
    const Expected<std::string> chromium = view::find_chromium();
    page = bool(chromium);
    if (!page) note(chromium.error() + "; the pictures are plain ones");
  }
  if (page && plain_only) note("--displacement and --shade are for plain pictures (--render plain)");
  if (!page && (!command.theme.empty() || !command.colour.empty() || command.height > 0))
    note("--theme, --colour and --height are for pictures that the page draws (--render page)");
  return page;
}

PageOptions page_options(const ExportCommand& command) {
  PageOptions o;
  o.width = static_cast<int>(std::lround(command.width > 0 ? command.width : png_width));
  o.height = command.height > 0 ? command.height : std::max(1, o.width * 3 / 4);
  o.settings =
      fmt::format("ui=0&theme={}&forces={:d}", command.theme.empty() ? "light" : command.theme, !command.no_forces);
  if (!command.colour.empty()) o.settings += "&colour=" + command.colour;
  if (!command.no_forces || !command.colour.empty()) o.settings += "&legend=1";  // what widths and colours mean
  if (command.azimuth_deg) o.settings += fmt::format("&azimuth={:.10g}", *command.azimuth_deg);
  if (command.elevation_deg) o.settings += fmt::format("&elevation={:.10g}", *command.elevation_deg);
  o.interrupted = interruption;
  return o;
}

// --- the work --------------------------------------------------------------------------------------------------------

template <int D>
class Renderer {
 public:
  Renderer(const ExportCommand& command, record::Reader<D> reader, const ProgressLine& line)
      : command_(command), reader_(std::move(reader)), line_(line), name_(fs::path(command.file).stem().string()) {}

  std::string run(const std::vector<int>& chosen) {
    const bool strip = !command_.png.empty() && command_.strip > 0, pictures = !command_.png.empty() && !strip;
    if (strip)
      if (std::string bad = draw_strip(chosen); !bad.empty()) return bad;
    if (!pictures && command_.movie.empty()) return "";
    std::vector<int> shown;
    if (!command_.movie.empty()) {
      const auto frames = view::frames_every(reader_->times(), command_.speed / command_.fps);
      if (!frames) return frames.error();
      shown = *frames;
    }
    const auto painter = make_painter();
    if (!painter) return painter.error();
    std::string bad = pictures ? draw_pictures(**painter, chosen) : "";
    if (bad.empty() && !shown.empty()) bad = draw_movie(**painter, shown);
    return bad;
  }

 private:
  void tell(const std::string& text) const {
    line_.clear();
    fmt::print("{}\n", text);
  }

  Expected<std::unique_ptr<Painter>> make_painter() {
    if (page_draws(command_, D)) {
      reader_.reset();
      line_.show("starting Chromium");
      auto painter = page_painter(command_.file, page_options(command_));
      if (!painter) return Error{painter.error() + "\n(--render plain needs no Chromium)"};
      return painter;
    }
    auto first = reader_->frame(0);
    if (!first) return Error{first.error()};
    return std::unique_ptr<Painter>(std::make_unique<PlainPainter<D>>(command_, *reader_, std::move(*first)));
  }

  std::string draw_strip(const std::vector<int>& chosen) {
    const auto first = reader_->frame(0);
    if (!first) return first.error();
    std::vector<record::Frame<D>> frames;
    for (const int k : chosen) {
      const auto frame = reader_->frame(k);
      if (!frame) return frame.error();
      frames.push_back(*frame);
    }
    exporting::PictureOptions options = picture_options(command_);
    options.width = figure_width(command_);
    const auto figure = exporting::picture_strip<D>(reader_->cast(), *first, frames, command_.strip, options);
    if (const std::string bad = save(name_ + ".png", as_png(command_, figure)); !bad.empty()) return bad;
    tell(fmt::format("{}/{}.png: {} frames", command_.png, name_, frames.size()));
    return "";
  }

  std::string save(const std::string& name, const Expected<std::string>& bytes) const {
    const std::string path = command_.png + "/" + name;
    if (!bytes) return path + ": " + bytes.error();
    const auto written = plot::write_text(path, *bytes);
    return written ? "" : written.error();
  }

  std::string draw_pictures(Painter& painter, const std::vector<int>& chosen) {
    for (std::size_t i = 0; i < chosen.size() && !interruption(); ++i) {
      line_.show(fmt::format("png: picture {} of {}", i + 1, chosen.size()));
      const auto bytes = painter.png(chosen[i], false);
      if (const std::string bad = save(fmt::format("{}_{:04}.png", name_, chosen[i]), bytes); !bad.empty()) return bad;
    }
    if (interruption()) return "interrupted";
    tell(fmt::format("{}/{}_*.png: {} pictures", command_.png, name_, chosen.size()));
    return "";
  }

  std::string draw_movie(Painter& painter, const std::vector<int>& shown) {
    line_.show("movie: choosing scales");
    if (std::string bad = painter.agree_on(shown); !bad.empty()) return bad;
    auto movie = view::Movie::open(command_.movie, {command_.fps, "", {60, interruption}});
    if (!movie) return movie.error();
    Expected<std::string> picture = std::string();
    for (std::size_t i = 0; i < shown.size() && !interruption(); ++i) {
      line_.show(fmt::format("movie: picture {} of {}", i + 1, shown.size()));
      if (i == 0 || shown[i] != shown[i - 1]) picture = painter.png(shown[i], true);
      if (!picture) return command_.movie + ": not written: " + picture.error();
      if (std::string bad = movie->add(*picture); !bad.empty()) return bad;
    }
    if (interruption()) return command_.movie + ": interrupted, not written";
    line_.show("movie: finishing");
    if (std::string bad = movie->finish(); !bad.empty()) return bad;
    tell(fmt::format("{}: {} pictures, {:.4g} s", command_.movie, shown.size(),
                     static_cast<double>(shown.size()) / command_.fps));
    return "";
  }

  const ExportCommand& command_;
  std::optional<record::Reader<D>> reader_;  // none while the page draws
  const ProgressLine& line_;
  std::string name_;
};

}  // namespace

exporting::PictureOptions picture_options(const ExportCommand& command, double width) {
  exporting::PictureOptions o;
  o.forces = !command.no_forces, o.displacement = command.displacement, o.shade = command.shade;
  o.azimuth_deg = command.azimuth_deg.value_or(o.azimuth_deg);
  o.elevation_deg = command.elevation_deg.value_or(o.elevation_deg);
  o.width = command.width > 0 ? command.width : width;
  return o;
}

template <int D>
std::string render(const ExportCommand& command, record::Reader<D> reader, const std::vector<int>& chosen,
                   const ProgressLine& line) {
  const InterruptionWatch watch;
  return Renderer<D>(command, std::move(reader), line).run(chosen);
}

template std::string render(const ExportCommand&, record::Reader<2>, const std::vector<int>&, const ProgressLine&);
template std::string render(const ExportCommand&, record::Reader<3>, const std::vector<int>&, const ProgressLine&);

}  // namespace cairn::app
