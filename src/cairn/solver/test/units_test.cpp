// Units are a matter of the file, not of the solver: in units that differ by powers of two a problem takes the same
// iterations to the same solution, to the last bit.
#include <gtest/gtest.h>

#include "cairn/problem/generate.hpp"
#include "cairn/problem/transform.hpp"
#include "cairn/solver/solve.hpp"

namespace cairn {
namespace {

std::vector<fclib::Problem> problems() {
  RandomBodies o;
  o.contacts = 40, o.mass_ratio = 100;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return {to_fclib_local(stack(2, 0.5)), to_fclib_local(random_bodies_2d(o))};
#endif
  return {to_fclib_local(wall(5, 4, 0.3)),           to_fclib_local(stack(4, 0.5)),
          to_fclib_local(sphere_pyramid(4, 0.3, 1)), to_fclib_local(random_bodies_2d(o)),
          to_fclib_local(random_bodies_3d(o)),       to_fclib_global(disc_packing(40, 0.3, 1))};
}

constexpr Method methods[] = {Method::automatic, Method::gauss_seidel, Method::anderson, Method::interior_point,
                              Method::newton};

Solved solve_with(const fclib::Problem& p, Method method, Real tolerance) {
  SolverOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.max_iterations = 500;  // sweeps that do not converge are compared as well
  return solve(p, options);
}

// What the file's units of length and time do to velocities they do to impulses: even the error is the same.
TEST(Units, LengthAndTimeChangeNothing) {
  for (const fclib::Problem& p : problems())
    for (const Method method : methods) {
      const Solved plain = solve_with(p, method, 1e-8);
      for (const auto& [length, time] : {std::pair{0x1p20, 1.0}, {1.0, 0x1p-9}, {0x1p-15, 0x1p7}}) {
        const Solved scaled = solve_with(rescale(p, length, 1, time), method, 1e-8);
        EXPECT_EQ(scaled.report.status, plain.report.status) << name(method);
        EXPECT_EQ(scaled.report.iterations, plain.report.iterations) << name(method);
        EXPECT_EQ(scaled.solution.r, length / time * plain.solution.r) << name(method);
        EXPECT_EQ(scaled.solution.u, length / time * plain.solution.u) << name(method);
        EXPECT_DOUBLE_EQ(scaled.report.error, plain.report.error) << name(method);
      }
    }
}

// The error that is reported weighs impulses against velocities as the file's units do, and so a solve may stop sooner
// or later; but the iterates are the same.
TEST(Units, MassChangesWhenToStopAlone) {
  int compared = 0;
  for (const fclib::Problem& p : problems())
    for (const Method method : methods) {
      const Solved plain = solve_with(p, method, 1e-8);
      for (const Real mass : {0x1p2, 0x1p12, 0x1p-11}) {
        const Solved scaled = solve_with(rescale(p, 0x1p3, mass, 0x1p-2), method, 1e-8);
        EXPECT_EQ(scaled.report.status, plain.report.status) << name(method);
        const bool same = scaled.report.iterations == plain.report.iterations &&
                          scaled.report.history.size() == plain.report.history.size();
        if (plain.report.status != Stop::converged || !same) continue;  // stopped elsewhere
        ++compared;
        EXPECT_EQ(scaled.solution.r, 32 * mass * plain.solution.r) << name(method);
        EXPECT_EQ(scaled.solution.u, 32 * plain.solution.u) << name(method);
      }
    }
  EXPECT_GT(compared, 10);
}

// In any units, powers of two or not, the problems are solved.
TEST(Units, OtherUnitsAreSolvedAsWell) {
  for (const fclib::Problem& p : problems()) {
    const Solved scaled = solve(rescale(p, 1e3, 1e-3, 60));
    EXPECT_EQ(scaled.report.status, Stop::converged) << scaled.report.reason;
    EXPECT_LE(scaled.report.error, 1e-8);
  }
}

}  // namespace
}  // namespace cairn
