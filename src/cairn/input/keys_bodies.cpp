// The keys of bodies, and of what refers to them: shapes, tables, adjustments, joints, loads.
#include "cairn/input/scene_file.hpp"

namespace cairn::input {
namespace {

constexpr Limits unit_interval{0, 1, false};
constexpr std::size_t many = std::numeric_limits<std::size_t>::max();

// --- shapes and bodies -----------------------------------------------------------------------------------------------

const Section& ball_keys() {
  static const Section s = Keys<ShapeSpec>("Disc in the plane, sphere in space.")
                               .number("radius", &ShapeSpec::radius, "m", "of it", a_length)
                               .required();
  return s;
}
const Section& box_keys() {
  static const Section s = Keys<ShapeSpec>("Rectangle, or block in space.")
                               .vector("size", &ShapeSpec::size, "m", "its sides: (x, up), or (x, y, up)", a_length)
                               .required()
                               .number("radius", &ShapeSpec::radius, "m", "rounds it from without", a_length_or_0);
  return s;
}
const Section& points_keys() {
  static const Section s =
      Keys<ShapeSpec>("Convex hull of points: a polygon in the plane, a polyhedron in space.")
          .numbers("points", &ShapeSpec::points, "m", "coordinates, one point after the other", 6, many, a_place)
          .required()
          .number("radius", &ShapeSpec::radius, "m", "rounds it from without", a_length_or_0);
  return s;
}
const Section& capsule_keys() {
  static const Section s = Keys<ShapeSpec>("Segment along x with round ends.")
                               .number("length", &ShapeSpec::length, "m", "without the round ends", a_length_or_0)
                               .required()
                               .number("radius", &ShapeSpec::radius, "m", "of the ends", a_length)
                               .required();
  return s;
}
const Section& ellipsoid_keys() {
  static const Section s = Keys<ShapeSpec>("Ellipse, or ellipsoid in space.")
                               .vector("size", &ShapeSpec::size, "m", "its axes, whole", a_length)
                               .required();
  return s;
}
const Section& half_space_keys() {
  static const Section s =
      Keys<ShapeSpec>("Everything below the origin: the ideal ground. Turn it by angle_deg. Fixed.");
  return s;
}
const Section& polyline_keys() {
  static const Section s =
      Keys<ShapeSpec>("Terrain in the plane: the solid lies to the right, walking from point to point. Fixed.")
          .numbers("points", &ShapeSpec::points, "m", "coordinates, one point after the other", 4, many, a_place)
          .required();
  return s;
}
const Section& mesh_keys() {
  static const Section s =
      Keys<ShapeSpec>("Terrain in space: triangles, counter-clockwise seen from outside. Fixed.")
          .numbers("points", &ShapeSpec::points, "m", "coordinates, one point after the other", 9, many, a_place)
          .required()
          .numbers("triangles", &ShapeSpec::triangles, "", "corners, counted from 0, three for each", 3, many,
                   not_negative)
          .required();
  return s;
}

const Section& shape_keys() {
  static const Section s =
      Keys<ShapeSpec>("A shape, and where it is in its body.")
          .vector("position", &ShapeSpec::position, "m", "in the body", a_place)
          .degrees("angle_deg", &ShapeSpec::angle, "from x towards up")
          .numbers("rotation_deg", &ShapeSpec::rotation, "degrees", "rotation vector, in space", 3, 3)
          .number("density", &ShapeSpec::density, "kg/m^D", "not given: that of the body's material", not_negative)
          .kind("ball", ball_keys().doc.c_str(), ball_keys())
          .kind("disc", ball_keys().doc.c_str(), ball_keys())
          .kind("sphere", ball_keys().doc.c_str(), ball_keys())
          .kind("box", box_keys().doc.c_str(), box_keys())
          .kind("polygon", points_keys().doc.c_str(), points_keys())
          .kind("polyhedron", points_keys().doc.c_str(), points_keys())
          .kind("capsule", capsule_keys().doc.c_str(), capsule_keys())
          .kind("ellipse", ellipsoid_keys().doc.c_str(), ellipsoid_keys())
          .kind("ellipsoid", ellipsoid_keys().doc.c_str(), ellipsoid_keys())
          .kind("half-space", half_space_keys().doc.c_str(), half_space_keys())
          .kind("polyline", polyline_keys().doc.c_str(), polyline_keys())
          .kind("mesh", mesh_keys().doc.c_str(), mesh_keys());
  return s;
}

const std::vector<std::string> freedom_names{"x", "y", "z", "turn", "turn_x", "turn_y", "turn_z"};

// --- joints and loads -------------------------------------------------------------------------------------------

const Section& plain_joint_keys() {
  static const Section s = Keys<JointSpec>("No coordinate: nothing to drive or to limit.");
  return s;
}

const Section& hinge_keys() {
  static const Section s =
      Keys<JointSpec>("Turns about an axis.")
          .text("motor", &JointSpec::motor, "its angle [rad], a formula in t and the parameters")
          .degrees("lower_deg", &JointSpec::lower, "least angle")
          .degrees("upper_deg", &JointSpec::upper, "largest angle")
          .number("restitution", &JointSpec::restitution, "", "at the limits", unit_interval)
          .number("friction", &JointSpec::friction, "N m", "bound of a dry resistance", not_negative)
          .number("friction_arm", &JointSpec::friction_arm, "m", "added to it: this times the reaction", a_length_or_0);
  return s;
}
const Section& slider_keys() {
  static const Section s =
      Keys<JointSpec>("Slides along an axis.")
          .text("motor", &JointSpec::motor, "its way [m], a formula in t and the parameters")
          .number("lower", &JointSpec::lower, "m", "least way", a_place)
          .number("upper", &JointSpec::upper, "m", "largest way", a_place)
          .number("restitution", &JointSpec::restitution, "", "at the limits", unit_interval)
          .number("friction", &JointSpec::friction, "N", "bound of a dry resistance", not_negative)
          .number("friction_arm", &JointSpec::friction_arm, "", "added to it: this times the reaction", not_negative);
  return s;
}

const Section& force_keys() {
  static const Section s =
      Keys<LoadSpec>("A force at a point of a body.")
          .text("body", &LoadSpec::body, "its name")
          .required()
          .vector("force", &LoadSpec::force, "N", "in the world's axes")
          .required()
          .vector("point", &LoadSpec::point, "m", "from the centre of mass, in the body's axes", a_place)
          .text("factor", &LoadSpec::factor, "formula in t and the parameters, times the force");
  return s;
}
const Section& drag_keys() {
  static const Section s = Keys<LoadSpec>("Resistance in proportion to velocity and spin.")
                               .text("body", &LoadSpec::body, "its name")
                               .required()
                               .number("linear", &LoadSpec::linear, "N s/m", "against the velocity", not_negative)
                               .number("turning", &LoadSpec::turning, "N m s", "against the spin", not_negative);
  return s;
}
const Section& spring_keys() {
  static const Section s =
      Keys<LoadSpec>("Spring and damper between two bodies.")
          .texts("bodies", &LoadSpec::bodies, "two names; \"world\" is what does not move", {}, 2, 2)
          .required()
          .vector("first_point", &LoadSpec::first_point, "m", "from the first's centre of mass, in its axes", a_place)
          .vector("second_point", &LoadSpec::second_point, "m", "the same of the second; in the world for \"world\"",
                  a_place)
          .number("stiffness", &LoadSpec::stiffness, "N/m", "force over lengthening", not_negative)
          .number("damping", &LoadSpec::damping, "N s/m", "force over the rate of it", not_negative)
          .number("rest", &LoadSpec::rest, "m", "length without force", a_length_or_0);
  return s;
}

}  // namespace

const Section& body_section() {
  static const Section s =
      Keys<BodySpec>("A rigid body: one shape, or several parts.")
          .text("name", &BodySpec::name, "by which joints, loads and probes call it")
          .table("shape", &BodySpec::shape, shape_keys(), "its only shape")
          .tables("part", &BodySpec::parts, shape_keys(), "several shapes")
          .vector("position", &BodySpec::position, "m", "of the origin that its shapes refer to", a_place)
          .degrees("angle_deg", &BodySpec::angle, "from x towards up")
          .numbers("rotation_deg", &BodySpec::rotation, "degrees", "rotation vector, in space", 3, 3)
          .vector("velocity", &BodySpec::velocity, "m/s", "of its centre of mass")
          .numbers("spin", &BodySpec::spin, "rad/s", "one number in the plane; in space three, in the world's axes", 1,
                   3)
          .number("mass", &BodySpec::mass, "kg", "not given: from the densities", positive)
          .numbers("inertia", &BodySpec::inertia, "kg m^2",
                   "principal, about the centre of mass: one number in the plane, three in space; then mass is needed",
                   1, 3, positive)
          .vector("centre", &BodySpec::centre, "m", "centre of mass in the body, where inertia is given", a_place)
          .material("material", &BodySpec::material, "of its surface")
          .flag("fixed", &BodySpec::fixed, "whether it stays where it is, or follows `motion`")
          .text("motion", &BodySpec::motion, "name of a [[motion]] that it follows")
          .texts("locked", &BodySpec::locked, "velocities that stay zero", freedom_names)
          .vector("grain", &BodySpec::grain, "", "direction in the body, for mu_across")
          .integer("repeat", &BodySpec::repeat, "how many of it: name.0, name.1 ...", {1, 1e6, false})
          .vector("step", &BodySpec::step, "m", "from one of them to the next", a_place);
  return s;
}

const Section& table_section() {
  static const Section s =
      Keys<TableSpec>(
          "Bodies from a CSV file, one a line. Its first line names the columns: x, y, z, radius, size_x, "
          "size_y, size_z, angle_deg, vx, vy, vz, density.")
          .text("file", &TableSpec::file, "beside the scene file")
          .required()
          .text("name", &TableSpec::name, "of the bodies: name.0, name.1 ...")
          .choice("shape", &TableSpec::shape,
                  std::vector<std::pair<const char*, std::string>>{
                      {"ball", "ball"}, {"disc", "ball"}, {"sphere", "ball"}, {"box", "box"}},
                  "balls have a radius, boxes a size")
          .material("material", &TableSpec::material, "of the bodies")
          .flag("fixed", &TableSpec::fixed, "whether they stay where they are");
  return s;
}

const Section& adjust_section() {
  static const Section s =
      Keys<AdjustSpec>("Changes bodies that a generator made.")
          .text("body", &AdjustSpec::body, "their name, such as \"lid\" or \"wall.3\"")
          .required()
          .text("motion", &AdjustSpec::motion, "name of a [[motion]], for what is fixed")
          .texts("locked", &AdjustSpec::locked, "velocities that stay zero", freedom_names)
          .vector("velocity", &AdjustSpec::velocity, "m/s", "at the start")
          .numbers("spin", &AdjustSpec::spin, "rad/s", "at the start, one number in the plane, three in space", 1, 3)
          .number("mass_times", &AdjustSpec::mass_times, "", "factor of its mass and inertia", positive);
  return s;
}

const Section& joint_section() {
  static const Section s =
      Keys<JointSpec>("A joint between two bodies, where they stand at the start.")
          .texts("bodies", &JointSpec::bodies, "two names; \"world\" is what does not move", {}, 2, 2)
          .required()
          .vector("point", &JointSpec::point, "m", "of the joint, in the world", a_place)
          .vector("axis", &JointSpec::axis, "", "of a hinge (in space) or a slider, in the world")
          .flag("collide", &JointSpec::collide, "whether the two bodies touch each other beside the joint")
          .kind("hinge", hinge_keys().doc.c_str(), hinge_keys())
          .kind("pin", hinge_keys().doc.c_str(), hinge_keys())
          .kind("slider", slider_keys().doc.c_str(), slider_keys())
          .kind("ball", "A common point, in space.", plain_joint_keys())
          .kind("universal", "A common point, and axes that stay at right angles, in space.", plain_joint_keys())
          .kind("fixed", "Nothing moves.", plain_joint_keys())
          .kind("weld", "Nothing moves.", plain_joint_keys());
  return s;
}

const Section& load_section() {
  static const Section s = Keys<LoadSpec>("A force beside the weight.")
                               .kind("force", force_keys().doc.c_str(), force_keys())
                               .kind("drag", drag_keys().doc.c_str(), drag_keys())
                               .kind("spring", spring_keys().doc.c_str(), spring_keys());
  return s;
}

}  // namespace cairn::input
