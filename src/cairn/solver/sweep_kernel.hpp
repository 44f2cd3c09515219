// What sweeps do with groups of contacts between rigid bodies, each contact in its own frame and each body in the
// world's axes: nothing but bodies is written that another group of the same colour could read.
//
//   U = F^T (v_1 + w_1 x r_1 - v_2 - w_2 x r_2) + w,   F = (normal, tangents),   r: arms from the bodies' centres
//
// Between spheres F is left out: w, U and S are in the world's axes, and what follows from the block of W, which is one
// number along the normal and one across it, is computed from the bodies' inertias each time: fewer bytes to read.
//
// A group is a row of fields, each of which has one number for each contact of the group; which ones, its kind says.
// Groups are of four contacts, or of sixteen in single precision: then impulses and velocities are in the problem's own
// units, velocities are what impulses add to the free ones, and w is the q of the problem. Four lanes, or eight of
// single precision, are worked on at once; where the processor has AVX-512, sixteen. The bits are the same.
#pragma once

#include "cairn/base/lanes.hpp"

namespace cairn {

// Bodies: velocities, and inverses of their inertia in the world's axes. Body `nothing` has neither.
struct SweepBodies {
  static constexpr int velocity_stride[4] = {0, 0, 4, 8};  // (D) v_x v_y w 0; v 1/m, w 1/J (numbers of round bodies)
  static constexpr int inverse_stride[4] = {0, 0, 4, 12};  // (D) 1/m_x 1/m_y 1/J 0; 1/m 0, J^-1: xx yy zz 0 xy xz yz 0
};

template <class T>
inline constexpr int group_of = sizeof(T) == sizeof(float) ? 16 : 4;  // contacts
// So many groups ahead of the work bodies are looked for, and fields.
template <class T>
inline constexpr int groups_ahead = sizeof(T) == sizeof(float) ? 2 : 3;
template <class T>
inline constexpr int fields_ahead = sizeof(T) == sizeof(float) ? 4 : 8;

template <class T>
struct SweepGroups {
  T* field;         // (groups * fields of the kind * contacts of a group)
  const int* body;  // ((groups and `groups_ahead` more) * 2 * contacts of one) of the first side, of the second: where
                    // its velocities begin
  int nothing;      // that of the body that stands for boundaries and for empty lanes
  bool far_apart;   // too many for the cache: what comes next is asked for ahead
};

struct SweepErrors {  // sums of squares of natural maps
  Real given = 0;     // in SI units
  Real own = 0;       // in the units below
  Real impulse = 0;   // square of all impulses, in the units below
};

struct SweepUnits {
  Real velocity = 1, impulse = 1;
};

struct SweepData {       // sums over contacts
  Real free_speed2 = 0;  // [m^2/s^2] |q|^2
  Real trace = 0;        // [1/kg] of the diagonal blocks of W
  Real impulse2 = 0;     // [N^2 s^2] |S|^2
};

// Where a kind keeps what, in fields. Those of `mu`: one, or mu_plus and mu_minus in the plane; of `r`: `arm` for each
// side, a vector or the radius of a sphere. The first `single` of them are what a sweep needs, and all that there is in
// single precision. `world`: w, S and moves are in the world's axes.
struct SweepLayout {
  int n, t, r, w, mu, S, mean, move, count, single, arm;
  bool world;
  template <class T>
  int fields() const {
    return sizeof(T) == sizeof(float) ? single : count;
  }
};

enum class SweepKind { plane, solid, round };  // round: spheres in space, whose arms are along the normal

// Each function works on groups [first, last).
template <class T>
struct SweepLoops {
  // One contact after the other: S, and u that follows it. Returns the square of the change, weighted by the diagonal
  // of W. Each contact keeps its move, from the impulse of the last sweep to that of this.
  // Of the change at a contact only the part `relaxed` is made.
  Real (*sweep)(const SweepGroups<T>&, T* u, const T* inverse, int first, int last, Real relaxed);
  // The same from S + beta (last move), which u must be that of.
  Real (*sweep_on)(const SweepGroups<T>&, T* u, const T* inverse, int first, int last, Real beta);
  // `given`, `own`: SI units and the problem's own, in those of the numbers; without the former only the latter count.
  SweepErrors (*measure)(const SweepGroups<T>&, const T* u, const SweepUnits* given, const SweepUnits& own, int first,
                         int last);
};

// One table for each kind.
struct SweepKernel {
  SweepLayout at;
  // Diagonal blocks of W and what follows from them; u: free velocities.
  SweepData (*prepare)(const SweepGroups<Real>&, const Real* u, const Real* inverse, int first, int last);
  // u += A^-1 G^T S
  void (*apply)(const SweepGroups<Real>&, Real* u, const Real* inverse, int first, int last);
  // Leaves U where the move was; and measures besides.
  void (*velocities)(const SweepGroups<Real>&, const Real* u, int first, int last);
  decltype(SweepLoops<Real>::measure) measure_velocities;
  SweepLoops<Real> whole;
  SweepLoops<float> single;
  // Groups [first, last) of four as groups of sixteen from `first_single` on, without moves; q is where the move was.
  // And the impulses back.
  void (*narrow)(const SweepGroups<Real>&, const SweepGroups<float>&, const SweepUnits&, int first, int last,
                 int first_single);
  void (*widen)(const SweepGroups<float>&, const SweepGroups<Real>&, const SweepUnits&, int first, int last,
                int first_single);

  template <class T>
  const SweepLoops<T>& loops() const {
    if constexpr (sizeof(T) == sizeof(float))
      return single;
    else
      return whole;
  }
};

const SweepKernel& sweep_kernel(SweepKind kind);

// The loops of single precision by eight lanes, or by sixteen where has_wide_lanes(): sweep_kernel() has the latter
// wherever that is so.
const SweepLoops<float>& single_loops(SweepKind kind, bool wide);
bool has_wide_lanes();
const SweepLoops<float>* wide_loops();  // (kinds) none where the compiler knows no AVX-512

}  // namespace cairn
