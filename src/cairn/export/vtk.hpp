// Frames for ParaView: NAME_bodies.pvd and NAME_contacts.pvd, each the list of one .vtp a frame.
//
// Bodies: surfaces with, for each cell, body (its number), label, velocity and displacement [m/s, m] of the centre of
// mass, spin [rad/s] in the world's axes, speed [m/s], kinetic_energy [J] of the body.
// Contacts: points with normal, impulse [N s], force = impulse / h [N], normal_force [N], gap [m], velocity [m/s],
// status (0 take-off, 1 stick, 2 slide), first and second (bodies). Impulse and force act on the body `first`, their
// opposite on `second`; the normal points from `second` to `first`; the velocity is that of `first` against `second`.
// What belongs to the plane has z = 0.
#pragma once

#include <cstdint>

#include "cairn/base/expected.hpp"
#include "cairn/export/mesh.hpp"

namespace cairn::exporting {

struct VtkOptions {
  int around = 0;  // facets of a full circle of round bodies; 0: by their number, 8 to 32 (plane: 48)
  bool contacts = true;
};

// Frames in the order they are added. After every one the lists on disk are whole and name all files so far.
template <int D>
class VtkWriter {
 public:
  // Files are `stem`_bodies_0000.vtp and so on; displacements are counted from the frame `first`, around which
  // half-spaces are shown.
  static Expected<VtkWriter> open(const std::string& stem, const Cast<D>& cast, const Frame<D>& first,
                                  const VtkOptions& options = {});

  // The answer is the path of the bodies' file.
  Expected<std::string> add(const Frame<D>& frame);
  int frames() const { return static_cast<int>(times_.size()); }

 private:
  struct Cells {
    std::vector<std::int32_t> corners, ends;
  };

  VtkWriter() = default;
  std::string gather(int around);
  Expected<std::string> write_bodies(const Frame<D>& frame, const std::string& path) const;
  Expected<std::string> write_list(const std::string& kind) const;
  std::string file(const std::string& kind, std::size_t frame) const;

  std::string stem_;
  Cast<D> cast_;
  Frame<D> first_;
  VtkOptions options_;
  std::vector<Vec<3>> points_;           // [m] in the axes of their bodies
  std::vector<int> owner_;               // (points) body
  Cells lines_, polygons_;               // lines come first
  std::vector<std::int32_t> cell_body_;  // (cells)
  std::vector<Real> times_;              // [s] (frames)
};

// One file of contacts alone.
template <int D>
Expected<std::string> write_contacts_vtp(const std::string& path, const Frame<D>& frame);

}  // namespace cairn::exporting
