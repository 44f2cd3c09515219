// The one table of a scene file's keys: it validates, fills the structs of scene_file.hpp, and is the source of the
// reference page and of the JSON schema. A new key is one line in a keys_*.cpp file.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "cairn/input/node.hpp"

namespace cairn::input {

enum class Type { number, integer, flag, text, choice, material, numbers, texts, table, tables };

struct Limits {
  Real least = -std::numeric_limits<Real>::infinity();
  Real most = std::numeric_limits<Real>::infinity();
  bool open = false;  // `least` itself is not allowed
};
inline constexpr Limits any_number{};
inline constexpr Limits positive{0, std::numeric_limits<Real>::infinity(), true};
inline constexpr Limits not_negative{0, std::numeric_limits<Real>::infinity(), false};
// [m] Shapes are exact to 1e-12 of their size: what is far from one another in size or place is refused.
inline constexpr Limits a_length{1e-9, 1e9, false};
inline constexpr Limits a_length_or_0{0, 1e9, false};
inline constexpr Limits a_place{-1e9, 1e9, false};
std::string describe(const Limits& limits);  // "above 0", "from 1 to 9" ...; empty: any

// A value of the file after its formulas are evaluated.
struct Given {
  std::vector<Real> numbers;       // number, integer, flag (0 or 1), numbers, material (its number)
  std::vector<std::string> texts;  // text, choice, texts
};

// Where a table and its keys were found: later faults point there.
struct Located {
  Position at;
  std::vector<std::pair<std::string, Position>> keys;

  bool has(const std::string& key) const;
  Position of(const std::string& key) const;  // of the key, or of the table where it is not given
};

struct Section;

struct Key {
  std::string name;
  Type type = Type::number;
  std::string unit, doc;
  Limits limits = {};
  std::vector<std::string> choices = {};
  std::size_t least_entries = 0, most_entries = std::numeric_limits<std::size_t>::max();  // of lists
  bool required = false;
  std::function<void(void* object, const Given&)> assign = {};
  std::function<std::string(const void* object)> shown = {};  // the value of an object, as one would write it
  const Section* child = nullptr;                             // of a table, or of each of several
  std::function<void*(void* object)> child_object = {};       // that it fills; of several tables: a new one
};

struct Kind {
  std::string name, doc;
  const Section* section;
  std::function<void*(void* object)> object;  // that its keys fill
};

// A table of the file. Where it has kinds, its key `kind` says which further keys it takes.
struct Section {
  std::string doc;
  std::vector<Key> keys;
  std::vector<Kind> kinds;
  std::function<Located*(void* object)> located;
  std::function<std::shared_ptr<void>()> fresh;  // an object with its defaults
};

std::string written(Real value);
std::string written(const std::string& text);
std::string written(const std::vector<Real>& list);
std::string written(const std::vector<std::string>& list);

// Fills a Section for objects of type T. `a` is a member or a function of T& that returns a reference.
template <class T>
class Keys {
 public:
  explicit Keys(const char* doc) {
    s_.doc = doc;
    s_.fresh = [] { return std::shared_ptr<void>(std::make_shared<T>()); };
    if constexpr (std::is_base_of_v<Located, T>)
      s_.located = [](void* object) { return static_cast<Located*>(static_cast<T*>(object)); };
  }

