// The page that shows results (apps/viewer), as it was built, inside the program.
#pragma once

#include <string_view>

namespace cairn::view {

std::string_view page();  // HTML

}  // namespace cairn::view
