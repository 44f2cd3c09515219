#include "cairn/view/embed.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "cairn/base/json.hpp"
#include "cairn/view/bundle.hpp"

namespace cairn::view {
namespace {

// The end of the JSON value that begins at `at`: the first , } or ] that is neither inside it nor in a string.
std::size_t end_of_value(std::string_view json, std::size_t at) {
  int depth = 0;
  for (bool quoted = false; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '}' || c == ']') --depth;
  }
  return json.size();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \n\t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \n\t\r") + 1 - from);
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 63));
  } else {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 63));
    out += static_cast<char>(0x80 | (code & 63));
  }
}

}  // namespace

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 7);
  CAIRN_CHECK(status == Z_OK, "zlib has room and memory enough");
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (k + i < bytes.size() ? static_cast<unsigned char>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) out += k + i < bytes.size() + 1 ? digits[three >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

Members members_of(std::string_view object) {
  Members out;
  std::size_t at = object.find('{');
  while (at < object.size() && (at = object.find('"', at)) < object.size()) {
    std::size_t end = at + 1;
    while (end < object.size() && object[end] != '"') end += object[end] == '\\' ? 2 : 1;
    const std::size_t colon = object.find(':', end);
    if (colon >= object.size()) break;
    const std::string name = plain_text(object.substr(at, end + 1 - at));
    at = end_of_value(object, colon + 1);
    out.emplace_back(name, trimmed(object.substr(colon + 1, at - colon - 1)));
  }
  return out;
}

std::string object_of(const Members& members) {
  JsonObject out;
  for (const auto& [name, value] : members) out.raw(name.c_str(), value);
  return out.str();
}

std::vector<std::string_view> elements_of(std::string_view array) {
  std::vector<std::string_view> out;
  array = trimmed(array);
  if (array.size() < 2 || array.front() != '[' || array.back() != ']') return out;
  array = array.substr(1, array.size() - 2);
  for (std::size_t at = 0; at < array.size();) {
    const std::size_t end = end_of_value(array, at);
    out.push_back(trimmed(array.substr(at, end - at)));
    at = end + 1;
  }
  if (out.size() == 1 && out.front().empty()) out.clear();  // blanks alone
  return out;
}

const std::string* member(const Members& members, std::string_view name) {
  for (const auto& [key, value] : members)
    if (key == name) return &value;
  return nullptr;
}

void put(Members& members, std::string_view name, std::string value) {
  for (auto& [key, old] : members) {
    if (key != name) continue;
    old = std::move(value);
    return;
  }
  members.emplace_back(name, std::move(value));
}

std::string plain_text(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return std::string(json);
  std::string out;
  for (std::size_t at = 1; at + 1 < json.size(); ++at) {
    if (json[at] != '\\') {
      out += json[at];
      continue;
    }
    const char c = json[++at];
    if (c == 'u') {
      unsigned code = 0;
      std::from_chars(json.data() + at + 1, json.data() + std::min(at + 5, json.size()), code, 16);
      append_utf8(out, code);  // halves of a pair stay what plot::escape() refuses
      at += 4;
    } else {
      const std::size_t known = std::string_view("nrtbf").find(c);
      out += known == std::string_view::npos ? c : "\n\r\t\b\f"[known];
    }
  }
  return out;
}

BundleView::BundleView(std::string_view bytes) {
  CAIRN_CHECK(bytes.size() >= 8 && bytes.starts_with("CVB1"), "a bundle of our own");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 4, sizeof length);
  CAIRN_CHECK(8 + std::size_t{length} <= bytes.size(), "a bundle has its header");
  const std::string_view header = bytes.substr(8, length);
  data_ = bytes.substr(8 + length);
  // The arrays come last, and their names are ours: the mark cannot be part of a text, where quotes are escaped.
  constexpr std::string_view mark = ",\"arrays\":{";
  const std::size_t found = header.rfind(mark);
  CAIRN_CHECK(found != std::string_view::npos && header.starts_with("{\"fields\":"), "a bundle of our own");
  fields_ = header.substr(10, found - 10);
  arrays_ = header.substr(found + mark.size());
}

std::string_view BundleView::array_bytes(std::string_view name) const {
  const std::size_t found = arrays_.find(fmt::format("\"{}\":{{", name));
  if (found == std::string_view::npos) return {};
  const std::string_view entry = arrays_.substr(found);
  const auto number_after = [&](std::string_view key, std::size_t from) {
    const std::size_t at = entry.find(key, from) + key.size();
    std::size_t value = 0;
    const auto end = std::from_chars(entry.data() + at, entry.data() + entry.size(), value).ptr;
    return std::pair{value, static_cast<std::size_t>(end - entry.data())};
  };
  auto [count, at] = number_after("\"shape\":[", 0);
  while (entry[at] == ',') {
    const auto [extent, next] = number_after(",", at);
    count *= extent, at = next;
  }
  constexpr std::string_view type = "\"type\":\"";  // then a letter, and the bits
  std::size_t bits = 0;
  std::from_chars(entry.data() + entry.find(type) + type.size() + 1, entry.data() + entry.size(), bits);
  return data_.substr(number_after("\"offset\":", 0).first, count * (bits / 8));
}

std::string BundleView::with_fields(const std::string& fields) const {
  return framed(fmt::format("{{\"fields\":{},\"arrays\":{{{}", fields, trimmed(arrays_)), data_);
}

}  // namespace cairn::view
