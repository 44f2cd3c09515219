#include "cairn/detection/broad.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "cairn/base/ask_for.hpp"
#include "cairn/base/at.hpp"
#include "cairn/base/check.hpp"
#include "cairn/base/threads.hpp"

namespace cairn {

namespace {

template <int D>
bool is_box(const Bounds<D>& box) {  // false also for NaN
  for (int k = 0; k < D; ++k)
    if (!(box.low[k] <= box.high[k])) return false;
  return true;
}

constexpr int proxies_of_a_piece = 512, pairs_of_a_piece = 1024, searches_of_a_piece = 32;
constexpr int branches_of_a_piece = 4;
constexpr int pairs_ahead = 12;

// Whether the lowest corner of the box, along the normal, lies no higher than the plane.
template <int D>
bool reaches(const Bounds<D>& box, const BoundingPlane<D>& plane) {
  Real low = 0;
  for (int k = 0; k < D; ++k) low += plane.normal[k] * (plane.normal[k] > 0 ? box.low[k] : box.high[k]);
  return low <= plane.offset;
}

}  // namespace

template <int D>
bool BroadPhase<D>::may_pair(int i, int j) const {
  return group_[at(i)] != group_[at(j)] && !(static_[at(i)] && static_[at(j)]);
}

template <int D>
bool BroadPhase<D>::same_proxies(const Proxies<D>& now) const {
  const std::size_t n = now.bounds.size();
  if (n != group_.size()) return false;
  std::atomic<bool> same = true;
  share_range(static_cast<int>(n), proxies_of_a_piece, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i)
      if (now.group[i] != group_[i] || !now.is_static[i] != !static_[i] || is_bounded(now.bounds[i]) == !!unbounded_[i])
        same = false;
  });
  return same;
}

// Forgets everything: all proxies will be searched for.
template <int D>
void BroadPhase<D>::start(const Proxies<D>& now) {
  const std::size_t n = now.bounds.size();
  group_.assign(now.group.begin(), now.group.end());
  static_.assign(now.is_static.begin(), now.is_static.end());
  unbounded_.resize(n);
  reach_.resize(n);
  fat_.resize(n);
  left_.resize(n);
  for (auto& list : bounded_) list.clear();
  unbounded_ids_.clear();
  near_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    CAIRN_CHECK(is_box(now.bounds[i]), "bounds must have low <= high");  // a NaN comes here: it seems unbounded
    unbounded_[i] = !is_bounded(now.bounds[i]);
    (unbounded_[i] ? unbounded_ids_ : bounded_[static_[i] ? 1 : 0]).push_back(static_cast<int>(i));
    for (int k = 0; k < D; ++k) fat_[i].low[k] = 1, fat_[i].high[k] = 0;  // nothing lies in it
  }
}

// Reach of all; new fattened bounds for those that left theirs.
template <int D>
void BroadPhase<D>::fatten(const Proxies<D>& now, Real alert) {
  leavers_.clear();
  share_range(static_cast<int>(now.bounds.size()), proxies_of_a_piece, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i) {
      reach_[i] = grown(now.bounds[i], alert / 2);
      left_[i] = !unbounded_[i] && !inside(reach_[i], fat_[i]);
    }
  });
  for (std::size_t i = 0; i < now.bounds.size(); ++i)
    if (left_[i]) leavers_.push_back(static_cast<int>(i));
  fatten_leavers(now);
}

template <int D>
void BroadPhase<D>::fatten_leavers(const Proxies<D>& now) {
  for (const int i : leavers_) {
    CAIRN_CHECK(is_box(reach_[at(i)]), "bounds must have low <= high");
    CAIRN_CHECK(now.margin[at(i)] >= 0, "a margin must not be negative");
    fat_[at(i)] = grown(reach_[at(i)], now.margin[at(i)]);
  }
}

template <int D>
bool BroadPhase<D>::rebuild_trees(bool all) {
  for (const int i : leavers_)
    if (!all) trees_[static_[at(i)] ? 1 : 0].move(i, fat_[at(i)]);
  bool rebuilt = false;
  for (int t = 0; t < 2; ++t) {
    if (!all) trees_[t].refit();
    if (all || trees_[t].worn()) trees_[t].build(bounded_[t], fat_), rebuilt = true;
  }
  return rebuilt;
}

// found_ -> sorted_: by counting on the first index, then each short run by the second; few as they come.
template <int D>
void BroadPhase<D>::sort_found() {
  if (found_.size() < group_.size() / 8) {
    sorted_ = found_;
    return std::sort(sorted_.begin(), sorted_.end());
  }
  start_.assign(group_.size() + 1, 0);
  for (const Pair& p : found_) ++start_[at(p.first) + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  sorted_.resize(found_.size());
  for (const Pair& p : found_) sorted_[at(start_[at(p.first)]++)] = p;
  // start_[i] is now where run i ends.
  share_range(static_cast<int>(group_.size()), proxies_of_a_piece, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i)
      std::sort(sorted_.begin() + (i == 0 ? 0 : start_[i - 1]), sorted_.begin() + start_[i]);
  });
}

