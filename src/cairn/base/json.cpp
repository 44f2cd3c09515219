#include "cairn/base/json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cairn {
namespace {

unsigned byte_at(const std::string& text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// Length of the UTF-8 character that starts at `at`; 0 when there is none (overlong forms and surrogates included).
std::size_t character_length(const std::string& text, std::size_t at) {
  const unsigned a = byte_at(text, at), b = byte_at(text, at + 1);
  if (a < 0x80) return 1;
  const std::size_t length = a >= 0xC2 && a <= 0xDF ? 2 : (a & 0xF0) == 0xE0 ? 3 : a >= 0xF0 && a <= 0xF4 ? 4 : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte_at(text, at + k) & 0xC0) != 0x80) return 0;
  const bool bad =
      (a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F);
  return bad ? 0 : length;
}

}  // namespace

std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    const char c = text[at];
    if (length == 0)
      out += "\\ufffd";
    else if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out.append(text, at, length);
    at += length == 0 ? 1 : length;
  }
  return out + "\"";
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

JsonObject& JsonObject::raw(const char* key, const std::string& value) {
  if (!fields_.empty()) fields_ += ", ";
  fields_ += json_string(key) + ": " + value;
  return *this;
}

}  // namespace cairn
