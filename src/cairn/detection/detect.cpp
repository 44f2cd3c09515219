#include "cairn/detection/detect.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

#include "cairn/base/ask_for.hpp"
#include "cairn/base/at.hpp"
#include "cairn/base/list_walk.hpp"
#include "cairn/base/threads.hpp"
#include "cairn/detection/balls.hpp"

namespace cairn {
namespace {
constexpr int parts_of_a_piece = 256, tests_of_a_piece = 256;
constexpr std::size_t tests_ahead = 12;
int grain_of(int pairs) { return threads() == 1 ? std::max(pairs, 1) : tests_of_a_piece; }

// Some steps long, so that few boxes are searched for in each; not so wide that all neighbours are found.
template <int D>
Real margin(const Bounds<D>& box, Real alert) {
  Real extent = 0;
  for (int i = 0; i < D; ++i) extent = std::max(extent, box.high[i] - box.low[i]);
  return std::min(8 * alert, extent / 4);
}

}  // namespace

template <int D>
Detector<D>::Detector(const Model<D>& model) : model_(model) {
  for (const BodyPart<D>& part : model.parts) {
    const Body<D>& body = model.bodies[at(part.body)];
    group_.push_back(body.free() ? part.body : -1);  // boundaries do not touch each other
    still_.push_back(!body.free() && body.drive < 0);
    const Pose<D> none{};
    centred_.push_back(std::memcmp(&part.pose, &none, sizeof none) == 0);
  }
  for (const BodyPart<D>& part : model.parts) {
    const auto* ball = std::get_if<Ball<D>>(&part.shape);
    lean_.push_back({{}, ball != nullptr ? ball->radius : -1, part.body, part.material});
  }
  first_part_.assign(model.bodies.size() + 1, 0), part_of_.resize(model.parts.size());
  for (const BodyPart<D>& part : model.parts) ++first_part_[at(part.body) + 1];
  for (std::size_t b = 1; b < first_part_.size(); ++b) first_part_[b] += first_part_[b - 1];
  std::vector<int> next = first_part_;
  for (std::size_t p = 0; p < model.parts.size(); ++p)
    part_of_[at(next[at(model.parts[p].body)]++)] = static_cast<int>(p);
  chosen_.resize(model.parts.size());
  pose_.resize(model.parts.size());
  bounds_.resize(model.parts.size());
  margin_.resize(model.parts.size());
  alert_.resize(model.parts.size(), -1);  // of none yet
  moved_.resize(model.parts.size());
  for (std::size_t p = 0; p < model.parts.size(); ++p)
    if (BoundsTree<D> tree = tree_of_pieces<D>(model.parts[p].shape); tree.size() > 0)
      terrain_[static_cast<int>(p)] = {std::move(tree), bounds<D>(model.parts[p].shape, Pose<D>{})};
  for (std::size_t p = 0; p < model.parts.size(); ++p)
    if (std::holds_alternative<HalfSpace<D>>(model.parts[p].shape)) half_spaces_.push_back(static_cast<int>(p));
}

// Around the turned box of terrain, whose points may be many.
template <int D>
Bounds<D> Detector<D>::bounds_of(int part) const {
  const Pose<D>& pose = pose_[at(part)];
  if (terrain_.empty()) return bounds<D>(model_.parts[at(part)].shape, pose);
  const auto found = terrain_.find(part);
  if (found == terrain_.end()) return bounds<D>(model_.parts[at(part)].shape, pose);
  const Bounds<D>& box = found->second.bounds;
  const Vec<D> centre = pose.to_world(Real(0.5) * (box.low + box.high)), half = Real(0.5) * (box.high - box.low);
  const Mat<D> R = pose.R.matrix();
  Vec<D> reach{};
  for (int i = 0; i < D; ++i)
    for (int k = 0; k < D; ++k) reach[i] += std::fabs(R(i, k)) * half[k];
  return {centre - reach, centre + reach};
}

template <int D>
const BoundsTree<D>* Detector<D>::pieces_in(int first, int second) const {
  if (terrain_.empty()) return nullptr;
  for (const int part : {first, second})
    if (const auto found = terrain_.find(part); found != terrain_.end()) return &found->second.pieces;
  return nullptr;
}

template <int D>
const std::vector<Contact<D>>& Detector<D>::detect(std::span<const Pose<D>> poses, std::span<const Real> alert) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  find_pairs(poses, alert);
  std::swap(contacts_, last_.contacts);
  const auto between = Clock::now();
  find_contacts(alert, contacts_);
  keep_pairs();
  seconds_.broad = std::chrono::duration<double>(between - start).count();
  seconds_.narrow = std::chrono::duration<double>(Clock::now() - between).count();
  return contacts_;
}

template <int D>
const std::vector<Contact<D>>& Detector<D>::detect_of(std::span<const int> bodies, std::span<const Pose<D>> poses,
                                                      std::span<const Real> alert) {
  choose_parts(bodies);
  of_chosen_.clear();
  if (chosen_parts_.empty()) return of_chosen_;
  find_pairs_of_chosen(poses, alert);
  find_contacts(alert, of_chosen_);
  for (const int p : chosen_parts_) alert_[at(p)] = -1;  // contacts that are kept are of other alert distances
  choose_parts({});
  return of_chosen_;
}

