#include "cairn/view/bundle.hpp"

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <numeric>

#include "cairn/base/check.hpp"

namespace cairn::view {
namespace {

static_assert(std::endian::native == std::endian::little, "bundles are little-endian");

constexpr std::size_t alignment = 8;

void fill_up(std::string& text, std::size_t before, char with) {
  while ((before + text.size()) % alignment != 0) text += with;
}

template <class T>
constexpr const char* type_name = nullptr;
template <>
constexpr const char* type_name<std::uint8_t> = "u8";
template <>
constexpr const char* type_name<std::int16_t> = "i16";
template <>
constexpr const char* type_name<std::uint16_t> = "u16";
template <>
constexpr const char* type_name<std::int32_t> = "i32";
template <>
constexpr const char* type_name<std::uint32_t> = "u32";
template <>
constexpr const char* type_name<float> = "f32";
template <>
constexpr const char* type_name<double> = "f64";

}  // namespace

std::string framed(std::string header, std::string_view data) {
  fill_up(header, 8, ' ');
  const auto length = static_cast<std::uint32_t>(header.size());
  std::string out = "CVB1";
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  return out.append(header).append(data);
}

void Bundle::append(const char* name, const char* type, const void* data, std::size_t bytes, std::size_t count,
                    std::initializer_list<std::size_t> shape) {
  CAIRN_CHECK(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()) == count,
              "the shape of an array tells how many values it has");
  std::string extents;
  for (const std::size_t n : shape) extents += fmt::format("{}{}", extents.empty() ? "" : ",", n);
  arrays_ += fmt::format(R"({}"{}":{{"type":"{}","shape":[{}],"offset":{}}})", arrays_.empty() ? "" : ",", name, type,
                         extents, data_.size());
  data_.append(static_cast<const char*>(data), bytes);
  fill_up(data_, 0, '\0');
}

template <class T>
Bundle& Bundle::array(const char* name, std::span<const T> values, std::initializer_list<std::size_t> shape) {
  append(name, type_name<T>, values.data(), values.size_bytes(), values.size(), shape);
  return *this;
}

std::string Bundle::bytes() const {
  return framed(fmt::format(R"({{"fields":{},"arrays":{{{}}}}})", fields_, arrays_), data_);
}

template Bundle& Bundle::array(const char*, std::span<const std::uint8_t>, std::initializer_list<std::size_t>);
template Bundle& Bundle::array(const char*, std::span<const std::int16_t>, std::initializer_list<std::size_t>);
template Bundle& Bundle::array(const char*, std::span<const std::uint16_t>, std::initializer_list<std::size_t>);
template Bundle& Bundle::array(const char*, std::span<const std::int32_t>, std::initializer_list<std::size_t>);
template Bundle& Bundle::array(const char*, std::span<const std::uint32_t>, std::initializer_list<std::size_t>);
template Bundle& Bundle::array(const char*, std::span<const float>, std::initializer_list<std::size_t>);
template Bundle& Bundle::array(const char*, std::span<const double>, std::initializer_list<std::size_t>);

}  // namespace cairn::view
