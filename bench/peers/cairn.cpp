// Cairn's driver.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cairn/scheme/collection.hpp"
#include "peers/engine.hpp"

namespace peers {

namespace {

std::string name_of(const cairn::CollectionOptions& o) {
  if (o.scale == cairn::ErrorScale::free_velocities) return fmt::format("error {:.0e}", o.tolerance);
  return fmt::format("error {:.0e} over impulses, slop {:.0e}", o.tolerance, o.slop);
}

constexpr Real rough_error = 1e-4;  // [-] while a scene settles; the slop of packings that it leaves is kept

class CairnEngine final : public Engine {
 public:
  CairnEngine(const Scene& scene, const cairn::CollectionOptions& options)
      : options_(options), model_(scene.model), state_(scene.state) {
    scheme_.emplace(model_, options_);
  }

  std::string settings() const override { return name_of(options_); }
  void step(Real, Real h) override { report_ = scheme_->step(state_, h); }
  // The state keeps the impulses that a step starts from.
  void rough(bool on) override {
    cairn::CollectionOptions o = options_;
    if (on) o.tolerance = o.required = std::max(o.tolerance, rough_error);
    scheme_.emplace(model_, o);
  }
  void states(std::vector<BodyState>& out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k].pose = state_.pose(static_cast<int>(k));
      out[k].velocity = Vec3::load(&state_.u[k][0]);
    }
  }
  int contacts() const override { return report_.active; }
  Real error() const override { return report_.error; }
  Real asked() const override { return options_.tolerance; }
  Real contact_error() const override { return report_.velocity_error; }

 private:
  cairn::CollectionOptions options_;
  const cairn::Model<3>& model_;
  cairn::ModelState<3> state_;
  std::optional<cairn::Collection<3>> scheme_;
  cairn::CollectionReport report_;
};

}  // namespace

const char* engine_name() { return "Cairn"; }

cairn::Expected<std::unique_ptr<Engine>> make_engine(const Scene& scene, const EngineOptions& options) {
  cairn::CollectionOptions o;
  if (options.tolerance > 0) o.tolerance = options.tolerance;
  if (options.over_impulses) o.scale = cairn::ErrorScale::impulses, o.slop = rough_error;
  if (options.iterations > 0) o.iterations = options.iterations;
  o.required = o.tolerance;  // large islands too: what the table says is what was sought
  return std::unique_ptr<Engine>(std::make_unique<CairnEngine>(scene, o));
}

}  // namespace peers
