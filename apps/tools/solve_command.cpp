#include "solve_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>

#include "cairn/base/closest.hpp"
#include "cairn/base/json.hpp"
#include "cairn/solver/solve.hpp"
#include "output_names.hpp"
#include "progress.hpp"

namespace cairn::app {
namespace {

enum ExitCode { all_converged = 0, some_not = 1, bad_input = 2 };

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

// What is known of one file when its turn is over.
struct Outcome {
  std::string file;
  fclib::Problem problem;
  Solved solved;
  std::string written;      // path, where a file was written
  std::string write_error;  // why not, where it was asked in vain
};

// How results are shown. Messages about bad files go to stderr in every form.
class Printer {
 public:
  virtual ~Printer() = default;
  virtual void begin() {}
  virtual void result(const Outcome& outcome) = 0;
  virtual void bad_file(const std::string& file, const std::string& message) = 0;
};

class TablePrinter : public Printer {
 public:
  explicit TablePrinter(const SolveCommand& command) : history_(command.history) {
    for (const std::string& file : command.files) problem_width_ = std::max(problem_width_, stem_of(file).size());
    for (const std::string& solver : solver_names()) solver_width_ = std::max(solver_width_, solver.size());
  }

  void begin() override {
    fmt::print("{:<{}}  {:>8}  {:>3}  {:<{}}  {:>9}  {:>10}  {:>14}  {:>10}  {}\n", "problem", problem_width_,
               "contacts", "dim", "solver", solver_width_, "error", "iterations", "factorisations", "time (ms)",
               "status");
    std::fflush(stdout);
  }

  void result(const Outcome& o) override {
    const Report& r = o.solved.report;
    const bool explain = r.status != Stop::converged && !r.reason.empty();
    fmt::print("{:<{}}  {:>8}  {:>3}  {:<{}}  {:>9.2e}  {:>10}  {:>14}  {:>10.3f}  {}{}\n", stem_of(o.file),
               problem_width_, o.problem.contacts(), o.problem.spacedim, name(r.method), solver_width_, r.error,
               r.iterations, r.factorisations, 1e3 * r.seconds, name(r.status), explain ? ": " + r.reason : "");
    if (history_) print_history(r);
    std::fflush(stdout);
  }

  void bad_file(const std::string&, const std::string&) override {}

 private:
  void print_history(const Report& r) const {
    for (const ErrorPoint& point : r.history)
      fmt::print("  {:<{}}  iteration {:>8}  {:>10.3f} ms  error {:.2e}\n", name(point.method), solver_width_,
                 point.iteration, 1e3 * point.seconds, point.error);
  }

  bool history_;
  std::size_t problem_width_ = 7;  // of the headings
  std::size_t solver_width_ = 6;
};

class JsonPrinter : public Printer {
 public:
  explicit JsonPrinter(const SolveCommand& command) : history_(command.history) {}

  void result(const Outcome& o) override {
    const Report& r = o.solved.report;
    JsonObject object;
    object.text("problem", stem_of(o.file)).text("file", o.file);
    object.integer("contacts", o.problem.contacts()).integer("dimension", o.problem.spacedim);
    object.text("solver", name(r.method)).number("error", r.error).integer("iterations", r.iterations);
    object.integer("factorisations", r.factorisations).number("seconds", r.seconds);
    object.text("status", name(r.status)).text("reason", r.reason);
    if (!o.written.empty()) object.text("written", o.written);
    if (!o.write_error.empty()) object.text("write_error", o.write_error);
    if (!r.certificate.empty()) object.raw("certificate", fmt::format("[{}]", fmt::join(r.certificate, ",")));
    if (history_) object.raw("history", history(r));
    line(object);
  }

  void bad_file(const std::string& file, const std::string& message) override {
    JsonObject object;
    object.text("problem", stem_of(file)).text("file", file).text("status", "error").text("message", message);
    line(object);
  }