template <int D>
void Detector<D>::choose_parts(std::span<const int> bodies) {
  for (const int p : chosen_parts_) chosen_[at(p)] = false;
  chosen_parts_.clear();
  for (const int b : bodies)
    chosen_parts_.insert(chosen_parts_.end(), part_of_.begin() + first_part_[at(b)],
                         part_of_.begin() + first_part_[at(b) + 1]);
  std::ranges::sort(chosen_parts_);
  for (const int p : chosen_parts_) chosen_[at(p)] = true;
}

template <int D>
void Detector<D>::find_pairs(std::span<const Pose<D>> poses, std::span<const Real> alert) {
  share_range(static_cast<int>(model_.parts.size()), parts_of_a_piece, [&](int first, int last) {
    for (int p = first; p < last; ++p) place_part(at(p), poses, alert);
  });
  place_half_spaces(alert);
  broad_.update({bounds_, group_, still_, margin_, planes_});
  pairs_ = &broad_.pairs();
}

template <int D>
void Detector<D>::find_pairs_of_chosen(std::span<const Pose<D>> poses, std::span<const Real> alert) {
  share_range(static_cast<int>(chosen_parts_.size()), parts_of_a_piece, [&](int first, int last) {
    for (int k = first; k < last; ++k) place_part(at(chosen_parts_[at(k)]), poses, alert);
  });
  place_half_spaces(alert);
  const Proxies<D> now{bounds_, group_, still_, margin_, planes_};
  if (std::ranges::all_of(chosen_parts_, [&](int p) { return is_bounded(bounds_[at(p)]); })) {
    pairs_ = &broad_.pairs_of(chosen_parts_, now);
  } else {
    broad_.update(now);
    pairs_ = &broad_.pairs();
  }
}

template <int D>
void Detector<D>::place_half_spaces(std::span<const Real> alert) {
  planes_.clear();
  for (const int p : half_spaces_) {
    const Vec<D> n = pose_[at(p)].R * HalfSpace<D>::normal();
    planes_.push_back({p, n, dot(n, pose_[at(p)].x) + alert[at(model_.parts[at(p)].body)]});
  }
}

template <int D>
void Detector<D>::place_part(std::size_t p, std::span<const Pose<D>> poses, std::span<const Real> alert) {
  const std::size_t body = at(lean_[p].body);
  const Real a = alert[body];
  if (lean_[p].radius >= 0 && centred_[p]) {  // how it has turned is nobody's business
    const Vec<D>& x = poses[body].x;
    moved_[p] = std::memcmp(&x, &lean_[p].x, sizeof x) != 0 || a != alert_[p];
    if (!moved_[p]) return;
    pose_[p].x = x;
  } else {
    const Pose<D> pose = centred_[p] ? poses[body] : poses[body] * model_.parts[p].pose;
    moved_[p] = std::memcmp(&pose, &pose_[p], sizeof pose) != 0 || a != alert_[p];
    if (!moved_[p]) return;
    pose_[p] = pose;
  }
  alert_[p] = a, lean_[p].x = pose_[p].x;
  bounds_[p] = bounds_of(static_cast<int>(p));
  for (int i = 0; i < D; ++i) bounds_[p].low[i] -= a, bounds_[p].high[i] += a;
  margin_[p] = margin(bounds_[p], a);
}

// In the order of the pairs, which is that of the keys but for the features.
template <int D>
void Detector<D>::find_contacts(std::span<const Real> alert, std::vector<Contact<D>>& contacts) {
  const int pairs = static_cast<int>(pairs_->size());
  const int grain = grain_of(pairs), pieces = (pairs + grain - 1) / grain;
  if (found_.size() < at(pieces)) found_.resize(at(pieces));
  count_.resize(at(pairs));
  share_range(pairs, grain, [&](int first, int last) {
    Found& found = found_[at(first / grain)];
    if (chosen_parts_.empty())
      find_contacts(first, last, alert, found);
    else
      find_more_contacts(first, last, alert, found);
  });
  if (pairs == 0) return contacts.clear();  // nothing was looked at: what is in found_ is old
  start_.assign(at(pieces) + 1, 0);
  if (pieces == 1) return std::swap(contacts, found_[0].contacts);
  for (std::size_t i = 0; i < at(pieces); ++i) start_[i + 1] = start_[i] + found_[i].contacts.size();
  contacts.resize(start_.back());
  share_pieces(pieces, [&](int i) {
    std::copy(found_[at(i)].contacts.begin(), found_[at(i)].contacts.end(),
              contacts.begin() + static_cast<std::ptrdiff_t>(start_[at(i)]));
  });
}

