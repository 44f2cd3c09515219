// How much of a collection one thread takes at a time.
#pragma once

namespace cairn {

inline constexpr int bodies_of_a_piece = 256, contacts_of_a_piece = 256;

}  // namespace cairn
