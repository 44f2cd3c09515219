// Finds ascending keys, no two of them the same, in a sorted list, going through it once.
#pragma once

#include <algorithm>
#include <vector>

namespace cairn {

template <class Key>
class ListWalk {
 public:
  // From the first key looked for on.
  ListWalk(const std::vector<Key>& list, const Key& first)
      : list_(list), k_(static_cast<std::size_t>(std::ranges::lower_bound(list, first) - list.begin())) {}
  // Mostly it is the next one.
  bool to(const Key& key) {
    if (!is_next(key))
      while (k_ < list_.size() && list_[k_] < key) ++k_;
    if (!is_next(key)) return false;
    ++k_;
    return true;
  }
  std::size_t place() const { return k_ - 1; }  // of the last one found

 private:
  bool is_next(const Key& key) const { return k_ < list_.size() && list_[k_] == key; }

  const std::vector<Key>& list_;
  std::size_t k_;
};

}  // namespace cairn
