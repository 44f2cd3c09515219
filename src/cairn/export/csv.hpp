// Tables as text: comma-separated, one header line with names and units, numbers that read back to the same bits.
#pragma once

#include <functional>

#include "cairn/base/expected.hpp"
#include "cairn/export/mesh.hpp"

namespace cairn::exporting {

// Frames one at a time, so that a long motion need not be in memory at once.
template <int D>
struct FrameSource {
  int count = 0;
  std::function<Expected<Frame<D>>(int)> frame;
};

// A row for each body and frame: place and orientation (the angle; in space the quaternion w x y z from the body's
// principal axes to the world's), velocity and spin (in space about the principal axes), kinetic energy.
template <int D>
std::string states_header();
template <int D>
void append_states(std::string& out, const Cast<D>& cast, const Frame<D>& frame);

// A row for each contact and frame. Impulse and force act on the first body, their opposite on the second.
template <int D>
std::string contacts_header();
template <int D>
void append_contacts(std::string& out, const Frame<D>& frame);

std::string steps_csv(const std::vector<record::StepRow>& steps);
// values[probe][step]; `times` has one entry a step.
std::string probes_csv(const std::vector<std::string>& names, const std::vector<std::string>& units,
                       const std::vector<Real>& times, const std::vector<std::vector<Real>>& values);

// Written to a temporary name, then renamed; the answer is the path.
template <int D>
Expected<std::string> write_states_csv(const std::string& path, const Cast<D>& cast, const FrameSource<D>& frames);
template <int D>
Expected<std::string> write_contacts_csv(const std::string& path, const FrameSource<D>& frames);

// A name as a field of the table: in quotes where it needs them.
std::string csv_field(const std::string& text);

}  // namespace cairn::exporting
