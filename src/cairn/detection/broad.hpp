// Broad phase: which of n boxes are close. Each box ("proxy": the bounds of one shape) has a fattened copy in a tree;
// only proxies that left theirs are searched for again. The pairs given are those of the boxes of the last update()
// alone, the same whatever happened before, as if each had been compared with each.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cairn/detection/bounds_tree.hpp"
#include "cairn/shape/shape.hpp"

namespace cairn {

// All of the proxy `id`, whose bounds have no end, lies where dot(normal, x) <= offset.
template <int D>
struct BoundingPlane {
  int id = -1;
  Vec<D> normal{};
  Real offset = 0;  // [m]
};

template <int D>
struct Proxies {
  std::span<const Bounds<D>> bounds;  // [m] (n)
  std::span<const int> group;         // (n): proxies of one group never pair
  std::span<const char> is_static;    // (n): two static proxies never pair; a static one may move, at some cost
  std::span<const Real> margin;       // [m] (n), >= 0: how far a proxy may move before it is searched for again
  std::span<const BoundingPlane<D>> planes = {};  // at most one for a proxy, ids ascending
};

template <int D>
class BroadPhase {
 public:
  using Pair = std::pair<int, int>;  // first < second

  struct Work {
    int searched = 0;      // proxies that had left their fattened bounds
    bool rebuilt = false;  // a tree was built anew
    long looked_at = 0;    // nodes and boxes of the trees, in the searches
  };

  // Bounds no further apart than `alert` [m] in each direction make a pair, unless a plane parts them. n, groups and
  // static marks may change from one call to the next, which costs a fresh start. Allocates only when there is more to
  // hold than ever before.
  Work update(const Proxies<D>& now, Real alert = 0);
  Work update(std::span<const Bounds<D>> bounds, std::span<const int> group, std::span<const char> is_static,
              Real margin, Real alert = 0);  // one margin for all

  const std::vector<Pair>& pairs() const { return pairs_; }  // sorted, each once

  // Pairs that have at least one of the proxies chosen (ascending, with bounds that end). Those of the chosen ones have
  // changed since update(), which had no alert distance; those of the others have not. Sorted, each once. pairs() stay
  // as they are. Only the chosen ones are searched for, and of these only those that left their fattened bounds.
  const std::vector<Pair>& pairs_of(std::span<const int> chosen, const Proxies<D>& now);

 private:
  bool same_proxies(const Proxies<D>& now) const;
  void start(const Proxies<D>& now);
  void fatten(const Proxies<D>& now, Real alert);
  void fatten_leavers(const Proxies<D>& now);
  bool rebuild_trees(bool all);
  struct Searched;
  template <class T, class F>
  long search_for_each(std::span<const T> list, int grain, std::vector<Pair>& found, F&& f);
  struct AskForNothing {
    void operator()(const Pair&) const {}
  };
  // `ask` is called of each pair of the list some before `keep` is.
  template <class Keep, class Ask = AskForNothing>
  void sift_and_merge(const std::vector<Pair>& list, std::vector<Pair>& out, Keep&& keep, Ask&& ask = {});
  long search_again();
  void filter(const std::vector<Pair>& near, std::vector<Pair>& pairs);
  void list_half_spaces(std::span<const BoundingPlane<D>> planes, Real alert);
  void search_for_unbounded(std::span<const BoundingPlane<D>> planes, Real alert);
  bool may_pair(int i, int j) const;
  void sort_found();

  std::vector<Bounds<D>> reach_;               // [m] (n) bounds and half the alert distance around them
  std::vector<Bounds<D>> fat_;                 // [m] (n) reach and margin, when last searched for
  std::vector<int> group_;                     // (n)
  std::vector<char> static_;                   // (n)
  std::vector<char> unbounded_;                // (n)
  std::vector<char> left_;                     // (n) left its fattened bounds in this update
  std::vector<int> leavers_;                   // those, ascending
  std::vector<int> bounded_[2];                // bounded proxies: moving, static
  std::vector<int> unbounded_ids_;             // ascending
  std::vector<BoundingPlane<D>> half_spaces_;  // of these, as they are now
  BoundsTree<D> trees_[2];                     // moving, static
  std::vector<Pair> near_;                     // fattened bounds overlap; sorted
  struct Searched {
    std::vector<Pair> found;
    long looked_at = 0;
  };
  std::vector<Searched> searched_;  // (pieces of the list searched for)
  std::vector<Pair> found_, sorted_, kept_, merged_, pairs_, near_chosen_, of_chosen_;
  std::vector<int> parts_;              // of trees, for each half-space
  std::vector<char> chosen_;            // (n) in pairs_of()
  std::vector<int> start_;              // (n + 1) counting sort
  std::vector<std::size_t> end_;        // (pieces of a list) of the pairs kept
  std::vector<std::size_t> from_, to_;  // (pieces and one) where they begin in sorted_, in what is merged
  std::vector<Real> margins_;           // (n) for the call with one margin
};

extern template class BroadPhase<2>;
extern template class BroadPhase<3>;

}  // namespace cairn
