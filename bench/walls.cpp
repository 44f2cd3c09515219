// Masonry walls at rest in primal form (bodies): time to 1e-4 and 1e-8 as the wall grows 16 times.
//
//   walls [--mu 0.3] [--repeat 3] [--max-seconds 60]
//
// Prints, for each wall and tolerance, contacts, iterations, factorisations, CPU ms (median) and the error reported;
// then the exponent p of time ~ contacts^p by least squares on the logarithms.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "cairn/problem/generate.hpp"
#include "cairn/solver/solve_bodies.hpp"
#include "support/isolate.hpp"

namespace {

using namespace cairn;

struct Options {
  Real mu = 0.3;
  int repeat = 3;
  double max_seconds = 60;
};

struct Size {
  int courses, bricks;
};

struct Result {
  double seconds;
  Report report;
};

Result measure(const PlaneProblem& p, Real tolerance, const Options& o) {
  SolverOptions s;
  s.tolerance = tolerance, s.max_seconds = o.max_seconds;
  Result out{};
  std::vector<double> times;
  for (int k = 0; k < o.repeat; ++k) {
    std::vector<Real> S, u;  // cold start: empty
    const double start = bench::cpu_seconds();
    out.report = solve_bodies(p, s, S, u);
    times.push_back(bench::cpu_seconds() - start);
  }
  out.seconds = bench::median(times);
  return out;
}

// Slope of log y against log x.
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

bool parse(int argc, char** argv, Options& o) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string a = argv[i];
    if (a == "--mu")
      o.mu = std::atof(argv[i + 1]);
    else if (a == "--repeat")
      o.repeat = std::max(1, std::atoi(argv[i + 1]));
    else if (a == "--max-seconds")
      o.max_seconds = std::atof(argv[i + 1]);
    else
      return false;
  }
  return argc % 2 == 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  if (!parse(argc, argv, o)) {
    fmt::print(stderr, "usage: walls [--mu 0.3] [--repeat 3] [--max-seconds 60]\n");
    return 2;
  }
  fmt::print("| wall | contacts | tolerance | iterations | factorisations | CPU ms | error | status |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  const Size sizes[] = {{16, 11}, {32, 22}, {64, 44}};
  for (const Real tolerance : {1e-4, 1e-8}) {
    std::vector<double> contacts, seconds;
    for (const Size& size : sizes) {
      const PlaneProblem p = wall(size.courses, size.bricks, o.mu);
      const Result r = measure(p, tolerance, o);
      contacts.push_back(p.contacts()), seconds.push_back(r.seconds);
      fmt::print("| {}x{} | {} | {:.0e} | {} | {} | {:.3g} | {:.1e} | {} |\n", size.courses, size.bricks, p.contacts(),
                 tolerance, r.report.iterations, r.report.factorisations, 1e3 * r.seconds, r.report.error,
                 name(r.report.status));
    }
    fmt::print("| | | {:.0e} | | | time ~ contacts^{:.2f} | | |\n", tolerance, exponent(contacts, seconds));
  }
  return 0;
}
