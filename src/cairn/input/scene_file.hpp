// A scene file in memory, for either dimension: what scene files say, before bodies are built from it.
//
// Vectors: (x, up) in the plane, (x, y, up) in space, up along the last axis. One with two entries in space lies in
// the plane y = 0; of one with three the plane takes the first and the last: a scene can serve both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cairn/input/schema.hpp"
#include "cairn/model/material.hpp"
#include "cairn/run/probe.hpp"
#include "cairn/run/stop.hpp"
#include "cairn/scene/arch.hpp"
#include "cairn/scene/bed.hpp"
#include "cairn/scene/cards.hpp"
#include "cairn/scene/cell.hpp"
#include "cairn/scene/chute.hpp"
#include "cairn/scene/column.hpp"
#include "cairn/scene/discs.hpp"
#include "cairn/scene/dome.hpp"
#include "cairn/scene/dominoes.hpp"
#include "cairn/scene/drum.hpp"
#include "cairn/scene/hopper.hpp"
#include "cairn/scene/ladder.hpp"
#include "cairn/scene/overhang.hpp"
#include "cairn/scene/packing.hpp"
#include "cairn/scene/pyramid.hpp"
#include "cairn/scene/rocks.hpp"
#include "cairn/scene/wall.hpp"
#include "cairn/scheme/collection.hpp"

namespace cairn::input {

using Numbers = std::vector<Real>;
using Texts = std::vector<std::string>;

struct Parameter {
  std::string name;
  std::variant<Real, bool, std::string> value;
  std::string unit, doc;
  Limits limits = {};
  Texts choices = {};
  bool whole = false;  // written without a point
  bool given = false;  // by --set
  Position at;
};

struct TimeSpec : Located {
  Real step = 1e-3, duration = 1;  // [s]
};

struct SolverSpec : Located {
  CollectionOptions options;
  std::string scheme = "moreau";
};

struct MaterialSpec : Located {
  std::string name;
  Real density = 2000;  // [kg/m^D]
};

struct ContactSpec : Located {
  Texts between;  // two materials; empty: all pairs not named
  Real from = 0;  // [s]
  Surface surface;
};

struct HarmonicSpec {
  Real amplitude = 0, frequency = 1, phase = 0;  // [m], [Hz], [rad]
};

struct MotionSpec : Located {
  std::string name, kind;
  Numbers direction = {1, 0};
  Real from = 0;              // [s]
  std::optional<Real> until;  // [s]
  Real amplitude = 0, frequency = 1, phase = 0;
  std::vector<HarmonicSpec> terms;
  std::string start = "sine";
  Real ramp_time = 1;  // [s]
  Numbers velocity = {}, spin = {};
  std::string file;
  Real factor = 1;
  bool end_at_rest = false;
  std::string x, y, z, turn, turn_x, turn_y, turn_z;  // formulas in t
};

struct ShapeSpec : Located {
  std::string kind;
  Numbers position = {}, rotation = {};  // [m], [degrees] rotation vector
  Real angle = 0;                        // [rad] from x towards up
  std::optional<Real> density;           // [kg/m^D]
  Real radius = 0, length = 0;           // [m]
  Numbers size = {};                     // [m]
  Numbers points = {};                   // [m] flat
  Numbers triangles = {};                // flat, of corners counted from 0
  std::string file;
};

struct BodySpec : Located {
  std::string name;
  ShapeSpec shape;
  std::vector<ShapeSpec> parts;
  Numbers position = {}, rotation = {};
  Real angle = 0;  // [rad]
  Numbers velocity = {}, spin = {};
  std::optional<Real> mass;           // [kg]
  Numbers inertia = {}, centre = {};  // [kg m^2], [m]
  int material = 0;
  bool fixed = false;
  std::string motion;
  Texts locked = {};
  Numbers grain = {};
  int repeat = 1;
  Numbers step = {};  // [m]
};

struct TableSpec : Located {
  std::string file, name = "body", shape = "ball";
  int material = 0;
  bool fixed = false;
};

using Generator =
    std::variant<scene::Wall, scene::Arch, scene::Column, scene::Overhang, scene::LeaningCards, scene::CardHouse,
                 scene::Ladder, scene::DiscPile, scene::Dominoes, scene::Pyramid, scene::Dome, scene::Packing,
                 scene::Cell, scene::Hopper, scene::Drum, scene::Rocks, scene::Chute, scene::Bed>;

struct GenerateSpec : Located {
  std::string name;  // of the bodies without one of their own: name.0, name.1 ...; empty: the kind
  std::string kind;
  std::string motion;  // of what is fixed
  Numbers position = {};
  Generator generator;
};

struct AdjustSpec : Located {
  std::string body, motion;
  Texts locked = {};
  Numbers velocity = {}, spin = {};
  Real mass_times = 1;
};

struct JointSpec : Located {
  std::string kind;
  Texts bodies = {};
  Numbers point = {}, axis = {1, 0};
  std::string motor;                 // formula in t
  std::optional<Real> lower, upper;  // [m] or, given in degrees, [rad]
  Real restitution = 0, friction = 0, friction_arm = 0;
  bool collide = false;
};

struct LoadSpec : Located {
  std::string kind;
  std::string body;
  Numbers point = {}, force = {};
  std::string factor = "1";  // formula in t
  Real linear = 0, turning = 0;
  Texts bodies = {};
  Numbers first_point = {}, second_point = {};
  Real stiffness = 0, damping = 0, rest = 0;
};

struct ProbeSpec : Located, run::ProbeSpec {};
struct StopSpec : Located, run::StopSpec {};

struct OutputSpec : Located {
  Real every = 0.02;  // [s] between frames
  bool contacts = true;
  int compression = 0;
  Real checkpoint_every = 10;  // [s] of wall time
};

struct SceneFile : Located {
  std::string title, doc;
  std::vector<Parameter> parameters;
  int dimension = 2;
  Numbers gravity = {};  // [m/s^2] empty: 9.81 downwards
  Real overlap = 0;      // [m] that bodies may have at the start
  TimeSpec time;
  SolverSpec solver;
  std::vector<MaterialSpec> materials;
  std::vector<ContactSpec> contacts;
  std::vector<MotionSpec> motions;
  std::vector<BodySpec> bodies;
  std::vector<TableSpec> tables;
  std::vector<GenerateSpec> generate;
  std::vector<AdjustSpec> adjust;
  std::vector<JointSpec> joints;
  std::vector<LoadSpec> loads;
  std::vector<ProbeSpec> probes;
  StopSpec stop;
  OutputSpec output;
  Texts outcome;
};

// The keys of a scene file, but `parameters`, whose names are the user's own.
const Section& scene_section();
const Section& body_section();
const Section& table_section();
const Section& adjust_section();
const Section& joint_section();
const Section& load_section();
const Section& generate_section();
const Section& parameter_section();
const Section& probe_section();

}  // namespace cairn::input
