#include "cairn/base/sparse_lu.hpp"

#include <umfpack.h>

// One thread: the matrices of a step are too small for a threaded BLAS, whose idle threads would only spin.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace cairn {

namespace {
void set_controls(double* control, SparseLU::Pattern pattern) {
  umfpack_di_defaults(control);
  if (pattern == SparseLU::Pattern::symmetric) control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  control[UMFPACK_IRSTEP] = 0;
  control[UMFPACK_SCALE] = UMFPACK_SCALE_MAX;
}
}  // namespace

SparseLU::SparseLU(std::vector<int> column_begin, std::vector<int> row, Pattern pattern)
    : n_(static_cast<int>(column_begin.size()) - 1),
      pattern_(pattern),
      begin_(std::move(column_begin)),
      row_(std::move(row)),
      value_(row_.size()) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
}

SparseLU::~SparseLU() {
  if (numeric_) umfpack_di_free_numeric(&numeric_);
  if (symbolic_) umfpack_di_free_symbolic(&symbolic_);
}

bool SparseLU::factorise() {
  double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
  set_controls(control, pattern_);
  if (!symbolic_ &&
      umfpack_di_symbolic(n_, n_, begin_.data(), row_.data(), value_.data(), &symbolic_, control, info) < 0)
    return false;
  if (numeric_) umfpack_di_free_numeric(&numeric_);
  const int status = umfpack_di_numeric(begin_.data(), row_.data(), value_.data(), symbolic_, &numeric_, control, info);
  flops_ = info[UMFPACK_FLOPS];
  return status == UMFPACK_OK;
}

bool SparseLU::solve(const Real* b, Real* x) const {
  double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
  set_controls(control, pattern_);
  return umfpack_di_solve(UMFPACK_A, begin_.data(), row_.data(), value_.data(), x, b, numeric_, control, info) ==
         UMFPACK_OK;
}

int SparseLU::determinant_sign() const {
  double mantissa[1], exponent[1];
  double info[UMFPACK_INFO];
  if (umfpack_di_get_determinant(mantissa, exponent, numeric_, info) < 0) return 0;
  return mantissa[0] > 0 ? 1 : -1;
}

}  // namespace cairn
