// 'Did you mean': the name of a list nearest to what was typed.
#pragma once

#include <string>
#include <vector>

namespace cairn {

// Empty when nothing is near enough to be what was meant.
std::string closest(const std::string& typed, const std::vector<std::string>& names);

// "; did you mean 'x'?", or nothing.
std::string hint(const std::string& typed, const std::vector<std::string>& names);

}  // namespace cairn
