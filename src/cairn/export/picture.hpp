// Pictures of a frame: outlines of bodies, ground, chains of forces, displacements.
#pragma once

#include <optional>

#include "cairn/export/view.hpp"

namespace cairn::exporting {

struct PictureOptions {
  bool forces = true;         // from each contact to the centres it loads; width in proportion to the normal force
  bool displacement = false;  // arrows from where centres were in the first frame
  bool shade = false;         // fill by the length of the displacement
  Real azimuth_deg = -90;     // where the viewer stands, in space: along -y, x to the right and z upright
  Real elevation_deg = 0;
  std::optional<Window> window = {};  // [m] not given: all bounded bodies and the terrain
  Real force_scale = 0;               // [N] of the widest lines; 0: what 98 % of the contacts do not exceed
  Real shade_scale = 0;               // [m] of the darkest filling; 0: the longest displacement
  bool key = true;                    // what widths and colours mean: in a corner, of strips as their title
  double width = 640;                 // [px] of the figure
};

// `first` is the frame that displacements are counted from.
template <int D>
plot::Axes picture(const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame,
                   const PictureOptions& options = {});

// One picture, as high as what it shows asks for.
template <int D>
plot::Figure picture_figure(const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame,
                            const PictureOptions& options = {});

// One window and one scale for all of some frames: of a strip, of a movie.
template <int D>
class CommonScale {
 public:
  CommonScale(const Cast<D>& cast, const Frame<D>& first, const PictureOptions& options);
  void add(const Frame<D>& frame);
  // What the options left open is filled in; `width` [px] of one picture.
  PictureOptions options(double width) const;

 private:
  const Cast<D>& cast_;
  const Frame<D>& first_;
  PictureOptions options_;
  View<D> view_;
  std::optional<Window> window_ = {};
  std::vector<Real> forces_ = {};  // [N]
  Real moved_ = 0;                 // [m]
};

// Several frames side by side, with one window and one scale for all.
template <int D>
plot::Figure picture_strip(const Cast<D>& cast, const Frame<D>& first, const std::vector<Frame<D>>& frames, int columns,
                           const PictureOptions& options = {});

}  // namespace cairn::exporting
