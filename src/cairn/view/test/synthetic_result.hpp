// A result made of formulas, which the page's test knows too (apps/viewer/test/file_source.spec.ts).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cairn/view/bundle.hpp"
#include "cairn/view/quantise_bodies.hpp"
#include "cairn/view/quantise_contacts.hpp"
#include "cairn/view/result.hpp"

namespace cairn::view::test {

class SyntheticResult : public Result {
 public:
  SyntheticResult(int dimension, int bodies, int frames) : dimension_(dimension), bodies_(bodies), frames_(frames) {}

  std::string title = "Synthetic";
  std::vector<std::string> names = {};
  bool with_contacts = true;
  int broken = -1;  // a frame that cannot be read

  int frames() const override { return frames_; }
  int bodies() const override { return bodies_; }

  Places places(int k) const {
    Places out;
    const double t = 0.1 * k;
    for (int b = 0; b < bodies_; ++b) {
      const bool flat = dimension_ == 2;
      push(out.x, {b + 0.3 * std::sin(0.5 * t * (b + 1)), 2 - 0.05 * t * t * b, flat ? 0 : 0.1 * t});
      const double half = 1.5 * t * b;  // several turns in all
      const double s = std::sin(half);
      push(out.r, {flat ? 0 : s / 3, flat ? 0 : 2 * s / 3, flat ? s : 2 * s / 3, std::cos(half)});
      push(out.u, {0.3 * std::cos(t), -0.1 * t * b, flat ? 0 : 0.1});
      push(out.w, {flat ? 0 : 1.0 * b, flat ? 0 : 2.0 * b, 3.0 * b});
    }
    return out;
  }

  // Between neighbours, some of them in each frame; the last one of a frame has no impulse.
  Touches touches(int k) const {
    Touches out;
    int last = -1;
    for (int b = 0; b + 1 < bodies_; ++b) {
      if ((b + k) % 3 == 0) continue;
      out.body.push_back(static_cast<std::uint32_t>(b)), out.body.push_back(static_cast<std::uint32_t>(b + 1));
      push(out.point, {b + 0.5, 2 + 0.01 * k, dimension_ == 2 ? 0 : 0.25});
      push(out.normal, {0.6, -0.8, 0});
      push(out.impulse, {0.1 * b, 1 + b + 0.01 * k, dimension_ == 2 ? 0 : -0.5});
      push(out.velocity, {0.02 * b, 0, dimension_ == 2 ? 0 : 0.3});
      out.gap.push_back(static_cast<float>(-1e-4 * b));
      out.use.push_back(b == 2 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(b / (bodies_ - 1.0)));
      out.status.push_back(static_cast<std::uint8_t>(1 + b % 2));
      last = static_cast<int>(out.gap.size()) - 1;
    }
    for (int i = 0; last >= 0 && i < 3; ++i) out.impulse[static_cast<std::size_t>(3 * last + i)] = 0;
    return out;
  }

  std::string cast() const override {
    std::string list;
    for (int b = 0; b < bodies_; ++b)
      list += fmt::format("{}\"{}\"", b ? "," : "",
                          b < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(b)] : "body");
    Bundle out(
        fmt::format(R"({{"version":"0","title":"{}","scene":"synthetic","parameters":{{"arrays":1}},"dimension":{},)"
                    R"("gravity":[0,0,0],"size":1,"h":0.1,"contacts":{},"bounds":[[0,0,0],[1,1,1]],"names":[{}]}})",
                    title, dimension_, with_contacts, list));
    const std::vector<float> mass(static_cast<std::size_t>(bodies_), 1.f);
    return out.array<float>("mass", mass, {mass.size()}).bytes();
  }
  Expected<std::string> timeline(int from) override {
    std::vector<double> time, h, step;
    for (int k = from; k < frames_; ++k) time.push_back(0.1 * k), h.push_back(k ? 0.1 : 0), step.push_back(k);
    Bundle out(fmt::format(R"({{"frames":{},"finished":true,"rows":{},"outcome":{{"frames":-1,"a":"}},{{"}}}})",
                           frames_, frames_ - 1));
    out.array<double>("time", time, {time.size()}).array<double>("h", h, {h.size()});
    return out.array<double>("step", step, {step.size()}).bytes();
  }
  Expected<std::string> frame(int k) const override {
    if (k == broken) return Error{fmt::format("frame {} cannot be read", k)};
    const Places p = places(k);
    const auto n = static_cast<std::size_t>(bodies_);
    Bundle out(fmt::format(R"({{"k":{},"t":{},"h":0.1,"step":{}}})", k, 0.1 * k, k));
    out.array<float>("x", p.x, {n, 3}).array<float>("r", p.r, {n, 4}).array<float>("u", p.u, {n, 3});
    return out.array<float>("w", p.w, {n, 3}).bytes();
  }
  Expected<std::string> contacts(int k) const override {
    const Touches c = touches(k);
    const std::size_t n = c.gap.size();
    Bundle out(fmt::format(R"({{"k":{},"h":0.1}})", k));
    out.array<std::uint32_t>("body", c.body, {n, 2}).array<float>("point", c.point, {n, 3});
    out.array<float>("normal", c.normal, {n, 3}).array<float>("impulse", c.impulse, {n, 3});
    out.array<float>("velocity", c.velocity, {n, 3}).array<float>("gap", c.gap, {n});
    return out.array<std::uint8_t>("status", c.status, {n}).array<float>("use", c.use, {n}).bytes();
  }
  Expected<std::string> steps(int) const override { return Bundle(R"({"columns":[],"probes":[],"rows":0})").bytes(); }
  Expected<std::string> path(int, int) const override { return Error{"not needed"}; }

 private:
  static void push(std::vector<float>& to, std::initializer_list<double> values) {
    for (const double v : values) to.push_back(static_cast<float>(v));
  }

  int dimension_, bodies_, frames_;
};

}  // namespace cairn::view::test
