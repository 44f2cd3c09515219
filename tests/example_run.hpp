// Runs examples from tests: settings by name, numbers by name, and the order of convergence over random steps.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "examples/example.hpp"

namespace cairn::examples {

struct Set {  // one --set
  Set(const char* name_of, const char* word_of) : name(name_of), text(word_of) {}
  template <Number T>
  Set(const char* name_of, T number_of) : name(name_of), value(static_cast<double>(number_of)), is_number(true) {}
  std::string name, text;
  double value = 0;
  bool is_number = false;
};

inline Parameters parameters_of(const Example& example, const std::vector<Set>& settings) {
  Parameters p(example.parameters);
  for (const Set& s : settings) {
    const auto taken = s.is_number ? p.set(s.name, s.value) : p.set(s.name, s.text);
    EXPECT_TRUE(taken) << s.name << ": " << (taken ? "" : taken.error());
  }
  return p;
}

inline Expected<Output> try_example(const std::string& name, const std::vector<Set>& settings = {}) {
  const Example* example = find(name);
  if (!example) return Error{"no example " + name};
  return example->run(parameters_of(*example, settings));
}

inline Output run_example(const std::string& name, const std::vector<Set>& settings = {}) {
  const auto out = try_example(name, settings);
  EXPECT_TRUE(out) << (out ? "" : out.error());
  return out ? *out : Output{};
}

inline double number_of(const Output& out, const std::string& name) {
  const Value* value = out.find(name);
  EXPECT_TRUE(value && std::holds_alternative<double>(*value)) << name;
  return value && std::holds_alternative<double>(*value) ? std::get<double>(*value) : std::nan("");
}

struct Order {
  double slope;        // of log(mean error) against log(H)
  double mean_over_h;  // mean of error/h over all steps
  double worst_over_h;
};

// `samples` random steps in each decade ]H/10, H].
inline Order order_of(const std::string& name, std::vector<Set> settings, const std::vector<double>& decades,
                      int samples = 20, unsigned seed = 1) {
  const Example* example = find(name);
  std::mt19937_64 gen(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  Order order{0, 0, 0};
  std::vector<double> x, y;
  for (const double H : decades) {
    double sum = 0, log_h = 0;
    for (int k = 0; k < samples; ++k) {
      const double h = H * std::pow(10, -uniform(gen));
      settings.emplace_back("h", h);
      const auto error = example->error(parameters_of(*example, settings));
      settings.pop_back();
      EXPECT_TRUE(error) << (error ? "" : error.error());
      const double e = error ? *error : std::nan("");
      sum += std::log(e) / samples, log_h += std::log(h) / samples;
      order.mean_over_h += e / h / (samples * static_cast<double>(decades.size()));
      order.worst_over_h = std::max(order.worst_over_h, e / h);
    }
    x.push_back(log_h), y.push_back(sum);
  }
  order.slope = (y.back() - y.front()) / (x.back() - x.front());
  return order;
}

}  // namespace cairn::examples
