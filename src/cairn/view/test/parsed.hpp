// Reads a bundle back: the header by looking for its words, the arrays by type.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace cairn::view::test {

class Parsed {
 public:
  explicit Parsed(const std::string& bytes) {
    EXPECT_GE(bytes.size(), 8u);
    if (bytes.size() < 8) return;
    EXPECT_EQ(bytes.substr(0, 4), "CVB1");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 4, 4);
    EXPECT_EQ((8 + length) % 8, 0u);
    EXPECT_LE(8 + length, bytes.size());
    header = bytes.substr(8, length), data_ = bytes.substr(8 + std::size_t{length});
  }

  std::string header;

  // The text of a field up to the comma or brace that ends it; for numbers and true, false, null.
  std::string field(const std::string& name) const {
    const std::size_t begin = header.find("\"" + name + "\":");
    EXPECT_NE(begin, std::string::npos) << name << " in " << header;
    if (begin == std::string::npos) return "";
    std::string text = header.substr(begin + name.size() + 3);
    text.resize(text.find_first_of(",}"));
    text.erase(0, text.find_first_not_of(' '));
    return text;
  }
  double number(const std::string& name) const { return std::strtod(field(name).c_str(), nullptr); }

  std::vector<std::size_t> shape(const std::string& name) const {
    std::vector<std::size_t> extents;
    std::string text = array(name);
    text = text.substr(text.find("\"shape\":[") + 9);
    for (char* at = text.data(); *at != ']' && *at != '\0'; at += *at == ',')
      extents.push_back(std::strtoul(at, &at, 10));
    return extents;
  }

  template <class T>
  std::vector<T> values(const std::string& name) const {
    const std::string text = array(name);
    EXPECT_EQ(text.substr(0, text.find(',')), std::string("\"type\":\"") + type<T>() + "\"") << name;
    const std::size_t begin = std::strtoul(text.substr(text.find("\"offset\":") + 9).c_str(), nullptr, 10);
    EXPECT_EQ(begin % 8, 0u) << name;
    std::size_t count = 1;
    for (const std::size_t n : shape(name)) count *= n;
    std::vector<T> all(count);
    EXPECT_LE(begin + count * sizeof(T), data_.size()) << name;
    if (count > 0 && begin + count * sizeof(T) <= data_.size())
      std::memcpy(all.data(), data_.data() + begin, count * sizeof(T));
    return all;
  }

 private:
  std::string array(const std::string& name) const {
    const std::size_t arrays = header.rfind("\"arrays\":"), begin = header.find("\"" + name + "\":{", arrays);
    EXPECT_NE(begin, std::string::npos) << name;
    if (begin == std::string::npos) return "\"shape\":[0]";
    const std::size_t open = begin + name.size() + 4;
    return header.substr(open, header.find('}', open) - open);
  }
  template <class T>
  static const char* type() {
    if (std::is_same_v<T, float>) return "f32";
    if (std::is_same_v<T, double>) return "f64";
    if (std::is_same_v<T, std::uint8_t>) return "u8";
    if (std::is_same_v<T, std::int16_t>) return "i16";
    if (std::is_same_v<T, std::uint16_t>) return "u16";
    return std::is_same_v<T, std::int32_t> ? "i32" : "u32";
  }

  std::string data_;
};

}  // namespace cairn::view::test
