// The command line. CLI11 costs seconds to compile: this unit alone includes it.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "closest.hpp"
#include "solve_command.hpp"

namespace {

using cairn::app::SolveCommand;

constexpr int usage_error = 2;

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

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

// A word that is no command gets a hint, which CLI11 does not give.
bool reject_unknown_command(int argc, char** argv, const std::vector<std::string>& commands) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::string typed = argv[1];
  for (const std::string& command : commands)
    if (typed == command) return false;
  std::fprintf(stderr, "cairn: no command '%s', expected one of %s%s\n", typed.c_str(), joined(commands).c_str(),
               cairn::app::hint(typed, commands).c_str());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cairn: exact hard contact with Coulomb friction", "cairn"};
  app.set_version_flag("--version", "cairn " CAIRN_VERSION);
  app.require_subcommand(1);
  app.footer("Example:\n  cairn solve scenes/fclib-sample/*.hdf5\n\n'cairn COMMAND --help' tells more.");
  SolveCommand command;
  const CLI::App* solve = add_solve(app, command);

  if (reject_unknown_command(argc, argv, {"solve"})) return usage_error;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage_error;  // help and version are no errors
  }
  return solve->parsed() ? cairn::app::run(command) : usage_error;
}
