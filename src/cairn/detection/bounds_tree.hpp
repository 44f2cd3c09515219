// A tree of boxes, searched without a stack: nodes stand in preorder, and each knows where to go on when a search does
// not enter it. Boxes of one power of 8 in size make one tree, the trees stand one after the other: large boxes never
// blow up the nodes of small ones, so that a search costs about log n and what it finds, whatever the sizes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "cairn/base/threads.hpp"
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
    const auto before = [](const Item& a, const Item& b) { return a.size != b.size ? a.size < b.size : a.id < b.id; };
    if (!std::ranges::is_sorted(items_, before)) std::ranges::sort(items_, before);
    slot_.resize(boxes.size());
    leaf_.resize(items_.size());
    plant();
    grow();
    for (int s = 0; s < size(); ++s) slot_[static_cast<std::size_t>(at(s).id)] = s;
    moved_.assign(nodes_.size(), false);
    moves_ = fitted_ = 0;
    built_girth_ = girth_ = total_girth();
  }

  // Box `id` becomes `box`; boxes stay in the leaves they were built in until the next build(). Searches must wait for
  // refit().
  void move(int id, const Bounds<D>& box) {
    const int slot = slot_[static_cast<std::size_t>(id)];
    items_[static_cast<std::size_t>(slot)].box = box;
    moved_[static_cast<std::size_t>(leaf_[static_cast<std::size_t>(slot)])] = true;
    ++moves_;
  }

  // The ancestors of what has moved follow, those in a branch from below.
  void refit() {
    if (fitted_ == moves_) return;
    fitted_ = moves_;
    grown_.assign(branch_.size(), 0);
    share_pieces(static_cast<int>(branch_.size()), [&](int i) {
      const Branch& b = branch_[static_cast<std::size_t>(i)];
      for (int n = node(b.node).next - 1; n >= b.node; --n)
        if (moved_[static_cast<std::size_t>(n)]) refit(n, b.node, grown_[static_cast<std::size_t>(i)]);
    });
    for (const Real by : grown_) girth_ += by;
    for (auto n = trunk_.rbegin(); n != trunk_.rend(); ++n) refit(*n, *n, girth_);
  }

  // Whether a new build would pay: the nodes have grown, or as many boxes moved as there are.
  bool worn() const { return moves_ > size() || girth_ > Real(1.25) * built_girth_; }
  int size() const { return static_cast<int>(items_.size()); }

  // Calls found(id) for every box that `meets`, a function true of a box where it is of any box inside; returns how
  // many boxes and nodes it looked at.
  template <class Meets, class Found>
  long search(const Meets& meets, Found&& found) const {
    return search(0, static_cast<int>(nodes_.size()), meets, found);
  }

  // The same of one of the parts that make up the tree: they may be searched at once.
  int parts() const { return static_cast<int>(branch_.size()); }
  template <class Meets, class Found>
  long search_part(int part, const Meets& meets, Found&& found) const {
    const int first = branch_[static_cast<std::size_t>(part)].node;
    return search(first, node(first).next, meets, found);
  }

 private:
  template <class Meets, class Found>
  long search(int first, int end, const Meets& meets, Found&& found) const {
    long looked_at = 0;
    for (int n = first; n < end;) {
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

  static constexpr int bucket = 4;  // boxes in a leaf, at most
  static constexpr int items_of_a_branch = 512;

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

  // Halves of equal number, so that the depth is log n for any arrangement, and the place of each node is known before
  // there is any: how many nodes n and n + 1 boxes make.
  static std::array<int, 2> nodes_of(int n) {
    if (n < bucket) return {1, 1};
    const auto [half, more] = nodes_of(n / 2);
    if (n % 2 == 1) return {1 + half + more, 1 + 2 * more};
    return {n <= bucket ? 1 : 1 + 2 * half, 1 + half + more};
  }

  struct Branch {
    int first, last;  // items
    int parent, node;
  };

  // A tree for each size; room for their nodes.
  void plant() {
    level_.clear();
    int nodes = 0;
    for (int first = 0, n = size(); first < n;) {
      int last = first;
      while (last < n && at(last).size == at(first).size) ++last;
      level_.push_back({first, last, -1, nodes});
      nodes += nodes_of(last - first)[0];
      first = last;
    }
    nodes_.resize(static_cast<std::size_t>(nodes));
  }

  // Level by level down to small branches, which threads share, as they do a level. What is where depends on no thread.
  void grow() {
    branch_.clear(), trunk_.clear();
    while (!level_.empty()) {
      const auto small = [](const Branch& b) { return b.last - b.first <= items_of_a_branch; };
      std::ranges::copy_if(level_, std::back_inserter(branch_), small);
      std::erase_if(level_, small);
      for (const Branch& b : level_) trunk_.push_back(b.node);
      below_.resize(2 * level_.size());
      share_pieces(static_cast<int>(level_.size()), [&](int i) {
        const auto [left, right] = split(level_[static_cast<std::size_t>(i)]);
        below_[static_cast<std::size_t>(2 * i)] = left, below_[static_cast<std::size_t>(2 * i + 1)] = right;
      });
      level_.swap(below_);
    }
    share_pieces(static_cast<int>(branch_.size()), [&](int i) { grow(branch_[static_cast<std::size_t>(i)]); });
    std::ranges::sort(trunk_);
    for (auto n = trunk_.rbegin(); n != trunk_.rend(); ++n) node(*n).box = enclosing(*n);
  }

  void grow(const Branch& b) {
    if (b.last - b.first <= bucket) {
      node(b.node) = {{}, b.node + 1, b.first, b.last, b.parent};
      for (int s = b.first; s < b.last; ++s) leaf_[static_cast<std::size_t>(s)] = b.node;
    } else {
      const auto [left, right] = split(b);
      grow(left), grow(right);
    }
    node(b.node).box = enclosing(b.node);
  }

  // Its two halves; without its box, which is made of theirs.
  std::array<Branch, 2> split(const Branch& b) {
    const int axis = widest(b.first, b.last), middle = b.first + (b.last - b.first) / 2;
    std::nth_element(items_.begin() + b.first, items_.begin() + middle, items_.begin() + b.last,
                     [axis](const Item& p, const Item& q) {
                       return p.box.low[axis] + p.box.high[axis] < q.box.low[axis] + q.box.high[axis];
                     });
    const int right = b.node + 1 + nodes_of(middle - b.first)[0];
    node(b.node) = {{}, right + nodes_of(b.last - middle)[0], b.first, b.first, b.parent};
    return {Branch{b.first, middle, b.node, b.node + 1}, Branch{middle, b.last, b.node, right}};
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

  // Of a node; marks its parent where it has changed, up to `top`.
  void refit(int n, int top, Real& girth) {
    moved_[static_cast<std::size_t>(n)] = false;
    const Bounds<D> before = node(n).box, after = enclosing(n);
    node(n).box = after;
    girth += girth_of(after) - girth_of(before);
    if (n > top && !(inside(before, after) && inside(after, before)))
      moved_[static_cast<std::size_t>(node(n).parent)] = true;
  }

  std::vector<Item> items_;     // (members), by leaf
  std::vector<Node> nodes_;     // preorder
  std::vector<int> leaf_;       // (members): the node of each item
  std::vector<int> slot_;       // (boxes): where each box's item is; set for members only
  std::vector<Branch> branch_;  // small ones; together with the nodes of the trunk, all
  std::vector<int> trunk_;      // preorder
  std::vector<Branch> level_, below_;
  std::vector<char> moved_;           // (nodes) has to be made anew
  std::vector<Real> grown_;           // [m] (branches) in girth
  int moves_ = 0, fitted_ = 0;        // since the build; up to the last refit()
  Real girth_ = 0, built_girth_ = 0;  // [m] sum over nodes of the lengths of their boxes: now, when built
};

}  // namespace cairn