 private:
  static void line(const JsonObject& object) {
    fmt::print("{}\n", object.str());
    std::fflush(stdout);
  }

  static std::string history(const Report& r) {
    std::string points;
    for (const ErrorPoint& point : r.history) {
      JsonObject object;
      object.text("solver", name(point.method)).integer("iteration", point.iteration);
      object.number("seconds", point.seconds).number("error", point.error);
      points += (points.empty() ? "" : ", ") + object.str();
    }
    return "[" + points + "]";
  }

  bool history_;
};

void complain(const std::string& message) { fmt::print(stderr, "cairn: {}\n", message); }

// Options as the solver takes them; a message where they make no sense.
Expected<SolverOptions> solver_options(const SolveCommand& command) {
  SolverOptions options;
  options.tolerance = command.tolerance;
  options.max_seconds = command.max_seconds;
  if (!(command.tolerance > 0)) return Error{fmt::format("--tol: {}, expected more than 0", command.tolerance)};
  if (!(command.max_seconds > 0))
    return Error{fmt::format("--max-seconds: {}, expected more than 0", command.max_seconds)};
  if (!command.solver.empty() && !parse(command.solver, options.method)) {
    const auto names = solver_names();
    return Error{fmt::format("--solver: no solver '{}', expected one of {}{}", command.solver, fmt::join(names, ", "),
                             hint(command.solver, names))};
  }
  return options;
}

// Reads, solves and writes one file; an exception of the numerics (memory) costs that file, not the others.
Expected<Outcome> treat(const std::string& file, const SolverOptions& options, const std::string& output) {
  auto problem = fclib::read(file);
  if (!problem) return Error{problem.error()};
  try {
    Outcome outcome{file, std::move(*problem), {}, {}, {}};
    outcome.solved = solve(outcome.problem, options);
    if (!output.empty()) {
      outcome.write_error = fclib::write(output, outcome.problem, outcome.solved.solution);
      if (outcome.write_error.empty()) outcome.written = output;
    }
    return outcome;
  } catch (const std::exception& failure) {
    return Error{fmt::format("{}: cannot be solved ({})", file, failure.what())};
  }
}

int code_of(const Outcome& outcome) {
  if (!outcome.write_error.empty()) return bad_input;
  return outcome.solved.report.status == Stop::converged ? all_converged : some_not;
}

}  // namespace

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  // Past the last method name() answers "?": the list lives with the methods, in solver/report.cpp.
  for (int k = 0; std::string(name(static_cast<Method>(k))) != "?"; ++k)
    names.emplace_back(name(static_cast<Method>(k)));
  return names;
}

int run(const SolveCommand& command) {
  const auto options = solver_options(command);
  if (!options) return complain(options.error()), bad_input;
  std::vector<std::string> outputs(command.files.size());
  if (!command.write.empty()) {
    auto names = output_names(command.files, command.write);
    if (!names) return complain("--write: " + names.error()), bad_input;
    outputs = std::move(*names);
  }

  std::unique_ptr<Printer> printer;
  if (command.json)
    printer = std::make_unique<JsonPrinter>(command);
  else
    printer = std::make_unique<TablePrinter>(command);
  const ProgressLine progress;
  int code = all_converged;
  printer->begin();
  for (std::size_t k = 0; k < command.files.size(); ++k) {
    const std::string& file = command.files[k];
    progress.show(fmt::format("[{}/{}] {}", k + 1, command.files.size(), stem_of(file)));
    const auto outcome = treat(file, *options, outputs[k]);
    progress.clear();
    if (!outcome) {
      complain(outcome.error());
      printer->bad_file(file, outcome.error());
      code = bad_input;
      continue;
    }
    if (!outcome->write_error.empty()) complain(outcome->write_error);
    printer->result(*outcome);
    code = std::max(code, code_of(*outcome));
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) return complain("standard output cannot be written"), bad_input;
  return code;
}

}  // namespace cairn::app
