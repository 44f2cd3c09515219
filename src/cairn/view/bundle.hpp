// Numbers for the page that shows results: a JSON header and arrays, in one block of bytes (docs/view-data.md).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace cairn::view {

// Header and arrays as one block of bytes: mark, length, header filled up with blanks.
std::string framed(std::string header, std::string_view data);

class Bundle {
 public:
  // `fields`: a JSON object.
  explicit Bundle(std::string fields) : fields_(std::move(fields)) {}

  // Row-major; the product of the extents is the number of values.
  template <class T>
  Bundle& array(const char* name, std::span<const T> values, std::initializer_list<std::size_t> shape);

  std::string bytes() const;

 private:
  void append(const char* name, const char* type, const void* data, std::size_t bytes, std::size_t count,
              std::initializer_list<std::size_t> shape);

  std::string fields_, arrays_, data_;
};

}  // namespace cairn::view
