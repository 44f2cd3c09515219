// Sweeps over contacts with Coulomb friction between rigid bodies, for scenes that move: from the impulses of the last
// step, four contacts at once, on any number of threads. Islands are solved apart.
// Errors are the Monitor's: natural map over |q| in the caller's units and in the problem's own, and both must pass;
// or, where asked, the natural map over the impulses, both in the problem's own units.
//
// Sweeps are accelerated by momentum: a sweep from x gives g(x); the next one starts at g + beta (g - g of the sweep
// before), where beta is the ratio of the squares of the last two changes g(x) - x, as in a conjugate gradient method,
// and at g alone where the change has grown.
#pragma once

#include <span>
#include <vector>

#include "cairn/base/body_rows.hpp"
#include "cairn/solver/sweep_kernel.hpp"
#include "cairn/solver/sweep_order.hpp"

namespace cairn {

template <int D>
struct SweepBody {
  Vec<D> inverse_mass{};            // [1/kg] along each axis; 0: locked
  Mat<spins<D>> inverse_inertia{};  // [1/(kg m^2)] in the world's axes
  Vec<D> v{};                       // [m/s] free velocity
  Vec<spins<D>> w{};                // [rad/s] free spin, in the world's axes
};

template <int D>
struct SweepContact {
  Mat<D> frame;   // columns: normal, tangents
  Vec<D> arm[2];  // [m] from the bodies' centres
  Vec<D> w{};     // [m/s]
  Real mu = 0, mu_minus = 0;
  Vec<D> S{};  // [N s] to start from
};

// What errors are relative to.
enum class ErrorScale {
  free_velocities,  // |q|, as in files of contact problems
  impulses          // |S|, as in studies of moving packings: larger where impulses are much larger than weights ask for
};

struct SweepLimits {
  Real tolerance = 0;
  Real enough = 0;      // an error that will do where the tolerance would take too many sweeps
  long most = 100;      // sweeps
  long least = 0;       // sweeps to make where the tolerance is reached sooner, unless the error is a thousandth of it
  long patience = 150;  // given up where more than that many would follow; 0: never
  ErrorScale scale = ErrorScale::free_velocities;
};

struct SweepResult {
  bool reached = false;
  long sweeps = 0;
  Real error = 0;  // in the caller's units (where these matter), of the impulses left behind
};

template <int D>
class BodySweeps {
 public:
  using Pair = SweepOrder::Pair;

  // Then all bodies and all contacts are set. `round`: bodies that are spheres about their centres, with no freedom
  // locked.
  void start(int bodies, std::span<const Pair> contacts, std::span<const char> round);
  void set_body(int body, const SweepBody<D>& b);
  void set_contact(int contact, const SweepContact<D>& c);

  int islands() const { return static_cast<int>(order_.island.size()); }
  long orders() const { return orders_; }  // made so far: as long as it is the same, islands and contacts are
  std::span<const int> contacts(int island) const;
  std::span<const int> bodies(int island) const;
  bool round(int island) const { return part_[static_cast<std::size_t>(island)].kind == SweepKind::round; }

  // Of an island whose bodies and contacts have been set; velocities are then those of its impulses.
  void prepare(int island);
  SweepResult run(int island, const SweepLimits& limits);
  void finish(int island);  // of the velocities as they are: U of contacts

  Vec<D> impulse(int contact) const { return field(contact, &SweepLayout::S); }
  Vec<D> velocity(int contact) const { return field(contact, &SweepLayout::move); }  // U, after finish()
  // [1/kg] mean diagonal of the contact's block of W
  Real scale(int contact) const {
    const Slot& s = slot_[static_cast<std::size_t>(contact)];
    return field_[s.first + static_cast<std::size_t>(s.at->mean * lane_count)];
  }
  Vec<D> linear_velocity(int body) const;       // [m/s]
  Vec<spins<D>> spin_velocity(int body) const;  // [rad/s] in the world's axes

 private:
  static constexpr int stride = SweepBodies::velocity_stride[D], inverse_stride = SweepBodies::inverse_stride[D];

  struct Part {  // an island
    SweepKind kind = SweepKind::solid;
    std::size_t offset = 0;   // of its first group's fields
    int first = 0, last = 0;  // groups
    Real norm = 1;            // [m/s] |q|
    SweepUnits units;
  };
  struct Slot {         // of a contact
    std::size_t first;  // its number of field 0
    const SweepLayout* at;
  };
  struct Piece {  // groups of one colour, for one thread
    int first, last;
  };

  // Groups as the kernels take them.
  SweepGroups groups(const Part& part);
  void cut_colours();
  void arrange();
  // f(first group, last group) of all pieces, colour by colour, summed in their order.
  template <class Sum, class F>
  Sum in_pieces(int island, F&& f);
  Real sweep(int island, Real beta, Real relaxed);
  Vec<D> field(int contact, int SweepLayout::*which) const {
    const Slot& s = slot_[static_cast<std::size_t>(contact)];
    const Real* f = &field_[s.first + static_cast<std::size_t>(s.at->*which * lane_count)];
    Vec<D> x;
    for (int i = 0; i < D; ++i) x[i] = f[i * lane_count];
    return x;
  }
  void refresh(int island);
  void keep_velocities(int island);
  void move_on(int island, Real beta);
  struct Errors {
    Real given, own;
    Real worst() const { return given > own ? given : own; }
  };
  Errors measure(int island, ErrorScale scale);
  void save(int island);     // impulses, as the best
  void clear(int island);    // no impulses, as the best
  void restore(int island);  // the best
  template <class Copy>
  void copy_impulses(int island, Copy copy);

  SweepOrder order_;
  long orders_ = 0;
  std::vector<Pair> pairs_;     // contacts of the order
  std::vector<char> round_;     // bodies of it
  std::vector<Part> part_;      // (islands)
  std::vector<Piece> piece_;    // of all colours
  std::vector<int> colour_;     // first piece of each colour, and one number more
  std::vector<Slot> slot_;      // (contacts)
  std::vector<Real> field_;     // of all groups
  std::vector<int> body_;       // (groups * 8) places
  std::vector<Real> inverse_;   // (places and one)
  std::vector<Real> free_, u_;  // (places and one) velocities
  std::vector<Real> last_;      // (places) velocities after the sweep before
  std::vector<Real> best_;      // (groups) impulses with the least error
};

extern template class BodySweeps<2>;
extern template class BodySweeps<3>;

}  // namespace cairn
