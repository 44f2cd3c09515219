// Checks shared by the reader, the writer and validate(); they throw hdf5::Failure with `object: found, expected`.
#pragma once

#include "cairn/problem/fclib.hpp"

namespace cairn::fclib {

const char* group_name(Kind kind);  // fclib_local, fclib_global, fclib_global_rolling

void check_shape(const std::string& name, long rows, long columns, long expected_rows, long expected_columns);
void check_finite(const std::string& name, const Real* values, long count);
void check_spacedim(const Problem& problem);
void check_all(const Problem& problem);                                 // sizes and values
void check_solution(const Problem& problem, const Solution& solution);  // sizes

}  // namespace cairn::fclib
