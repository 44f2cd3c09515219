#include "cairn/export/spectrum.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "cairn/base/check.hpp"

namespace cairn::exporting {
namespace {

using Complex = std::complex<Real>;

// Cooley and Tukey in place; the size is a power of two.
void transform(std::vector<Complex>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {  // bits of the index reversed
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<Complex> root(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k)
    root[k] = std::polar(Real(1), -2 * std::numbers::pi * static_cast<Real>(k) / static_cast<Real>(n));
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex a = x[start + k], b = x[start + k + half] * root[k * (n / (2 * half))];
        x[start + k] = a + b, x[start + k + half] = a - b;
      }
}

std::vector<Real> sampled(const std::vector<Real>& t, const std::vector<Real>& y, std::size_t n, Real dt) {
  std::vector<Real> out(n);
  std::size_t at = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Real when = t.front() + static_cast<Real>(k) * dt;
    while (at + 2 < t.size() && t[at + 1] < when) ++at;
    const Real share = (when - t[at]) / (t[at + 1] - t[at]);
    out[k] = y[at] + share * (y[at + 1] - y[at]);
  }
  return out;
}

}  // namespace

Spectrum spectrum(const std::vector<Real>& t, const std::vector<Real>& y) {
  CAIRN_CHECK(t.size() == y.size(), "a signal has one value a time");
  if (t.size() < 8 || !(t.back() > t.front())) return {};
  std::size_t n = 8;
  while (n < t.size()) n *= 2;
  const Real dt = (t.back() - t.front()) / static_cast<Real>(n - 1);
  const std::vector<Real> samples = sampled(t, y, n, dt);
  Real mean = 0, weight = 0;
  for (const Real s : samples) mean += s / static_cast<Real>(n);
  std::vector<Complex> x(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Real hann = (1 - std::cos(2 * std::numbers::pi * static_cast<Real>(k) / static_cast<Real>(n))) / 2;
    x[k] = hann * (samples[k] - mean);
    weight += hann;
  }
  transform(x);
  Spectrum s;
  for (std::size_t k = 1; k <= n / 2; ++k) {
    s.frequency.push_back(static_cast<Real>(k) / (static_cast<Real>(n) * dt));
    s.amplitude.push_back((k < n / 2 ? 2 : 1) * std::abs(x[k]) / weight);
  }
  return s;
}

}  // namespace cairn::exporting
