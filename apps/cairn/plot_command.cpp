#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cairn/export/plots.hpp"
#include "cairn/record/reader.hpp"
#include "exit_code.hpp"
#include "export_command.hpp"
#include "progress.hpp"

namespace cairn::app {
namespace {

bool needs_frames(const std::string& kind) { return kind == "coordination" || kind == "forces"; }

template <int D>
Expected<exporting::Run> read_run(const std::string& path, const PlotCommand& command) {
  const auto reader = record::Reader<D>::open(path);
  if (!reader) return Error{reader.error()};
  exporting::Run run;
  run.name = std::filesystem::path(path).stem().string();
  auto steps = reader->steps();
  auto probes = reader->probes();
  if (!steps || !probes) return Error{steps ? probes.error() : steps.error()};
  run.steps = std::move(*steps);
  const record::ResultInfo& info = reader->info();
  for (std::size_t k = 0; k < probes->size(); ++k)
    run.probes.push_back({info.probe_names[k], info.probe_units[k], std::move((*probes)[k])});
  if (!needs_frames(command.kind)) return run;
  const ProgressLine line;
  for (int k = 0; k < static_cast<int>(reader->times().size()); ++k) {
    line.show(fmt::format("{}: frame {} of {}", path, k + 1, reader->times().size()));
    const auto frame = reader->frame(k);
    if (!frame) return Error{frame.error()};
    run.frames.push_back(exporting::summary_of<D>(reader->cast(), *frame));
  }
  return run;
}

}  // namespace

std::vector<std::string> plot_names() {
  std::vector<std::string> names;
  for (const auto& kind : exporting::plot_kinds()) names.push_back(kind.name);
  return names;
}

int run(const PlotCommand& command) {
  std::vector<exporting::Run> runs;
  for (const std::string& path : command.files) {
    const auto info = record::read_info(path);
    if (!info) return complain(info.error(), bad_input);
    auto run = info->dimension == 2 ? read_run<2>(path, command) : read_run<3>(path, command);
    if (!run) return complain(run.error(), bad_input);
    runs.push_back(std::move(*run));
  }
  exporting::PlotOptions options;
  options.probes = command.probes, options.title = command.title;
  if (command.times.size() == 2) options.times = plot::Range{command.times[0], command.times[1]};
  if (command.at >= 0) options.at = command.at;
  const auto figure = exporting::make_plot(command.kind, runs, options);
  if (!figure) return complain(figure.error(), bad_input);
  const std::string out = command.out.empty() ? command.kind + ".svg" : command.out;
  const auto written = out.ends_with(".png") ? plot::write_png(out, *figure) : plot::write_svg(out, *figure);
  if (!written) return complain(written.error(), failed);
  fmt::print("{}\n", *written);
  return done;
}

}  // namespace cairn::app
