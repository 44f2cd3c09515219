// Observables of a run at times that all members of an ensemble share, whatever their steps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cairn/run/probe.hpp"
#include "cairn/run/survey.hpp"

namespace cairn::ensemble {

struct Column {
  std::string name, unit;
};

// Where run 0 has its bodies: numbered as in the scene.
struct Reference {
  int dimension = 0;
  std::size_t bodies = 0;  // of the scene
  std::vector<Real> x;     // [m] (times * bodies * dimension) centres of mass
};

// The observables without the scene's probes: kinetic, height, displacement, contacts, departure.
std::vector<Column> own_observables();

// Follows a run, step by step. Between steps values are interpolated linearly: places, and with them velocities of
// bounded variation, have nothing better.
template <int D>
class Sampler {
 public:
  // `order`: number in the scene of each body. `reference`: of run 0; null: this is run 0. The world outlives it.
  Sampler(const scene::World<D>& world, std::vector<std::unique_ptr<run::Probe<D>>> probes, std::vector<Real> times,
          std::vector<int> order, const Reference* reference);

  void see(const run::Moment<D>& now);
  // (observables)(times); not a number after the end of a run that stopped before.
  const std::vector<std::vector<Real>>& samples() const { return samples_; }
  const Reference& places() const { return places_; }

 private:
  std::vector<Real> values(const run::Moment<D>& now) const;
  void take(const run::Moment<D>& now, std::size_t k, Real weight);
  Real departure(std::size_t k) const;

  run::Survey<D> survey_;
  std::vector<std::unique_ptr<run::Probe<D>>> probes_;
  std::vector<Real> times_;
  std::vector<int> order_;
  const Reference* reference_;
  std::size_t next_ = 0;      // time to come
  Real t_before_ = 0;         // [s] of the step before
  std::vector<Real> before_;  // values then
  std::vector<Vec<D>> x_before_;
  Reference places_;
  std::vector<std::vector<Real>> samples_;
};

}  // namespace cairn::ensemble
