// The keys of a scene file, but those of bodies and generators.
#include "cairn/input/scene_file.hpp"
#include "cairn/run/measure.hpp"

namespace cairn::input {
namespace {

constexpr Limits unit_interval{0, 1, false};

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
          .choice("error_over", options(&O::scale),
                  std::vector<std::pair<const char*, ErrorScale>>{{"free velocities", ErrorScale::free_velocities},
                                                                  {"impulses", ErrorScale::impulses}},
                  "what contact errors are relative to; over impulses for packings in motion, where that is many times "
                  "cheaper")
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

// --- probes and outcomes ---------------------------------------------------------------------------------------------

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
          .tables("body", &SceneFile::bodies, body_section(), "bodies, one by one")
          .tables("table", &SceneFile::tables, table_section(), "bodies from a CSV file")
          .tables("generate", &SceneFile::generate, generate_section(), "many bodies from a few numbers")
          .tables("adjust", &SceneFile::adjust, adjust_section(), "changes to generated bodies")
          .tables("joint", &SceneFile::joints, joint_section(), "joints")
          .tables("load", &SceneFile::loads, load_section(), "forces beside the weight")
          .tables("probe", &SceneFile::probes, probe_section(), "numbers recorded at every step")
          .table("stop", &SceneFile::stop, stop_keys(), "what ends a run early")
          .table("output", &SceneFile::output, output_keys(), "what is written")
          .texts("outcome", &SceneFile::outcome, "measures of the summary, by name", measure_names());
  return s;
}

}  // namespace cairn::input