// Of pairs with a chosen part, the contacts that are not known yet; balls touch once.
template <int D>
void Detector<D>::find_more_contacts(int first_pair, int last_pair, std::span<const Real> alert, Found& found) const {
  found.contacts.clear();
  if (first_pair == last_pair) return;
  ListWalk known(last_.pairs, (*pairs_)[at(first_pair)]);
  for (int pair = first_pair; pair < last_pair; ++pair) {
    const auto [first, second] = (*pairs_)[at(pair)];
    if (!chosen_[at(first)] && !chosen_[at(second)]) continue;
    std::span<const Contact<D>> old;
    if (known.to((*pairs_)[at(pair)])) {
      const std::size_t k = known.place();
      old = std::span(contacts_).subspan(at(last_.first[k]), at(last_.first[k + 1] - last_.first[k]));
    }
    if (!old.empty() && lean_[at(first)].radius >= 0 && lean_[at(second)].radius >= 0) continue;
    const auto before = static_cast<std::ptrdiff_t>(found.contacts.size());
    collide_pair(pair, alert, found);
    const auto is_old = [&](const Contact<D>& c) {
      return std::ranges::binary_search(old, c.key, {}, &Contact<D>::key);
    };
    found.contacts.erase(std::remove_if(found.contacts.begin() + before, found.contacts.end(), is_old),
                         found.contacts.end());
  }
}

template <int D>
void Detector<D>::find_contacts(int first_pair, int last_pair, std::span<const Real> alert, Found& found) {
  found.contacts.clear();
  if (first_pair == last_pair) return;
  const auto& pairs = *pairs_;
  ListWalk known(last_.pairs, pairs[at(first_pair)]);
  int first_kept = 0, last_kept = 0;  // contacts of the last detect() that are still to be copied
  const auto copy_kept = [&] {
    found.contacts.insert(found.contacts.end(), last_.contacts.begin() + first_kept,
                          last_.contacts.begin() + last_kept);
    first_kept = last_kept;
  };
  for (int pair = first_pair; pair < last_pair; ++pair) {
    if (const std::size_t next = at(pair) + tests_ahead; next < pairs.size())
      ask_for(lean_[at(pairs[next].first)]), ask_for(lean_[at(pairs[next].second)]);
    const auto [first, second] = pairs[at(pair)];
    if (!moved_[at(first)] && !moved_[at(second)] && known.to(pairs[at(pair)])) {
      const std::size_t k = known.place();
      if (last_.first[k] != last_kept) copy_kept(), first_kept = last_.first[k];
      last_kept = last_.first[k + 1];
      count_[at(pair)] = last_kept - last_.first[k];
    } else {
      copy_kept();
      const std::size_t before = found.contacts.size();
      collide_pair(pair, alert, found);
      count_[at(pair)] = static_cast<int>(found.contacts.size() - before);
    }
  }
  copy_kept();
}

template <int D>
void Detector<D>::collide_pair(int pair, std::span<const Real> alert, Found& found) const {
  const int first = (*pairs_)[at(pair)].first, second = (*pairs_)[at(pair)].second;
  const Lean &a = lean_[at(first)], &b = lean_[at(second)];
  if (model_.materials.between(a.material, b.material).none) return;
  std::vector<Contact<D>>& contacts = found.contacts;
  const auto before = static_cast<std::ptrdiff_t>(contacts.size());
  const Real near = alert[at(a.body)] + alert[at(b.body)];
  const auto take = [&](const Manifold<D>& m) {
    for (int i = 0; i < m.size; ++i)
      contacts.push_back({{first, second, m.points[i].feature},
                          {a.body, b.body},
                          m.normal,
                          m.points[i].point,
                          m.points[i].gap,
                          {a.material, b.material}});
  };
  if (a.radius >= 0 && b.radius >= 0) {  // what packings are made of
    meet_balls(a.radius, a.x, b.radius, b.x, near, [&](const Vec<D>& n, const Vec<D>& point, Real gap) {
      contacts.push_back({{first, second, 0}, {a.body, b.body}, n, point, gap, {a.material, b.material}});
    });
    return;
  }
  found.manifolds.clear();
  collide_all(model_.parts[at(first)].shape, pose_[at(first)], model_.parts[at(second)].shape, pose_[at(second)], near,
              found.manifolds, pieces_in(first, second));
  for (const Manifold<D>& m : found.manifolds) take(m);
  std::sort(contacts.begin() + before, contacts.end(), [](const auto& p, const auto& q) { return p.key < q.key; });
}

// start_: the first contact of each piece of the pairs, from find_contacts().
template <int D>
void Detector<D>::keep_pairs() {
  share_copy(*pairs_, last_.pairs);
  const int pairs = static_cast<int>(pairs_->size()), grain = grain_of(pairs);
  last_.first.resize(at(pairs) + 1);
  last_.first[0] = 0;
  share_range(pairs, grain, [&](int first, int last) {
    int next = static_cast<int>(start_[at(first / grain)]);
    for (std::size_t k = at(first); k < at(last); ++k) last_.first[k + 1] = next += count_[k];
  });
}

template class Detector<2>;
template class Detector<3>;

}  // namespace cairn
