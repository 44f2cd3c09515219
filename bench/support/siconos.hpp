// Siconos numerics (a peer) on a problem as it stands in an FCLIB file. Used by the benchmarks only.
#pragma once

#include <string>
#include <vector>

#include "cairn/problem/fclib.hpp"

namespace bench {

// How one algorithm of Siconos is called. Several variants share a name; the table keeps the fastest of them.
struct Variant {
  std::string name;                  // column of the table: NSGS, NSN_AC, ADMM, PROX, IPM, CPG, LEMKE, ENUM
  std::string detail;                // what distinguishes this variant
  int solver;                        // Siconos' identifier
  enum Form { local, global } form;  // the reduced problem, or M, H as in the file
  enum Storage { dense, blocks, sparse } storage;
  bool full_error;  // NSGS: true error after each sweep, not the increment
};

struct PeerRun {
  cairn::fclib::Vector r;  // (rows) impulses
  double seconds = 0;      // CPU time inside the driver alone
  long iterations = 0;
  int info = 0;  // Siconos' return value, 0: it believes that it converged
};

std::vector<Variant> siconos_variants(const cairn::fclib::Problem& problem);

// `local` is the reduced problem (reduce_to_local); reduction and conversion of storage are not timed: generous to the
// peer.
PeerRun run_siconos(const Variant& variant, const cairn::fclib::Problem& problem, const cairn::fclib::Problem& local,
                    double tolerance);

// u = W r + q with the bilateral part and the freedoms eliminated; same mu (and mu_r).
cairn::Expected<cairn::fclib::Problem> reduce_to_local(const cairn::fclib::Problem& problem);

}  // namespace bench
