// Amplitude spectrum of a signal.
#pragma once

#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn::exporting {

struct Spectrum {
  std::vector<Real> frequency;  // [Hz] without zero, up to half the rate of samples
  std::vector<Real> amplitude;  // in the unit of the signal: a sine of amplitude a shows a peak of height a
};

// The signal is sampled evenly, at a power of two of times not fewer than its own, by linear interpolation; its mean is
// removed and Hann's window laid over it. Times must increase; fewer than eight, or no duration, give nothing.
Spectrum spectrum(const std::vector<Real>& t, const std::vector<Real>& y);

}  // namespace cairn::exporting
