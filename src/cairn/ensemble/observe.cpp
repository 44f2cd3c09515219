#include "cairn/ensemble/observe.hpp"

#include "cairn/base/at.hpp"

namespace cairn::ensemble {

std::vector<Column> own_observables() {
  return {{"kinetic", "J"}, {"height", "m"}, {"displacement", "m"}, {"contacts", ""}, {"departure", "m"}};
}

template <int D>
Sampler<D>::Sampler(const scene::World<D>& world, std::vector<std::unique_ptr<run::Probe<D>>> probes,
                    std::vector<Real> times, std::vector<int> order, const Reference* reference)
    : survey_(world),
      probes_(std::move(probes)),
      times_(std::move(times)),
      order_(std::move(order)),
      reference_(reference) {
  places_.dimension = D, places_.bodies = order_.size();
  places_.x.assign(times_.size() * order_.size() * D, run::not_a_number);
  samples_.assign(own_observables().size() + probes_.size(), std::vector<Real>(times_.size(), run::not_a_number));
}

// All but the departure, which needs places at the very time.
template <int D>
std::vector<Real> Sampler<D>::values(const run::Moment<D>& now) const {
  Real moved = 0;
  for (const int b : survey_.free) moved = std::max(moved, norm(survey_.moved(now, b)));
  std::vector<Real> v{run::kinetic_energy(now.world.model, now.state),
                      run::centre(survey_, now.world.model, now.state)[D - 1], moved,
                      static_cast<Real>(survey_.carrying(now).size()), 0};
  for (const auto& p : probes_) v.push_back(p->read(now));
  return v;
}

template <int D>
void Sampler<D>::see(const run::Moment<D>& now) {
  for (auto& p : probes_) p->see(now);
  if (now.stepped()) {
    const Real near = Real(1e-6) * now.h;
    if (next_ < times_.size() && times_[next_] <= now.state.t + now.h + near) {
      const std::vector<Real> v = values(now);
      if (before_.empty()) before_ = v;  // the first step: forces have no value before it
      for (; next_ < times_.size() && times_[next_] <= now.state.t + near; ++next_) {
        const Real weight = (times_[next_] - t_before_) / (now.state.t - t_before_);
        const bool ends = times_[next_] >= now.state.t - near;
        for (std::size_t i = 0; i < v.size(); ++i)
          samples_[i][next_] = ends ? v[i] : before_[i] + weight * (v[i] - before_[i]);
        take(now, next_, ends ? 1 : weight);
      }
      before_ = v;
    } else {
      before_.clear();
    }
  }
  t_before_ = now.state.t, x_before_ = now.state.x;
}

template <int D>
void Sampler<D>::take(const run::Moment<D>& now, std::size_t k, Real weight) {
  for (std::size_t b = 0; b < order_.size(); ++b) {
    const Vec<D> x = weight == 1 ? now.state.x[b] : x_before_[b] + weight * (now.state.x[b] - x_before_[b]);
    x.store(&places_.x[(k * order_.size() + at(order_[b])) * D]);
  }
  samples_[4][k] = departure(k);
}

// [m] largest distance of a free body's centre from where run 0 has it at that time.
template <int D>
Real Sampler<D>::departure(std::size_t k) const {
  if (reference_ == nullptr) return 0;
  if (reference_->dimension != D || reference_->x.size() != places_.x.size()) return run::not_a_number;
  Real most = 0;
  for (const int b : survey_.free) {
    const std::size_t from = (k * order_.size() + at(order_[at(b)])) * D;
    const Real d = norm(Vec<D>::load(&places_.x[from]) - Vec<D>::load(&reference_->x[from]));
    if (!(d <= most)) most = d;  // what is not a number stays
  }
  return most;
}

template class Sampler<2>;
template class Sampler<3>;

}  // namespace cairn::ensemble
