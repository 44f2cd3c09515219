// Bodies and their shapes in a results file: /bodies and /parts.
#pragma once

#include "cairn/record/frame.hpp"
#include "cairn/record/store.hpp"

namespace cairn::record {

template <int D>
void put_cast(Store& store, const Cast<D>& cast);

// Throws hdf5::Failure where the numbers make no bodies: indices out of range, rings that do not close.
template <int D>
Cast<D> get_cast(const Store& store);

}  // namespace cairn::record
