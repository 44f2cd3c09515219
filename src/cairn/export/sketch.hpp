// Strokes that a picture of a frame is made of.
#pragma once

#include "cairn/export/view.hpp"

namespace cairn::exporting {

constexpr const char* stone = "#f0eadc";    // of free bodies
constexpr const char* support = "#d6d6d6";  // of boundaries
constexpr double thin = 0.6;                // [px]

// Colour between two, given as #rrggbb; share in [0, 1].
std::string blend(const std::string& from, const std::string& to, double share);

plot::Shape polygon_shape(const std::vector<Vec<2>>& ring, const std::string& fill);

// A part as seen.
template <int D>
void sketch_part(std::vector<plot::Shape>& out, const BodyPart<D>& part, const Pose<D>& body, const std::string& fill,
                 const View<D>& view);

// The line of a half-space seen from its edge; the solid lies against the normal.
struct GroundLine {
  Vec<2> point, normal;  // [m], unit
};

// Lines with hatching across the window, without what lies inside the solid of another.
void draw_ground(std::vector<plot::Shape>& out, const std::vector<GroundLine>& lines, const Window& window);

// A half-space: one more line where it is seen from its edge, else a faint surface; one that stands between the viewer
// and the scene is left out. `box` bounds what is shown of surfaces.
template <int D>
void sketch_half_space(std::vector<plot::Shape>& out, std::vector<GroundLine>& lines, const Pose<D>& pose,
                       const View<D>& view, const Bounds<D>& box);

// A line with hatching on its right; `size` [m] of the picture.
void hatched(std::vector<plot::Shape>& out, const Vec<2>& a, const Vec<2>& b, Real size);

// A length of 1, 2 or 5 times a power of ten, about a fifth of the window, in its lower left corner. `pixel` [m].
void scale_bar(plot::Axes& axes, const Window& window, double pixel);

// Three digits with the prefix of the unit: 18.5 kN.
std::string with_prefix(double value, const std::string& unit);

}  // namespace cairn::exporting
