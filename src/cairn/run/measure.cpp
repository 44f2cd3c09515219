#include "cairn/run/measure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cairn/base/json.hpp"
#include "cairn/run/biaxial.hpp"
#include "cairn/run/flow.hpp"
#include "cairn/run/grains.hpp"
#include "cairn/run/single.hpp"
#include "cairn/run/standing.hpp"
#include "cairn/run/tilting.hpp"

namespace cairn::run {
namespace {

template <int D>
using Made = Expected<std::unique_ptr<Measure<D>>>;

struct Entry {
  MeasureDoc doc;
  Made<2> (*plane)(const scene::World<2>&);
  Made<3> (*space)(const scene::World<3>&);
};

template <template <int> class M, int D>
Made<D> make(const scene::World<D>& world) {
  if (const std::string bad = M<D>::lacks(world); !bad.empty()) return Error{bad};
  return std::unique_ptr<Measure<D>>(std::make_unique<M<D>>(world));
}
template <template <int> class M>
Entry entry(const char* name, const char* unit, const char* doc) {
  return {{name, unit, doc, 0}, &make<M, 2>, &make<M, 3>};
}

// The one list: a new measure is a class and an entry here.
const std::vector<Entry>& entries() {
  static const std::vector<Entry> list{
      // structures
      entry<Stands>("stands", "",
                    "true when at the end no free body is farther from its start than 5 % of its size (its largest "
                    "extent); where the ground is driven, its displacement is taken off"),
      entry<Drift>("drift", "m", "largest displacement of a free body's centre, the driven ground's taken off"),
      entry<Sag>("sag", "m", "largest fall of a free body's centre against the ground, 0 where none is lower"),
      entry<Displaced>("displaced", "",
                       "number of free bodies displaced by more than 5 % of their size from the median displacement "
                       "of all (taken for each axis)"),
      entry<Fallen>("fallen", "", "number of free bodies lower than at the start by more than half their height"),
      entry<Spread>("spread", "m", "mean over the free bodies of |d - mean of d|, d: their displacements"),
      entry<MaxOpening>("max_opening", "m",
                        "largest distance between two points of free bodies that touched each other at the start"),
      // one body
      entry<Acceleration>("acceleration", "m/s^2",
                          "of the free bodies' centre of mass along its path: slope of its velocity over the last half "
                          "of the run (least squares); negative: it slows down"),
      entry<StopTime>("stop_time", "s",
                      "when all free bodies came to rest for good, interpolated in the step; null: still moving"),
      entry<DisplacementX>("x", "m", "displacement of the free bodies' centre of mass along x"),
      entry<DisplacementY>("y", "m", "displacement of the free bodies' centre of mass along y"),
      entry<Theta>("theta", "rad",
                   "angle by which the one free body has turned, in space about the vertical; full turns count"),
      entry<FinalSpeed>("v", "m/s", "speed of the free bodies' centre of mass at the end"),
      entry<RollTime>("roll_time", "s",
                      "when the one free ball ceased to slide on what it touches, interpolated in the step; null: it "
                      "slides at the end"),
      // packings
      entry<SettleTime>("settle_time", "s",
                        "last time when the kinetic energy was above 1e-6 of the sum of weight times size; null: it is "
                        "so at the end"),
      entry<ActiveContacts>("active_contacts", "",
                            "contact points at the end that carry force: more than 1e-6 of the mean body's weight"),
      entry<FloorOnly>("floor_only", "", "number of free bodies at the end that the ground alone supports"),
      entry<Coordination>("coordination", "",
                          "twice the contacts that carry force over the grains, at the end; grains with fewer than 2 "
                          "of them (3 in space) are left out, again and again; contacts with walls count as others"),
      entry<SolidFraction>("solid_fraction", "",
                           "volume of the grains over that of the box between walls, ground and lid; without a lid up "
                           "to twice the height of the grains' centre"),
      entry<Kinetic>("kinetic", "J", "kinetic energy of the free bodies at the end"),
      // biaxial cell
      entry<PhiPeak>("phi_peak_deg", "degrees",
                     "biaxial cell: largest angle of friction, sin phi = |s_v - s_h| / (s_v + s_h), of stresses "
                     "averaged over a window of 1/20 of the strain reached; s_v: force of grains on the lid over its "
                     "length, s_h: on the side walls (mean of the two) over the height"),
      entry<PhiResidual>("phi_residual_deg", "degrees",
                         "biaxial cell: angle of friction of the mean stresses over the last third of the strain"),
      entry<VolumeChange>("volume_change", "",
                          "biaxial cell: relative change of width times height, from when the driven side begins to "
                          "move to the end; positive: dilation"),
      // flow
      entry<Runout>("runout", "",
                    "collapsed column: (width of the heap along x at the end - width at the start) / width at the "
                    "start; the heap is the shortest interval with 95 % of the grains' mass"),
      entry<BottomStressRatio>("bottom_stress_ratio", "",
                               "silo: force of the grains on the slabs (without slabs on the ground) over the weight "
                               "of the grains above their lowest edge, means over the last half of the run"),
      entry<FlowRate>("flow_rate", "kg/s",
                      "hopper: slope of the mass below the slabs' lowest edge, while it is between 20 % and 80 % of "
                      "that at the end (least squares); 0: nothing came out"),
      entry<SlopeDeg>("slope_deg", "degrees",
                      "drum: slope of the surface, as the angle from the vertical of the line from the axis to the "
                      "grains' centre of mass, mean over the last half of the run"),
      entry<Lift>(
          "lift", "m",
          "vibrated bed: mean rise of the grains above the ground since it began to move (where it stays: since "
          "the start), over the last half of the run"),
      entry<Heap>("heap", "m",
                  "vibrated bed: how much higher the surface (twice the mean height of grains) is in the middle third "
                  "of the box than in the outer ones, mean over the last half of the run"),
      entry<Reach>("reach", "m", "largest horizontal distance of a free body from its start, at the end"),
      entry<Bounces>("bounces", "",
                     "number of landings after a flight longer than a tenth of the time of a fall by the body's size"),
      // tilting and impacts
      entry<Toppled>("toppled", "",
                     "number of free bodies tilted at the end beyond their balance, atan(width / height)"),
      entry<WaveSpeed>("speed", "m/s",
                       "dominoes: speed along x at which bodies pass their balance, over the later half of those that "
                       "have (least squares); null: fewer than three"),
      entry<TiltMax>("tilt_max_deg", "degrees",
                     "largest tilt of a free body's upright axis from the vertical during the run"),
      entry<FirstSpeed>("first_speed", "m/s",
                        "velocity of the first free body at the end, along the momentum at the start"),
      entry<LastSpeed>("last_speed", "m/s",
                       "velocity of the last free body at the end, along the momentum at the start"),
      entry<EnergyRatio>("energy_ratio", "", "kinetic energy at the end over that at the start; null: none then"),
  };
  return list;
}

template <int D>
Made<D> call(const Entry& e, const scene::World<D>& world) {
  if constexpr (D == 2)
    return e.plane(world);
  else
    return e.space(world);
}

}  // namespace

std::string json(const Value& value) {
  if (value.is_flag) return value.number != 0 ? "true" : "false";
  return json_number(value.number);
}

const std::vector<MeasureDoc>& measure_docs() {
  static const std::vector<MeasureDoc> docs = [] {
    std::vector<MeasureDoc> d;
    for (const Entry& e : entries()) d.push_back(e.doc);
    return d;
  }();
  return docs;
}

template <int D>
Expected<std::unique_ptr<Measure<D>>> make_measure(const std::string& name, const scene::World<D>& world) {
  std::string known;
  for (const Entry& e : entries()) {
    if (name != e.doc.name) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", e.doc.name);
      continue;
    }
    if (e.doc.dimension != 0 && e.doc.dimension != D)
      return Error{fmt::format("outcome \"{}\" is defined in {} dimensions alone, and the scene has {}", name,
                               e.doc.dimension, D)};
    Made<D> made = call<D>(e, world);
    if (!made) return Error{fmt::format("outcome \"{}\" {}", name, made.error())};
    return made;
  }
  return Error{fmt::format("outcome \"{}\" is not known, expected one of {}", name, known)};
}

template Expected<std::unique_ptr<Measure<2>>> make_measure(const std::string&, const scene::World<2>&);
template Expected<std::unique_ptr<Measure<3>>> make_measure(const std::string&, const scene::World<3>&);

}  // namespace cairn::run
