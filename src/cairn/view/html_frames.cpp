#include "cairn/view/html_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cairn/view/embed.hpp"
#include "cairn/view/quantise_contacts.hpp"

namespace cairn::view {
namespace {

constexpr int most_frames = 16;             // of a group
constexpr long most_body_frames = 160'000;  // likewise: what a page unpacks at a time stays small
constexpr int samples = 5;                  // groups that an estimate looks at

Expected<Places> places_of(const Result& result, int k) {
  const auto bytes = result.frame(k);
  if (!bytes) return Error{bytes.error()};
  const BundleView bundle(*bytes);
  return Places{bundle.array<float>("x"), bundle.array<float>("r"), bundle.array<float>("u"), bundle.array<float>("w")};
}

Expected<Touches> touches_of(const Result& result, int k) {
  const auto bytes = result.contacts(k);
  if (!bytes) return Error{bytes.error()};
  const BundleView bundle(*bytes);
  Touches out;
  out.body = bundle.array<std::uint32_t>("body");
  out.point = bundle.array<float>("point"), out.normal = bundle.array<float>("normal");
  out.impulse = bundle.array<float>("impulse"), out.velocity = bundle.array<float>("velocity");
  out.gap = bundle.array<float>("gap"), out.use = bundle.array<float>("use");
  out.status = bundle.array<std::uint8_t>("status");
  return out;
}

Error in_frame(int k, const std::string& what) { return Error{fmt::format("frame {}: {}", k, what)}; }

}  // namespace

PageFrames::PageFrames(const Result& result, const Grid& grid, std::vector<int> frames, bool contacts)
    : result_(&result), grid_(grid), frames_(std::move(frames)), contacts_(contacts) {
  group_size_ = static_cast<int>(std::clamp(most_body_frames / std::max(1, result.bodies()), 1L, long{most_frames}));
}

Expected<PageFrames> PageFrames::make(const Result& result, const Grid& grid, std::vector<int> frames, bool contacts,
                                      int keep) {
  if (keep >= 0 && !std::ranges::binary_search(frames, keep))
    frames.insert(std::ranges::lower_bound(frames, keep), keep);
  PageFrames out(result, grid, std::move(frames), contacts);
  out.keep_ = keep;
  const int k = out.frames_.front();
  const auto places = places_of(result, k);
  if (!places) return Error{places.error()};
  BodyGroup group(grid, static_cast<std::size_t>(result.bodies()), nullptr);
  if (const std::string bad = group.add(*places); !bad.empty()) return in_frame(k, bad);
  out.first_ = group.last();
  out.first_text_ = base64(deflated(group.bytes()));
  return out;
}

std::vector<int> PageFrames::chosen(const Choice& choice) const {
  std::vector<int> out;
  for (std::size_t k = 0; k < frames_.size(); k += static_cast<std::size_t>(choice.stride)) out.push_back(frames_[k]);
  if (out.back() != frames_.back()) out.push_back(frames_.back());
  if (keep_ >= 0 && !std::ranges::binary_search(out, keep_)) out.insert(std::ranges::lower_bound(out, keep_), keep_);
  return out;
}

int PageFrames::groups(const std::vector<int>& chosen) const {
  return (static_cast<int>(chosen.size()) + group_size_ - 1) / group_size_;
}

Expected<GroupText> PageFrames::group(const std::vector<int>& chosen, int g, const Choice& choice) const {
  BodyGroup bodies(grid_, static_cast<std::size_t>(result_->bodies()), &first_);
  ContactGroup contacts(grid_);
  const int end = std::min(static_cast<int>(chosen.size()), (g + 1) * group_size_);
  for (int at = g * group_size_; at < end; ++at) {
    const int k = chosen[static_cast<std::size_t>(at)];
    const auto places = places_of(*result_, k);
    if (!places) return Error{places.error()};
    if (const std::string bad = bodies.add(*places); !bad.empty()) return in_frame(k, bad);
    if (!contacts_ || !choice.contacts) continue;
    const auto touches = touches_of(*result_, k);
    if (!touches) return Error{touches.error()};
    if (const std::string bad = contacts.add(*touches, choice.weak); !bad.empty()) return in_frame(k, bad);
  }
  GroupText out{base64(deflated(bodies.bytes())), ""};
  if (contacts.frames() > 0) out.contacts = base64(deflated(contacts.bytes()));
  return out;
}

Expected<double> PageFrames::estimate(const Choice& choice) const {
  const std::vector<int> frames = chosen(choice);
  const int last = groups(frames) - 1;
  std::set<int> looked_at;
  for (int s = 0; s < samples; ++s) looked_at.insert(last * s / (samples - 1));
  double bytes = 0, seen = 0;
  for (const int g : looked_at) {
    const auto text = group(frames, g, choice);
    if (!text) return Error{text.error()};
    bytes += static_cast<double>(text->size());
    seen += std::min(group_size_, static_cast<int>(frames.size()) - g * group_size_);
  }
  return bytes * static_cast<double>(frames.size()) / seen;
}

}  // namespace cairn::view
