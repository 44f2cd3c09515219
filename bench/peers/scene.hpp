// The scenes on which engines are compared, as plain numbers that any engine can be given. They are made by Cairn's own
// builders: body k of every engine is body k of `model`, in the same principal axes.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/model/model.hpp"

namespace peers {

using cairn::Real;
using Vec3 = cairn::Vec<3>;
using Pose3 = cairn::Pose<3>;

struct Body {
  enum Kind { box, sphere, hull };
  Kind kind = box;
  bool free = true;                     // else a boundary
  bool driven = false;                  // a boundary that moves with the ground
  Vec3 half{};                          // [m] of a box
  Real radius = 0;                      // [m] of a sphere
  std::vector<Vec3> corners;            // [m] of a hull, in the body's axes
  std::vector<std::vector<int>> rings;  // of a hull's faces, counter-clockwise seen from outside
  Pose3 pose;                           // at the start. Half-spaces are boxes here, and this is the box's middle
  Real mass = 0;                        // [kg] of free bodies
  Vec3 inertia{};                       // [kg m^2] principal
};

// The ground goes along x as amplitude (1 - cos(2 pi frequency t)): from rest, without a jump of its velocity.
struct Motion {
  Real amplitude = 0;  // [m] 0: it stays
  Real frequency = 0;  // [Hz]

  bool moves() const { return amplitude > 0; }
  Real place(Real t) const;                  // [m]
  Real speed(Real t) const;                  // [m/s]
  Real acceleration(Real t, Real h) const {  // [m/s^2] mean over a step, for engines that ride on the ground
    return (speed(t + h) - speed(t)) / h;
  }
};

// What is asked of the motion, and by which rule it is judged (measure.cpp).
enum class Question { rest, shaking, packing, flow, stack, stick, slide, stand, fall };

struct Scene {
  std::string name;
  Question question = Question::rest;
  Real settle = 0;    // [s] before time starts: each engine comes to rest by its own rules, and may be rough
  Real duration = 1;  // [s]
  Real warm = 0;      // [s] from the start, untimed
  Real timed = 1;     // [s] after that, over which steps are timed
  Real mu = 0.5;      // [-] of all contacts
  Motion motion;
  int watched = 0;  // the body that the question is about: top of a stack, keystone ...
  cairn::Model<3> model;
  cairn::ModelState<3> state;
  std::vector<Body> bodies;  // (bodies of the model)
};

// packs: folder with pack1000.txt and pack4000.txt, a line `r x y z` [m] for each sphere in a box of pack_width(), and
// hulls2000.txt, a line `x y z w qx qy qz` for each hull: its centre of mass [m] and its principal axes.
cairn::Expected<Scene> make_scene(const std::string& name, const std::string& packs);
std::vector<std::string> scene_names();
Real pack_width(int grains);  // [m]

// For engines that are programs of their own: the scene, and the steps after which states are asked for.
std::string describe(const Scene& scene, Real h, const std::vector<long>& samples);

}  // namespace peers
