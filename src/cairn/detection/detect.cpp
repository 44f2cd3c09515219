#include "cairn/detection/detect.hpp"

#include <algorithm>

namespace cairn {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
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
}

template <int D>
const std::vector<Contact<D>>& Detector<D>::detect(std::span<const Pose<D>> poses, std::span<const Real> alert) {
  Real margin = 0;
  for (std::size_t p = 0; p < model_.parts.size(); ++p) {
    const BodyPart<D>& part = model_.parts[p];
    const Real a = alert[at(part.body)];
    pose_[p] = poses[at(part.body)] * part.pose;
    bounds_[p] = bounds(part.shape, pose_[p]);
    for (int i = 0; i < D; ++i) bounds_[p].low[i] -= a, bounds_[p].high[i] += a;
    margin = std::max(margin, a);
  }
  broad_.update(bounds_, group_, still_, margin);
  contacts_.clear();
  for (const auto& [first, second] : broad_.pairs()) {
    const BodyPart<D>&a = model_.parts[at(first)], &b = model_.parts[at(second)];
    manifolds_.clear();
    collide_all(a.shape, pose_[at(first)], b.shape, pose_[at(second)], alert[at(a.body)] + alert[at(b.body)],
                manifolds_);
    for (const Manifold<D>& m : manifolds_)
      for (int i = 0; i < m.size; ++i)
        contacts_.push_back({{first, second, m.points[i].feature},
                             {a.body, b.body},
                             m.normal,
                             m.points[i].point,
                             m.points[i].gap,
                             {a.material, b.material}});
  }
  std::sort(contacts_.begin(), contacts_.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return contacts_;
}

template class Detector<2>;
template class Detector<3>;

}  // namespace cairn
