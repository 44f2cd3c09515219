// Pictures of what is certain about forces: a bar on every contact, from the least to the greatest force possible.
#pragma once

#include "cairn/export/picture.hpp"
#include "cairn/solver/force_range.hpp"

namespace cairn::exporting {

enum class Certainty { carries, may_carry, idle };

// Of contact a: whether every distribution loads it, some do, or none does.
Certainty certainty(const ForceReport& report, std::size_t contact);

// Bars along the normals, towards the first body of a contact: dark as far as the force is certain, light as far as it
// is possible, a tick at the solution recorded, a dot at the central distribution; a ring where no force can be.
template <int D>
plot::Figure force_picture(const Cast<D>& cast, const Frame<D>& first, const Frame<D>& frame, const ForceReport& report,
                           const PictureOptions& options);

}  // namespace cairn::exporting
