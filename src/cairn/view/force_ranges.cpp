#include "cairn/view/force_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "cairn/base/json.hpp"
#include "cairn/view/bundle.hpp"
#include "cairn/view/embed.hpp"

namespace cairn::view {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
// [-] of the largest force: bundles hold impulses in single precision, so that forces agree to some 1e-7.
constexpr double agrees = 1e-5;

std::optional<double> number(const std::string* text) {
  if (!text) return std::nullopt;
  double value = 0;
  const auto [end, bad] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (bad != std::errc() || end != text->data() + text->size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// A number, or what null stands for.
std::optional<double> number_or_null(const std::string* text, double null) {
  return text && *text == "null" ? std::optional(null) : number(text);
}

std::optional<int> whole(const std::string* text) {
  const auto value = number(text);
  constexpr double most = std::numeric_limits<int>::max();
  if (!value || *value < 0 || *value > most || *value != std::floor(*value)) return std::nullopt;
  return static_cast<int>(*value);
}

// Reads one file; every step says what is wrong, or nothing.
class RangesReader {
 public:
  explicit RangesReader(Result& result) : result_(result) {}

  std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return "cannot be read, expected a file that `cairn forces RESULT --out FILE` wrote";
    if (file.peek() != '{') return no_such_file;  // a results file would be long to read
    std::stringstream text;
    text << file.rdbuf();
    text_ = text.str();
    for (const auto act : {&RangesReader::head, &RangesReader::moment, &RangesReader::rows, &RangesReader::places,
                           &RangesReader::compare})
      if (std::string bad = (this->*act)(); !bad.empty()) return bad;
    return "";
  }
  ForceRanges take() { return std::move(out_); }

 private:
  static constexpr const char* no_such_file =
      "holds no ranges of forces, expected a file that `cairn forces RESULT --out FILE` wrote";

  std::string head() {
    const std::size_t end = text_.find_last_not_of(" \n\t\r");
    if (text_[end] != '}') return no_such_file;  // cut off
    members_ = members_of(text_);
    const std::string* unit = member(members_, "unit");
    const auto frame = whole(member(members_, "frame")), step = whole(member(members_, "step"));
    const auto time = number(member(members_, "time")), freedom = number(member(members_, "freedom"));
    if (!unit || *unit != "\"N\"" || !frame || !step || !time || !freedom || !member(members_, "ranges"))
      return no_such_file;
    out_.frame = *frame, out_.time = *time, out_.freedom = std::lround(*freedom), step_ = *step;
    return "";
  }

  std::string moment() {
    const auto timeline = result_.timeline(0);
    if (!timeline) return timeline.error();
    const BundleView times(*timeline);
    const auto time = times.array<double>("time"), step = times.array<double>("step"), h = times.array<double>("h");
    const auto k = static_cast<std::size_t>(out_.frame);
    if (k >= time.size())
      return fmt::format("is of frame {}, but these results have {} frames; expected a file made of them", k,
                         time.size());
    if (time[k] != out_.time || step[k] != step_)
      return fmt::format(
          "is of t = {:.9g} s, step {}, but frame {} of these results is t = {:.9g} s, step {:.0f}; expected a file "
          "made of them",
          out_.time, step_, k, time[k], step[k]);
    h_ = h[k];
    return "";
  }

  std::string rows() {
    const std::vector<std::string_view> rows = elements_of(*member(members_, "ranges"));
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const Members row = members_of(rows[a]);
      const auto contact = whole(member(row, "contact"));
      const auto least = number(member(row, "least")), solution = number(member(row, "solution"));
      const auto greatest = number_or_null(member(row, "greatest"), infinity);
      const auto central = number_or_null(member(row, "central"), nan);
      if (!contact || static_cast<std::size_t>(*contact) != a || !least || !solution || !greatest || !central)
        return fmt::format(
            "row {} of its ranges cannot be read, expected contact {}, least, greatest, solution, central", a, a);
      out_.least.push_back(*least), out_.greatest.push_back(*greatest);
      out_.solution.push_back(*solution), out_.central.push_back(*central);
    }
    return "";
  }

  std::string places() {
    const auto contacts = result_.contacts(out_.frame);
    if (!contacts) return contacts.error();
    const BundleView bundle(*contacts);
    out_.body = bundle.array<std::uint32_t>("body");
    out_.point = bundle.array<float>("point"), out_.normal = bundle.array<float>("normal");
    impulse_ = bundle.array<float>("impulse");
    if (out_.body.size() == 2 * out_.least.size()) return "";
    return fmt::format("has {} contacts, but frame {} of these results has {}; expected a file made of them",
                       out_.least.size(), out_.frame, out_.body.size() / 2);
  }

  // Another run of the same scene has the same frames, and often as many contacts, but other forces.
  std::string compare() {
    if (!(h_ > 0)) return fmt::format("is of frame {}, which no step leads to", out_.frame);
    double largest = 0;
    for (const float p : impulse_) largest = std::max(largest, std::abs(static_cast<double>(p)) / h_);
    for (std::size_t a = 0; a < out_.solution.size(); ++a) {
      double force = 0;
      for (std::size_t i = 3 * a; i < 3 * a + 3; ++i) force += static_cast<double>(impulse_[i]) * out_.normal[i] / h_;
      if (std::abs(force - out_.solution[a]) > agrees * largest)
        return fmt::format(
            "has {:.6g} N as solution of contact {}, but these results have {:.6g} N; expected a file "
            "made of them",
            out_.solution[a], a, force);
    }
    return "";
  }

  Result& result_;
  std::string text_;
  Members members_;
  std::vector<float> impulse_;
  int step_ = 0;
  double h_ = 0;  // [s]
  ForceRanges out_;
};

}  // namespace

Expected<ForceRanges> read_force_ranges(const std::string& path, Result& result) {
  RangesReader reader(result);
  if (const std::string bad = reader.read(path); !bad.empty()) return Error{path + ": " + bad};
  return reader.take();
}

std::string force_bundle(const ForceRanges& r, int frame) {
  const std::size_t n = r.least.size();
  return Bundle(JsonObject().integer("frame", frame).number("t", r.time).integer("freedom", r.freedom).str())
      .array<double>("least", r.least, {n})
      .array<double>("greatest", r.greatest, {n})
      .array<double>("solution", r.solution, {n})
      .array<double>("central", r.central, {n})
      .array<std::uint32_t>("body", r.body, {n, 2})
      .array<float>("point", r.point, {n, 3})
      .array<float>("normal", r.normal, {n, 3})
      .bytes();
}

std::string no_force_bundle() { return Bundle(R"({"frame":null})").bytes(); }

}  // namespace cairn::view
