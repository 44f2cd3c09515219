// Is it JSON, and what does it say: for tests of what the program prints.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace cairn::test {

// Reads over one JSON text; each function is false where the text is not what it should be.
class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : text_(text) {}

  bool object_alone() { return peek() == '{' && value() && at_ == text_.size(); }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    while (peek() == ' ') ++at_;
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool digits() {
    const std::size_t before = at_;
    while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
    return at_ > before;
  }

  bool value() {
    if (take('{')) return items(true, '}');
    if (take('[')) return items(false, ']');
    if (take('"')) return rest_of_string();
    for (const std::string word : {"null", "true", "false"})
      if (text_.compare(at_, word.size(), word) == 0) return at_ += word.size(), true;
    return number();
  }
  bool items(bool keys, char close) {
    if (take(close)) return true;
    do {
      if (keys && !(take('"') && rest_of_string() && take(':'))) return false;
      if (!value()) return false;
    } while (take(','));
    return take(close);
  }
  bool rest_of_string() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\' && !escape()) return false;
    }
    return false;
  }
  bool escape() {  // leaves at_ on the last character
    ++at_;
    if (peek() != 'u') return std::string("\"\\/bfnrt").find(peek()) != std::string::npos;
    for (int k = 0; k < 4; ++k)
      if (++at_; !std::isxdigit(static_cast<unsigned char>(peek()))) return false;
    return true;
  }
  bool number() {
    take('-');
    if (!digits()) return false;
    if (peek() == '.' && (++at_, !digits())) return false;
    if (peek() != 'e' && peek() != 'E') return true;
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    return digits();
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

inline bool is_json_object(const std::string& text) { return JsonReader(text).object_alone(); }

// One object, and a line's end behind it.
inline bool is_json_line(const std::string& text) {
  return text.ends_with('\n') && is_json_object(text.substr(0, text.size() - 1));
}

// Value of the first such key, as written (quotes included, braces of a flat object too); empty where the key is not.
inline std::string field(const std::string& object, const std::string& key) {
  const std::string mark = "\"" + key + "\": ";
  const std::size_t found = object.find(mark);
  if (found == std::string::npos) return "";
  const std::size_t from = found + mark.size();
  if (object[from] == '{') return object.substr(from, object.find('}', from) + 1 - from);
  if (object[from] != '"') return object.substr(from, object.find_first_of(",}", from) - from);
  std::size_t to = from + 1;
  while (to < object.size() && object[to] != '"') to += object[to] == '\\' ? 2 : 1;
  return object.substr(from, to + 1 - from);
}

// Not a number where the key is not, or holds none.
inline double number(const std::string& object, const std::string& key) {
  const std::string text = field(object, key);
  return text.empty() || (text[0] != '-' && !std::isdigit(static_cast<unsigned char>(text[0]))) ? std::nan("")
                                                                                                : std::stod(text);
}

inline int lines_of(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

inline bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace cairn::test
