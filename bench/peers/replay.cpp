// Plays back the states that an engine of another language wrote, so that they are measured as those of the others.
// The file: for each step at which states were asked for, a line `step contacts`, then a line
// `x y z  w qx qy qz  vx vy vz` for each free body. Places are relative to the ground.
#include <fmt/format.h>

#include <fstream>
#include <map>

#include "peers/engine.hpp"

namespace peers {

namespace {

struct Frame {
  int contacts = 0;
  std::vector<BodyState> states;  // (free bodies)
};

class ReplayEngine final : public Engine {
 public:
  ReplayEngine(const Scene& scene, std::map<long, Frame> frames) : scene_(scene), frames_(std::move(frames)) {}

  std::string settings() const override { return "replay"; }
  void step(Real, Real) override { ++step_; }
  void states(std::vector<BodyState>& out) const override {
    const auto frame = frames_.find(step_);
    if (frame == frames_.end()) return;
    auto next = frame->second.states.begin();
    for (std::size_t k = 0; k < out.size(); ++k)
      if (scene_.bodies[k].free) out[k] = *next++;
  }
  int contacts() const override {
    const auto frame = frames_.find(step_);
    return frame == frames_.end() ? 0 : frame->second.contacts;
  }
  bool rides() const override { return true; }
  bool ended() const override { return step_ >= frames_.rbegin()->first; }

 private:
  const Scene& scene_;
  std::map<long, Frame> frames_;
  long step_ = 0;
};

}  // namespace

const char* engine_name() { return "replay"; }

cairn::Expected<std::unique_ptr<Engine>> make_engine(const Scene& scene, const EngineOptions& options) {
  std::ifstream file(options.states);
  if (!file) return cairn::Error{fmt::format("'{}' cannot be read, expected a file of states", options.states)};
  std::size_t free = 0;
  for (const Body& body : scene.bodies) free += body.free;
  std::map<long, Frame> frames;
  long step = 0;
  for (Frame frame; file >> step >> frame.contacts; frames[step] = frame) {
    frame.states.resize(free);
    for (BodyState& s : frame.states) {
      cairn::Rotation<3>& q = s.pose.R;
      for (int i = 0; i < 3; ++i) file >> s.pose.x[i];
      file >> q.w >> q.x >> q.y >> q.z;
      for (int i = 0; i < 3; ++i) file >> s.velocity[i];
    }
    if (!file) return cairn::Error{fmt::format("{}: the states of step {} are not complete", options.states, step)};
  }
  if (frames.empty()) return cairn::Error{options.states + ": no states, expected those of a step at least"};
  return std::unique_ptr<Engine>(std::make_unique<ReplayEngine>(scene, std::move(frames)));
}

}  // namespace peers
