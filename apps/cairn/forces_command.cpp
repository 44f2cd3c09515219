#include "forces_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

#include "cairn/base/json.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/export/chosen_frames.hpp"
#include "cairn/export/force_frame.hpp"
#include "cairn/export/force_picture.hpp"
#include "cairn/input/build.hpp"
#include "cairn/record/reader.hpp"
#include "exit_code.hpp"
#include "export_fclib.hpp"
#include "interruption.hpp"
#include "progress.hpp"

namespace cairn::app {
namespace {

using exporting::Certainty;

constexpr std::size_t shown = 20;   // contacts of the table
constexpr double rounding = 1e-10;  // [-] accuracy that is as good as exact

struct Counts {
  int carries = 0, may_carry = 0, idle = 0;
};

template <int D>
class ForceTeller {
 public:
  ForceTeller(const ForcesCommand& command, record::Reader<D> reader) : command_(command), reader_(std::move(reader)) {}

  // Empty: done.
  std::string run() {
    for (const auto act : {&ForceTeller::choose, &ForceTeller::compute, &ForceTeller::write_files})
      if (std::string bad = (this->*act)(); !bad.empty()) return bad;
    if (command_.json)
      fmt::print("{}\n", json());
    else
      print();
    return "";
  }

 private:
  std::string choose() {
    if (!reader_.keeps_contacts()) return "the results keep no contacts; expected a run that records them";
    if (reader_.times().empty()) return "holds no frame yet";
    int k = static_cast<int>(reader_.times().size()) - 1;
    if (command_.time) k = exporting::chosen_frames(reader_.times(), {*command_.time}, 1).front();
    if (command_.step) {
      const auto marks = reader_.marks(0);
      if (!marks) return marks.error();
      const auto far = [&](std::int64_t step) { return std::abs(static_cast<long>(step) - *command_.step); };
      k = static_cast<int>(std::ranges::min_element(marks->step, {}, far) - marks->step.begin());
    }
    auto frame = reader_.frame(k);
    if (!frame) return frame.error();
    frame_ = std::move(*frame), number_ = k;
    return "";
  }

  std::string compute() {
    const record::ResultInfo& info = reader_.info();
    const input::SceneText text{scene_path_of(command_.file, info), info.scene_name, info.scene_text};
    input::Diagnostics out(text.path, text.text);
    const auto file = input::read_scene(text, settings_of(info.parameters), out);
    auto world = file ? input::build_world<D>(*file, text.path, out) : std::nullopt;
    if (!world) return "the scene in the results cannot be built again:\n" + out.str();
    world->change_surfaces(frame_.t - frame_.h / 2);
    const auto forces = exporting::forces_of_frame<D>(world->model, frame_, command_.tolerance);
    if (!forces) return fmt::format("frame {} (t = {:.6g} s): {}", number_, frame_.t, forces.error());
    slow_ = forces->speed_tolerance;
    ForceOptions options;
    const InterruptionWatch watch;
    options.progress = [&](int done, int all) {
      if (done % 10 == 0) line_.show(fmt::format("forces: contact {} of {}", done, all));
      return !interruption();
    };
    set_threads(command_.threads > 0 ? command_.threads : hardware_threads());
    const std::clock_t start = std::clock();
    report_ = force_ranges(forces->set, options);
    seconds_ = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    line_.clear();
    if (report_.stopped) return "interrupted; nothing is written";
    return report_.trouble;
  }

  std::string write_files() {
    if (!command_.out.empty())
      if (const auto written = plot::write_text(command_.out, json() + "\n"); !written) return written.error();
    if (!command_.csv.empty())
      if (const auto written = plot::write_text(command_.csv, csv()); !written) return written.error();
    if (command_.picture.empty()) return "";
    const auto first = reader_.frame(0);
    if (!first) return first.error();
    exporting::PictureOptions options;
    options.width = command_.width;
    if (command_.azimuth_deg) options.azimuth_deg = *command_.azimuth_deg;
    if (command_.elevation_deg) options.elevation_deg = *command_.elevation_deg;
    const auto figure = exporting::force_picture<D>(reader_.cast(), *first, frame_, report_, options);
    const auto written = command_.picture.ends_with(".png") ? plot::write_png(command_.picture, figure)
                                                            : plot::write_svg(command_.picture, figure);
    return written ? "" : written.error();
  }

  std::size_t contacts() const { return frame_.contacts.size(); }
  Real force(Real impulse) const { return impulse / frame_.h; }  // [N]
  Real solution(std::size_t a) const { return force(dot(frame_.contacts[a].impulse, frame_.contacts[a].normal)); }
  Real least(std::size_t a) const { return force(report_.range[a].least); }
  Real greatest(std::size_t a) const { return force(report_.range[a].greatest); }
  Real central(std::size_t a) const { return report_.central.empty() ? NAN : force(report_.central[a]); }
  Real least_norm(std::size_t a) const { return force(report_.least_norm[a]); }

  Counts counts() const {
    Counts n;
    for (std::size_t a = 0; a < contacts(); ++a) switch (exporting::certainty(report_, a)) {
        case Certainty::carries: ++n.carries; break;
        case Certainty::may_carry: ++n.may_carry; break;
        case Certainty::idle: ++n.idle; break;
      }
    return n;
  }

