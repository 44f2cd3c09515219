#include "cairn/scene/wall.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/lagrange/random.hpp"

namespace cairn::scene {

namespace {

struct Interval {
  Real left, right;  // [m]
};

Real width_of(const Wall& w) {
  const int pieces = w.blocks + (w.lap > 0 ? 1 : 0);
  return (w.blocks + w.lap) * w.length + (pieces - 1) * w.joint;
}

// Whole blocks, with the short one at the right in even courses, at the left in odd ones.
std::vector<Interval> course_of(const Wall& w, int course) {
  std::vector<Interval> blocks;
  const int pieces = w.blocks + (w.lap > 0 ? 1 : 0), closer = course % 2 == 0 ? w.blocks : 0;
  const Real start = -width_of(w) / 2;
  Real lengths = 0;  // of the blocks to the left, in block lengths: positions are rounded once
  for (int k = 0; k < pieces; ++k) {
    const Real length = w.lap > 0 && k == closer ? w.lap : 1;
    blocks.push_back({start + lengths * w.length + k * w.joint, start + (lengths + length) * w.length + k * w.joint});
    lengths += length;
  }
  return blocks;
}

// What is left of the blocks outside [left, right].
std::vector<Interval> cut(const std::vector<Interval>& blocks, Interval hole) {
  constexpr Real least = 1e-6;  // [m] shorter remains are rounding, not stones
  std::vector<Interval> kept;
  for (const Interval& b : blocks) {
    if (b.right <= hole.left || b.left >= hole.right) {
      kept.push_back(b);
      continue;
    }
    if (hole.left - b.left > least) kept.push_back({b.left, hole.left});
    if (b.right - hole.right > least) kept.push_back({hole.right, b.right});
  }
  return kept;
}

std::vector<Interval> with_openings(const Wall& w, int course) {
  std::vector<Interval> blocks = course_of(w, course);
  for (const Opening& o : w.openings) {
    const Real right = o.left + o.width;
    if (course >= o.course && course < o.course + o.courses) blocks = cut(blocks, {o.left, right});
    if (course == o.course + o.courses && o.bearing > 0) {
      const Interval lintel{o.left - o.bearing, right + o.bearing};
      blocks = cut(blocks, lintel);
      blocks.push_back(lintel);
    }
  }
  std::sort(blocks.begin(), blocks.end(), [](const Interval& a, const Interval& b) { return a.left < b.left; });
  return blocks;
}

Interval extent(const Opening& o) { return {o.left - o.bearing, o.left + o.width + o.bearing}; }

Faults faults_of(const Wall& w) {
  Faults f("wall");
  f.at_least("courses", w.courses, 1).at_least("blocks", w.blocks, 1);
  f.positive("length", w.length).positive("height", w.height).positive("depth", w.depth);
  f.require(w.lap >= 0 && w.lap < 1, fmt::format("lap is {}, expected at least 0 and less than 1", w.lap));
  f.not_negative("joint", w.joint).matter(w.matter);
  f.between("uneven_height", w.uneven_height, 0, w.height / 2);
  f.between("uneven_length", w.uneven_length, 0, w.length * (w.lap > 0 ? w.lap : 1) / 2);
  const Real end = width_of(w) / 2;
  for (std::size_t i = 0; i < w.openings.size(); ++i) {
    const Opening& o = w.openings[i];
    const std::string name = fmt::format("openings[{}]", i);
    f.positive((name + ".width").c_str(), o.width).not_negative((name + ".bearing").c_str(), o.bearing);
    f.at_least((name + ".course").c_str(), o.course, 0).at_least((name + ".courses").c_str(), o.courses, 1);
    f.require(o.course + o.courses < w.courses,
              fmt::format("{0}.course + {0}.courses is {1}, expected less than {2}: a "
                          "course must lie above an opening",
                          name, o.course + o.courses, w.courses));
    f.require(extent(o).left > -end && extent(o).right < end,
              fmt::format("{} reaches from {} to {} with its bearings, expected between the ends of the wall, +-{}",
                          name, extent(o).left, extent(o).right, end));
    for (std::size_t j = 0; j < i; ++j) {
      const Opening& p = w.openings[j];
      const bool level = o.course <= p.course + p.courses && p.course <= o.course + o.courses;
      f.require(!level || extent(o).left >= extent(p).right || extent(p).left >= extent(o).right,
                fmt::format("{} meets openings[{}], expected them apart", name, j));
    }
  }
  return f;
}

struct Laid {
  Interval at;
  Real top;
};

// The highest top below `at`; nothing below: as given.
Real bed_on(const std::vector<Laid>& below, const Interval& at, Real otherwise) {
  constexpr Real touch = 1e-9;  // [m] ends that meet do not support
  Real bed = -1;
  for (const Laid& b : below)
    if (b.at.left < at.right - touch && b.at.right > at.left + touch) bed = std::max(bed, b.top);
  return bed < 0 ? otherwise : bed;
}

}  // namespace

template <int D>
Expected<Blocks<D>> build(const Wall& w) {
  if (const Faults f = faults_of(w); f.any()) return f.error();
  RandomStream random(w.seed);
  Blocks<D> out;
  std::vector<Laid> below, above;
  for (int course = 0; course < w.courses; ++course) {
    above.clear();
    for (const Interval& at : with_openings(w, course)) {
      const Real length = at.right - at.left - w.uneven_length * random.unit();
      const Real height = w.height - w.uneven_height * random.unit();
      const Real bed = w.uneven_height > 0 ? bed_on(below, at, course * w.height) : course * w.height;
      const Vec<2> centre{(at.left + at.right) / 2, bed + height / 2};
      out.blocks.push_back({brick<D>({length / 2, height / 2}, w.depth), in_plane<D>(centre), w.matter.density,
                            w.matter.material, false, course});
      above.push_back({at, bed + height});
    }
    below.swap(above);
  }
  if (w.matter.ground) out.blocks.push_back(ground_at<D>(0, w.matter.ground_material));
  return out;
}

template Expected<Blocks<2>> build(const Wall&);
template Expected<Blocks<3>> build(const Wall&);

}  // namespace cairn::scene
