// A tree of boxes, searched without a stack: nodes stand in preorder, and each knows where to go on when a search does
// not enter it. Boxes of one power of 8 in size make one tree, the trees stand one after the other: large boxes never
// blow up the nodes of small ones, so that a search costs about log n and what it finds, whatever the sizes.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "cairn/shape/shape.hpp"

namespace cairn {

// Closed: boxes that touch overlap.
template <int D>
inline bool overlap(const Bounds<D>& a, const Bounds<D>& b) {
  bool out = false;  // without branches: most of the time goes here
  for (int k = 0; k < D; ++k) out = out | (a.low[k] > b.high[k]) | (b.low[k] > a.high[k]);
  return !out;
}
template <int D>
inline bool is_bounded(const Bounds<D>& box) {
  Real sum = 0;
  for (int k = 0; k < D; ++k) sum += std::fabs(box.low[k]) + std::fabs(box.high[k]);
  return std::isfinite(sum);
}
template <int D>
inline bool inside(const Bounds<D>& a, const Bounds<D>& b) {
  bool in = true;
  for (int k = 0; k < D; ++k) in = in && a.low[k] >= b.low[k] && a.high[k] <= b.high[k];
  return in;
}
template <int D>
inline void join(Bounds<D>& a, const Bounds<D>& b) {
  for (int k = 0; k < D; ++k) a.low[k] = std::min(a.low[k], b.low[k]), a.high[k] = std::max(a.high[k], b.high[k]);
}
template <int D>
inline Bounds<D> grown(Bounds<D> a, Real by) {
  for (int k = 0; k < D; ++k) a.low[k] -= by, a.high[k] += by;
  return a;
}

template <int D>
class BoundsTree {
 public:
  // Of the boxes numbered `members` among `boxes`.
  void build(std::span<const int> members, std::span<const Bounds<D>> boxes) {
    items_.clear();
    for (const int i : members)
      items_.push_back({boxes[static_cast<std::size_t>(i)], i, size_class(boxes[static_cast<std::size_t>(i)])});
    std::sort(items_.begin(), items_.end(),
              [](const Item& a, const Item& b) { return a.size != b.size ? a.size < b.size : a.id < b.id; });
    nodes_.clear();
    slot_.resize(boxes.size());
    leaf_.resize(items_.size());
    for (int first = 0, n = size(); first < n;) {
      int last = first;
      while (last < n && at(last).size == at(first).size) ++last;
      split(first, last, -1);
      first = last;
    }
    for (int s = 0; s < size(); ++s) slot_[static_cast<std::size_t>(at(s).id)] = s;
    moves_ = 0;
    built_girth_ = girth_ = total_girth();
  }

  // Box `id` becomes `box`: its ancestors follow. Boxes stay in the leaves they were built in until the next build().
  void move(int id, const Bounds<D>& box) {
    const int slot = slot_[static_cast<std::size_t>(id)];
    items_[static_cast<std::size_t>(slot)].box = box;
    ++moves_;
    for (int n = leaf_[static_cast<std::size_t>(slot)]; n >= 0; n = node(n).parent)
      if (!refit(n)) break;
  }

  // Whether a new build would pay: the nodes have grown, or as many boxes moved as there are.
  bool worn() const { return moves_ > size() || girth_ > Real(1.25) * built_girth_; }
  int size() const { return static_cast<int>(items_.size()); }

  // Calls found(id) for every box that `meets`, a function true of a box where it is of any box inside; returns how
  // many boxes and nodes it looked at.
  template <class Meets, class Found>
  long search(const Meets& meets, Found&& found) const {
    const int end = static_cast<int>(nodes_.size());
    long looked_at = 0;
    for (int n = 0; n < end;) {
      const Node& at_n = node(n);
      looked_at += 1 + at_n.last - at_n.first;
      if (!meets(at_n.box)) {
        n = at_n.next;
        continue;
      }
      for (int s = at_n.first; s < at_n.last; ++s)
        if (meets(at(s).box)) found(at(s).id);
      ++n;
    }
    return looked_at;
  }

