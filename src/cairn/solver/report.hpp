// What a solver is asked and what it answers.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

enum class Method { automatic, gauss_seidel, anderson, admm, interior_point, newton };

struct SolverOptions {
  Method method = Method::automatic;
  Real tolerance = 1e-8;    // [-] on the natural map over |q|
  Real enough = 0;          // [-] with `auto`, no further method is begun below this error
  Real max_seconds = 600;   // [s] then status is `time`
  long max_iterations = 0;  // 0: the method's own bound; with `auto` of all methods together, 0: none
  bool warm_start = false;  // start from the impulses given, not from zero
  bool swept = false;       // over bodies: sweeps led to the impulses given and no further; only methods that factorise
                            // are tried, and none where that is dear
};

enum class Stop { converged, stalled, infeasible, time };

struct ErrorPoint {
  Method method;
  long iteration;
  double seconds;
  Real error;
};

struct Report {
  Stop status = Stop::stalled;
  Method method = Method::automatic;  // the method that reached the answer
  Real error = 0;                     // natural map (rho = 1, De Saxce) over |q|
  long iterations = 0;                // sweeps and iterations of all methods together
  int factorisations = 0;
  double seconds = 0;
  std::vector<ErrorPoint> history;
  std::string reason;             // why it stopped, in words
  std::vector<Real> certificate;  // infeasible: x in K with W^T x = 0 (numerically), q . x < 0
};

const char* name(Method method);
const char* name(Stop status);
bool parse(const std::string& text, Method& method);

}  // namespace cairn
