#include "cairn/base/sparse_lu.hpp"

#include <klu.h>
#include <umfpack.h>

#include <algorithm>
#include <cmath>

// One thread: the matrices of a step are too small for a threaded BLAS, whose idle threads would only spin.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace cairn {

struct SparseLU::Factors {
  virtual ~Factors() = default;
  virtual bool factorise(SparseLU& m) = 0;
  virtual bool solve(const SparseLU& m, const Real* b, Real* x) = 0;
  virtual int determinant_sign(const SparseLU& m) const = 0;
  double flops = 0;
};

namespace {
int parity(const int* permutation, int n) {
  std::vector<char> seen(static_cast<std::size_t>(n), 0);
  int sign = 1;
  for (int start = 0; start < n; ++start)
    for (int i = start; !seen[static_cast<std::size_t>(i)]; i = permutation[i]) {
      seen[static_cast<std::size_t>(i)] = 1;
      if (permutation[i] != start) sign = -sign;  // a cycle of k is k - 1 transpositions
    }
  return sign;
}
}  // namespace

struct SparseLU::Klu : Factors {
  Klu() {
    klu_defaults(&common);
    common.btf = 0;     // contact graphs are connected: one block
    common.scale = 2;   // rows by their largest entry
    common.tol = 0.01;  // keeps the diagonal pivot unless it is that small
  }
  ~Klu() override {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
  bool analyse(SparseLU& m) {
    if (!symbolic) symbolic = klu_analyze(m.n_, m.begin_.data(), m.row_.data(), &common);
    return symbolic != nullptr;
  }
  // Operations a stored number; about 40 is where the two engines are equally fast (Davis and Palamadai Natarajan
  // 2010).
  double density() const { return symbolic->est_flops / std::max(symbolic->lnz + symbolic->unz, 1.0); }

  bool factorise(SparseLU& m) override {
    if (!analyse(m)) return false;
    if (numeric) klu_free_numeric(&numeric, &common);
    numeric = klu_factor(m.begin_.data(), m.row_.data(), m.value_.data(), symbolic, &common);
    flops = symbolic->est_flops;
    return numeric && common.status == KLU_OK;
  }
  bool solve(const SparseLU& m, const Real* b, Real* x) override {
    std::copy(b, b + m.n_, x);
    return klu_solve(symbolic, numeric, m.n_, 1, x, &common);
  }
  // P R^-1 A Q = L U with the unit diagonal in L and positive scales R.
  int determinant_sign(const SparseLU& m) const override {
    int sign = parity(numeric->Pnum, m.n_) * parity(symbolic->Q, m.n_);
    const double* diagonal = static_cast<const double*>(numeric->Udiag);
    for (int i = 0; i < m.n_; ++i) sign *= diagonal[i] > 0 ? 1 : -1;
    return sign;
  }

  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

struct SparseLU::Umfpack : Factors {
  explicit Umfpack(Pattern pattern) {
    umfpack_di_defaults(control);
    if (pattern == Pattern::symmetric) control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    control[UMFPACK_IRSTEP] = 0;
    control[UMFPACK_SCALE] = UMFPACK_SCALE_MAX;
    if (openblas_set_num_threads) openblas_set_num_threads(1);
  }
  ~Umfpack() override {
    if (numeric) umfpack_di_free_numeric(&numeric);
    if (symbolic) umfpack_di_free_symbolic(&symbolic);
  }
  bool factorise(SparseLU& m) override {
    const int *begin = m.begin_.data(), *row = m.row_.data();
    const double* value = m.value_.data();
    double info[UMFPACK_INFO];
    if (!symbolic && umfpack_di_symbolic(m.n_, m.n_, begin, row, value, &symbolic, control, info) < 0) return false;
    if (numeric) umfpack_di_free_numeric(&numeric);
    const int status = umfpack_di_numeric(begin, row, value, symbolic, &numeric, control, info);
    flops = info[UMFPACK_FLOPS];
    return status == UMFPACK_OK;
  }
  bool solve(const SparseLU& m, const Real* b, Real* x) override {
    double info[UMFPACK_INFO];
    return umfpack_di_solve(UMFPACK_A, m.begin_.data(), m.row_.data(), m.value_.data(), x, b, numeric, control, info) ==
           UMFPACK_OK;
  }
  int determinant_sign(const SparseLU&) const override {
    double mantissa[1], exponent[1], info[UMFPACK_INFO];
    if (umfpack_di_get_determinant(mantissa, exponent, numeric, info) < 0) return 0;
    return mantissa[0] > 0 ? 1 : -1;
  }

  double control[UMFPACK_CONTROL];
  void* symbolic = nullptr;
  void* numeric = nullptr;
};

SparseLU::SparseLU(std::vector<int> column_begin, std::vector<int> row, Pattern pattern, Engine engine)
    : n_(static_cast<int>(column_begin.size()) - 1),
      pattern_(pattern),
      engine_(engine),
      begin_(std::move(column_begin)),
      row_(std::move(row)),
      value_(row_.size()) {}

SparseLU::~SparseLU() = default;

bool SparseLU::factorise() {
  if (!std::all_of(value_.begin(), value_.end(), [](Real x) { return std::isfinite(x); })) return false;
  if (!factors_ && engine_ != Engine::umfpack && (pattern_ == Pattern::symmetric || engine_ == Engine::klu)) {
    auto klu = std::make_unique<Klu>();
    if (klu->analyse(*this) && (engine_ == Engine::klu || klu->density() < 40)) factors_ = std::move(klu);
  }
  if (!factors_) factors_ = std::make_unique<Umfpack>(pattern_);
  return factors_->factorise(*this);
}

bool SparseLU::solve(const Real* b, Real* x) const { return factors_->solve(*this, b, x); }
int SparseLU::determinant_sign() const { return factors_->determinant_sign(*this); }
double SparseLU::flops() const { return factors_ ? factors_->flops : 0; }

}  // namespace cairn
