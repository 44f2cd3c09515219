// What an example is: parameters with defaults, a function that runs it, documented outputs, tables and figures.
//
// Each example is one file that offers `Example my_name();`, and one line in all.cpp. `cairn example` and
// `cairn study` do the rest: reading parameters, printing, files. guided_contact.cpp shows the manner.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/plot/figure.hpp"

namespace cairn::examples {

// --- parameters ------------------------------------------------------------------------------------------------------

using Setting = std::variant<double, std::string, std::vector<double>>;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double above_zero = std::numeric_limits<double>::min();  // a least value that excludes zero

struct Parameter {
  std::string name;
  Setting value;  // the default; its type is the type of the parameter
  std::string unit;
  std::string doc;
  double min = -infinite, max = infinite;  // of a number, of each number of a list
  bool whole = false;                      // a number without fraction
  std::vector<std::string> names = {};     // the words allowed; empty: any
};

Parameter number(std::string name, double value, std::string unit, std::string doc, double min = -infinite,
                 double max = infinite);
Parameter integer(std::string name, int value, std::string doc, double min = 0, double max = 1e9);
Parameter word(std::string name, std::string value, std::vector<std::string> names, std::string doc);
Parameter list(std::string name, std::vector<double> value, std::string unit, std::string doc, double min = -infinite,
               double max = infinite);

// "more than 0", "0 to 90", "one of moreau, paoli"; empty where everything is allowed.
std::string allowed(const Parameter& parameter);
std::string to_text(const Setting& value);

// The parameters of one run. Asking for a name that is not there, or for another type, is a bug of the example.
class Parameters {
 public:
  explicit Parameters(std::vector<Parameter> defaults) : all_(std::move(defaults)) {}

  double number(const std::string& name) const;
  int integer(const std::string& name) const;
  const std::string& word(const std::string& name) const;
  const std::vector<double>& list(const std::string& name) const;

  bool has(const std::string& name) const;
  const std::vector<Parameter>& all() const { return all_; }
  std::vector<std::string> names() const;

  // As typed by a user: a number, a word, or numbers with commas between. The message says what was expected.
  Expected<bool> set(const std::string& name, const std::string& text);
  Expected<bool> set(const std::string& name, double value);

 private:
  const Parameter& at(const std::string& name) const;

  std::vector<Parameter> all_;
};

// --- outputs ---------------------------------------------------------------------------------------------------------

using Value = std::variant<double, bool, std::string, std::vector<double>, std::vector<std::vector<double>>>;

struct Column {
  std::string name;
  std::vector<double> values;
};

struct Table {
  std::string name;  // of the CSV file
  std::vector<Column> columns;
};

std::string to_csv(const Table& table);

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class R>
concept Numbers =
    std::ranges::input_range<R> && Number<std::ranges::range_value_t<R>> && !std::convertible_to<R, std::string>;

struct Output {
  std::vector<std::pair<std::string, Value>> values;  // in the order in which they were set
  std::vector<Table> tables;
  std::vector<std::pair<std::string, plot::Figure>> figures;
  std::vector<std::string> remarks;  // sentences for the reader

  void set(const std::string& name, bool value) { put(name, value); }
  void set(const std::string& name, std::string value) { put(name, std::move(value)); }
  void set(const std::string& name, const char* value) { put(name, std::string(value)); }
  void set(const std::string& name, std::vector<std::vector<double>> value) { put(name, std::move(value)); }
  template <Number T>
  void set(const std::string& name, T value) {
    put(name, static_cast<double>(value));
  }
  template <Numbers R>
  void set(const std::string& name, const R& values_of) {
    std::vector<double> numbers;
    for (const auto& value : values_of) numbers.push_back(static_cast<double>(value));
    put(name, std::move(numbers));
  }

  // Columns of one length: out.table("motion", {{"t", t}, {"q", q}}).
  void table(std::string name, std::vector<Column> columns);
  void figure(std::string name, plot::Figure figure) { figures.emplace_back(std::move(name), std::move(figure)); }
  void remark(std::string sentence) { remarks.push_back(std::move(sentence)); }

  const Value* find(const std::string& name) const;

 private:
  void put(const std::string& name, Value value);
};

// --- examples --------------------------------------------------------------------------------------------------------

struct OutputDoc {
  std::string name, unit, doc;
};

struct Example {
  std::string name;     // as typed: words-with-hyphens
  std::string summary;  // one line
  std::string source;   // paper and section: "BC18 2", "M88 16.2"
  std::vector<Parameter> parameters;
  std::vector<OutputDoc> outputs;
  std::function<Expected<Output>(const Parameters&)> run;
  // For `cairn study`: distance of a run from the exact answer; needs a parameter `h`. Empty where no answer is known.
  std::function<Expected<double>(const Parameters&)> error = {};
};

// The one list.
const std::vector<Example>& all();

const Example* find(const std::string& name);  // null: there is none
std::vector<std::string> names();

}  // namespace cairn::examples
