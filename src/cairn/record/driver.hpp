// How HDF5 reaches the file of results: plain reads and writes, with two manners that its own driver has not.
//
// Once a write has failed (disk full, quota) nothing more is written, and all goes on as if it had been: the file stays
// as a killed program would have left it, with every frame that was committed, and the library can close it. Its own
// driver fails again and again, in H5Fclose and at the end of the program.
// A read beyond the end of the file fails; the library's own driver gives zeros, which a cut file would pass for data.
#pragma once

#include <hdf5.h>

#include <string>

namespace cairn::record {

// [identifier] of the driver, for H5Pset_driver; registered once.
hid_t careful_driver();

// Why a write of this thread failed since it was last asked, in the system's words; empty: none did.
std::string take_write_failure();

// Forces what was written so far onto the disk; empty: good, else why not.
std::string synchronise(hid_t file);

}  // namespace cairn::record
