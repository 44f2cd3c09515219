// `cairn export --html`: a result as one page that opens without a server.
#pragma once

#include <string>

#include "cairn/base/expected.hpp"
#include "cairn/view/html.hpp"
#include "export_command.hpp"
#include "progress.hpp"

namespace cairn::app {

// Makes the page of a results file; options.title is taken from it.
Expected<view::PageReport> make_page(const std::string& results, const std::string& path, view::PageOptions options,
                                     const ProgressLine& line);

int export_page(const ExportCommand& command);

}  // namespace cairn::app