 private:
  static constexpr int bucket = 4;  // boxes in a leaf, at most

  struct Item {
    Bounds<D> box;
    int id, size;  // size: its power of 8
  };
  struct Node {
    Bounds<D> box;
    int next;         // the node after this one's descendants
    int first, last;  // items of a leaf; none: first = last
    int parent;       // -1: a root
  };

  const Item& at(int slot) const { return items_[static_cast<std::size_t>(slot)]; }
  const Node& node(int n) const { return nodes_[static_cast<std::size_t>(n)]; }
  Node& node(int n) { return nodes_[static_cast<std::size_t>(n)]; }

  static int size_class(const Bounds<D>& box) {
    Real extent = 0;
    for (int k = 0; k < D; ++k) extent = std::max(extent, box.high[k] - box.low[k]);
    return extent > 0 ? static_cast<int>(std::floor(std::ilogb(extent) / Real(3))) : -1000;  // points: apart
  }
  static Real girth_of(const Bounds<D>& box) {
    Real sum = 0;
    for (int k = 0; k < D; ++k) sum += box.high[k] - box.low[k];
    return sum;
  }
  Real total_girth() const {
    Real sum = 0;
    for (const Node& n : nodes_) sum += girth_of(n.box);
    return sum;
  }

  // The axis along which the centres spread most.
  int widest(int first, int last) const {
    Bounds<D> centres{doubled_centre(first), doubled_centre(first)};
    for (int s = first + 1; s < last; ++s) join(centres, {doubled_centre(s), doubled_centre(s)});
    int axis = 0;
    for (int k = 1; k < D; ++k)
      if (centres.high[k] - centres.low[k] > centres.high[axis] - centres.low[axis]) axis = k;
    return axis;
  }
  Vec<D> doubled_centre(int slot) const { return at(slot).box.low + at(slot).box.high; }

  // Halves of equal number, so that the depth is log n for any arrangement.
  void split(int first, int last, int parent) {
    const int n = static_cast<int>(nodes_.size());
    nodes_.push_back({at(first).box, 0, first, first, parent});
    if (last - first <= bucket) {
      node(n).last = last;
      for (int s = first; s < last; ++s) leaf_[static_cast<std::size_t>(s)] = n;
    } else {
      const int axis = widest(first, last), middle = first + (last - first) / 2;
      std::nth_element(items_.begin() + first, items_.begin() + middle, items_.begin() + last,
                       [axis](const Item& a, const Item& b) {
                         return a.box.low[axis] + a.box.high[axis] < b.box.low[axis] + b.box.high[axis];
                       });
      split(first, middle, n);
      split(middle, last, n);
    }
    node(n).next = static_cast<int>(nodes_.size());
    node(n).box = enclosing(n);
  }

  // Of a leaf's items, or of the two children.
  Bounds<D> enclosing(int n) const {
    const Node& at_n = node(n);
    const bool leaf = at_n.first < at_n.last;
    Bounds<D> box = leaf ? at(at_n.first).box : node(n + 1).box;
    for (int s = at_n.first + 1; s < at_n.last; ++s) join(box, at(s).box);
    if (!leaf) join(box, node(node(n + 1).next).box);
    return box;
  }

  bool refit(int n) {  // whether it changed
    const Bounds<D> before = node(n).box, after = enclosing(n);
    node(n).box = after;
    girth_ += girth_of(after) - girth_of(before);
    return !inside(before, after) || !inside(after, before);
  }

  std::vector<Item> items_;           // (members), by leaf
  std::vector<Node> nodes_;           // preorder
  std::vector<int> leaf_;             // (members): the node of each item
  std::vector<int> slot_;             // (boxes): where each box's item is; set for members only
  int moves_ = 0;                     // since the build
  Real girth_ = 0, built_girth_ = 0;  // [m] sum over nodes of the lengths of their boxes: now, when built
};

}  // namespace cairn