  template <class A>
  Keys& number(const char* name, A a, const char* unit, const char* doc, const Limits& limits = any_number) {
    return scalar(name, Type::number, a, 1, unit, doc, limits);
  }
  template <class A>  // kept in radians
  Keys& degrees(const char* name, A a, const char* doc, const Limits& limits = any_number) {
    return scalar(name, Type::number, a, degree, "degrees", doc, limits);
  }
  template <class A>
  Keys& integer(const char* name, A a, const char* doc, const Limits& limits = any_number) {
    return scalar(name, Type::integer, a, 1, "", doc, limits);
  }
  template <class A>
  Keys& flag(const char* name, A a, const char* doc) {
    Key k = key(name, Type::flag, "", doc);
    k.assign = [a](void* o, const Given& g) { std::invoke(a, *static_cast<T*>(o)) = g.numbers[0] != 0; };
    k.shown = [a](const void* o) { return std::string(std::invoke(a, object(o)) ? "true" : "false"); };
    return add(std::move(k));
  }
  template <class A>
  Keys& text(const char* name, A a, const char* doc) {
    Key k = key(name, Type::text, "", doc);
    k.assign = [a](void* o, const Given& g) { std::invoke(a, *static_cast<T*>(o)) = g.texts[0]; };
    k.shown = [a](const void* o) { return written(std::string(std::invoke(a, object(o)))); };
    return add(std::move(k));
  }
  template <class A>
  Keys& material(const char* name, A a, const char* doc) {
    Key k = key(name, Type::material, "", doc);
    k.assign = [a](void* o, const Given& g) { std::invoke(a, *static_cast<T*>(o)) = static_cast<int>(g.numbers[0]); };
    k.shown = [](const void*) { return std::string("the first material"); };
    return add(std::move(k));
  }
  template <class A, class E>
  Keys& choice(const char* name, A a, std::vector<std::pair<const char*, E>> values, const char* doc) {
    Key k = key(name, Type::choice, "", doc);
    for (const auto& v : values) k.choices.push_back(v.first);
    k.assign = [a, values](void* o, const Given& g) {
      for (const auto& [word, value] : values)
        if (g.texts[0] == word) std::invoke(a, *static_cast<T*>(o)) = value;
    };
    k.shown = [a, values](const void* o) {
      for (const auto& [word, value] : values)
        if (std::invoke(a, object(o)) == value) return written(std::string(word));
      return std::string();
    };
    return add(std::move(k));
  }
  template <class A>
  Keys& numbers(const char* name, A a, const char* unit, const char* doc, std::size_t least, std::size_t most,
                const Limits& limits = any_number) {
    Key k = key(name, Type::numbers, unit, doc);
    k.limits = limits, k.least_entries = least, k.most_entries = most;
    k.assign = [a](void* o, const Given& g) { std::invoke(a, *static_cast<T*>(o)) = g.numbers; };
    k.shown = [a](const void* o) { return written(std::invoke(a, object(o))); };
    return add(std::move(k));
  }
  template <class A>
  Keys& vector(const char* name, A a, const char* unit, const char* doc, const Limits& limits = any_number) {
    return numbers(name, a, unit, doc, 2, 3, limits);
  }
  template <class A>
  Keys& texts(const char* name, A a, const char* doc, std::vector<std::string> choices = {}, std::size_t least = 0,
              std::size_t most = std::numeric_limits<std::size_t>::max()) {
    Key k = key(name, Type::texts, "", doc);
    k.choices = std::move(choices), k.least_entries = least, k.most_entries = most;
    k.assign = [a](void* o, const Given& g) { std::invoke(a, *static_cast<T*>(o)) = g.texts; };
    k.shown = [a](const void* o) { return written(std::invoke(a, object(o))); };
    return add(std::move(k));
  }
  template <class A>
  Keys& table(const char* name, A a, const Section& child, const char* doc) {
    Key k = key(name, Type::table, "", doc);
    k.child = &child;
    k.child_object = [a](void* o) { return static_cast<void*>(&std::invoke(a, *static_cast<T*>(o))); };
    return add(std::move(k));
  }
  template <class A>
  Keys& tables(const char* name, A a, const Section& child, const char* doc) {
    Key k = key(name, Type::tables, "", doc);
    k.child = &child;
    k.child_object = [a](void* o) { return static_cast<void*>(&std::invoke(a, *static_cast<T*>(o)).emplace_back()); };
    return add(std::move(k));
  }

  // The last key must be given.
  Keys& required() {
    s_.keys.back().required = true;
    return *this;
  }
  // A kind whose keys fill the same object; T::kind holds its name.
  Keys& kind(const char* name, const char* doc, const Section& section) {
    s_.kinds.push_back({name, doc, &section, [name](void* o) {
                          static_cast<T*>(o)->kind = name;
                          return o;
                        }});
    return *this;
  }
  // A kind whose keys fill what `choose` makes of the object; T::kind holds its name, too.
  template <class Choose>
  Keys& kind(const char* name, const char* doc, const Section& section, Choose choose) {
    s_.kinds.push_back({name, doc, &section, [name, choose](void* o) {
                          static_cast<T*>(o)->kind = name;
                          return static_cast<void*>(choose(*static_cast<T*>(o)));
                        }});
    return *this;
  }
  // All keys of another table of the same object.
  Keys& with(const Section& more) {
    s_.keys.insert(s_.keys.end(), more.keys.begin(), more.keys.end());
    return *this;
  }

  operator Section() const { return s_; }

 private:
  static constexpr Real degree = Real(3.14159265358979323846) / 180;

  static T& object(const void* o) { return *const_cast<T*>(static_cast<const T*>(o)); }
  static Key key(const char* name, Type type, const char* unit, const char* doc) {
    Key k;
    k.name = name, k.type = type, k.unit = unit, k.doc = doc;
    return k;
  }
  Keys& add(Key k) {
    s_.keys.push_back(std::move(k));
    return *this;
  }
  template <class A>
  Keys& scalar(const char* name, Type type, A a, Real unit_value, const char* unit, const char* doc,
               const Limits& limits) {
    Key k = key(name, type, unit, doc);
    k.limits = limits;
    k.assign = [a, unit_value](void* o, const Given& g) {
      auto& member = std::invoke(a, *static_cast<T*>(o));
      using Member = std::remove_reference_t<decltype(member)>;
      if constexpr (std::is_integral_v<Member>)
        member = static_cast<Member>(g.numbers[0]);
      else
        member = g.numbers[0] * unit_value;
    };
    k.shown = [a, unit_value](const void* o) -> std::string {
      const auto& member = std::invoke(a, object(o));
      if constexpr (requires { member.has_value(); })
        return member ? written(*member / unit_value) : "";
      else
        return written(static_cast<Real>(member) / unit_value);
    };
    return add(std::move(k));
  }

  Section s_;
};

}  // namespace cairn::input
