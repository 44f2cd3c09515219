#include "study_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>

#include "cairn/base/json.hpp"
#include "example_files.hpp"
#include "exit_code.hpp"
#include "progress.hpp"
#include "study_figures.hpp"

namespace cairn::app {
namespace {

using examples::Example;
using examples::Parameters;

struct Variant {
  std::string label;
  Parameters parameters;
};

std::string check(const StudyCommand& c) {
  if (c.samples < 1) return fmt::format("--samples: {}, expected at least 1", c.samples);
  if (c.steps.empty()) return "--h: no step, expected some, as in --h 1e-2,1e-3";
  for (const double h : c.steps)
    if (!(h > 0) || !std::isfinite(h)) return fmt::format("--h: {}, expected more than 0", h);
  return "";
}

// An example that knows its exact answer and has a step.
Expected<const Example*> choose(const std::string& name) {
  const auto example = choose_example(name);
  if (!example) return example;
  if ((*example)->error && Parameters((*example)->parameters).has("h")) return example;
  std::vector<std::string> others;
  for (const Example& e : examples::all())
    if (e.error) others.push_back(e.name);
  return Error{
      fmt::format("study: {} has no exact answer to compare with, expected one of {}", name, fmt::join(others, ", "))};
}

Expected<std::vector<Variant>> variants(const Parameters& base, const std::string& vary) {
  if (vary.empty()) return std::vector<Variant>{{"", base}};
  const auto pair = split_setting("--vary", vary);
  if (!pair) return Error{pair.error()};
  const auto& [key, values] = *pair;
  if (key == "h") return Error{"--vary: h is what a study varies anyway, expected another parameter"};
  std::vector<Variant> out;
  for (std::size_t from = 0; from <= values.size();) {
    const std::size_t to = std::min(values.find(',', from), values.size());
    Variant variant{fmt::format("{}={}", key, values.substr(from, to - from)), base};
    if (const auto set = set_parameter(variant.parameters, key, values.substr(from, to - from)); !set)
      return Error{"--vary: " + set.error()};
    out.push_back(std::move(variant));
    from = to + 1;
  }
  return out;
}

// H 10^-U with U uniform in [0, 1[: bits of our own making, so that every machine draws the same steps.
std::vector<double> steps_of(const StudyCommand& command) {
  std::mt19937_64 random(command.seed);
  std::vector<double> steps;
  for (const double H : command.steps)
    for (int k = 0; k < command.samples; ++k)
      steps.push_back(H * std::pow(10, -static_cast<double>(random() >> 11) * 0x1p-53));
  return steps;
}

Expected<Series> computed(const Example& example, const Variant& variant, const StudyCommand& command) {
  const ProgressLine progress;
  Series series{variant.label, steps_of(command), {}};
  Parameters parameters = variant.parameters;
  for (const double h : series.h) {
    progress.show(fmt::format("{} {} [{}/{}] h={:.3g}", example.name, variant.label, series.error.size() + 1,
                              series.h.size(), h));
    if (const auto set = parameters.set("h", h); !set) return Error{"--h: " + set.error()};
    try {
      const auto error = example.error(parameters);
      if (!error) return Error{fmt::format("{}: {}", example.name, error.error())};
      series.error.push_back(*error);
    } catch (const std::exception& failure) {
      return Error{fmt::format("{}: stopped at h={} ({})", example.name, h, failure.what())};
    }
  }
  for (std::size_t k = 0; k < command.steps.size(); ++k) {
    const auto first = series.error.begin() + static_cast<long>(k) * command.samples;
    series.decades.push_back(summary(command.steps[k], {first, first + command.samples}));
  }
  series.slope = fitted_slope(series.h, series.error);
  return series;
}

// --- printing --------------------------------------------------------------------------------------------------------

void print_text(const Example& example, const std::vector<Series>& all, const std::vector<std::string>& files) {
  fmt::print("{} ({}): error against the exact answer, steps drawn from ]H/10, H]\n", example.name, example.source);
  for (const Series& s : all) {
    fmt::print("\n{}{}{:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {:>8}\n", s.label, s.label.empty() ? "" : "\n", "H",
               "mean", "median", "min", "max", "max/min");
    for (const Decade& d : s.decades)
      fmt::print("{:>10.3g}  {:>10.3e}  {:>10.3e}  {:>10.3e}  {:>10.3e}  {:>8.3g}\n", d.H, d.mean, d.median, d.min,
                 d.max, d.spread);
    fmt::print("slope of log error against log h: {:.3f} +- {:.3f}\n", s.slope.value, s.slope.error);
    if (s.slope.left_out > 0)
      fmt::print("{} of {} runs left out of the slope: their error is zero or not finite\n", s.slope.left_out,
                 s.h.size());
  }
  if (!files.empty()) fmt::print("\nwritten: {}\n", fmt::join(files, "\n         "));
}

std::string json_series(const Series& s) {
  std::string decades;
  for (const Decade& d : s.decades) {
    JsonObject object;
    object.number("H", d.H).number("mean", d.mean).number("median", d.median).number("min", d.min);
    object.number("max", d.max).number("spread", d.spread).integer("count", d.count);
    decades += (decades.empty() ? "" : ", ") + object.str();
  }
  JsonObject object;
  object.text("label", s.label).number("slope", s.slope.value).number("slope_error", s.slope.error);
  object.integer("left_out", s.slope.left_out).raw("decades", "[" + decades + "]");
  object.raw("h", json_list(s.h)).raw("error", json_list(s.error));
  return object.str();
}

void print_json(const Example& example, const StudyCommand& command, const Parameters& parameters,
                const std::vector<Series>& all, const std::vector<std::string>& files) {
  JsonObject object;
  object.text("example", example.name).raw("parameters", json_parameters(parameters));
  object.integer("samples", command.samples).integer("seed", command.seed);
  if (all.size() == 1) object.number("slope", all[0].slope.value).number("slope_error", all[0].slope.error);
  std::string series;
  for (const Series& s : all) series += (series.empty() ? "" : ", ") + json_series(s);
  object.raw("series", "[" + series + "]").raw("files", json_list(files));
  fmt::print("{}\n", object.str());
}

}  // namespace

int run(const StudyCommand& command) {
  if (const std::string error = check(command); !error.empty()) return complain(error);
  const auto chosen = choose(command.example);
  if (!chosen) return complain(chosen.error());
  const Example& example = **chosen;
  const auto parameters = choose_parameters(example, command.settings);
  if (!parameters) return complain(example.name + ": " + parameters.error());
  const auto cases = variants(*parameters, command.vary);
  if (!cases) return complain(example.name + ": " + cases.error());
  const OutputFolder folder{command.out, command.png};
  if (const std::string error = make_folder(folder); !error.empty()) return complain(error);

  std::vector<Series> all;
  for (const Variant& variant : *cases) {
    auto series = computed(example, variant, command);
    if (!series) return complain(series.error());
    all.push_back(std::move(*series));
  }
  const auto files = write_files(folder, study_output(example.name, all));
  if (!files) return complain(files.error());
  if (command.json)
    print_json(example, command, *parameters, all, *files);
  else
    print_text(example, all, *files);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) return complain("standard output cannot be written");
  return done;
}

}  // namespace cairn::app
