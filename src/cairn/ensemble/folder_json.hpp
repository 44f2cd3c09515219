// The one unit of the ensembles that reads JSON.
#pragma once

#include <string>

namespace cairn::ensemble {

// Which fields of two objects differ, and how; "unreadable" where one is no object.
std::string difference(const std::string& found, const std::string& wanted);

}  // namespace cairn::ensemble
