// Contacts of a few frames, as streams: those that last are written as changes.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/view/quantise.hpp"

namespace cairn::view {

// Of a frame, as docs/view-data.md has them.
struct Touches {
  std::vector<std::uint32_t> body;                      // (contacts, 2)
  std::vector<float> point, normal, impulse, velocity;  // (contacts, 3)
  std::vector<float> gap, use;
  std::vector<std::uint8_t> status;
};

// Frames that are decoded together. Contacts are put in the order of their bodies; the n-th of a pair in one frame is
// taken for the n-th of that pair in the next.
class ContactGroup {
 public:
  explicit ContactGroup(const Grid& grid);

  // Contacts whose impulse is 0, or less than `weak` times the largest of the frame, are left out. Empty: added; else
  // why not.
  std::string add(const Touches& contacts, double weak = 0);
  int frames() const { return static_cast<int>(count_.size()); }
  // Counts; which of the frame before are gone; counts of new ones, their bodies; then a column for each number of a
  // contact, form 0: as it is, form 1: less that of the frame before, where it was there.
  std::string bytes() const;

 private:
  struct Pair {
    std::uint32_t first, second;
    std::uint32_t index;  // among those of the same bodies
    auto operator<=>(const Pair&) const = default;
  };
  std::vector<std::size_t> chosen(const Touches& contacts, double weak) const;
  void match(const std::vector<Pair>& pairs);
  bool numbers(const Touches& contacts, std::size_t k);
  Integers column(std::size_t which, int form) const;

  Grid grid_;
  std::vector<Pair> last_;               // of the frame added last
  std::size_t last_begin_ = 0;           // where it stands in the columns
  Integers count_, gone_, fresh_;        // (frames), (contacts of frames before), (frames)
  Integers fresh_first_, fresh_second_;  // bodies of new contacts: from the new one before; from the first body
  std::vector<std::int64_t> match_;      // (all contacts) in the frame before; -1: new
  std::vector<Integers> columns_;        // (numbers)(all contacts)
};

}  // namespace cairn::view
