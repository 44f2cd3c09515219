// Time to a given error on FCLIB files: Cairn's solvers against Siconos (where it was found at build time).
//
//   fclib FILE... [--tol 1e-4,1e-8] [--repeat 5] [--max-seconds 20] [--solvers cairn,siconos,auto,NSGS,...]
//         [--order SEED,...] [--free-reduction] [--json] [--verbose]
//
// One thread, CPU time, cold start. Both sides are judged by error_of(): natural map with rho = 1 over |q|. Siconos
// stops on an error of its own scale, so it is run on a ladder of ever tighter internal tolerances; only the first run
// whose error passes is counted. Each solver works in a forked child under a CPU limit. For global files Siconos gets
// its native solvers and the reduced local problem, charged with the CPU time of the reduction made here, since our own
// time includes ours; --free-reduction makes it a present to Siconos. --order: each problem once a seed with its
// contacts in that random order, 0 being the order of the file.
#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "cairn/problem/transform.hpp"
#include "cairn/solver/solve.hpp"
#include "support/isolate.hpp"
#include "support/table.hpp"
#ifdef HAVE_SICONOS
#include "support/siconos.hpp"
#endif

namespace {

using namespace bench;
using cairn::Method;
using cairn::Real;
using cairn::fclib::Problem;

struct Options {
  std::vector<std::string> files;
  std::vector<Real> tolerances = {1e-4, 1e-8};
  std::vector<std::string> solvers;  // empty: all
  int repeat = 5;
  double max_seconds = 20;                       // [s] CPU time of one run
  std::vector<unsigned long long> orders = {0};  // seeds; 0: as in the file
  bool json = false, verbose = false, free_reduction = false;
};

// What a child reports after each run.
struct Run {
  int tolerance;  // index
  double seconds;
  Real error;
  long iterations;
  bool reached;
  bool warm_up;  // the first of several: caches and allocator, not counted
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) out.push_back(item);
  return out;
}

bool wanted(const Options& o, const std::string& solver, const char* family) {
  if (o.solvers.empty()) return true;
  for (const auto& s : o.solvers)
    if (s == solver || s == family) return true;
  return false;
}

// Median over the successful runs of one tolerance; the best error where there is none.
Cell summary(const std::vector<Run>& runs, int tolerance) {
  Cell c;
  std::vector<double> times;
  for (const Run& r : runs) {
    if (r.tolerance != tolerance || r.warm_up) continue;
    if (r.reached) {
      if (!c.reached || r.error > c.error) c.error = r.error;  // the worst of those counted
      c.reached = true, c.iterations = r.iterations;
      times.push_back(r.seconds);
    } else if (!c.reached && (c.error < 0 || r.error < c.error)) {
      c.error = r.error;
    }
  }
  c.seconds = median(times);
  return c;
}

std::vector<Run> run_ours(const Problem& p, Method method, const Options& o) {
  return isolated<Run>(2 * o.max_seconds + 5, [&](auto emit) {  // the solver's own limit should act first
    for (size_t t = 0; t < o.tolerances.size(); ++t)
      for (int k = 0; k <= o.repeat; ++k) {
        cairn::SolverOptions s;
        s.method = method, s.tolerance = o.tolerances[t], s.max_seconds = o.max_seconds;
        const double start = cpu_seconds();
        const cairn::Solved solved = cairn::solve(p, s);
        const double seconds = cpu_seconds() - start;
        const Real error = cairn::error_of(p, solved.solution.r);
        const bool reached = error <= o.tolerances[t];
        const bool last = !reached || seconds > 2;
        emit(Run{static_cast<int>(t), seconds, error, solved.report.iterations, reached, k == 0 && !last});
        if (last) break;
      }
  });
}

#ifdef HAVE_SICONOS
std::vector<Run> run_ladder(const Variant& v, const Problem& p, const Problem& local, const Options& o) {
  return isolated<Run>(o.max_seconds, [&](auto emit) {
    for (size_t t = 0; t < o.tolerances.size(); ++t) {
      const Real goal = o.tolerances[t];
      bool reached = false;
      for (Real tol = 10 * goal; tol >= 1e-9 * goal && tol > 1e-17 && !reached; tol /= std::sqrt(10.0))
        for (int k = 0; k <= o.repeat; ++k) {
          const PeerRun run = run_siconos(v, p, local, tol);
          Real error = cairn::error_of(p, run.r);
          if (!std::isfinite(error)) error = 1e99;
          reached = error <= goal;
          const bool last = !reached || run.seconds > 2;
          emit(Run{static_cast<int>(t), run.seconds, error, run.iterations, reached, k == 0 && !last});
          if (last) break;
        }
      if (!reached) return;
    }
  });
}
#endif

// Keeps the faster of two variants of one solver (or the more accurate when none reached).
void merge(Row& row, const Cell& c) {
  for (Cell& have : row.cells) {
    if (have.solver != c.solver) continue;
    const bool better = c.reached ? !have.reached || c.seconds < have.seconds
                                  : !have.reached && c.error >= 0 && (have.error < 0 || c.error < have.error);
    if (better) have = c;
    return;
  }
  row.cells.push_back(c);
}

