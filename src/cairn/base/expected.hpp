// Expected<T>: a value or a message for the user (bad input). std::expected is not in g++ 12.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace cairn {

struct Error {
  std::string message;  // what, where, what was expected
};

template <class T>
class Expected {
 public:
  Expected(T value) : data_(std::move(value)) {}
  Expected(Error error) : data_(std::move(error)) {}

  explicit operator bool() const { return data_.index() == 0; }
  T& operator*() { return std::get<0>(data_); }
  const T& operator*() const { return std::get<0>(data_); }
  T* operator->() { return &std::get<0>(data_); }
  const T* operator->() const { return &std::get<0>(data_); }
  const std::string& error() const { return std::get<1>(data_).message; }

 private:
  std::variant<T, Error> data_;
};

}  // namespace cairn
