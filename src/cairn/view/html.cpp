#include "cairn/view/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "cairn/base/json.hpp"
#include "cairn/base/replacement.hpp"
#include "cairn/export/chosen_frames.hpp"
#include "cairn/export/output_file.hpp"
#include "cairn/plot/page.hpp"
#include "cairn/view/bundle.hpp"
#include "cairn/view/embed.hpp"
#include "cairn/view/force_ranges.hpp"

namespace cairn::view {
namespace {

constexpr int step_points = 1200;  // intervals of the curves
constexpr int few_frames = 60;     // contacts are left out before a motion has fewer frames than this
constexpr double byte_per_mb = 1e6;
constexpr std::size_t head_bytes = 4096;  // where the mark of our files stands

std::string blob(const std::string& name, const std::string& base64_text) {
  return fmt::format("<script type=\"text/plain\" class=\"cairn-blob\" data-name=\"{}\">{}</script>\n", name,
                     base64_text);
}

std::string packed_blob(const std::string& name, const std::string& bytes) {
  return blob(name, base64(deflated(bytes)));
}

double number_in(const Members& members, std::string_view name) {
  const std::string* text = member(members, name);
  return text ? std::strtod(text->c_str(), nullptr) : 0;
}

// The frames that were asked for, each once and in the order of time.
std::vector<int> wanted(const std::vector<double>& time, const PageOptions& options) {
  std::vector<int> out = exporting::chosen_frames(time, options.times, options.every);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// What lies between the blobs: the page up to its script, with title and mark, and the rest.
struct Shell {
  std::string head;
  std::string_view rest;
};

Expected<Shell> shell_of(std::string_view page, const PageOptions& options) {
  const std::size_t head = page.find("<head"), script = page.find("<script");
  const std::size_t inside = head == std::string_view::npos ? head : page.find('>', head);
  if (inside == std::string_view::npos || script == std::string_view::npos || script < inside)
    return Error{"the program holds no page to put data in: it was built without one"};
  std::string rest_of_head(page.substr(inside + 1, script - inside - 1));
  if (const std::size_t from = rest_of_head.find("<title>"); from != std::string::npos)
    if (const std::size_t to = rest_of_head.find("</title>", from); to != std::string::npos)
      rest_of_head.erase(from, to + 8 - from);
  Shell out;
  out.head = std::string(page.substr(0, inside + 1)) + "\n" + generator_tag(options.version, page_kind);
  // Nothing is ever fetched: the browser is told to see to that.
  out.head +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:\">\n";
  out.head += rest_of_head + "<title>" + plot::escape(options.title) + "</title>\n";
  out.rest = page.substr(script);
  return out;
}

// Writes one page; holds what does not depend on the choice of frames.
class PageWriter {
 public:
  PageWriter(Result& result, std::string_view page, const std::string& path, const PageOptions& options)
      : result_(result), page_(page), path_(path), options_(options) {}

  // Empty: ready.
  std::string prepare();
  Expected<PageReport> write();

 private:
  std::string cast_text(const Choice& choice) const;
  std::string timeline_text(const std::vector<int>& chosen) const;
  std::string forces_text(const std::vector<int>& chosen) const;
  std::string note(const Choice& choice) const;
  PageReport report_of(const Choice& choice) const;
  double room() const { return options_.max_mb * byte_per_mb - fixed_; }
  // True: written. False: too large after all.
  Expected<bool> attempt(const Choice& choice);
  // The next stride to try at this level of contacts; the estimate says by how much it is too large.
  int wider(const Choice& choice, double bytes) const;
  Expected<bool> level(Choice& choice, int least);

  Result& result_;
  std::string_view page_;
  const std::string& path_;
  const PageOptions& options_;
  Shell shell_;
  Members cast_fields_, timeline_fields_;
  std::string cast_, steps_blob_;
  std::vector<double> time_, h_, step_;
  Grid grid_;
  std::optional<PageFrames> frames_;
  std::optional<ForceRanges> forces_;
  double fixed_ = 0;   // [bytes] of all but the groups
  double needed_ = 0;  // [bytes] of the smallest page estimated
  std::size_t written_ = 0;
};

std::string PageWriter::prepare() {
  auto shell = shell_of(page_, options_);
  if (!shell) return shell.error();
  shell_ = std::move(*shell);
  if (!options_.forces.empty()) {
    auto ranges = read_force_ranges(options_.forces, result_);
    if (!ranges) return ranges.error();
    forces_ = std::move(*ranges);
  }
  const auto timeline = result_.timeline(0);
  if (!timeline) return timeline.error();
  const BundleView times(*timeline);
  time_ = times.array<double>("time"), h_ = times.array<double>("h"), step_ = times.array<double>("step");
  timeline_fields_ = members_of(times.fields());
  if (time_.empty()) return "holds no frame yet";
  cast_ = result_.cast();
  cast_fields_ = members_of(BundleView(cast_).fields());
  const auto steps = result_.steps(step_points);
  if (!steps) return steps.error();
  steps_blob_ = packed_blob("steps", *steps);
  grid_ = Grid::of(static_cast<int>(number_in(cast_fields_, "dimension")), number_in(cast_fields_, "size"),
                   time_.back() - time_.front());
  const std::string* contacts = member(cast_fields_, "contacts");
  auto frames = PageFrames::make(result_, grid_, wanted(time_, options_), contacts && *contacts == "true",
                                 forces_ ? forces_->frame : -1);
  if (!frames) return frames.error();
  frames_.emplace(std::move(*frames));
  // The note and the list of times differ a little between choices.
  constexpr double margin = 2000;
  fixed_ = static_cast<double>(shell_.head.size() + shell_.rest.size() + steps_blob_.size() + cast_text({}).size() +
                               timeline_text(frames_->chosen({})).size() + forces_text(frames_->chosen({})).size() +
                               frames_->first().size()) +
           margin;
  return "";
}

PageReport PageWriter::report_of(const Choice& choice) const {
  PageReport out;
  out.megabytes = static_cast<double>(written_) / byte_per_mb;
  out.frames = static_cast<int>(frames_->chosen(choice).size()), out.all = static_cast<int>(time_.size());
  out.grid = grid_, out.choice = choice;
  return out;
}

std::string PageWriter::note(const Choice& choice) const {
  const PageReport report = report_of(choice);
  std::string out = report.frames == report.all ? fmt::format("All {} frames", report.all)
                                                : fmt::format("{} of {} frames", report.frames, report.all);
  out += fmt::format(
      "; places to {:.1e} m, {}, velocities and forces to 0.02 %", grid_.place / 2,
      grid_.dimension == 2 ? fmt::format("angles to {:.0e} rad", grid_.turn / 2) : "rotations to 1e-04 rad");
  if (const std::string dropped = report.left_out(); !dropped.empty()) out += "; " + dropped + " left out";
  return out + ".";
}

std::string PageWriter::cast_text(const Choice& choice) const {
  Members fields = cast_fields_;
  put(fields, "note", json_string(note(choice)));
  put(fields, "contacts", frames_->has_contacts() && choice.contacts ? "true" : "false");
  return packed_blob("cast", BundleView(cast_).with_fields(object_of(fields)));
}

std::string PageWriter::timeline_text(const std::vector<int>& chosen) const {
  std::vector<double> time, h, step;
  for (const int k : chosen) {
    const auto at = static_cast<std::size_t>(k);
    time.push_back(time_[at]), h.push_back(h_[at]), step.push_back(step_[at]);
  }
  Members fields = timeline_fields_;
  put(fields, "frames", std::to_string(chosen.size()));
  Bundle timeline(object_of(fields));
  timeline.array<double>("time", time, {time.size()}).array<double>("h", h, {h.size()});
  timeline.array<double>("step", step, {step.size()});
  JsonObject encoding;
  encoding.integer("version", 1).integer("dimension", grid_.dimension).integer("bodies", result_.bodies());
  encoding.integer("frames", static_cast<long>(chosen.size())).integer("group", frames_->group_size());
  encoding.number("place", grid_.place).number("turn", grid_.turn);
  return packed_blob("timeline", timeline.bytes()) + packed_blob("encoding", Bundle(encoding.str()).bytes());
}

// With the number that its frame has among those of the page.
std::string PageWriter::forces_text(const std::vector<int>& chosen) const {
  if (!forces_) return "";
  const auto at = std::ranges::lower_bound(chosen, forces_->frame) - chosen.begin();
  return packed_blob("forces", force_bundle(*forces_, static_cast<int>(at)));
}

Expected<bool> PageWriter::attempt(const Choice& choice) {
  exporting::OutputFile file(path_);
  const auto most = static_cast<std::size_t>(options_.max_mb * byte_per_mb);
  written_ = 0;
  const auto write = [&](std::string_view text) {
    file.write(text);
    written_ += text.size();
  };
  const std::vector<int> chosen = frames_->chosen(choice);
  write(shell_.head + timeline_text(chosen) + cast_text(choice) + forces_text(chosen));
  write(steps_blob_ + blob("first", frames_->first()));
  for (int g = 0; g < frames_->groups(chosen); ++g) {
    options_.progress(fmt::format("page: frame {} of {}", g * frames_->group_size() + 1, chosen.size()));
    const auto text = frames_->group(chosen, g, choice);
    if (!text) return Error{text.error()};
    if (options_.interrupted()) return Error{"interrupted"};
    write(blob(fmt::format("frames/{}", g), text->bodies));
    if (!text->contacts.empty()) write(blob(fmt::format("contacts/{}", g), text->contacts));
    if (written_ + shell_.rest.size() > most) return false;
  }
  write(shell_.rest);
  const auto committed = file.commit();
  if (!committed) return Error{committed.error()};
  return true;
}

int PageWriter::wider(const Choice& choice, double bytes) const {
  // Frames further apart differ more, so that the true stride is no smaller than this one.
  const double guess = choice.stride * bytes / std::max(1.0, room());
  const int widest = std::max(1, frames_->all() - 1);
  return std::min(widest, std::max(choice.stride + 1, static_cast<int>(std::min(1e9, std::floor(guess)))));
}

Expected<bool> PageWriter::level(Choice& choice, int least) {
  for (choice.stride = 1;;) {
    if (static_cast<int>(frames_->chosen(choice).size()) < least) return false;
    options_.progress(fmt::format("page: how large with one frame in {}", choice.stride));
    const auto bytes = frames_->estimate(choice);
    if (!bytes) return Error{bytes.error()};
    needed_ = fixed_ + *bytes;
    if (*bytes <= room()) {
      const auto done = attempt(choice);
      if (!done || *done) return done;
    }
    const int next = wider(choice, *bytes);
    if (next == choice.stride) return false;
    choice.stride = next;
  }
}

Expected<PageReport> PageWriter::write() {
  std::vector<Choice> levels{{}};
  if (frames_->has_contacts()) levels = {{1, 0, true}, {1, 0.01, true}, {1, 0.05, true}, {1, 0, false}};
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const int least = k + 1 == levels.size() ? 1 : std::min(frames_->all(), few_frames);
    const auto done = level(levels[k], least);
    if (!done) return Error{done.error()};
    if (*done) return report_of(levels[k]);
  }
  return Error{fmt::format("{}: two frames without contacts need about {:.2f} MB, expected --max-mb of at least that",
                           path_, std::ceil(needed_ / byte_per_mb * 100 + 0.5) / 100)};
}

}  // namespace

std::string PageReport::left_out() const {
  if (!choice.contacts) return "contacts";
  if (choice.weak > 0)
    return fmt::format("contacts below {:g} % of the largest force of their frame", 100 * choice.weak);
  return "";
}

std::string generator_tag(const std::string& version, const std::string& kind) {
  return fmt::format("<meta name=\"generator\" content=\"cairn {}: {}\">\n", plot::escape(version), kind);
}

bool has_generator_tag(const std::string& path, const std::string& kind) {
  std::string head(head_bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t at = head.find("<meta name=\"generator\" content=\"cairn ");
  const std::size_t end = at == std::string::npos ? at : head.find('>', at);
  return end != std::string::npos && std::string_view(head).substr(at, end - at).ends_with(": " + kind + "\"");
}

Expected<PageReport> write_page(Result& result, std::string_view page, const std::string& path,
                                const PageOptions& options) {
  if (std::string bad = refuse_to_replace(path); !bad.empty()) return Error{path + ": " + bad};
  if (std::filesystem::exists(path) && !has_generator_tag(path, page_kind))
    return Error{path + ": exists and is no page of Cairn's, expected the name of a new file"};
  PageWriter writer(result, page, path, options);
  if (std::string bad = writer.prepare(); !bad.empty()) return Error{std::move(bad)};
  return writer.write();
}

}  // namespace cairn::view
