// The keys of a scene file, but those of generators.
#include "cairn/input/scene_file.hpp"
#include "cairn/run/measure.hpp"

namespace cairn::input {
namespace {

constexpr Limits unit_interval{0, 1, false};
constexpr std::size_t many = std::numeric_limits<std::size_t>::max();

// --- time, solver, output, stop --------------------------------------------------------------------------------------

const Section& time_keys() {
  static const Section s = Keys<TimeSpec>("How long, in which steps.")
                               .number("step", &TimeSpec::step, "s", "of the scheme", {1e-12, 1e6, false})
                               .number("duration", &TimeSpec::duration, "s", "simulated time", {0, 1e9, true});
  return s;
}

const Section& solver_keys() {
  const auto options = [](auto member) {
    return [member](SolverSpec & s) -> auto& { return s.options.*member; };
  };
  using O = CollectionOptions;
  static const Section s =
      Keys<SolverSpec>("The scheme and how well each step is solved.")
          .choice("scheme", &SolverSpec::scheme, std::vector<std::pair<const char*, std::string>>{{"moreau", "moreau"}},
                  "the midpoint scheme of Moreau and Jean")
          .number("tolerance", options(&O::tolerance), "", "contact error sought", {1e-15, 1, false})
          .number("required", options(&O::required), "", "a step with a larger contact error has missed",
                  {1e-15, 1, false})
          .integer("iterations", options(&O::iterations), "to seek the tolerance; more for the required error",
                   {1, 1e8, false})
          .integer("small", options(&O::small),
                   "contacts; larger islands are content with the required error where the tolerance is dear",
                   not_negative)
          .number("slop", options(&O::slop), "", "violation left, of the model's size", {0, 0.1, false})
          .flag("correct", options(&O::correct), "whether violations are corrected");
  return s;
}

const Section& output_keys() {
  static const Section s =
      Keys<OutputSpec>("What is written to the results file.")
          .number("every", &OutputSpec::every, "s", "simulated time between frames", {1e-12, 1e9, false})
          .flag("contacts", &OutputSpec::contacts, "whether contacts are stored with each frame")
          .integer("compression", &OutputSpec::compression, "0: none, to 9: most", {0, 9, false})
          .number("checkpoint_every", &OutputSpec::checkpoint_every, "s", "wall time between checkpoints",
                  not_negative);
  return s;
}

const Section& stop_keys() {
  static const Section s = Keys<StopSpec>("What ends a run before its duration.")
                               .number(
                                   "rest_speed", [](StopSpec & o) -> auto& { return o.rest_speed; }, "m/s",
                                   "nothing faster than this counts as rest; 0: go on", not_negative)
                               .number(
                                   "rest_for", [](StopSpec & o) -> auto& { return o.rest_for; }, "s",
                                   "how long that must last", not_negative)
                               .integer(
                                   "fallen", [](StopSpec & o) -> auto& { return o.fallen; },
                                   "bodies that have fallen by half their size; 0: go on", not_negative)
                               .number(
                                   "collapse", [](StopSpec & o) -> auto& { return o.collapse; }, "m",
                                   "a body has moved so far; 0: go on", a_length_or_0);
  return s;
}

// --- materials -------------------------------------------------------------------------------------------------------

const Section& material_keys() {
  static const Section s = Keys<MaterialSpec>("What bodies are made of. The first one is the default.")
                               .text("name", &MaterialSpec::name, "by which bodies and contacts call it")
                               .required()
                               .number("density", &MaterialSpec::density, "kg/m^D",
                                       "mass of a unit of volume (area "
                                       "in the plane)",
                                       positive);
  return s;
}

const Section& contact_keys() {
  const auto surface = [](auto member) { return [member](ContactSpec& c) -> Real& { return c.surface.*member; }; };
  static const Section s =
      Keys<ContactSpec>("What touching surfaces do to each other.")
          .texts("between", &ContactSpec::between, "two materials; not given: all pairs that no other table names", {},
                 2, 2)
          .number("from", &ContactSpec::from, "s", "time from which this holds; another table may hold before",
                  not_negative)
          .number("mu", surface(&Surface::mu), "", "coefficient of friction", not_negative)
          .number("restitution", surface(&Surface::restitution), "", "normal", unit_interval)
          .number("restitution_tangent", surface(&Surface::restitution_tangent), "", "tangential", unit_interval)
          .number("mu_dynamic", surface(&Surface::mu_dynamic), "", "where the contact slid before; not given: mu",
                  not_negative)
          .number("mu_across", surface(&Surface::mu_across), "", "across the grain of a body; not given: mu",
                  not_negative)
          .number("rolling", surface(&Surface::rolling), "m",
                  "bound of the torque against rolling, over the normal "
                  "force",
                  a_length_or_0)
          .flag(
              "none", [](ContactSpec& c) -> bool& { return c.surface.none; }, "they pass through each other")
          .number("drilling", surface(&Surface::drilling), "m", "the same against turning about the normal, in space",
                  a_length_or_0);
  return s;
}

// --- motions ---------------------------------------------------------------------------------------------------------

const Section& term_keys() {
  static const Section s =
      Keys<HarmonicSpec>("One term of a sum.")
          .number("amplitude", &HarmonicSpec::amplitude, "m", "half the way there and back", a_place)
          .required()
          .number("frequency", &HarmonicSpec::frequency, "Hz", "turns a second", not_negative)
          .required()
          .degrees("phase_deg", &HarmonicSpec::phase, "at the start");
  return s;
}

const Section& harmonic_keys() {
  static const Section s =
      Keys<MotionSpec>("amplitude sin(2 pi frequency t + phase) along a direction, and further terms.")
          .vector("direction", &MotionSpec::direction, "", "of the motion; its length counts")
          .number("amplitude", &MotionSpec::amplitude, "m", "half the way there and back", a_place)
          .number("frequency", &MotionSpec::frequency, "Hz", "turns a second", not_negative)
          .degrees("phase_deg", &MotionSpec::phase, "at the start")
          .choice("start", &MotionSpec::start,
                  std::vector<std::pair<const char*, std::string>>{
                      {"sine", "sine"}, {"one-minus-cosine", "one-minus-cosine"}, {"ramp", "ramp"}},
                  "sine: at full speed; one-minus-cosine: from rest at one end; ramp: the amplitude grows smoothly")
          .number("ramp_time", &MotionSpec::ramp_time, "s", "of a start by ramp", positive)
          .tables("term", &MotionSpec::terms, term_keys(), "further terms of the sum");
  return s;
}

const Section& velocity_keys() {
  static const Section s =
      Keys<MotionSpec>("Constant velocity.")
          .vector("velocity", &MotionSpec::velocity, "m/s", "of the body's origin")
          .numbers("spin", &MotionSpec::spin, "rad/s", "one number in the plane, three in space", 1, 3);
  return s;
}

const Section& table_motion_keys() {
  static const Section s =
      Keys<MotionSpec>("Places at given times: two columns of a file, seconds and metres, joined by a cubic spline.")
          .text("file", &MotionSpec::file, "beside the scene file")
          .required()
          .vector("direction", &MotionSpec::direction, "", "of the motion; its length counts")
          .number("factor", &MotionSpec::factor, "", "by which the second column is multiplied");
  return s;
}

const Section& accelerogram_keys() {
  static const Section s =
      Keys<MotionSpec>("A recorded acceleration: two columns of a file, seconds and m/s^2, linear between.")
          .text("file", &MotionSpec::file, "beside the scene file")
          .required()
          .vector("direction", &MotionSpec::direction, "", "of the motion; its length counts")
          .number("factor", &MotionSpec::factor, "", "by which the second column is multiplied")
          .flag("end_at_rest", &MotionSpec::end_at_rest, "corrects the record so that it ends at rest");
  return s;
}

const Section& expression_keys() {
  static const Section s = Keys<MotionSpec>("Formulas in the time t [s] and the parameters.")
                               .text("x", &MotionSpec::x, "shift along x [m]")
                               .text("y", &MotionSpec::y, "shift along y [m], in space")
                               .text("z", &MotionSpec::z, "shift upwards [m]")
                               .text("turn", &MotionSpec::turn, "angle [rad] from x towards up")
                               .text("turn_x", &MotionSpec::turn_x, "rotation vector [rad], in space")
                               .text("turn_y", &MotionSpec::turn_y, "rotation vector [rad], in space")
                               .text("turn_z", &MotionSpec::turn_z, "rotation vector [rad], in space");
  return s;
}

const Section& motion_keys() {
  static const Section s =
      Keys<MotionSpec>("A motion that boundaries may be given.")
          .text("name", &MotionSpec::name, "by which boundaries call it")
          .required()
          .number("from", &MotionSpec::from, "s", "when it starts; until then the boundary stays", not_negative)
          .number("until", &MotionSpec::until, "s", "when it ends; from then the boundary stays", not_negative)
          .kind("harmonic", harmonic_keys().doc.c_str(), harmonic_keys())
          .kind("velocity", velocity_keys().doc.c_str(), velocity_keys())
          .kind("table", table_motion_keys().doc.c_str(), table_motion_keys())
          .kind("accelerogram", accelerogram_keys().doc.c_str(), accelerogram_keys())
          .kind("expression", expression_keys().doc.c_str(), expression_keys());
  return s;
}

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

const Section& body_keys() {
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

const Section& table_keys() {
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

const Section& adjust_keys() {
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

// --- joints, loads, probes -------------------------------------------------------------------------------------------

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

const Section& joint_keys() {
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

const Section& load_keys() {
  static const Section s = Keys<LoadSpec>("A force beside the weight.")
                               .kind("force", force_keys().doc.c_str(), force_keys())
                               .kind("drag", drag_keys().doc.c_str(), drag_keys())
                               .kind("spring", spring_keys().doc.c_str(), spring_keys());
  return s;
}

const Section& any_probe_keys() {
  static const Section s =
      Keys<ProbeSpec>("Which of these a kind needs is said with it.")
          .text(
              "body", [](ProbeSpec & p) -> auto& { return p.body; },
              "name of a body; of several with that name the mean, or the sum of forces")
          .text(
              "component", [](ProbeSpec & p) -> auto& { return p.component; },
              "x, y or z (up); not given: the length of the vector")
          .integer(
              "joint", [](ProbeSpec & p) -> auto& { return p.joint; }, "number of a joint, from 0", not_negative)
          .vector(
              "low", [](ProbeSpec & p) -> auto& { return p.low; }, "m",
              "corner of a section; not given: around the grains", a_place)
          .vector(
              "high", [](ProbeSpec & p) -> auto& { return p.high; }, "m", "the corner opposite to it", a_place)
          .number(
              "area", [](ProbeSpec & p) -> auto& { return p.area; }, "m^(D-1)", "that a wall's force acts on",
              positive);
  return s;
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const run::MeasureDoc& m : run::measure_docs()) names.emplace_back(m.name);
  return names;
}

}  // namespace

const Section& probe_section() {
  static const Section s = [] {
    Keys<ProbeSpec> k("A number recorded at every step.");
    k.text(
         "name", [](ProbeSpec & p) -> auto& { return p.name; }, "of the curve")
        .required();
    static std::vector<std::string> docs;  // of the kinds: they outlive this call
    for (const run::ProbeDoc& d : run::probe_docs())
      docs.push_back(fmt::format("{}{}{}", d.doc, *d.unit ? fmt::format(" [{}]", d.unit) : "",
                                 *d.needs ? fmt::format(" Takes {}.", d.needs) : ""));
    std::size_t i = 0;
    for (const run::ProbeDoc& d : run::probe_docs()) k.kind(d.kind, docs[i++].c_str(), any_probe_keys());
    return Section(k);
  }();
  return s;
}

const Section& parameter_section() {
  static const Section s =
      Keys<Parameter>("A parameter with what is known of it.")
          .text("unit", &Parameter::unit, "of its value")
          .text("doc", &Parameter::doc, "what it is")
          .number(
              "least", [](Parameter& p) -> Real& { return p.limits.least; }, "", "smallest value allowed")
          .number(
              "most", [](Parameter& p) -> Real& { return p.limits.most; }, "", "largest value allowed")
          .texts("choices", &Parameter::choices, "values allowed, of a text");
  return s;
}

const Section& scene_section() {
  static const Section s =
      Keys<SceneFile>("A scene.")
          .text("title", &SceneFile::title, "one line that says what it is")
          .text("doc", &SceneFile::doc, "more about it")
          .integer("dimension", &SceneFile::dimension, "2: plane, 3: space", {2, 3, false})
          .vector("gravity", &SceneFile::gravity, "m/s^2", "not given: 9.81 downwards")
          .number("overlap", &SceneFile::overlap, "m", "by which bodies may overlap at the start", a_length_or_0)
          .table("time", &SceneFile::time, time_keys(), "how long, in which steps")
          .table("solver", &SceneFile::solver, solver_keys(), "scheme and accuracy")
          .tables("material", &SceneFile::materials, material_keys(), "what bodies are made of")
          .tables("contact", &SceneFile::contacts, contact_keys(), "friction, restitution, rolling of pairs")
          .tables("motion", &SceneFile::motions, motion_keys(), "prescribed motions")
          .tables("body", &SceneFile::bodies, body_keys(), "bodies, one by one")
          .tables("table", &SceneFile::tables, table_keys(), "bodies from a CSV file")
          .tables("generate", &SceneFile::generate, generate_section(), "many bodies from a few numbers")
          .tables("adjust", &SceneFile::adjust, adjust_keys(), "changes to generated bodies")
          .tables("joint", &SceneFile::joints, joint_keys(), "joints")
          .tables("load", &SceneFile::loads, load_keys(), "forces beside the weight")
          .tables("probe", &SceneFile::probes, probe_section(), "numbers recorded at every step")
          .table("stop", &SceneFile::stop, stop_keys(), "what ends a run early")
          .table("output", &SceneFile::output, output_keys(), "what is written")
          .texts("outcome", &SceneFile::outcome, "measures of the summary, by name", measure_names());
  return s;
}

}  // namespace cairn::input
