// The series of a results file, open to write or to read: the layout of docs/results.md in one place.
#pragma once

#include <optional>

#include "cairn/record/frame.hpp"
#include "cairn/record/store.hpp"

namespace cairn::record {

inline constexpr const char* format_name = "cairn-results";
inline constexpr int format_version = 1;
inline constexpr hsize_t step_numbers = sizeof(StepRow) / sizeof(Real);  // columns of /steps/values
static_assert(sizeof(StepRow) == 20 * sizeof(Real));

template <int D>
inline constexpr hsize_t orientation_numbers = D == 2 ? 1 : 4;  // angle; unit quaternion w, x, y, z

struct ContactSets {
  Series body, part, feature, point, normal, impulse, velocity, gap, status;
  std::optional<Series> use;  // files of the first versions have none

  static ContactSets open(const Store& store, hsize_t dimension);
  std::vector<Series*> all();
  std::vector<const Series*> all() const;
  hsize_t rows() const;  // that all of them have
};

struct SetsShape {
  hsize_t dimension, bodies, probes;
  bool contacts;
  int compression;  // deflate level; for the series whose chunks a frame fills
};

struct Sets {
  Series time, step, h, x, r, u, contact_offset, rows, steps, outcome, finished;
  std::optional<Series> probes;         // none where there are no probes
  std::optional<ContactSets> contacts;  // none where they are not kept

  static void create(Store& store, const SetsShape& shape);
  static Sets open(const Store& store, const SetsShape& shape);
  void refresh();
  hsize_t frames() const;  // rows that all series of frames have
};

}  // namespace cairn::record
