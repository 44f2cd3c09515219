// Runs examples from tests: settings by name, numbers by name, and the order of convergence over random steps.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "examples/example.hpp"

namespace cairn::examples {

struct OneSet {  // one --set
  OneSet(std::string name_of, const char* word_of) : name(std::move(name_of)), text(word_of) {}
  template <Number T>
  OneSet(std::string name_of, T number_of)
      : name(std::move(name_of)), value(static_cast<double>(number_of)), is_number(true) {}
  std::string name, text;
  double value = 0;
  bool is_number = false;
};
using Set = std::vector<OneSet>;

inline Parameters parameters_of(const Example& example, const Set& settings) {
  Parameters p(example.parameters);
  for (const OneSet& s : settings) {
    const auto taken = s.is_number ? p.set(s.name, s.value) : p.set(s.name, s.text);
    EXPECT_TRUE(taken) << s.name << ": " << (taken ? "" : taken.error());
  }
  return p;
}

inline Expected<Output> try_example(const std::string& name, const Set& settings = {}) {
  const Example* example = find(name);
  if (!example) return Error{"no example " + name};
  return example->run(parameters_of(*example, settings));
}

inline Output run_example(const std::string& name, const Set& settings = {}) {
  const auto out = try_example(name, settings);
  EXPECT_TRUE(out) << (out ? "" : out.error());
  return out ? *out : Output{};
}

inline double number_of(const Output& out, const std::string& name) {
  const Value* value = out.find(name);
  EXPECT_TRUE(value && std::holds_alternative<double>(*value)) << name;
  return value && std::holds_alternative<double>(*value) ? std::get<double>(*value) : std::nan("");
}

inline double error_of(const std::string& name, const Set& settings) {
  const Example* example = find(name);
  const auto error = example->error(parameters_of(*example, settings));
  EXPECT_TRUE(error) << (error ? "" : error.error());
  return error ? *error : std::nan("");
}

// Over random steps in the two decades below `largest`.
struct Order {
  double slope = 0;                     // least squares of log error against log h
  double factor = 0, worst_factor = 0;  // mean and largest error/h
};

inline Order order_of(const std::string& name, Set settings, double largest, int samples = 24) {
  std::mt19937_64 gen(3);
  std::uniform_real_distribution<double> two(0, 2);
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  Order order;
  for (int k = 0; k < samples; ++k) {
    const double h = largest * std::pow(10, -two(gen));
    settings.emplace_back("h", h);
    const double error = error_of(name, settings), x = std::log(h), y = std::log(error);
    settings.pop_back();
    order.factor += error / h / samples;
    order.worst_factor = std::max(order.worst_factor, error / h);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  order.slope = (samples * sxy - sx * sy) / (samples * sxx - sx * sx);
  return order;
}

}  // namespace cairn::examples
