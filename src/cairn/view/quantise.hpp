// Numbers as small integers and columns of them as bytes, for pages that hold their data. docs/viewer-files.md has the
// format; the page's src/data/streams.ts reads it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cairn::view {

// How finely numbers are kept.
struct Grid {
  int dimension = 3;
  double place = 0;    // [m] of centres and contact points
  double turn = 1e-4;  // [rad] of angles in the plane
  double speed = 0;    // [m/s] slower is written as 0
  double spin = 0;     // [rad/s] likewise
  double gap = 0;      // [m] likewise

  // `size` of the bodies [m], `duration` of what is shown [s]. What would not move by `place`, nor turn by `turn`, in
  // all that time counts as at rest: else the last bits of a resting body's velocity, which are noise, would be kept.
  static Grid of(int dimension, double size, double duration);
};

using Integers = std::vector<std::int64_t>;

inline constexpr double unit_scale = 16383;      // components of unit vectors and quaternions: 15 bits with the sign
inline constexpr double use_scale = 4095;        // the part of the friction in use
inline constexpr std::int64_t use_unknown = -1;  // where it is not a number
inline constexpr double largest = 0x1p44;        // differences of differences stay below 2^47: six bytes with the sign

// A float with the lower 12 bits of its mantissa rounded away (2^-12 of the value at most), as an integer in the order
// of the values; 0 where it is smaller than `floor`. What is not a number stays so.
std::int64_t short_float(float value, double floor = 0);
float float_of(std::int64_t integer);

// A stream: how many bytes the widest takes (0: all are 0), then the lowest bytes of all, the next bytes of all, ... of
// 2 v for v >= 0 and -2 v - 1 for v < 0. Integers that change little leave nearly only zeros, which deflate takes to
// almost nothing.
void append_stream(std::string& out, std::span<const std::int64_t> values);

// One of several forms of a column, the one with the smallest numbers: its number as a byte, then the stream.
void append_shortest(std::string& out, int forms, const std::function<Integers(int form)>& in_form);

}  // namespace cairn::view
