// The program behind `cairn solve`, `cairn solutions`, `cairn example` and `cairn study`. CLI11 costs seconds to
// compile: this unit alone includes it.
#include <cstdio>

#include "command_line.hpp"
#include "example_command.hpp"
#include "solutions_command.hpp"
#include "solve_command.hpp"
#include "study_command.hpp"

namespace {

using cairn::app::add_settings;
using cairn::app::ExampleCommand;
using cairn::app::joined;
using cairn::app::SolutionsCommand;
using cairn::app::SolveCommand;
using cairn::app::StudyCommand;
using cairn::app::usage_error;

CLI::App* add_solve(CLI::App& app, SolveCommand& command) {
  CLI::App* solve = app.add_subcommand("solve", "Solve contact problems stored in FCLIB files (HDF5)");
  solve->add_option("FILE", command.files, "FCLIB files: local, global or global_rolling")->required();
  solve->add_option("--solver", command.solver, "One of: " + joined(cairn::app::solver_names()))->type_name("NAME");
  solve->add_option("--tol", command.tolerance, "Error to reach: natural map over the norm of q")
      ->type_name("E")
      ->capture_default_str();
  solve->add_option("--max-seconds", command.max_seconds, "Time allowed for each problem")
      ->type_name("S")
      ->capture_default_str();
  solve->add_flag("--json", command.json, "One JSON object a line instead of the table");
  solve->add_flag("--history", command.history, "Show also how the error went down");
  solve
      ->add_option("--write", command.write,
                   "Write problem and /solution to this FCLIB file (a folder when there are several problems)")
      ->type_name("OUT");
  solve->footer(
      "Exit code: 0 all converged, 1 some did not, 2 bad usage or bad input.\n\n"
      "Examples:\n"
      "  cairn solve pile.hdf5\n"
      "  cairn solve scenes/fclib-sample/*.hdf5 --tol 1e-6 --max-seconds 10 --json\n"
      "  cairn solve pile.hdf5 --write solved.hdf5");
  return solve;
}

CLI::App* add_solutions(CLI::App& app, SolutionsCommand& command) {
  CLI::App* solutions = app.add_subcommand("solutions", "List every solution of small contact problems (FCLIB files)");
  solutions->add_option("FILE", command.files, "FCLIB files: local or global, at most 12 contacts in the plane")
      ->required();
  solutions->add_option("--starts", command.starts, "Random starts of a problem in space, where solutions are sampled")
      ->type_name("N")
      ->capture_default_str();
  solutions->add_option("--seed", command.seed, "Of the random starts")->type_name("N")->capture_default_str();
  solutions
      ->add_option("--tol", command.tolerance, "Error that every solution must reach: natural map over the norm of q")
      ->type_name("E")
      ->capture_default_str();
  solutions->add_flag("--json", command.json, "One JSON object a line instead of tables");
  solutions->footer(
      "In the plane the list is complete: each solution by itself, or a continuum by its end points. In space it may\n"
      "not be, except for one contact.\n\n"
      "Exit code: 0 all have a solution, 1 some have none or one with an error above --tol, 2 bad usage or bad "
      "input.\n\n"
      "Examples:\n"
      "  cairn solutions scenes/fclib-sample/painleve-rod.hdf5\n"
      "  cairn solutions step.hdf5 --starts 1000 --json");
  return solutions;
}

CLI::App* add_example(CLI::App& app, ExampleCommand& command) {
  CLI::App* example = app.add_subcommand("example", "Run an example of the papers, or list them");
  example->set_help_flag();  // with a name, help is about that example
  example->add_flag("-h,--help", command.help, "This help; after a NAME its parameters and outputs");
  example->add_option("NAME", command.words, "'list', 'show NAME', or the name of an example")->type_name("");
  add_settings(example, command.settings);
  example->add_flag("--json", command.json, "One JSON object instead of text");
  example->add_option("--out", command.out, "Write tables (CSV) and figures (SVG) to this folder")->type_name("DIR");
  example->add_flag("--png", command.png, "Write the figures as PNG too");
  example->footer(
      "Exit code: 0 done, 2 bad usage or bad input.\n\n"
      "Examples:\n"
      "  cairn example list\n"
      "  cairn example show guided-contact\n"
      "  cairn example guided-contact --set gamma=0.3 --set beta_deg=60 --out results --png");
  return example;
}

CLI::App* add_study(CLI::App& app, StudyCommand& command) {
  CLI::App* study = app.add_subcommand("study", "Error of an example against its exact answer, for random steps");
  study->add_option("NAME", command.example, "An example that has a parameter h and knows its answer")
      ->type_name("")
      ->required();
  add_settings(study, command.settings);
  study->add_option("--h", command.steps, "Steps are drawn from ]H/10, H] for each of these")
      ->type_name("H,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  study->add_option("--samples", command.samples, "Steps drawn for each H")->type_name("N")->capture_default_str();
  study->add_option("--seed", command.seed, "Of the random steps")->type_name("N")->capture_default_str();
  study->add_option("--vary", command.vary, "Compare values of another parameter")->type_name("KEY=A,B,...");
  study->add_flag("--json", command.json, "One JSON object instead of text");
  study->add_option("--out", command.out, "Write a table (CSV) and a figure (SVG) to this folder")->type_name("DIR");
  study->add_flag("--png", command.png, "Write the figure as PNG too");
  study->footer(
      "Exit code: 0 done, 2 bad usage or bad input.\n\n"
      "Example:\n"
      "  cairn study guided-contact --h 1e-1,1e-2,1e-3 --vary beta_deg=20,45 --out results");
  return study;
}

int show_or_run(const CLI::App& parser, const ExampleCommand& command) {
  if (!command.help || !command.words.empty()) return cairn::app::run(command);
  std::fputs(parser.help("cairn").c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cairn: exact hard contact with Coulomb friction", "cairn"};
  app.require_subcommand(1);
  SolveCommand solve_command;
  SolutionsCommand solutions_command;
  ExampleCommand example_command;
  StudyCommand study_command;
  const CLI::App* solve = add_solve(app, solve_command);
  const CLI::App* solutions = add_solutions(app, solutions_command);
  const CLI::App* example = add_example(app, example_command);
  const CLI::App* study = add_study(app, study_command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage_error;  // help is no error
  }
  if (solve->parsed()) return cairn::app::run(solve_command);
  if (solutions->parsed()) return cairn::app::run(solutions_command);
  if (example->parsed()) return show_or_run(*example, example_command);
  return study->parsed() ? cairn::app::run(study_command) : usage_error;
}
