// Sweeps over contacts with Coulomb friction between rigid bodies, for scenes that move: from the impulses of the last
// step, four contacts at once, on any number of threads. Islands are solved apart.
// Errors are the Monitor's: natural map over |q| in the caller's units and in the problem's own, and both must pass;
// or, where asked, the natural map over the impulses, both in the problem's own units.
//
// Sweeps are accelerated by momentum: a sweep from x gives g(x); the next one starts at g + beta (g - g of the sweep
// before), where beta is the ratio of the squares of the last two changes g(x) - x, as in a conjugate gradient method,
// and at g alone where the change has grown.
//
// Far from the answer a large island is swept in single precision, eight or sixteen contacts at once and half the
// bytes, for what its impulses add to the free velocities; what single precision cannot resolve, and the last word on
// the error, are left to double precision.
#pragma once

#include <span>
#include <vector>

#include "cairn/base/body_rows.hpp"
#include "cairn/base/lane_vector.hpp"
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
  long least = 0;       // sweeps to make where the tolerance is reached sooner, or up to a twentieth of it
  long patience = 150;  // given up where more than that many would follow; 0: never
  ErrorScale scale = ErrorScale::free_velocities;
  bool single = true;   // precision will do, far from the answer
  bool steady = false;  // errors fall as changes do: they are measured when these say that it is time
};

struct SweepResult {
  bool reached = false;
  long sweeps = 0;
  long single = 0;       // of them, in single precision
  Real error = 0;        // in the caller's units (where these matter), of the impulses left behind
  bool far = false;      // from the answer, after the first sweep
  bool stalled = false;  // as near to it as single precision comes, or going round in circles there
};

template <int D>
class BodySweeps {
 public:
  using Pair = SweepOrder::Pair;

  // Then all bodies and all contacts are set. `round`: bodies that are spheres about their centres, with no freedom
  // locked.
  void start(int bodies, std::span<const Pair> contacts, std::span<const char> round) {
    plan(bodies, contacts, round);
    start();
  }
  // The same in two parts: what one thread does, and the rest.
  void plan(int bodies, std::span<const Pair> contacts, std::span<const char> round);
  void start();
  void set_body(int body, const SweepBody<D>& b);
  void set_contact(int contact, const SweepContact<D>& c);
  // Asks for what is kept of a contact, which will be set or looked at soon.
  void ask_for(int contact) const {
    const Slot& s = slot_[static_cast<std::size_t>(contact)];
    const char* group = reinterpret_cast<const char*>(&whole_.field[s.first]);
    const int size = s.at->count * group_of<Real> * static_cast<int>(sizeof(Real));
    for (int k = 0; k < size; k += 64) __builtin_prefetch(group + k, 1);
  }

  int islands() const { return static_cast<int>(order_.island.size()); }
  std::span<const int> contacts(int island) const;
  std::span<const int> bodies(int island) const;
  bool round(int island) const { return part_[static_cast<std::size_t>(island)].round; }  // of round bodies alone

  // Of an island whose bodies and contacts have been set; velocities are then those of its impulses.
  void prepare(int island);
  SweepResult run(int island, const SweepLimits& limits);
  void finish(int island);  // of the velocities as they are: U of contacts

  Vec<D> impulse(int contact) const { return field(contact, &SweepLayout::S); }
  Vec<D> velocity(int contact) const { return field(contact, &SweepLayout::move); }  // U, after finish()
  // [1/kg] mean diagonal of the contact's block of W
  Real scale(int contact) const {
    const Slot& s = slot_[static_cast<std::size_t>(contact)];
    return whole_.field[s.first + static_cast<std::size_t>(s.at->mean * group_of<Real>)];
  }
  Vec<D> linear_velocity(int body) const;       // [m/s]
  Vec<spins<D>> spin_velocity(int body) const;  // [rad/s] in the world's axes

 private:
  static constexpr int stride = SweepBodies::velocity_stride[D], inverse_stride = SweepBodies::inverse_stride[D];