  std::string json() const {
    const Counts n = counts();
    JsonObject o;
    o.text("file", command_.file).text("scene", reader_.info().scene_name).integer("dimension", D);
    o.integer("frame", number_).number("time", frame_.t).integer("step", frame_.step).number("h", frame_.h);
    o.integer("contacts", static_cast<long>(contacts())).integer("components", report_.components);
    o.integer("hyperstaticity", report_.hyperstaticity).integer("freedom", report_.freedom);
    o.integer("islands", report_.islands).raw("bounded", report_.bounded ? "true" : "false");
    o.integer("carry", n.carries).integer("may_carry", n.may_carry).integer("idle", n.idle);
    o.number("bracket", report_.bracket).number("least_norm_gap", report_.least_norm_gap);
    o.number("speed_tolerance", slow_).integer("programs", report_.programs).integer("pivots", report_.pivots);
    o.integer("newton_steps", report_.newton_steps);
    std::string rows;
    for (std::size_t a = 0; a < contacts(); ++a) {
      JsonObject r;
      r.integer("contact", static_cast<long>(a)).number("least", least(a)).number("greatest", greatest(a));
      r.number("solution", solution(a)).number("central", central(a)).number("least_norm", least_norm(a));
      rows += (a == 0 ? "" : ",") + r.str();
    }
    return o.text("unit", "N").raw("ranges", "[" + rows + "]").str();
  }

  std::string csv() const {
    std::string text = "contact,first,second,solution [N],least [N],greatest [N],central [N],least norm [N]\n";
    for (std::size_t a = 0; a < contacts(); ++a)
      text += fmt::format("{},{},{},{},{},{},{},{}\n", a, frame_.contacts[a].body[0], frame_.contacts[a].body[1],
                          solution(a), least(a), greatest(a), central(a), least_norm(a));
    return text;
  }

  void print() const {
    const Counts n = counts();
    fmt::print("{}: {}, frame {}, step {}, t = {:.6g} s, {} contacts\n", command_.file, reader_.info().title, number_,
               frame_.step, frame_.t, contacts());
    fmt::print("  hyperstaticity   {} ({} components of force, {} independent equations, {} islands)\n",
               report_.hyperstaticity, report_.components, report_.components - report_.hyperstaticity,
               report_.islands);
    fmt::print("  freedom          {} (dimension of the set of forces that give this motion{})\n", report_.freedom,
               report_.bounded ? "" : "; it is unbounded, some contacts may be wedged");
    fmt::print("  contacts         {} certain to carry, {} may carry or not, {} certain to carry nothing\n", n.carries,
               n.may_carry, n.idle);
    fmt::print("  accuracy         ranges {}; velocities below {:.1e} m/s count as none\n",
               report_.bracket > rounding ? fmt::format("within {:.1e} of the largest force", report_.bracket)
                                          : "exact but for rounding",
               slow_);
    fmt::print("  work             {} programs, {} pivots, {} Newton steps, {:.2f} s of CPU time\n", report_.programs,
               report_.pivots, report_.newton_steps, seconds_);
    table();
    for (const std::string& file : {command_.out, command_.csv, command_.picture})
      if (!file.empty()) fmt::print("  written: {}\n", file);
  }

  // The widest ranges first; all: in the order of the frame.
  void table() const {
    std::vector<std::size_t> order(contacts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!command_.all) {
      std::ranges::stable_sort(
          order, [&](std::size_t a, std::size_t b) { return greatest(a) - least(a) > greatest(b) - least(b); });
      order.resize(std::min(order.size(), shown));
    }
    if (order.empty()) return;
    const auto& names = reader_.cast().names;
    fmt::print("\n  {:>7}  {:<28}{:>12}{:>12}{:>12}{:>12}\n", "contact", "between", "least [N]", "greatest", "solution",
               "central");
    for (const std::size_t a : order) {
      const record::ContactRow<D>& c = frame_.contacts[a];
      const auto name = [&](int b) {  // several bodies may share one
        const std::string& own = names[static_cast<std::size_t>(b)];
        return std::ranges::count(names, own) > 1 ? fmt::format("{} {}", own, b) : own;
      };
      fmt::print("  {:>7}  {:<28}{:>12.5g}{:>12.5g}{:>12.5g}{:>12.5g}\n", a, name(c.body[0]) + ", " + name(c.body[1]),
                 least(a), greatest(a), solution(a), central(a));
    }
    if (order.size() < contacts())
      fmt::print("  ... the {} least determined of {} contacts; --all shows all\n", order.size(), contacts());
  }

  const ForcesCommand& command_;
  record::Reader<D> reader_;
  record::Frame<D> frame_;
  int number_ = 0;
  ForceReport report_;
  Real slow_ = 0;       // [m/s]
  double seconds_ = 0;  // of CPU time
  ProgressLine line_;
};

template <int D>
int forces_from(const ForcesCommand& command) {
  auto reader = record::Reader<D>::open(command.file);
  if (!reader) return complain(reader.error());
  const std::string bad = ForceTeller<D>(command, std::move(*reader)).run();
  if (bad.empty()) return done;
  if (interruption()) return complain("forces: interrupted; nothing is written", interrupted);
  return complain(bad.find(command.file) == std::string::npos ? command.file + ": " + bad : bad, failed);
}

}  // namespace

int run(const ForcesCommand& command) {
  if (command.step && command.time) return complain("forces: --step and --time given, expected one of them");
  const std::string& p = command.picture;
  if (!p.empty() && !p.ends_with(".svg") && !p.ends_with(".png"))
    return complain(fmt::format("forces: --picture {}, expected a name that ends in .svg or .png", p));
  const auto info = record::read_info(command.file);
  if (!info) return complain(info.error());
  return info->dimension == 2 ? forces_from<2>(command) : forces_from<3>(command);
}

}  // namespace cairn::app
