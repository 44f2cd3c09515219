// One JSON object, written field by field. What we emit is flat enough not to need a library.
#pragma once

#include <string>

namespace cairn {

// Quoted and escaped; bytes that are not UTF-8 (a file name may hold any) become U+FFFD.
std::string json_string(const std::string& text);

// Shortest form that reads back the same; null where JSON has no number (nan, inf).
std::string json_number(double value);

class JsonObject {
 public:
  JsonObject& text(const char* key, const std::string& value) { return raw(key, json_string(value)); }
  JsonObject& number(const char* key, double value) { return raw(key, json_number(value)); }
  JsonObject& integer(const char* key, long value) { return raw(key, std::to_string(value)); }
  JsonObject& raw(const char* key, const std::string& value);

  std::string str() const { return "{" + fields_ + "}"; }

 private:
  std::string fields_;
};

}  // namespace cairn
