// Whether a file may be put in the place of what a path leads to.
#pragma once

#include <string>

namespace cairn {

// Empty: there is nothing yet, or a regular file. Devices (/dev/null), folders and sockets are not replaced, and the
// message says so: a rename over them would succeed for the superuser.
std::string refuse_to_replace(const std::string& path);

}  // namespace cairn