void store(std::vector<Table>& tables, const std::vector<Run>& runs, const Cell& label, const Options& o) {
  for (size_t t = 0; t < tables.size(); ++t) {
    Cell c = summary(runs, static_cast<int>(t));
    c.solver = label.solver, c.detail = label.detail, c.ours = label.ours;
    if (o.verbose)
      fmt::print(stderr, "  {:.0e} {} ({}): {} {:.4g} ms, error {:.1e}, {} iterations\n", tables[t].tolerance, c.solver,
                 c.detail, c.reached ? "reached" : "no", 1e3 * c.seconds, c.error, c.iterations);
    merge(tables[t].rows.back(), c);
  }
}

void measure(const Problem& p, const std::string& name, const Options& o, std::vector<Table>& tables) {
  for (Table& t : tables) t.rows.push_back({name, p.contacts(), {}});
  if (o.verbose) fmt::print(stderr, "{} ({} contacts)\n", name, p.contacts());
  for (const Method m : {Method::automatic, Method::gauss_seidel, Method::anderson, Method::admm,
                         Method::interior_point, Method::newton}) {
    Cell label;
    label.solver = m == Method::automatic ? "auto" : cairn::name(m), label.ours = true;
    if (wanted(o, label.solver, "cairn")) store(tables, run_ours(p, m, o), label, o);
  }
#ifdef HAVE_SICONOS
  const double start = cpu_seconds();
  const auto local = reduce_to_local(p);
  if (!local) {
    fmt::print(stderr, "{}: no peer, {}\n", name, local.error());
    return;
  }
  const bool reduced = p.kind != cairn::fclib::Kind::local || p.equations() > 0;
  const double reduction = reduced && !o.free_reduction ? cpu_seconds() - start : 0;
  for (const Variant& v : siconos_variants(p)) {
    if (!wanted(o, v.name, "siconos")) continue;
    Cell label;
    label.solver = v.name, label.detail = v.detail;
    std::vector<Run> runs = run_ladder(v, p, *local, o);
    if (v.form == Variant::local)
      for (Run& r : runs) r.seconds += reduction;
    store(tables, runs, label, o);
  }
#endif
}

// Libraries read the number of threads when they are loaded, before main: set it and start again.
void force_one_thread(char** argv) {
  const char* names[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS"};
  bool set = true;
  for (const char* n : names) set = set && std::getenv(n) && !std::strcmp(std::getenv(n), "1");
  if (set) return;
  for (const char* n : names) setenv(n, "1", 1);
  execv("/proc/self/exe", argv);
}

int usage(const std::string& why) {
  fmt::print(stderr,
             "{}\nusage: fclib FILE... [--tol 1e-4,1e-8] [--repeat 5] [--max-seconds 20] [--solvers NAME,...] "
             "[--order SEED,...] [--free-reduction] [--json] [--verbose]\nNAME: cairn, siconos, auto, a method of ours "
             "or a solver of Siconos\n",
             why);
  return 2;
}

bool parse(int argc, char** argv, Options& o) {
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--json") {
      o.json = true;
    } else if (a == "--verbose") {
      o.verbose = true;
    } else if (a == "--free-reduction") {
      o.free_reduction = true;
    } else if (a.rfind("--", 0) != 0) {
      o.files.push_back(a);
    } else if (++i == argc) {
      return false;
    } else if (a == "--tol") {
      o.tolerances.clear();
      for (const auto& s : split(argv[i])) o.tolerances.push_back(std::atof(s.c_str()));
    } else if (a == "--order") {
      o.orders.clear();
      for (const auto& s : split(argv[i])) {
        char* end = nullptr;
        o.orders.push_back(std::strtoull(s.c_str(), &end, 10));
        if (end == s.c_str() || *end != 0) return false;  // a word would pass for the order of the file
      }
    } else if (a == "--repeat") {
      o.repeat = std::max(1, std::atoi(argv[i]));
    } else if (a == "--max-seconds") {
      o.max_seconds = std::atof(argv[i]);
    } else if (a == "--solvers") {
      o.solvers = split(argv[i]);
    } else {
      return false;
    }
  }
  return !o.files.empty() && !o.tolerances.empty() && !o.orders.empty() && o.max_seconds > 0;
}

}  // namespace

int main(int argc, char** argv) {
  force_one_thread(argv);
  Options o;
  if (!parse(argc, argv, o)) return usage("bad arguments");
  std::sort(o.tolerances.rbegin(), o.tolerances.rend());
  std::vector<Table> tables;
  for (const Real t : o.tolerances) tables.push_back({t, {}});
  for (const auto& file : o.files) {
    const auto problem = cairn::fclib::read(file);
    if (!problem) {
      fmt::print(stderr, "{}\n", problem.error());
      return 1;
    }
    const std::string name = std::filesystem::path(file).stem().string();
    for (const unsigned long long seed : o.orders) {
      if (seed == 0)
        measure(*problem, name, o, tables);
      else
        measure(cairn::permute_contacts(*problem, cairn::random_order(problem->contacts(), seed)),
                fmt::format("{} order {}", name, seed), o, tables);
    }
  }
  if (o.json) return print_json(tables), 0;
  for (const Table& t : tables) print_markdown(t);
  return 0;
}
