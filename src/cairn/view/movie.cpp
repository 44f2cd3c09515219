#include "cairn/view/movie.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "cairn/base/replacement.hpp"

namespace cairn::view {
namespace {

namespace fs = std::filesystem;

struct Format {
  const char* ending;
  std::vector<std::string> words;  // of ffmpeg, between input and output
};

// Sizes must be even where colours are kept for two by two pixels. The matrix is said, as players guess it otherwise.
constexpr const char* even = "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv";

const std::vector<Format>& formats() {
  static const std::vector<std::string> colours{"-pix_fmt",         "yuv420p", "-colorspace", "bt709",
                                                "-color_primaries", "bt709",   "-color_trc",  "bt709"};
  static const auto joined = [](std::vector<std::string> words) {
    words.insert(words.end(), colours.begin(), colours.end());
    return words;
  };
  // GIF: a palette a picture, so that no more than a few pictures are in memory.
  static const std::vector<Format> all{
      {".mp4", joined({"-vf", even, "-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"})},
      {".webm", joined({"-vf", even, "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-cpu-used", "4", "-row-mt", "1",
                        "-f", "webm"})},
      {".gif",
       {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer", "-f",
        "gif"}}};
  return all;
}

const Format* format_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const Format& format : formats())
    if (ending == format.ending) return &format;
  return nullptr;
}

std::string program_of(const MovieOptions& options) {
  return find_program(options.program.empty() ? "ffmpeg" : options.program);
}

std::vector<std::string> command_line(const std::string& program, const Format& format, double fps,
                                      const std::string& out) {
  std::vector<std::string> words{program, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "image2pipe"};
  for (const std::string& w : {std::string("-framerate"), fmt::format("{:.10g}", fps), std::string("-c:v"),
                               std::string("png"), std::string("-i"), std::string("pipe:0")})
    words.push_back(w);
  words.insert(words.end(), format.words.begin(), format.words.end());
  words.push_back("file:" + out);  // a colon in a folder's name is no protocol
  return words;
}

}  // namespace

std::string movie_refusal(const std::string& path, const MovieOptions& options) {
  if (format_of(path) == nullptr) return path + ": expected a name that ends in .mp4, .webm or .gif";
  if (const std::string bad = refuse_to_replace(path); !bad.empty()) return path + ": " + bad;
  std::error_code none;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, none))
    return path + ": cannot be written, expected a folder that exists";
  if (program_of(options).empty())
    return path + ": no ffmpeg found: apt-get install ffmpeg; pictures (--png) need none";
  return "";
}

Expected<std::vector<int>> frames_every(const std::vector<double>& times, double interval) {
  constexpr double most = 1e6;
  if (times.empty()) return Error{"holds no frame yet"};
  const double count = std::floor((times.back() - times.front()) / interval + 0.5) + 1;
  if (!(count <= most))
    return Error{fmt::format("a movie of {:.3g} pictures, expected at most {:g}: ask for a higher speed", count, most)};
  std::vector<int> frames;
  std::size_t k = 0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double t = times.front() + i * interval;
    while (k + 1 < times.size() && std::abs(times[k + 1] - t) <= std::abs(times[k] - t)) ++k;
    frames.push_back(static_cast<int>(k));
  }
  return frames;
}

struct Movie::State {
  State(const std::string& where, const MovieOptions& chosen) : path(where), options(chosen), file(where) {}

  std::string complaint(const std::string& why) {
    if (options.patience.interrupted && options.patience.interrupted()) return path + ": interrupted, not written";
    return fmt::format("{}: not written: {}{}", path, why, child ? child->last_words() : "");
  }

  std::string path;
  MovieOptions options;
  Replacement file;              // removed where it is not complete
  std::unique_ptr<Child> child;  // ends before that
};

Movie::Movie(std::unique_ptr<State> state) : state_(std::move(state)) {}
Movie::Movie(Movie&&) noexcept = default;
Movie& Movie::operator=(Movie&&) noexcept = default;
Movie::~Movie() = default;

Expected<Movie> Movie::open(const std::string& path, const MovieOptions& options) {
  if (std::string bad = movie_refusal(path, options); !bad.empty()) return Error{bad};
  auto state = std::make_unique<State>(path, options);
  Expected<Child> child = Child::start(
      {"ffmpeg", command_line(program_of(options), *format_of(path), options.fps, state->file.temporary()), {0}});
  if (!child) return Error{path + ": " + child.error()};
  state->child = std::make_unique<Child>(std::move(*child));
  return Movie(std::move(state));
}

std::string Movie::add(std::string_view png) {
  const std::string bad = state_->child->send(png, state_->options.patience);
  return bad.empty() ? "" : state_->complaint(bad);
}

std::string Movie::finish() {
  State& s = *state_;
  s.child->hang_up();
  const Expected<int> code = s.child->wait({s.options.finishing, s.options.patience.interrupted});
  if (!code) return s.complaint(code.error());
  if (*code != 0) return s.complaint(fmt::format("ffmpeg ended with code {}", *code));
  std::error_code none;
  if (const auto size = fs::file_size(s.file.temporary(), none); none || size == 0)
    return s.complaint("ffmpeg made no file");
  const std::string bad = s.file.commit();
  return bad.empty() ? "" : fmt::format("{}: cannot be written ({})", s.path, bad);
}

}  // namespace cairn::view
