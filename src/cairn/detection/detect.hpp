// Contacts of a model: broad phase, then each pair of parts.
#pragma once

#include <span>
#include <vector>

#include "cairn/detection/broad.hpp"
#include "cairn/detection/narrow.hpp"
#include "cairn/model/model.hpp"

namespace cairn {

template <int D>
struct Contact {
  ContactKey key;
  int body[2];    // of the two parts
  Vec<D> normal;  // unit, from the second body to the first
  Vec<D> point;   // [m]
  Real gap;       // [m]
  int material[2];
};

template <int D>
class Detector {
 public:
  explicit Detector(const Model<D>& model);

  // Contacts with a gap not above the sum of the two bodies' alert distances [m], sorted by key: they do not depend on
  // what was detected before.
  const std::vector<Contact<D>>& detect(std::span<const Pose<D>> poses, std::span<const Real> alert);

 private:
  const Model<D>& model_;
  BroadPhase<D> broad_;
  std::vector<Pose<D>> pose_;      // (parts)
  std::vector<Bounds<D>> bounds_;  // (parts)
  std::vector<int> group_;         // (parts) the body
  std::vector<char> still_;        // (parts) of fixed bodies
  std::vector<Manifold<D>> manifolds_;
  std::vector<Contact<D>> contacts_;
};

}  // namespace cairn
