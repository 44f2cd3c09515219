// Motions of a scene file.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "cairn/input/build.hpp"
#include "cairn/model/drive_expression.hpp"
#include "cairn/model/drive_table.hpp"

namespace cairn::input {
namespace {

// Grows from 0 to 1 over [0, 1], with two derivatives that vanish at both ends.
Real smooth_step(Real s) { return s <= 0 ? 0 : s >= 1 ? 1 : s * s * s * (10 - s * (15 - 6 * s)); }

template <int D>
Drive<D> harmonic_drive(const MotionSpec& spec) {
  constexpr Real turn = 2 * std::numbers::pi;
  std::vector<HarmonicSpec> terms = spec.terms;
  if (spec.amplitude != 0) terms.insert(terms.begin(), {spec.amplitude, spec.frequency, spec.phase});
  const Vec<D> direction = vector_of<D>(spec.direction);
  const bool cosine = spec.start == "one-minus-cosine";
  const Real ramp = spec.start == "ramp" ? spec.ramp_time : 0;
  return [=](Real t) {
    Real x = 0;
    for (const HarmonicSpec& h : terms) {
      const Real angle = turn * h.frequency * t;
      x += h.amplitude * (cosine ? 1 - std::cos(angle) : std::sin(angle + h.phase) - std::sin(h.phase));
    }
    return Excursion<D>{(ramp > 0 ? smooth_step(t / ramp) : Real(1)) * x * direction, {}};
  };
}

template <int D>
Expected<Drive<D>> table_drive(const MotionSpec& spec, const std::string& folder) {
  Expected<Table> read = read_table((std::filesystem::path(folder) / spec.file).string());
  if (!read) return Error{read.error()};
  const Vec<D> direction = spec.factor * vector_of<D>(spec.direction);
  if (spec.kind == "accelerogram")
    return accelerogram<D>(direction, std::move(*read), AccelerogramOptions{.end_at_rest = spec.end_at_rest});
  return table<D>(direction, std::move(read->times), std::move(read->values));
}

template <int D>
Expected<Drive<D>> expression_drive(const MotionSpec& spec, const Constants& constants) {
  const auto given = [](const std::string& s) { return s.empty() ? std::string("0") : s; };
  if constexpr (D == 2) {
    return expression<2>({given(spec.x), given(spec.z), given(spec.turn)}, constants);
  } else {
    const std::string in_plane = spec.turn.empty() ? "0" : "-(" + spec.turn + ")";  // from x towards up: about -y
    return expression<3>({given(spec.x), given(spec.y), given(spec.z), given(spec.turn_x),
                          given(spec.turn_y) + "+" + in_plane, given(spec.turn_z)},
                         constants);
  }
}

template <int D>
Expected<Drive<D>> plain_drive(const MotionSpec& spec, const std::string& folder, const Constants& constants) {
  if (spec.kind == "harmonic") return harmonic_drive<D>(spec);
  if (spec.kind == "velocity") return constant_velocity<D>(vector_of<D>(spec.velocity), spin_of<D>(spec.spin));
  if (spec.kind == "expression") return expression_drive<D>(spec, constants);
  return table_drive<D>(spec, folder);
}

}  // namespace

template <int D>
Expected<Drive<D>> make_drive(const MotionSpec& spec, const std::string& folder, const Constants& constants) {
  if (spec.until && *spec.until < spec.from)
    return Error{fmt::format("until is {} s, expected no less than from, {} s", *spec.until, spec.from)};
  Expected<Drive<D>> drive = plain_drive<D>(spec, folder, constants);
  const Real from = spec.from, until = spec.until.value_or(std::numeric_limits<Real>::infinity());
  if (!drive || (from == 0 && !spec.until)) return drive;
  return Drive<D>([plain = *drive, from, until](Real t) { return plain(std::fmin(std::fmax(t, from), until) - from); });
}

template Expected<Drive<2>> make_drive(const MotionSpec&, const std::string&, const Constants&);
template Expected<Drive<3>> make_drive(const MotionSpec&, const std::string&, const Constants&);

}  // namespace cairn::input
