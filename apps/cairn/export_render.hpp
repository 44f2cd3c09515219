// `cairn export --png` and `--movie`: pictures drawn by this program (plain), or by the page in Chromium.
#pragma once

#include <string>
#include <vector>

#include "cairn/export/picture.hpp"
#include "cairn/record/reader.hpp"
#include "export_command.hpp"
#include "progress.hpp"

namespace cairn::app {

// Of plain pictures; `width` [px] of the figure where the command gives none.
exporting::PictureOptions picture_options(const ExportCommand& command, double width = 640);

// Both, as far as the command asks for them; pictures are of the frames `chosen`. Empty: good, else why not. Ctrl-C
// ends the work and leaves nothing half-written. The reader is closed before the page's server, on a thread of its
// own, opens the same file: HDF5 is for one thread.
template <int D>
std::string render(const ExportCommand& command, record::Reader<D> reader, const std::vector<int>& chosen,
                   const ProgressLine& line);

}  // namespace cairn::app