// f(i, where to put what is found) for each of the list; then `found` has it all, in the order of the list. Returns how
// many boxes were looked at.
template <int D>
template <class T, class F>
long BroadPhase<D>::search_for_each(std::span<const T> list, int grain, std::vector<Pair>& found, F&& f) {
  const int all = static_cast<int>(list.size()), pieces = (all + grain - 1) / grain;
  if (searched_.size() < at(pieces)) searched_.resize(at(pieces));
  share_range(all, grain, [&](int first, int last) {
    Searched& own = searched_[at(first / grain)];
    own.found.clear(), own.looked_at = 0;
    for (int k = first; k < last; ++k) f(list[at(k)], own);
  });
  found.clear();
  long looked_at = 0;
  for (int k = 0; k < pieces; ++k) {
    const Searched& own = searched_[at(k)];
    found.insert(found.end(), own.found.begin(), own.found.end());
    looked_at += own.looked_at;
  }
  return looked_at;
}

// out: the pairs of a sorted list that are to be kept, and sorted_. By pieces of the list: what of sorted_ lies between
// their first pairs goes with them.
template <int D>
template <class Keep, class Ask>
void BroadPhase<D>::sift_and_merge(const std::vector<Pair>& list, std::vector<Pair>& out, Keep&& keep, Ask&& ask) {
  const int all = static_cast<int>(list.size()), grain = threads() == 1 ? std::max(all, 1) : pairs_of_a_piece;
  const int pieces = std::max(1, (all + grain - 1) / grain);
  if (kept_.size() < list.size()) kept_.resize(list.size());
  end_.assign(at(pieces), 0), from_.assign(at(pieces) + 1, 0), to_.assign(at(pieces) + 1, 0);
  share_range(all, grain, [&](int first, int last) {
    std::size_t count = at(first);
    for (int k = first; k < last; ++k) {  // without a branch, which could not be foretold
      if (k + pairs_ahead < last) ask(list[at(k + pairs_ahead)]);
      const Pair p = list[at(k)];
      kept_[count] = p;
      count += keep(p);
    }
    end_[at(first / grain)] = count;
  });
  if (pieces == 1 && sorted_.empty()) {
    kept_.resize(end_[0]);
    return std::swap(kept_, out);
  }
  for (std::size_t i = 0; i < at(pieces); ++i) {
    from_[i + 1] =
        i + 1 == at(pieces)
            ? sorted_.size()
            : static_cast<std::size_t>(std::ranges::lower_bound(sorted_, list[(i + 1) * at(grain)]) - sorted_.begin());
    to_[i + 1] = to_[i] + end_[i] - i * at(grain) + from_[i + 1] - from_[i];
  }
  out.resize(to_.back());
  const auto place = [](auto& v, std::size_t i) { return v.begin() + static_cast<std::ptrdiff_t>(i); };
  share_pieces(pieces, [&](int piece) {
    const std::size_t i = at(piece);
    std::merge(place(kept_, i * at(grain)), place(kept_, end_[i]), place(sorted_, from_[i]),
               place(sorted_, from_[i + 1]), place(out, to_[i]));
  });
}

template <int D>
long BroadPhase<D>::search_again() {
  const long looked_at =
      search_for_each(std::span<const int>(leavers_), searches_of_a_piece, found_, [&](int i, Searched& own) {
        const auto take = [&](int j) {  // two that both left find each other twice
          if ((!left_[at(j)] || i < j) && may_pair(i, j)) own.found.push_back(std::minmax(i, j));
        };
        const auto meets = [&](const Bounds<D>& box) { return overlap(box, fat_[at(i)]); };
        own.looked_at += trees_[0].search(meets, take);
        if (!static_[at(i)]) own.looked_at += trees_[1].search(meets, take);
      });
  sort_found();
  sift_and_merge(near_, merged_, [&](const Pair& p) { return !(left_[at(p.first)] | left_[at(p.second)]); });
  near_.swap(merged_);
  return looked_at;
}

// The pairs of the exact bounds, from those of the fattened ones; and those of what has no bounds.
template <int D>
void BroadPhase<D>::filter(const std::vector<Pair>& near, std::vector<Pair>& pairs) {
  sift_and_merge(
      near, pairs, [&](const Pair& p) { return overlap(reach_[at(p.first)], reach_[at(p.second)]); },
      [&](const Pair& p) { ask_for(reach_[at(p.first)]), ask_for(reach_[at(p.second)]); });
}

