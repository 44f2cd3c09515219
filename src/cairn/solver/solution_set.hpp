// What is said about all solutions of a step problem U = W S + q, law(U, S).
#pragma once

#include <string>
#include <vector>

#include "cairn/base/vec.hpp"

namespace cairn {

// A contact in the plane is in one of these modes; they meet at their borders (M88 13).
enum class ContactMode : unsigned char {
  take_off,     // S = 0, U_N >= 0
  stick,        // U = 0, S in the cone
  slide_plus,   // U_N = 0, U_T >= 0, S_T = -mu_minus S_N
  slide_minus,  // U_N = 0, U_T <= 0, S_T = mu_plus S_N
  slide         // without friction, or in space: U_N = 0 and S opposes the sliding
};

const char* name(ContactMode mode);  // as printed: "slide +"

struct SolutionPoint {
  std::vector<Real> S;             // [kg m/s] (rows)
  std::vector<Real> U;             // [m/s] (rows) W S + q
  std::vector<ContactMode> modes;  // (contacts) at a border: take-off before stick before slide
  Real error = 0;                  // [-] natural map (rho = 1, De Saxce) over |q|
  // S.(U + q)/2: the kinetic energy that the impulses bring, from the velocity behind q to the one behind U. It is the
  // whole change over an impact where boundaries stand still; a moving boundary adds -S.w to it. [J]
  Real work = 0;
  Real friction = 0;  // [J] -S.U: lost by sliding at the velocity after; the rest of -work, S.W S/2, is lost by impact
};

// Solutions that share one mode at every contact: a point, or a polyhedron: the convex hull of its points plus any
// amount of its rays.
struct SolutionSet {
  std::vector<ContactMode> modes;
  int dimension = 0;  // of the impulses; 0: isolated
  std::vector<SolutionPoint> points;
  std::vector<std::vector<Real>> rays;  // directions of S, of norm 1
  bool one_motion = true;               // all points have the same U: only the impulses are not determined
  int group = 0;                        // sets that touch are of one group
};

struct AllSolutions {
  std::vector<SolutionSet> sets;  // none is part of another; in the order of falling work
  int groups = 0;                 // solutions, when what is connected counts as one
  int motions = 0;                // different velocities U, those of sets with many motions left aside
  bool many_motions = false;      // some set holds a continuum of velocities
  bool complete = true;           // false: found by sampling, there may be more
  Real error = 0;                 // the largest of all points
  Real free = 0;                  // [m/s] largest entry of q
  long tried = 0;                 // nodes of the search, or starts
};

AllSolutions nothing_to_solve();  // no contact: one motion, no impulses

// In a few words: "3 solutions, 3 motions".
std::string describe(const AllSolutions& all);

}  // namespace cairn
