// TOML text to nodes. toml++ costs seconds to compile: parse.cpp alone includes it.
#pragma once

#include <optional>

#include "cairn/input/diagnostics.hpp"

namespace cairn::input {

inline constexpr std::size_t most_bytes = std::size_t{4} << 20;  // of a scene file; larger ones are for CSV

// None where the text is not TOML; the diagnostics say why.
std::optional<Node> parse_toml(const std::string& text, Diagnostics& diagnostics);

}  // namespace cairn::input