template <int D>
void BroadPhase<D>::list_half_spaces(std::span<const BoundingPlane<D>> planes, Real alert) {
  std::size_t next = 0;
  half_spaces_.clear();
  for (const int u : unbounded_ids_) {
    half_spaces_.emplace_back();  // of no normal: all boxes reach it
    if (next < planes.size() && planes[next].id == u) half_spaces_.back() = planes[next++];
    half_spaces_.back().id = u, half_spaces_.back().offset += alert / 2;
  }
  CAIRN_CHECK(next == planes.size(), "planes must be those of unbounded proxies, in their order");
}

// Anew each time: nothing is known of how they move.
template <int D>
void BroadPhase<D>::search_for_unbounded(std::span<const BoundingPlane<D>> planes, Real alert) {
  sorted_.clear();
  if (unbounded_ids_.empty()) return;
  list_half_spaces(planes, alert);
  // The parts of both trees, and last the others of their kind.
  const int trees[] = {trees_[0].parts(), trees_[1].parts()}, parts = trees[0] + trees[1] + 1;
  std::vector<int>& list = parts_;
  list.resize(half_spaces_.size() * at(parts));
  std::iota(list.begin(), list.end(), 0);
  search_for_each(std::span<const int>(list), branches_of_a_piece, found_, [&](int k, Searched& own) {
    const BoundingPlane<D>& plane = half_spaces_[at(k / parts)];
    const int u = plane.id, part = k % parts;
    const auto meets = [&](const Bounds<D>& box) { return overlap(box, reach_[at(u)]) && reaches(box, plane); };
    const auto take = [&](int i) {  // the trees hold more than the exact bounds
      if (may_pair(u, i) && meets(reach_[at(i)])) own.found.push_back(std::minmax(u, i));
    };
    if (part < trees[0]) trees_[0].search_part(part, meets, take);
    if (part >= trees[0] && part < parts - 1 && !static_[at(u)]) trees_[1].search_part(part - trees[0], meets, take);
    if (part < parts - 1) return;
    for (const int v : unbounded_ids_)
      if (u < v && may_pair(u, v) && overlap(reach_[at(u)], reach_[at(v)])) own.found.push_back({u, v});
  });
  sort_found();
}

template <int D>
const std::vector<typename BroadPhase<D>::Pair>& BroadPhase<D>::pairs_of(std::span<const int> chosen,
                                                                         const Proxies<D>& now) {
  for (const int i : leavers_) left_[at(i)] = false;  // of the last update
  leavers_.clear();
  chosen_.assign(group_.size(), false);
  for (const int i : chosen) {
    CAIRN_CHECK(is_bounded(now.bounds[at(i)]), "bounds of those chosen must have an end");
    chosen_[at(i)] = true, reach_[at(i)] = now.bounds[at(i)];
    left_[at(i)] = !inside(reach_[at(i)], fat_[at(i)]);
    if (left_[at(i)]) leavers_.push_back(i);
  }
  if (!leavers_.empty()) {
    fatten_leavers(now);
    rebuild_trees(false);
    search_again();
  }
  sorted_.clear();
  sift_and_merge(near_, near_chosen_, [&](const Pair& p) { return chosen_[at(p.first)] | chosen_[at(p.second)]; });
  list_half_spaces(now.planes, 0);
  found_.clear();
  for (const BoundingPlane<D>& plane : half_spaces_)
    for (const int i : chosen)
      if (may_pair(plane.id, i) && overlap(reach_[at(i)], reach_[at(plane.id)]) && reaches(reach_[at(i)], plane))
        found_.push_back(std::minmax(plane.id, i));
  sort_found();
  filter(near_chosen_, of_chosen_);
  return of_chosen_;
}

template <int D>
typename BroadPhase<D>::Work BroadPhase<D>::update(const Proxies<D>& now, Real alert) {
  const std::size_t n = now.bounds.size();
  CAIRN_CHECK(now.group.size() == n && now.is_static.size() == n && now.margin.size() == n, "one of each for a proxy");
  CAIRN_CHECK(alert >= 0, "an alert distance must not be negative");
  const bool fresh = !same_proxies(now);
  if (fresh) start(now);
  fatten(now, alert);
  Work work{static_cast<int>(leavers_.size()), false, 0};
  if (fresh || !leavers_.empty()) {
    work.rebuilt = rebuild_trees(fresh);
    work.looked_at = search_again();
  }
  search_for_unbounded(now.planes, alert);
  filter(near_, pairs_);
  return work;
}

template <int D>
typename BroadPhase<D>::Work BroadPhase<D>::update(std::span<const Bounds<D>> bounds, std::span<const int> group,
                                                   std::span<const char> is_static, Real margin, Real alert) {
  margins_.assign(bounds.size(), margin);
  return update({bounds, group, is_static, margins_}, alert);
}

template class BroadPhase<2>;
template class BroadPhase<3>;

}  // namespace cairn
