#include "export_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cairn/export/chosen_frames.hpp"
#include "cairn/export/csv.hpp"
#include "cairn/export/picture.hpp"
#include "cairn/export/vtk.hpp"
#include "cairn/record/reader.hpp"
#include "cairn/view/movie.hpp"
#include "exit_code.hpp"
#include "export_fclib.hpp"
#include "export_page.hpp"
#include "export_render.hpp"
#include "interruption.hpp"
#include "progress.hpp"

namespace cairn::app {
namespace {

namespace fs = std::filesystem;

template <int D>
class Exporter {
 public:
  Exporter(const ExportCommand& command, record::Reader<D> reader)
      : command_(command), reader_(std::move(reader)), name_(fs::path(command.file).stem().string()) {
    chosen_ = exporting::chosen_frames(reader_.times(), command.times, command.every);
  }

  std::string run() {
    // Pictures last: HDF5 belongs to another thread while the page draws them.
    std::vector<std::pair<const std::string*, std::string (Exporter::*)()>> wanted{{&command_.vtk, &Exporter::vtk},
                                                                                   {&command_.csv, &Exporter::csv},
                                                                                   {&command_.svg, &Exporter::svg},
                                                                                   {&command_.fclib, &Exporter::fclib},
                                                                                   {&command_.png, nullptr}};
    if (chosen_.empty()) return "holds no frame yet";
    for (const auto& [folder, act] : wanted) {
      if (folder->empty()) continue;
      std::error_code failure;
      fs::create_directories(*folder, failure);
      if (failure) return fmt::format("{}: the folder cannot be made ({})", *folder, failure.message());
      if (act == nullptr) continue;
      if (const std::string bad = (this->*act)(); !bad.empty()) return bad;
    }
    return render(command_, std::move(reader_), chosen_, line_);
  }

 private:
  void show(const char* what, std::size_t k) const {
    line_.show(fmt::format("{}: frame {} of {}", what, k + 1, chosen_.size()));
  }
  void tell(const std::string& text) const {
    line_.clear();
    fmt::print("{}\n", text);
  }

  std::string vtk() {
    const auto first = reader_.frame(0);
    if (!first) return first.error();
    auto writer = exporting::VtkWriter<D>::open(command_.vtk + "/" + name_, reader_.cast(), *first);
    if (!writer) return writer.error();
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      show("vtk", k);
      const auto frame = reader_.frame(chosen_[k]);
      if (!frame) return frame.error();
      if (const auto written = writer->add(*frame); !written) return written.error();
    }
    tell(fmt::format("{0}/{1}_bodies.pvd, {0}/{1}_contacts.pvd: {2} frames", command_.vtk, name_, chosen_.size()));
    return "";
  }

  std::string csv() {
    const std::string stem = command_.csv + "/" + name_;
    const exporting::FrameSource<D> source{static_cast<int>(chosen_.size()), [this](int k) {
                                             show("csv", static_cast<std::size_t>(k));
                                             return reader_.frame(chosen_[static_cast<std::size_t>(k)]);
                                           }};
    const auto states = exporting::write_states_csv<D>(stem + "_states.csv", reader_.cast(), source);
    if (!states) return states.error();
    const auto contacts = exporting::write_contacts_csv<D>(stem + "_contacts.csv", source);
    if (!contacts) return contacts.error();
    const auto steps = reader_.steps();
    const auto probes = reader_.probes();
    if (!steps || !probes) return steps ? probes.error() : steps.error();
    std::vector<Real> times;
    for (const record::StepRow& r : *steps) times.push_back(r.t);
    const record::ResultInfo& info = reader_.info();
    const auto table = plot::write_text(stem + "_steps.csv", exporting::steps_csv(*steps));
    if (!table) return table.error();
    std::string files = fmt::format("{}, {}, {}", *states, *contacts, *table);
    if (!info.probe_names.empty()) {
      const auto curves = plot::write_text(stem + "_probes.csv",
                                           exporting::probes_csv(info.probe_names, info.probe_units, times, *probes));
      if (!curves) return curves.error();
      files += ", " + *curves;
    }
    tell(files);
    return "";
  }

  std::string svg() {
    const auto first = reader_.frame(0);
    if (!first) return first.error();
    std::vector<record::Frame<D>> frames;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      show("svg", k);
      const auto frame = reader_.frame(chosen_[k]);
      if (!frame) return frame.error();
      if (command_.strip > 0) {
        frames.push_back(*frame);
        continue;
      }
      const std::string path = fmt::format("{}/{}_{:04}.svg", command_.svg, name_, chosen_[k]);
      const auto figure = exporting::picture_figure<D>(reader_.cast(), *first, *frame, picture_options(command_));
      if (const auto written = plot::write_svg(path, figure); !written) return written.error();
    }
    if (command_.strip > 0) {
      const auto figure =
          exporting::picture_strip<D>(reader_.cast(), *first, frames, command_.strip, picture_options(command_));
      const auto written = plot::write_svg(command_.svg + "/" + name_ + ".svg", figure);
      if (!written) return written.error();
      tell(fmt::format("{}/{}.svg: {} frames", command_.svg, name_, frames.size()));
    } else {
      tell(fmt::format("{}/{}_*.svg: {} pictures", command_.svg, name_, chosen_.size()));
    }
    return "";
  }

  std::string fclib() {
    const std::string scene_path = scene_path_of(command_.file, reader_.info());
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      show("fclib", k);
      const auto frame = reader_.frame(chosen_[k]);
      if (!frame) return frame.error();
      const std::string path = fmt::format("{}/{}_{:04}.hdf5", command_.fclib, name_, chosen_[k]);
      if (const std::string bad = write_step_problem<D>(path, scene_path, reader_.info(), *frame); !bad.empty())
        return bad;
    }
    tell(fmt::format("{}/{}_*.hdf5: {} problems, each of the step after a frame", command_.fclib, name_,
                     chosen_.size()));
    return "";
  }

  const ExportCommand& command_;
  record::Reader<D> reader_;  // until pictures are drawn
  std::string name_;
  std::vector<int> chosen_;  // frames
  ProgressLine line_;
};

template <int D>
int export_from(const ExportCommand& command) {
  auto reader = record::Reader<D>::open(command.file);
  std::string bad = reader ? Exporter<D>(command, std::move(*reader)).run() : reader.error();
  if (bad.empty()) return done;
  if (interruption()) return complain("export: interrupted; nothing is left half-written", interrupted);
  if (bad.find(command.file) == std::string::npos) bad = command.file + ": " + bad;
  return complain(bad, failed);
}

}  // namespace

int run(const ExportCommand& command) {
  const bool folders = !(command.vtk.empty() && command.csv.empty() && command.svg.empty() && command.png.empty() &&
                         command.fclib.empty() && command.movie.empty());
  if (!folders && command.html.empty())
    return complain(
        "export: nothing asked for, expected --html or --movie with a file, or some of --vtk, --csv, --svg, --png, "
        "--fclib with a folder");
  if (!command.forces.empty() && command.html.empty())
    return complain("export: --forces given without --html, expected the page that shows them");
  if (!command.movie.empty())
    if (const std::string bad = view::movie_refusal(command.movie); !bad.empty()) return complain(bad);
  const auto info = record::read_info(command.file);
  if (!info) return complain(info.error());
  if (!command.html.empty())
    if (const int code = export_page(command); code != done || !folders) return code;
  return info->dimension == 2 ? export_from<2>(command) : export_from<3>(command);
}

}  // namespace cairn::app
