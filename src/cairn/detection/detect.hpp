// Contacts of a model: broad phase, then each pair of parts.
#pragma once

#include <map>
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

struct DetectionSeconds {
  double broad = 0, narrow = 0;
};

template <int D>
class Detector {
 public:
  explicit Detector(const Model<D>& model);

  // Contacts with a gap not above the sum of the two bodies' alert distances [m], sorted by key: they do not depend on
  // what was detected before.
  const std::vector<Contact<D>>& detect(std::span<const Pose<D>> poses, std::span<const Real> alert);
  // What detect() would find besides the contacts that it found last, now that the bodies named have other alert
  // distances; all are where they were.
  const std::vector<Contact<D>>& detect_of(std::span<const int> bodies, std::span<const Pose<D>> poses,
                                           std::span<const Real> alert);
  const DetectionSeconds& seconds() const { return seconds_; }  // of the last detect()

 private:
  struct Terrain {
    BoundsTree<D> pieces;
    Bounds<D> bounds;  // [m] in its own axes
  };

  struct Lean {        // what of a part is looked at for each pair
    Vec<D> x;          // [m] where it is
    Real radius = -1;  // [m] of a ball
    int body = -1, material = -1;
  };

  void place_half_spaces(std::span<const Real> alert);
  void choose_parts(std::span<const int> bodies);
  void find_pairs(std::span<const Pose<D>> poses, std::span<const Real> alert);
  void find_pairs_of_chosen(std::span<const Pose<D>> poses, std::span<const Real> alert);
  void place_part(std::size_t part, std::span<const Pose<D>> poses, std::span<const Real> alert);
  // Pairs whose parts have not moved since the last detect() keep its contacts.
  struct Last {
    std::vector<typename BroadPhase<D>::Pair> pairs;
    std::vector<int> first;            // (pairs and one) of their contacts
    std::vector<Contact<D>> contacts;  // of the detect() before, while one goes on
  };
  struct Found {  // by one thread
    std::vector<Manifold<D>> manifolds;
    std::vector<Contact<D>> contacts;
  };
  void find_contacts(std::span<const Real> alert, std::vector<Contact<D>>& contacts);
  void find_contacts(int first_pair, int last_pair, std::span<const Real> alert, Found& found);
  void find_more_contacts(int first_pair, int last_pair, std::span<const Real> alert, Found& found) const;
  void collide_pair(int pair, std::span<const Real> alert, Found& found) const;
  void keep_pairs();
  Bounds<D> bounds_of(int part) const;
  const BoundsTree<D>* pieces_in(int first, int second) const;

  const Model<D>& model_;
  BroadPhase<D> broad_;
  const std::vector<typename BroadPhase<D>::Pair>* pairs_ = nullptr;  // that are looked at now
  std::vector<int> first_part_, part_of_;                             // (bodies and one), (parts) of each body in turn
  std::vector<int> chosen_parts_;         // those of the bodies chosen, ascending; else none
  std::vector<char> chosen_;              // (parts) is one of them
  std::vector<Pose<D>> pose_;             // (parts)
  std::vector<Lean> lean_;                // (parts)
  std::vector<char> centred_;             // (parts) where the body is
  std::vector<Real> alert_;               // [m] (parts)
  std::vector<char> moved_;               // (parts) since the last detect(), or with another alert distance
  std::vector<Bounds<D>> bounds_;         // (parts)
  std::vector<int> group_;                // (parts) the body
  std::vector<char> still_;               // (parts) of fixed bodies
  std::vector<Real> margin_;              // [m] (parts)
  std::vector<BoundingPlane<D>> planes_;  // of the half-spaces
  std::map<int, Terrain> terrain_;        // of the parts that are
  std::vector<int> half_spaces_;          // the parts that are
  std::vector<Found> found_;              // (pieces of the list of pairs)
  std::vector<std::size_t> start_;        // (pieces and one) of their contacts among all
  std::vector<Contact<D>> contacts_, of_chosen_;
  std::vector<int> count_;  // (pairs) contacts
  Last last_;
  DetectionSeconds seconds_;
};

}  // namespace cairn
