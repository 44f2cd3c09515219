// Places in the order of a curve that fills space (G. M. Morton 1966): what is near on the curve is near in space, and
// mostly the other way round. From the places alone, whatever the order was before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "cairn/base/pose.hpp"
#include "cairn/base/threads.hpp"

namespace cairn {

template <int D>
class ZOrder {
 public:
  // By cells of this size; those in one cell ascend.
  const std::vector<int>& sort(std::span<const Pose<D>> poses, Real cell) {
    if (poses.size() != code_.size()) {
      code_.assign(poses.size(), 0), order_.resize(poses.size());
      std::iota(order_.begin(), order_.end(), 0);
    }
    share_range(static_cast<int>(poses.size()), 512, [&](int first, int last) {
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
        if (const std::uint64_t now = code(poses[i].x, cell); now != code_[i]) code_[i] = now | left;
    });
    moved_.clear();
    for (std::size_t i = 0; i < poses.size(); ++i)
      if (code_[i] & left) moved_.push_back(static_cast<int>(i));
    if (moved_.empty()) return order_;
    std::erase_if(order_, [&](int i) { return code_[static_cast<std::size_t>(i)] & left; });
    for (const int i : moved_) code_[static_cast<std::size_t>(i)] &= ~left;
    const auto before = [&](int i, int j) {
      const std::uint64_t a = code_[static_cast<std::size_t>(i)], b = code_[static_cast<std::size_t>(j)];
      return a != b ? a < b : i < j;
    };
    std::ranges::sort(moved_, before);
    merged_.resize(poses.size());
    std::ranges::merge(order_, moved_, merged_.begin(), before);
    order_.swap(merged_);
    return order_;
  }

 private:
  static constexpr std::uint64_t left = std::uint64_t{1} << 63;
  static constexpr int bits = 20;  // of a coordinate

  // The bits of the cell's coordinates in turn; what is far out is in the outermost cells.
  static std::uint64_t code(const Vec<D>& x, Real cell) {
    constexpr Real half = Real(1 << (bits - 1));
    std::uint64_t sum = 0;
    for (int k = 0; k < D; ++k) {
      const Real at = std::clamp(std::floor(x[k] / cell) + half, Real(0), 2 * half - 1);
      sum |= spread(static_cast<std::uint64_t>(at)) << k;
    }
    return sum;
  }
  // D - 1 zeros between any two of the bits.
  static std::uint64_t spread(std::uint64_t x) {
    if constexpr (D == 2) {
      x = (x | x << 16) & 0x0000ffff0000ffffu;
      x = (x | x << 8) & 0x00ff00ff00ff00ffu;
      x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
      x = (x | x << 2) & 0x3333333333333333u;
      return (x | x << 1) & 0x5555555555555555u;
    } else {
      x = (x | x << 32) & 0x001f00000000ffffu;
      x = (x | x << 16) & 0x001f0000ff0000ffu;
      x = (x | x << 8) & 0x100f00f00f00f00fu;
      x = (x | x << 4) & 0x10c30c30c30c30c3u;
      return (x | x << 2) & 0x1249249249249249u;
    }
  }

  std::vector<std::uint64_t> code_;
  std::vector<int> order_, moved_, merged_;
};

}  // namespace cairn
