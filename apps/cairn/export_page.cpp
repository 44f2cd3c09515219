#include "export_page.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cairn/record/reader.hpp"
#include "cairn/view/page.hpp"
#include "exit_code.hpp"
#include "interruption.hpp"

namespace cairn::app {

Expected<view::PageReport> make_page(const std::string& results, const std::string& path, view::PageOptions options,
                                     const ProgressLine& line) {
  const auto info = record::read_info(results);
  if (!info) return Error{info.error()};
  const auto result = view::Result::open(results);
  if (!result) return Error{result.error()};
  options.title = info->title.empty() ? std::filesystem::path(results).stem().string() : info->title;
  options.version = CAIRN_VERSION;
  options.progress = [&](const std::string& text) { line.show(results + ": " + text); };
  options.interrupted = interruption;
  return view::write_page(**result, view::page(), path, options);
}

int export_page(const ExportCommand& command) {
  const InterruptionWatch signals;
  view::PageOptions options;
  options.max_mb = command.max_mb, options.every = command.every, options.times = command.times;
  options.forces = command.forces;
  const ProgressLine line;
  const auto report = make_page(command.file, command.html, options, line);
  line.clear();
  if (!report && interruption()) return complain("interrupted, no page was written", interrupted);
  if (!report) {
    const bool named = report.error().find(command.file) != std::string::npos ||
                       report.error().find(command.html) != std::string::npos ||
                       (!command.forces.empty() && report.error().find(command.forces) != std::string::npos);
    return complain(named ? report.error() : command.file + ": " + report.error(), failed);
  }
  const std::string dropped = report->left_out();
  fmt::print("{}: {:.1f} MB, {} of {} frames, places to {:.1e} m{}\n", command.html, report->megabytes, report->frames,
             report->all, report->grid.place / 2, dropped.empty() ? "" : "; left out: " + dropped);
  return done;
}

}  // namespace cairn::app
