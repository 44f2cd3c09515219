// The linear part of a search over modes of contact in the plane.
//
// An impulse of the cone is S = x+ (1, mu_plus)/|.| + x- (1, -mu_minus)/|.|, x+, x- >= 0, so that every mode is a set
// of equalities and inequalities in x >= 0 and U(x) = q + B x:
//   take-off  x+ = x- = 0,           U_N >= 0;        stick    U = 0;
//   slide +   x+ = 0, U_N = 0,       U_T >= 0;        slide -  x- = 0, U_N = 0, U_T <= 0.
// Contacts are decided one after the other. What is decided is eliminated at once: every row is an affine function of
// the variables still open, all of them not negative, which tells early that a row can hold no more.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "cairn/law/coulomb2.hpp"
#include "cairn/solver/extreme_points.hpp"

namespace cairn {

// A step problem in the plane with a full matrix.
struct PlanarProblem {
  Eigen::MatrixXd W;  // (2 contacts, 2 contacts)
  Eigen::VectorXd q;  // (2 contacts)
  std::vector<Coulomb2> law;

  int contacts() const { return static_cast<int>(law.size()); }
  bool frictionless(int a) const { return !(law[a].mu_plus + law[a].mu_minus > 0); }
  Vec<2> generator(int a, bool minus) const;  // of norm 1; without friction both are (1, 0)
  Eigen::MatrixXd columns() const;            // B = W [generators], x+ and x- of each contact
};

// Conditions on a contact, to be joined by |.
enum Condition : unsigned {
  no_plus = 1,    // x+ = 0
  no_minus = 2,   // x- = 0
  still_n = 4,    // U_N = 0
  still_t = 8,    // U_T = 0
  forward = 16,   // U_T >= 0
  backward = 32,  // U_T <= 0
  strict = 64     // inequalities that hold as equalities everywhere count as failed: another mode has these points
};

class ModeTableau {
 public:
  static constexpr int max_contacts = 12;

  explicit ModeTableau(const PlanarProblem& p);
  ModeTableau(const ModeTableau& other);  // of what is in use: a search copies at every node
  ModeTableau& operator=(const ModeTableau&) = delete;

  void decide(int a, unsigned conditions);
  bool dead() const;   // some row cannot hold, whatever the open variables
  void close();        // all are decided: eliminates down to rounding
  bool empty() const;  // after close(): an equation or, where nothing is open, an inequality fails by far
  int open() const { return columns_; }  // after close(): dimension of the set of x as far as equations tell

  Eigen::VectorXd point() const;                                    // x where the open variables are 0
  Eigen::VectorXd direction(int c) const;                           // change of x with open variable c
  void inequalities(Eigen::MatrixXd& C, Eigen::VectorXd& c) const;  // of the open variables

  bool on_border(const ExtremePoints& found) const;  // a strict inequality is an equality at all of them

 private:
  enum Kind : unsigned char { none, zero, nonnegative, positive };

  void drop(int variable);
  void remove(int column);
  void eliminate(Real least);
  void pivot(int row, int column);
  Real size() const;

  int rows_ = 0, columns_ = 0;
  unsigned decided_ = 0;                        // contacts, as bits
  Real value_[2 * max_contacts];                // of rows, where the open variables are 0
  Real t_[2 * max_contacts][2 * max_contacts];  // (column, row)
  int variable_[2 * max_contacts];              // of a column: 2 a, 2 a + 1
  int basic_[2 * max_contacts];                 // variable that a row gives, -1: the row is a velocity
  Kind kind_[2 * max_contacts];
};

// After close(): extreme points and rays of the set of x; none where a strict inequality is an equality on all of it.
ExtremePoints extremes(const ModeTableau& tableau);

}  // namespace cairn
