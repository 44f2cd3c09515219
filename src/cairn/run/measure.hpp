// Outcomes of a run: numbers and flags that a scene asks for by name. A measure sees every step and says its result at
// the end. What it keeps between steps can be written down and given to a fresh one, which then goes on with the same
// bits.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/expected.hpp"
#include "cairn/run/moment.hpp"

namespace cairn::run {

struct Value {
  Real number = 0;
  bool is_flag = false;  // then the number is 0 or 1

  static Value of(Real x) { return {x, false}; }
  static Value count(std::size_t n) { return {static_cast<Real>(n), false}; }
  static Value flag(bool yes) { return {yes ? Real(1) : Real(0), true}; }
};
std::string json(const Value& value);  // true, false, a number that reads back to the same bits, or null: not finite

template <int D>
class Measure {
 public:
  virtual ~Measure() = default;
  virtual void see(const Moment<D>&) {}  // after every step, in order; moments before the first change nothing
  virtual Value result(const Moment<D>& last) const = 0;
  virtual std::vector<Real> memory() const { return {}; }  // what a resumed run needs
  virtual void recall(std::span<const Real>) {}            // what memory() of one of the same name and scene gave
};

struct MeasureDoc {
  const char* name;
  const char* unit;  // "" for pure numbers, counts and flags
  const char* doc;   // the definition, for the user
  int dimension;     // 2 or 3: in that alone; 0: in both
};
const std::vector<MeasureDoc>& measure_docs();

// The world must outlive the measure. Errors: an unknown name, or the scene lacks what the measure needs.
template <int D>
Expected<std::unique_ptr<Measure<D>>> make_measure(const std::string& name, const scene::World<D>& world);

}  // namespace cairn::run
