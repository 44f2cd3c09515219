#include "cairn/detection/detect.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cairn {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
  }
  pose_.resize(model.parts.size());
  bounds_.resize(model.parts.size());
  margin_.resize(model.parts.size());
  for (std::size_t p = 0; p < model.parts.size(); ++p)
    if (BoundsTree<D> tree = tree_of_pieces<D>(model.parts[p].shape); tree.size() > 0)
      terrain_[static_cast<int>(p)] = {std::move(tree), bounds<D>(model.parts[p].shape, Pose<D>{})};
}

// Around the turned box of terrain, whose points may be many.
template <int D>
Bounds<D> Detector<D>::bounds_of(int part) const {
  const Pose<D>& pose = pose_[at(part)];
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
  for (const int part : {first, second})
    if (const auto found = terrain_.find(part); found != terrain_.end()) return &found->second.pieces;
  return nullptr;
}

template <int D>
const std::vector<Contact<D>>& Detector<D>::detect(std::span<const Pose<D>> poses, std::span<const Real> alert) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  find_pairs(poses, alert);
  const auto between = Clock::now();
  find_contacts(alert);
  seconds_.broad = std::chrono::duration<double>(between - start).count();
  seconds_.narrow = std::chrono::duration<double>(Clock::now() - between).count();
  return contacts_;
}

template <int D>
void Detector<D>::find_pairs(std::span<const Pose<D>> poses, std::span<const Real> alert) {
  planes_.clear();
  for (std::size_t p = 0; p < model_.parts.size(); ++p) {
    const BodyPart<D>& part = model_.parts[p];
    const Real a = alert[at(part.body)];
    pose_[p] = poses[at(part.body)] * part.pose;
    bounds_[p] = bounds_of(static_cast<int>(p));
    for (int i = 0; i < D; ++i) bounds_[p].low[i] -= a, bounds_[p].high[i] += a;
    margin_[p] = margin(bounds_[p], a);
    if (std::holds_alternative<HalfSpace<D>>(part.shape)) {
      const Vec<D> n = pose_[p].R * HalfSpace<D>::normal();
      planes_.push_back({static_cast<int>(p), n, dot(n, pose_[p].x) + a});
    }
  }
  broad_.update({bounds_, group_, still_, margin_, planes_});
}

// In the order of the pairs, which is that of the keys but for the features.
template <int D>
void Detector<D>::find_contacts(std::span<const Real> alert) {
  contacts_.clear();
  for (const auto& [first, second] : broad_.pairs()) {
    const BodyPart<D>&a = model_.parts[at(first)], &b = model_.parts[at(second)];
    if (model_.materials.between(a.material, b.material).none) continue;
    const auto before = static_cast<std::ptrdiff_t>(contacts_.size());
    manifolds_.clear();
    collide_all(a.shape, pose_[at(first)], b.shape, pose_[at(second)], alert[at(a.body)] + alert[at(b.body)],
                manifolds_, pieces_in(first, second));
    for (const Manifold<D>& m : manifolds_)
      for (int i = 0; i < m.size; ++i)
        contacts_.push_back({{first, second, m.points[i].feature},
                             {a.body, b.body},
                             m.normal,
                             m.points[i].point,
                             m.points[i].gap,
                             {a.material, b.material}});
    std::sort(contacts_.begin() + before, contacts_.end(), [](const auto& x, const auto& y) { return x.key < y.key; });
  }
}

template class Detector<2>;
template class Detector<3>;

}  // namespace cairn
