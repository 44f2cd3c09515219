// Consistency of a problem: what a reader, a writer and a maker of problems must agree on.
#include "cairn/problem/fclib.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cairn/problem/fclib_check.hpp"
#include "cairn/problem/hdf5.hpp"

namespace cairn::fclib {

using hdf5::Failure;

namespace {

void check_length(const std::string& name, long found, long expected, const std::string& why) {
  if (found != expected) throw Failure{fmt::format("{}: {} entries, expected {} ({})", name, found, expected, why)};
}

void check_friction(const std::string& name, const Vector& values, long contacts) {
  check_length(name, values.size(), contacts, "one a contact");
  check_finite(name, values.data(), values.size());
  for (long k = 0; k < values.size(); ++k)
    if (values[k] < 0) throw Failure{fmt::format("{}: entry {} is {}, expected 0 or more", name, k, values[k])};
}

void check_vector(const std::string& name, const Vector& values, long expected, const std::string& why) {
  check_length(name, values.size(), expected, why);
  check_finite(name, values.data(), values.size());
}

void check_matrix(const std::string& name, const Sparse& matrix, long rows, long columns) {
  check_shape(name, matrix.rows(), matrix.cols(), rows, columns);
  for (int column = 0; column < matrix.outerSize(); ++column)
    for (Sparse::InnerIterator entry(matrix, column); entry; ++entry)
      if (!std::isfinite(entry.value()))
        throw Failure{fmt::format("{}: entry ({}, {}) is {}, expected a finite number", name, entry.row(), column,
                                  entry.value())};
}

void check_local(const Problem& p, const std::string& at, const std::string& rows_why) {
  const long rows = p.rows(), equations = p.equations();
  check_vector(at + "vectors/q", p.q, rows, rows_why);
  check_matrix(at + "W", p.W, rows, rows);
  if (equations == 0) {
    if (p.V.size() != 0 || p.R.size() != 0) throw Failure{at + "V, R: given without vectors/s, expected all or none"};
    return;
  }
  check_vector(at + "vectors/s", p.s, equations, "equations");
  check_matrix(at + "V", p.V, rows, equations);
  check_matrix(at + "R", p.R, equations, equations);
}

void check_global(const Problem& p, const std::string& at, const std::string& rows_why) {
  const long rows = p.rows(), equations = p.equations(), freedoms = p.f.size();
  check_vector(at + "vectors/f", p.f, freedoms, "freedoms");
  check_vector(at + "vectors/w", p.w, rows, rows_why);
  check_matrix(at + "M", p.M, freedoms, freedoms);
  check_matrix(at + "H", p.H, freedoms, rows);
  if (equations == 0) {
    if (p.G.size() != 0) throw Failure{at + "G: given without vectors/b, expected both or neither"};
    return;
  }
  check_vector(at + "vectors/b", p.b, equations, "equations");
  check_matrix(at + "G", p.G, freedoms, equations);
}

}  // namespace

const char* group_name(Kind kind) {
  switch (kind) {
    case Kind::local: return "fclib_local";
    case Kind::global: return "fclib_global";
    case Kind::global_rolling: return "fclib_global_rolling";
  }
  return "";
}

void check_shape(const std::string& name, long rows, long columns, long expected_rows, long expected_columns) {
  if (rows != expected_rows || columns != expected_columns)
    throw Failure{fmt::format("{}: {} x {}, expected {} x {}", name, rows, columns, expected_rows, expected_columns)};
}

void check_finite(const std::string& name, const Real* values, long count) {
  for (long k = 0; k < count; ++k)
    if (!std::isfinite(values[k]))
      throw Failure{fmt::format("{}: entry {} is {}, expected a finite number", name, k, values[k])};
}

void check_spacedim(const Problem& p) {
  const bool rolling = p.kind == Kind::global_rolling;
  const bool good = p.spacedim == 3 || p.spacedim == (rolling ? 5 : 2);
  if (!good)
    throw Failure{fmt::format("{}/spacedim: {}, expected {}", group_name(p.kind), p.spacedim,
                              rolling ? "3 or 5 rows a contact" : "2 or 3")};
}

void check_all(const Problem& p) {
  check_spacedim(p);
  const std::string at = std::string(group_name(p.kind)) + "/";
  const std::string rows_why = fmt::format("{} rows for each of {} contacts", p.spacedim, p.contacts());
  check_friction(at + "vectors/mu", p.mu, p.contacts());
  if (p.kind == Kind::global_rolling) check_friction(at + "vectors/mu_r", p.mu_r, p.contacts());
  if (p.kind == Kind::local)
    check_local(p, at, rows_why);
  else
    check_global(p, at, rows_why);
}

void check_solution(const Problem& p, const Solution& solution) {
  const auto check = [](const char* name, const Vector& x, long expected, const char* why) {
    if (x.size() != 0) check_length(name, x.size(), expected, why);  // a part left out is no contradiction
  };
  check("solution/u", solution.u, p.rows(), "rows");
  check("solution/r", solution.r, p.rows(), "rows");
  check("solution/v", solution.v, p.kind == Kind::local ? 0 : p.f.size(), "freedoms of the global form");
  check("solution/l", solution.l, p.equations(), "equations");
}

std::string validate(const Problem& problem) {
  try {
    check_all(problem);
    if (problem.solution) check_solution(problem, *problem.solution);
  } catch (const Failure& failure) {
    return failure.message;
  }
  return {};
}

}  // namespace cairn::fclib
