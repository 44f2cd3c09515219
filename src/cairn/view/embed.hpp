// How bytes get into a page and what we read back of our own bundles: deflate, base64, members of JSON.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/check.hpp"

namespace cairn::view {

std::string deflated(std::string_view bytes);  // with zlib's head and sum, as browsers' "deflate" has it
std::string base64(std::string_view bytes);

// Members of a JSON object: names as they mean, values as written.
using Members = std::vector<std::pair<std::string, std::string>>;
Members members_of(std::string_view object);
std::string object_of(const Members& members);
// Elements of a JSON array, as written; none where it is no array.
std::vector<std::string_view> elements_of(std::string_view array);
// Null: there is none.
const std::string* member(const Members& members, std::string_view name);
void put(Members& members, std::string_view name, std::string value);
// What a JSON string means; other values as they are written.
std::string plain_text(std::string_view json);

// A bundle of our own making (bundle.hpp), taken apart.
class BundleView {
 public:
  explicit BundleView(std::string_view bytes);  // must outlive this

  std::string_view fields() const { return fields_; }
  // Copied: arrays inside a string need not be aligned. Empty where there is none.
  template <class T>
  std::vector<T> array(std::string_view name) const {
    const std::string_view bytes = array_bytes(name);
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
    return out;
  }
  // The same arrays under other fields.
  std::string with_fields(const std::string& fields) const;

 private:
  std::string_view array_bytes(std::string_view name) const;

  std::string_view fields_, arrays_, data_;
};

}  // namespace cairn::view
