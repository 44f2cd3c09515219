// The command line.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <system_error>

#include "cairn/base/closest.hpp"
#include "check_command.hpp"
#include "command_line.hpp"
#include "ensemble_command.hpp"
#include "export_command.hpp"
#include "forces_command.hpp"
#include "gallery_command.hpp"
#include "info_command.hpp"
#include "run_command.hpp"
#include "tools_program.hpp"
#include "view_command.hpp"

namespace {

using cairn::app::add_settings;
using cairn::app::CheckCommand;
using cairn::app::EnsembleCommand;
using cairn::app::ExportCommand;
using cairn::app::ForcesCommand;
using cairn::app::GalleryCommand;
using cairn::app::InfoCommand;
using cairn::app::joined;
using cairn::app::KeysCommand;
using cairn::app::PlotCommand;
using cairn::app::RepairCommand;
using cairn::app::RunCommand;
using cairn::app::ScenesCommand;
using cairn::app::usage_error;
using cairn::app::ViewCommand;

void add_view_flags(CLI::App* command, RunCommand& run) {
  command->add_flag("--view", run.view, "Show the results in a browser while it runs, and after");
  command->add_flag("--no-open", run.no_open, "With --view: print the address, open no browser");
}

void add_threads(CLI::App* command, RunCommand& run) {
  command
      ->add_option(
          "--threads", run.threads,
          "Threads to compute with; not given: all of the machine's from 2000 bodies on, else one. The results "
          "are the same, bit for bit")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

CLI::App* add_run(CLI::App& app, RunCommand& command) {
  CLI::App* run = app.add_subcommand("run", "Run a scene");
  run->add_option("SCENE", command.scene, "A scene file (TOML), or the name of one of Cairn's scenes")->required();
  add_settings(run, command.settings);
  run->add_option("--out", command.out, "Results file; not given: NAME.h5, numbered where that exists")
      ->type_name("FILE");
  run->add_option("--until", command.until, "Simulated time to reach, in place of the scene's duration")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  run->add_flag("--json", command.json, "Print one JSON object at the end, nothing else");
  run->add_flag("--quiet", command.quiet, "Print nothing but errors");
  run->add_flag("--no-results", command.no_results, "Write no files");
  add_threads(run, command);
  add_view_flags(run, command);
  run->footer(
      "Ctrl-C ends the run after its step and leaves a checkpoint; 'cairn resume' goes on from there, or from the "
      "last\n"
      "checkpoint of a run that was killed.\n"
      "Exit code: 0 done, 1 failed, 2 bad usage or bad input, 130 interrupted.\n\n"
      "Examples:\n"
      "  cairn run wall --set unevenness=4e-4 --out out/wall.h5\n"
      "  cairn run arch --view\n"
      "  cairn run my-scene.toml --until 2.5 --json");
  return run;
}

CLI::App* add_resume(CLI::App& app, RunCommand& command) {
  CLI::App* resume = app.add_subcommand("resume", "Go on with a run that was interrupted or killed");
  resume->add_option("FILE", command.scene, "Its results file (or checkpoint)")->required();
  resume->add_option("--until", command.until, "Simulated time to reach, also beyond the scene's duration")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  resume->add_flag("--json", command.json, "Print one JSON object at the end, nothing else");
  resume->add_flag("--quiet", command.quiet, "Print nothing but errors");
  add_threads(resume, command);
  add_view_flags(resume, command);
  resume->footer("The results are the same, bit for bit, as those of a run that was never interrupted.");
  return resume;
}

void add_perturbations(CLI::App* command, EnsembleCommand& ensemble) {
  command
      ->add_option("--perturb", ensemble.perturb,
                   "What the runs differ in: h, positions, velocities, mu, numbering; may be repeated. Sizes are "
                   "relative (of h, of a body's reach, of the scene's speed, of mu), or 1e-5m, 1e-3m/s")
      ->type_name("KIND[=SIZE]")
      ->allow_extra_args(false);
  command->add_option("--vary", ensemble.vary, "Draw a parameter of the scene: NAME=low:high, NAME=normal(mean,sd)")
      ->type_name("NAME=RANGE")
      ->allow_extra_args(false);
  command->add_option("--seed", ensemble.seed, "Of all that is drawn; default 1")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--one-size", ensemble.one_size,
                    "All runs perturbed in full; else every second one at a tenth, for the verdict");
}

CLI::App* add_ensemble(CLI::App& app, EnsembleCommand& command) {
  CLI::App* many = app.add_subcommand("ensemble", "Run a scene many times, perturbed: what is determined?");
  many->add_option("SCENE", command.scene, "A scene file (TOML), or the name of one of Cairn's scenes")->required();
  add_perturbations(many, command);
  many->add_option("--runs", command.runs, "Run 0, the scene as it stands, included; default 21")
      ->type_name("N")
      ->check(CLI::Range(2, 1000000));
  add_settings(many, command.settings);
  many->add_option("--jobs", command.jobs, "Runs at once; not given: the machine's cores. The results are the same")
      ->type_name("J")
      ->check(CLI::Range(1, 1024));
  many->add_option("--out", command.out, "Folder; not given: NAME-ensemble")->type_name("DIR");
  many->add_option("--until", command.until, "Simulated time to reach, in place of the scene's duration")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  many->add_option("--samples", command.samples, "Times at which motions are compared; default 100")
      ->type_name("N")
      ->check(CLI::Range(10, 10000));
  many->add_option("--tolerance", command.tolerance, "Of the scale: runs part when they differ by more; default 0.01")
      ->type_name("PART")
      ->check(CLI::PositiveNumber);
  many->add_flag("--json", command.json, "Print one JSON object at the end, nothing else");
  many->footer(
      "Each run that is done is a line of DIR/members.jsonl: the same command goes on after Ctrl-C or a kill, and "
      "more\n"
      "--runs add to those there. DIR/ensemble.json has all results, DIR/*.svg are figures; docs/ensembles.md says "
      "how\n"
      "the verdict is found.\n"
      "Exit code: 0 done, 1 failed, 2 bad usage or bad input, 130 interrupted.\n\n"
      "Examples:\n"
      "  cairn ensemble column-collapse --perturb positions --runs 41\n"
      "  cairn ensemble wall --perturb numbering --perturb h=1e-3 --out out/wall\n"
      "  cairn ensemble incline --vary mu=0.4:0.6 --runs 101 --one-size");
  return many;
}

CLI::App* add_check(CLI::App& app, CheckCommand& command) {
  CLI::App* check = app.add_subcommand("check", "Validate scene files without running them; list their parameters");
  check->add_option("SCENE", command.scenes, "Scene files, or names of Cairn's scenes")->required();
  add_settings(check, command.settings);
  check->add_flag("--all", command.all, "Build scenes of any size (more than 20 000 bodies take time)");
  check->add_flag("--json", command.json, "One JSON object a scene");
  return check;
}

CLI::App* add_scenes(CLI::App& app, ScenesCommand& command) {
  CLI::App* scenes = app.add_subcommand("scenes", "List Cairn's scenes, show or copy them");
  scenes->add_option("NAME", command.names, "Scenes to show");
  scenes->add_option("--copy", command.copy, "Copy them (all, or those named) to this folder")->type_name("DIR");
  return scenes;
}

CLI::App* add_keys(CLI::App& app, KeysCommand& command) {
  CLI::App* keys = app.add_subcommand("keys", "Every key of a scene file, as a page (Markdown)");
  keys->add_flag("--schema", command.schema, "As a JSON schema, for editors");
  return keys;
}

CLI::App* add_info(CLI::App& app, InfoCommand& command) {
  CLI::App* info = app.add_subcommand("info", "What a results file holds");
  info->add_option("FILE", command.files, "Results files (HDF5)")->required();
  info->add_flag("--json", command.json, "One JSON object a file");
  info->add_flag("--scene", command.scene, "Print the scene file that was run");
  return info;
}

CLI::App* add_repair(CLI::App& app, RepairCommand& command) {
  CLI::App* repair = app.add_subcommand("repair", "Make a clean results file of one that was killed or damaged");
  repair->add_option("FILE", command.file, "The results file")->required();
  repair->add_option("--out", command.out, "Write the clean one here; not given: in its place")->type_name("FILE");
  return repair;
}

void add_pictures(CLI::App* out, ExportCommand& command) {
  out->add_option("--png", command.png, "Pictures, as pixels")->type_name("DIR");
  out->add_option("--movie", command.movie, "All frames, evenly in time: .mp4, .webm or .gif")->type_name("FILE");
  out->add_option("--fps", command.fps, "Pictures a second of the movie")
      ->type_name("N")
      ->check(CLI::Range(0.1, 120.0));
  out->add_option("--speed", command.speed, "Simulated seconds a second of the movie")
      ->type_name("FACTOR")
      ->check(CLI::PositiveNumber);
  out->add_option(
         "--render", command.render,
         "Who draws PNG and movies: 'page' (in Chromium) or 'plain'; 'auto': page in space, plain in the plane")
      ->type_name("WAY")
      ->check(CLI::IsMember({"auto", "page", "plain"}));
  out->add_option("--azimuth", command.azimuth_deg, "Where the viewer stands, in space, from x")->type_name("DEGREES");
  out->add_option("--elevation", command.elevation_deg, "Above the level")->type_name("DEGREES");
  out->add_option("--width", command.width, "Of a picture; not given: 640 (SVG), 1280 (PNG, movies)")
      ->type_name("PIXELS")
      ->check(CLI::Range(100, 4000));
  out->add_option("--height", command.height, "Of a picture by the page; not given: 3/4 of the width")
      ->type_name("PIXELS")
      ->check(CLI::Range(100, 4000));
  out->add_option("--theme", command.theme, "Of a picture by the page: light or dark")
      ->type_name("NAME")
      ->check(CLI::IsMember({"light", "dark"}));
  out->add_option("--colour", command.colour, "Bodies in a picture by the page: speed, displacement, spin ...")
      ->type_name("QUANTITY")
      ->check(CLI::IsMember({"none", "speed", "displacement", "spin", "energy", "coordination", "material", "label"}));
}

CLI::App* add_export(CLI::App& app, ExportCommand& command) {
  CLI::App* out =
      app.add_subcommand("export", "Pages, tables, pictures, ParaView files and contact problems from results");
  out->add_option("FILE", command.file, "A results file (HDF5)")->required();
  out->add_option("--html", command.html, "One page with the whole motion, which opens without Cairn")
      ->type_name("FILE");
  out->add_option("--forces", command.forces,
                  "In that page: ranges of forces, as cairn forces RESULT --out FILE wrote them")
      ->type_name("FILE");
  out->add_option("--max-mb", command.max_mb, "Of that page; fewer frames where it would be larger; default 25")
      ->type_name("MB")
      ->check(CLI::PositiveNumber);
  out->add_option("--vtk", command.vtk, "ParaView: PVD and VTP files of bodies and contacts")->type_name("DIR");
  out->add_option("--csv", command.csv, "Tables of states, contacts, steps and probes")->type_name("DIR");
  out->add_option("--svg", command.svg, "Pictures, as lines")->type_name("DIR");
  add_pictures(out, command);
  out->add_option("--fclib", command.fclib, "Contact problems (FCLIB), of the steps after the frames")
      ->type_name("DIR");
  out->add_option("--at", command.times, "Times of the frames wanted [s]; not given: all frames")
      ->type_name("T,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  out->add_option("--every", command.every, "Every so many frames")->type_name("N")->check(CLI::PositiveNumber);
  out->add_option("--strip", command.strip, "One figure with so many pictures a row")->type_name("N");
  out->add_flag("--no-forces", command.no_forces, "Pictures without force chains");
  out->add_flag("--displacement", command.displacement, "Pictures with displacements since the start, as arrows");
  out->add_flag("--shade", command.shade, "Pictures shaded by displacement");
  out->footer(
      "Examples:\n"
      "  cairn export wall.h5 --html wall.html\n"
      "  cairn export wall.h5 --png pictures --at 0,5,10 --strip 3\n"
      "  cairn export dome.h5 --movie dome.mp4 --speed 0.25 --azimuth -60 --elevation 20\n"
      "  cairn export wall.h5 --vtk paraview --every 5\n"
      "  cairn export wall.h5 --fclib problems --at 3.2");
  return out;
}

CLI::App* add_plot(CLI::App& app, PlotCommand& command) {
  CLI::App* plot = app.add_subcommand("plot", "Standard plots of one or several runs");
  plot->add_option("KIND", command.kind, "One of: " + joined(cairn::app::plot_names()))->required();
  plot->add_option("FILE", command.files, "Results files (HDF5)")->required();
  plot->add_option("--out", command.out, "File, .svg or .png; not given: KIND.svg")->type_name("FILE");
  plot->add_option("--probe", command.probes, "Probes to draw; may be repeated; not given: all")
      ->type_name("NAME")
      ->allow_extra_args(false);
  plot->add_option("--between", command.times, "Steps between two times alone [s]")
      ->type_name("T1,T2")
      ->delimiter(',')
      ->expected(2);
  plot->add_option("--at", command.at, "Time of the histogram's frame [s]; not given: the last")->type_name("T");
  plot->add_option("--title", command.title, "Of the figure")->type_name("TEXT");
  plot->footer(
      "Examples:\n"
      "  cairn plot energy wall.h5 --out energy.png\n"
      "  cairn plot stress-strain a.h5 b.h5 --out curves.svg");
  return plot;
}

CLI::App* add_forces(CLI::App& app, ForcesCommand& command) {
  CLI::App* forces = app.add_subcommand("forces", "What is certain about contact forces that rigidity leaves open");
  forces->add_option("RESULT", command.file, "A results file (HDF5) with contacts")->required();
  forces->add_option("--step", command.step, "The frame nearest to this step; not given: the last frame")
      ->type_name("N");
  forces->add_option("--time", command.time, "The frame nearest to this time [s]")->type_name("T");
  forces->add_flag("--all", command.all, "A table of all contacts, not of the least determined alone");
  forces->add_flag("--json", command.json, "Print one JSON object, with the ranges of all contacts");
  forces->add_option("--out", command.out, "Write that object to a file")->type_name("FILE");
  forces->add_option("--csv", command.csv, "Write the ranges as a table")->type_name("FILE");
  forces->add_option("--picture", command.picture, "Draw the ranges on the contacts: .svg or .png")->type_name("FILE");
  forces->add_option("--width", command.width, "Of the picture; default 800")
      ->type_name("PIXELS")
      ->check(CLI::Range(100, 4000));
  forces->add_option("--azimuth", command.azimuth_deg, "Where its viewer stands, in space, from x")
      ->type_name("DEGREES");
  forces->add_option("--elevation", command.elevation_deg, "Above the level")->type_name("DEGREES");
  forces
      ->add_option("--tolerance", command.tolerance,
                   "Slower contacts, relative to the largest velocity at one, count as at rest; default 1e-6")
      ->type_name("PART")
      ->check(CLI::Range(0.0, 1.0));
  forces
      ->add_option("--threads", command.threads,
                   "Threads to compute with; not given: all of the machine's. The results are the same, bit for bit")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  forces->footer(
      "The motion of the frame's last step is taken as known; ranges run over all distributions of force that give "
      "it.\n"
      "Exit code: 0 done, 1 failed, 2 bad usage or bad input, 130 interrupted.\n\n"
      "Examples:\n"
      "  cairn forces arch.h5\n"
      "  cairn forces wall.h5 --time 0.2 --picture wall-forces.svg\n"
      "  cairn forces packing.h5 --csv ranges.csv --out ranges.json");
  return forces;
}

CLI::App* add_view(CLI::App& app, ViewCommand& command) {
  CLI::App* view = app.add_subcommand("view", "Show results in a browser, finished or still running");
  view->add_option("RESULT", command.file, "A results file (HDF5)")->required();
  view->add_option("--forces", command.forces, "Ranges of forces, as cairn forces RESULT --out FILE wrote them")
      ->type_name("FILE");
  view->add_option("--port", command.port, "Of the page; not given: any that is free")
      ->type_name("P")
      ->check(CLI::Range(0, 65535));
  view->add_option("--address", command.address, "Of this machine, to listen on; not given: 127.0.0.1, itself alone")
      ->type_name("A");
  view->add_flag("--no-open", command.no_open, "Print the address, open no browser");
  view->footer(
      "The address has a random part, which lets in nobody but those who know it.\n"
      "Ctrl-C ends it. Exit code: 0 ended, 1 failed, 2 bad usage or bad input.\n\n"
      "Examples:\n"
      "  cairn view wall.h5\n"
      "  cairn view wall.h5 --forces wall-forces.json\n"
      "  cairn view wall.h5 --no-open --port 8080");
  return view;
}

CLI::App* add_gallery(CLI::App& app, GalleryCommand& command) {
  CLI::App* gallery = app.add_subcommand("gallery", "A folder of results as a site: pictures, numbers, pages");
  gallery->add_option("DIR", command.folder, "A folder with results files (*.h5)")->required();
  gallery->add_option("--out", command.out, "The site's folder")->type_name("SITE")->required();
  gallery->add_option("--title", command.title, "Of the front page; not given: the folder's name")->type_name("TEXT");
  gallery->add_option("--max-mb", command.max_mb, "Of a page; default 25")->type_name("MB")->check(CLI::PositiveNumber);
  gallery->footer(
      "The site needs no server and no network: open SITE/index.html, or put the folder anywhere on the web.\n\n"
      "Example:\n"
      "  cairn gallery out --out site --title \"Walls and arches\"");
  return gallery;
}

// A word that is no command gets a hint, which CLI11 does not give.
bool reject_unknown_command(int argc, char** argv, const std::vector<std::string>& commands) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::string typed = argv[1];
  for (const std::string& command : commands)
    if (typed == command) return false;
  std::fprintf(stderr, "cairn: no command '%s', expected one of %s%s\n", typed.c_str(), joined(commands).c_str(),
               cairn::hint(typed, commands).c_str());
  return true;
}

// A command of the line: its parser, and what it does.
struct Command {
  CLI::App* parser;
  std::function<int()> act;
};

// What a command printed may not have arrived: a full disk behind a redirection. Most commands tell that themselves.
int act(const Command& command) {
  constexpr int failed = 1;
  int code = failed;
  std::string trouble;
  try {
    code = command.act();
  } catch (const std::system_error& error) {  // of a print, or of a file
    trouble = error.what();
  }
  const bool printed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (trouble.empty() && (code != 0 || printed)) return code;
  std::fprintf(stderr, "cairn: %s\n", printed ? trouble.c_str() : "standard output cannot be written");
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cairn: exact hard contact with Coulomb friction", "cairn"};
  app.set_version_flag("--version", "cairn " CAIRN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  cairn run wall\n"
      "  cairn scenes\n"
      "  cairn example list\n"
      "  cairn solve scenes/fclib-sample/*.hdf5\n\n"
      "'cairn COMMAND --help' tells more.");
  RunCommand run, resume;
  EnsembleCommand ensemble;
  CheckCommand check;
  ScenesCommand scenes;
  KeysCommand keys;
  InfoCommand info;
  RepairCommand repair;
  ExportCommand exported;
  PlotCommand plot;
  ForcesCommand forces;
  ViewCommand view;
  GalleryCommand gallery;
  const std::vector<Command> commands{
      {add_run(app, run), [&] { return cairn::app::run_scene(run); }},
      {add_resume(app, resume), [&] { return cairn::app::resume_scene(resume); }},
      {add_ensemble(app, ensemble), [&] { return cairn::app::run(ensemble); }},
      {add_check(app, check), [&] { return cairn::app::run(check); }},
      {add_scenes(app, scenes), [&] { return cairn::app::run(scenes); }},
      {add_keys(app, keys), [&] { return cairn::app::run(keys); }},
      {add_info(app, info), [&] { return cairn::app::run(info); }},
      {add_repair(app, repair), [&] { return cairn::app::run(repair); }},
      {add_export(app, exported), [&] { return cairn::app::run(exported); }},
      {add_plot(app, plot), [&] { return cairn::app::run(plot); }},
      {add_forces(app, forces), [&] { return cairn::app::run(forces); }},
      {add_view(app, view), [&] { return cairn::app::run(view); }},
      {add_gallery(app, gallery), [&] { return cairn::app::run(gallery); }},
  };

  // These are a program of their own, which takes as long to build as all the rest.
  app.add_subcommand("solve", "Solve contact problems stored in FCLIB files (HDF5)");
  app.add_subcommand("solutions", "List every solution of small contact problems (FCLIB files)");
  app.add_subcommand("example", "Run an example of the papers, or list them");
  app.add_subcommand("study", "Error of an example against its exact answer, for random steps");
  std::vector<std::string> names{"solve", "solutions", "example", "study"};
  if (argc > 1 && std::ranges::find(names, argv[1]) != names.end()) return cairn::app::run_tools_program(argv);
  for (const Command& c : commands) names.push_back(c.parser->get_name());
  if (reject_unknown_command(argc, argv, names)) return usage_error;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage_error;  // help and version are no errors
  }
  for (const Command& c : commands)
    if (c.parser->parsed()) return act(c);
  return usage_error;
}