  struct Part {  // an island
    SweepKind kind = SweepKind::solid;
    bool round = false;                         // spheres, or discs in the plane
    bool far_apart = false;                     // its numbers, since they are many
    std::size_t offset = 0, single_offset = 0;  // of its first group's fields
    int first = 0, last = 0;                    // groups
    int first_single = 0;                       // group of sixteen
    Real norm = 1;                              // [m/s] |q|
    Real start = 0;                             // [N s] |S| of the impulses set
    bool finished = false;                      // velocities of contacts are where moves were
    SweepUnits units;
  };
  struct Slot {         // of a contact
    std::size_t first;  // its number of field 0
    const SweepLayout* at;
  };
  struct Piece {                            // for one thread
    int first, last;                        // groups
    int first_single = 0, last_single = 0;  // groups of sixteen
    int first_run, last_run;
    int first_body = 0, last_body = 0;  // places of its block, if any
    template <class T>
    int first_of() const {
      return sizeof(T) == sizeof(float) ? first_single : first;
    }
    template <class T>
    int last_of() const {
      return sizeof(T) == sizeof(float) ? last_single : last;
    }
  };
  template <class T>
  struct Numbers {
    LaneVector<T> field;    // of all groups
    LaneVector<int> body;   // (groups * 2 * contacts of one) rows of places
    LaneVector<T> inverse;  // (places and one)
    LaneVector<T> u;        // (places and one) velocities
    LaneVector<T> last;     // (places) velocities after the sweep before
    LaneVector<T> best;     // (groups) impulses with the least error
  };

  template <class T>
  static std::size_t fields_of_a_group(const Part& part) {
    return static_cast<std::size_t>(sweep_kernel(part.kind).at.template fields<T>());
  }
  // Groups as the kernels take them.
  template <class T>
  SweepGroups<T> groups(const Part& part, Numbers<T>& x) const {
    constexpr bool single = sizeof(T) == sizeof(float);
    const auto first = static_cast<std::size_t>(single ? part.first_single : part.first);
    const std::size_t offset = single ? part.single_offset : part.offset;
    return {x.field.data() + offset - first * fields_of_a_group<T>(part) * group_of<T>, x.body.data(),
            row(static_cast<int>(order_.body.size())), part.far_apart};
  }
  static int row(int place) { return place * stride; }  // where its velocities begin
  const Piece& first_piece(std::size_t island) const {
    return piece_[static_cast<std::size_t>(order_.stage[static_cast<std::size_t>(order_.island[island].first_stage)])];
  }
  const Piece& last_piece(std::size_t island) const {
    return piece_[static_cast<std::size_t>(order_.stage[static_cast<std::size_t>(order_.island[island].last_stage)]) -
                  1];
  }
  void arrange();
  void arrange_single();
  template <class T>
  void clear_last_groups(std::span<const int> run, Numbers<T>& x);
  template <class T>
  void clear_bodies(std::span<const int> run, Numbers<T>& x);
  // f(piece) of all pieces, stage by stage, summed in their order. Also where f moves no body, so that what a thread
  // works on is in its cache.
  template <class Sum, class F>
  Sum in_pieces(int island, F&& f);
  Vec<D> field(int contact, int SweepLayout::*which) const;
  template <class Sum, class Before>
  Sum refresh(int island, Before&& before);
  void to_single(int island);
  void from_single(int island);
  template <class T>
  SweepResult run(int island, const SweepLimits& limits, Real far_above, Numbers<T>& x);
  template <class T>
  Real sweep(int island, bool first, Real beta, Real relaxed, Numbers<T>& x);
  template <class T>
  static void move_on(int first_body, int last_body, bool first, Real beta, Numbers<T>& x);
  struct Errors {
    Real given, own;
    Real worst() const { return given > own ? given : own; }
  };
  template <class T>
  Errors measure(int island, ErrorScale scale, Numbers<T>& x, bool keep_velocities = false);
  bool is_far(int island, ErrorScale scale, Real change2, Real far_above) const;
  template <class T>
  void save(int island, Numbers<T>& x);  // impulses, as the best
  template <class T>
  void clear(int island, Numbers<T>& x);  // no impulses, as the best
  template <class T>
  void restore(int island, Numbers<T>& x);  // the best
  template <class T, class Copy>
  void copy_impulses(int island, Numbers<T>& x, Copy copy);

  SweepOrder order_;
  long orders_ = 0;
  long arranged_ = 0;        // the order that fields are arranged by
  std::vector<Pair> pairs_;  // contacts of the order
  std::vector<char> round_;  // bodies of it
  std::vector<Part> part_;   // (islands)
  bool all_round_ = false;   // they are
  std::vector<Piece> piece_;
  std::vector<int> run_single_;  // as SweepOrder::run, of groups of sixteen
  std::vector<Slot> slot_;       // (contacts)
  LaneVector<Real> free_;        // (places and one) velocities
  Numbers<Real> whole_;
  Numbers<float> single_;
  long singles_ = -1;  // the order that the latter is of
};

extern template class BodySweeps<2>;
extern template class BodySweeps<3>;

}  // namespace cairn
