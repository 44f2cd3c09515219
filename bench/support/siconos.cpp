#include "support/siconos.hpp"

#include <algorithm>
#include <cstdlib>

#include "cairn/problem/reduce.hpp"
#include "support/isolate.hpp"

extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <GlobalRollingFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
}

namespace bench {
namespace {

using cairn::fclib::Kind;
using cairn::fclib::Problem;
using cairn::fclib::Sparse;
using cairn::fclib::Vector;

NumericsMatrix* to_sparse(const Sparse& a) {
  const int rows = static_cast<int>(a.rows()), cols = static_cast<int>(a.cols());
  NumericsMatrix* m = NM_create(NM_SPARSE, rows, cols);
  NM_triplet_alloc(m, std::max<CS_INT>(1, static_cast<CS_INT>(a.nonZeros())));
  m->matrix2->origin = NSM_TRIPLET;
  for (int j = 0; j < a.outerSize(); ++j)
    for (Sparse::InnerIterator it(a, j); it; ++it) NM_entry(m, static_cast<int>(it.row()), j, it.value());
  NM_csc(m);  // made here so that its cost is not timed
  return m;
}

NumericsMatrix* to_dense(const Sparse& a) {
  NumericsMatrix* m = NM_create(NM_DENSE, static_cast<int>(a.rows()), static_cast<int>(a.cols()));
  std::fill(m->matrix0, m->matrix0 + a.rows() * a.cols(), 0.0);
  for (int j = 0; j < a.outerSize(); ++j)
    for (Sparse::InnerIterator it(a, j); it; ++it) m->matrix0[it.row() + j * a.rows()] = it.value();
  return m;
}

NumericsMatrix* to_blocks(const Sparse& a, int block) {
  NumericsMatrix* s = to_sparse(a);
  SparseBlockStructuredMatrix* b = SBM_new();
  SBM_from_csparse(block, NM_csc(s), b);
  return NM_new_SBM(static_cast<int>(a.rows()), static_cast<int>(a.cols()), b);
}

NumericsMatrix* to_numerics(const Sparse& a, Variant::Storage storage, int block) {
  if (storage == Variant::dense) return to_dense(a);
  return storage == Variant::blocks ? to_blocks(a, block) : to_sparse(a);
}

// Copies owned by Siconos (released with malloc's free, if ever: the child that runs this ends soon).
double* copy_of(const Vector& v) {
  double* p = static_cast<double*>(std::malloc(sizeof(double) * static_cast<size_t>(v.size() + 1)));
  std::copy(v.data(), v.data() + v.size(), p);
  return p;
}

SolverOptions* options_for(const Variant& v, double tolerance) {
  SolverOptions* o = solver_options_create(v.solver);
  // Caps so generous that the time limit of the bench decides. A proximal or Newton step costs thousands of sweeps.
  const bool newton = v.name == "NSN_AC" || v.name == "PROX" || v.name == "IPM";
  o->iparam[SICONOS_IPARAM_MAX_ITER] = newton ? 20000 : 10000000;
  o->dparam[SICONOS_DPARAM_TOL] = tolerance;
  if (v.full_error)
    o->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
  return o;
}

template <class Call>
void timed(PeerRun& out, SolverOptions* o, Call call) {
  const double start = cpu_seconds();
  out.info = call();
  out.seconds = cpu_seconds() - start;
  out.iterations = o->iparam[SICONOS_IPARAM_ITER_DONE];
}

void run_local(const Variant& v, const Problem& p, SolverOptions* o, PeerRun& out, Vector& u) {
  NumericsMatrix* W = to_numerics(p.W, v.storage, p.spacedim);
  if (p.mu_r.size() > 0) {
    auto* rolling = rollingFrictionContactProblem_new_with_data(p.spacedim, p.contacts(), W, copy_of(p.q),
                                                                copy_of(p.mu), copy_of(p.mu_r));
    auto solve = p.spacedim == 3 ? rolling_fc2d_driver : rolling_fc3d_driver;
    return timed(out, o, [&] { return solve(rolling, out.r.data(), u.data(), o); });
  }
  auto* fc = frictionContactProblem_new_with_data(p.spacedim, p.contacts(), W, copy_of(p.q), copy_of(p.mu));
  auto driver = p.spacedim == 2 ? fc2d_driver : fc3d_driver;
  timed(out, o, [&] { return driver(fc, out.r.data(), u.data(), o); });
}

void run_global(const Variant& v, const Problem& p, SolverOptions* o, PeerRun& out, Vector& u) {
  Vector velocity = Vector::Zero(p.f.size());
  NumericsMatrix* M = to_numerics(p.M, v.storage, 1);
  NumericsMatrix* H = to_numerics(p.H, v.storage, 1);
  if (p.kind == Kind::global_rolling) {
    GlobalRollingFrictionContactProblem g{};
    g.dimension = p.spacedim, g.numberOfContacts = p.contacts(), g.M = M, g.H = H;
    g.q = copy_of(p.f), g.b = copy_of(p.w), g.mu = copy_of(p.mu), g.mu_r = copy_of(p.mu_r);
    return timed(out, o, [&] { return g_rolling_fc3d_driver(&g, out.r.data(), u.data(), velocity.data(), o); });
  }
  GlobalFrictionContactProblem* g = globalFrictionContactProblem_new();
  g->dimension = p.spacedim, g->numberOfContacts = p.contacts(), g->M = M, g->H = H;
  g->q = copy_of(p.f), g->b = copy_of(p.w), g->mu = copy_of(p.mu);
  timed(out, o, [&] { return gfc3d_driver(g, out.r.data(), u.data(), velocity.data(), o); });
}

std::vector<Variant> variants_2d(const Problem& p) {
  std::vector<Variant> v = {{"NSGS", "blocks", SICONOS_FRICTION_2D_NSGS, Variant::local, Variant::blocks, false},
                            {"NSGS", "dense", SICONOS_FRICTION_2D_NSGS, Variant::local, Variant::dense, false},
                            {"CPG", "dense", SICONOS_FRICTION_2D_CPG, Variant::local, Variant::dense, false},
                            {"LEMKE", "dense", SICONOS_FRICTION_2D_LEMKE, Variant::local, Variant::dense, false}};
  // Enumerates 2^(3 contacts) cases: hopeless beyond a handful of contacts.
  if (p.contacts() <= 5)
    v.push_back({"ENUM", "dense", SICONOS_FRICTION_2D_ENUM, Variant::local, Variant::dense, false});
  return v;
}

std::vector<Variant> variants_3d() {
  return {{"NSGS", "blocks", SICONOS_FRICTION_3D_NSGS, Variant::local, Variant::blocks, false},
          {"NSGS", "blocks, full error", SICONOS_FRICTION_3D_NSGS, Variant::local, Variant::blocks, true},
          {"NSGS", "sparse", SICONOS_FRICTION_3D_NSGS, Variant::local, Variant::sparse, false},
          {"NSN_AC", "sparse", SICONOS_FRICTION_3D_NSN_AC, Variant::local, Variant::sparse, false},
          {"ADMM", "sparse", SICONOS_FRICTION_3D_ADMM, Variant::local, Variant::sparse, false},
          {"PROX", "sparse", SICONOS_FRICTION_3D_PROX, Variant::local, Variant::sparse, false},
          {"PROX", "blocks", SICONOS_FRICTION_3D_PROX, Variant::local, Variant::blocks, false}};
}

// SICONOS_GLOBAL_FRICTION_3D_NSGS, without reformulation, is left out: it ended or hung on every problem of rigid
// bodies tried.
void add_global(std::vector<Variant>& v) {
  auto add = [&](const char* name, const char* detail, int id) {
    v.push_back({name, detail, id, Variant::global, Variant::sparse, false});
  };
  add("NSGS", "global_WR", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR);
  add("NSN_AC", "global", SICONOS_GLOBAL_FRICTION_3D_NSN_AC);
  add("NSN_AC", "global_WR", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR);
  add("ADMM", "global", SICONOS_GLOBAL_FRICTION_3D_ADMM);
  add("ADMM", "global_WR", SICONOS_GLOBAL_FRICTION_3D_ADMM_WR);
  add("PROX", "global_WR", SICONOS_GLOBAL_FRICTION_3D_PROX_WR);
  add("IPM", "global", SICONOS_GLOBAL_FRICTION_3D_IPM);
}

// Blocks of five are not implemented there (an assertion), and its ADMM returns NaN on sparse storage: dense is offered
// too.
std::vector<Variant> variants_rolling(bool native) {
  std::vector<Variant> v = {
      {"NSGS", "sparse", SICONOS_ROLLING_FRICTION_3D_NSGS, Variant::local, Variant::sparse, false},
      {"NSGS", "dense", SICONOS_ROLLING_FRICTION_3D_NSGS, Variant::local, Variant::dense, false},
      {"ADMM", "sparse", SICONOS_ROLLING_FRICTION_3D_ADMM, Variant::local, Variant::sparse, false},
      {"ADMM", "dense", SICONOS_ROLLING_FRICTION_3D_ADMM, Variant::local, Variant::dense, false}};
  if (native)
    v.push_back(
        {"NSGS", "global_WR", SICONOS_GLOBAL_ROLLING_FRICTION_3D_NSGS_WR, Variant::global, Variant::sparse, false});
  return v;
}

}  // namespace

std::vector<Variant> siconos_variants(const Problem& p) {
  // Siconos has no bilateral part in these forms and no 2D global form: it then gets the reduced problem only.
  const bool native = p.kind != Kind::local && p.equations() == 0;
  if (p.kind == Kind::global_rolling && p.spacedim == 3)
    return {{"NSGS", "dense", SICONOS_ROLLING_FRICTION_2D_NSGS, Variant::local, Variant::dense, false}};
  if (p.spacedim == 5) return variants_rolling(native);
  if (p.spacedim == 2) return variants_2d(p);
  std::vector<Variant> v = variants_3d();
  if (native && p.kind == Kind::global) add_global(v);
  return v;
}

PeerRun run_siconos(const Variant& v, const Problem& problem, const Problem& local, double tolerance) {
  numerics_set_verbose(0);
  PeerRun out;
  out.r = Vector::Zero(problem.rows());
  Vector u = Vector::Zero(problem.rows());
  SolverOptions* o = options_for(v, tolerance);
  if (v.form == Variant::local)
    run_local(v, local, o, out, u);
  else
    run_global(v, problem, o, out, u);
  return out;
}

cairn::Expected<Problem> reduce_to_local(const Problem& p) {
  const cairn::Reduction reduction(p);
  if (!reduction.good()) return cairn::Error{"reduction to contacts failed: singular inertia or constraints"};
  Problem local;
  local.spacedim = p.spacedim;
  local.W = reduction.W(), local.q = reduction.q();
  local.mu = p.mu, local.mu_r = p.mu_r;
  return local;
}

}  // namespace bench
