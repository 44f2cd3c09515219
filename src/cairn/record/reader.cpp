#include "cairn/record/reader.hpp"

#include "cairn/base/check.hpp"
#include "cairn/record/content.hpp"

namespace cairn::record {

Expected<ResultInfo> read_info(const std::string& path) {
  ResultInfo info;
  if (std::string bad = guarded(path, [&] { info = get_info(Store::open(path)); }); !bad.empty())
    return Error{std::move(bad)};
  return info;
}

template <int D>
Reader<D>::Reader(std::string path, std::unique_ptr<Content<D>> content)
    : path_(std::move(path)), content_(std::move(content)) {}
template <int D>
Reader<D>::Reader(Reader&&) noexcept = default;
template <int D>
Reader<D>& Reader<D>::operator=(Reader&& other) noexcept {
  const hdf5::Silence silence;
  path_ = std::move(other.path_), content_ = std::move(other.content_);
  return *this;
}
template <int D>
Reader<D>::~Reader() {
  const hdf5::Silence silence;
  content_.reset();
}

template <int D>
Expected<Reader<D>> Reader<D>::open(const std::string& path) {
  std::unique_ptr<Content<D>> content;
  if (std::string bad = guarded(path, [&] { content = std::make_unique<Content<D>>(Content<D>::open(path)); });
      !bad.empty())
    return Error{std::move(bad)};
  return Reader(path, std::move(content));
}

template <int D>
const ResultInfo& Reader<D>::info() const {
  return content_->info;
}
template <int D>
const Cast<D>& Reader<D>::cast() const {
  return content_->cast;
}
template <int D>
const std::vector<Real>& Reader<D>::times() const {
  return content_->times;
}

template <int D>
bool Reader<D>::keeps_contacts() const {
  return content_->shape.contacts;
}
template <int D>
long Reader<D>::rows() const {
  return static_cast<long>(content_->steps);
}

template <int D>
std::string Reader<D>::refusal(int k) const {
  const auto frames = static_cast<long>(content_->times.size());
  if (k >= 0 && k < frames) return "";
  return fmt::format("{}: frame {} asked, expected 0 to {}", path_, k, frames - 1);
}

template <int D>
Expected<Frame<D>> Reader<D>::frame(int k, FrameParts parts) const {
  if (std::string bad = refusal(k); !bad.empty()) return Error{std::move(bad)};
  Frame<D> frame;
  if (std::string bad = guarded(path_, [&] { frame = content_->frame(static_cast<hsize_t>(k), parts); }); !bad.empty())
    return Error{std::move(bad)};
  return frame;
}

template <int D>
Expected<FrameMarks> Reader<D>::marks(int from) const {
  FrameMarks marks;
  if (from >= 0 && static_cast<std::size_t>(from) == content_->times.size()) return marks;
  if (std::string bad = refusal(from); !bad.empty()) return Error{std::move(bad)};
  if (std::string bad = guarded(path_, [&] { marks = content_->marks(static_cast<hsize_t>(from)); }); !bad.empty())
    return Error{std::move(bad)};
  return marks;
}

template <int D>
Expected<std::vector<Vec<D>>> Reader<D>::places(int body, std::span<const int> of_frames) const {
  if (body < 0 || static_cast<std::size_t>(body) >= content_->cast.bodies.size())
    return Error{fmt::format("{}: body {} asked, expected 0 to {}", path_, body, content_->cast.bodies.size() - 1)};
  for (const int k : of_frames)
    if (std::string bad = refusal(k); !bad.empty()) return Error{std::move(bad)};
  std::vector<Vec<D>> x;
  if (std::string bad = guarded(path_, [&] { x = content_->places(static_cast<hsize_t>(body), of_frames); });
      !bad.empty())
    return Error{std::move(bad)};
  return x;
}

template <int D>
Expected<std::vector<StepRow>> Reader<D>::steps() const {
  return steps(0, rows());
}

template <int D>
Expected<std::vector<StepRow>> Reader<D>::steps(long first, long count) const {
  CAIRN_CHECK(first >= 0 && count >= 0 && first + count <= rows(), "these steps are committed");
  std::vector<StepRow> read;
  const auto from = static_cast<hsize_t>(first), n = static_cast<hsize_t>(count);
  if (std::string bad = guarded(path_, [&] { read = content_->step_rows(from, n); }); !bad.empty())
    return Error{std::move(bad)};
  return read;
}

template <int D>
Expected<std::vector<Real>> Reader<D>::probe_rows(long first, long count) const {
  CAIRN_CHECK(first >= 0 && count >= 0 && first + count <= rows(), "these steps are committed");
  std::vector<Real> read;
  const auto from = static_cast<hsize_t>(first), n = static_cast<hsize_t>(count);
  if (std::string bad = guarded(path_, [&] { read = content_->probe_rows(from, n); }); !bad.empty())
    return Error{std::move(bad)};
  return read;
}

template <int D>
Expected<std::vector<std::vector<Real>>> Reader<D>::probes() const {
  const auto read = probe_rows(0, rows());
  if (!read) return Error{read.error()};
  const std::size_t n = content_->info.probe_names.size();
  std::vector<std::vector<Real>> probes(n);
  for (std::size_t i = 0; i < read->size(); ++i) probes[i % n].push_back((*read)[i]);
  return probes;
}

template <int D>
Expected<int> Reader<D>::refresh() {
  const std::string bad = guarded(path_, [&] {
    if (file_number(path_) == content_->file)
      content_->look_again();
    else  // another file has taken the name: the run was resumed, or begun again
      content_ = std::make_unique<Content<D>>(Content<D>::open(path_));
  });
  if (!bad.empty()) return Error{bad};
  return static_cast<int>(content_->times.size());
}

const std::vector<Column>& step_columns() {
  static const std::vector<Column> columns{
      {"t", "s", "time at the end of the step", &StepRow::t},
      {"h", "s", "length of the step", &StepRow::h},
      {"active", "", "contacts that took part", &StepRow::active},
      {"closed", "", "of them, those with an impulse", &StepRow::closed},
      {"islands", "", "groups of contacts that share no free body", &StepRow::islands},
      {"at_rest", "", "of them, those that the impulses of the step before hold still", &StepRow::at_rest},
      {"iterations", "", "of the solver", &StepRow::iterations},
      {"missed", "", "1 where the error is above the required one, else 0", &StepRow::missed},
      {"ambiguous", "", "contacts whose law alone has several solutions or none", &StepRow::ambiguous},
      {"error", "", "of the contact problem: natural map over the free velocities", &StepRow::error},
      {"violation", "m", "deepest negative gap that the step leaves", &StepRow::violation},
      {"deepest", "m", "violation found at the middle of the step, before correction", &StepRow::deepest},
      {"joint_error", "m", "largest displacement left in a joint", &StepRow::joint_error},
      {"kinetic", "J", "kinetic energy at the end of the step", &StepRow::kinetic},
      {"change", "J", "of the kinetic energy in the step", &StepRow::change},
      {"applied", "J", "work of gravity and loads", &StepRow::applied},
      {"inertial", "J", "work of inertial terms, gyroscopic ones included", &StepRow::inertial},
      {"boundary", "J", "work of moving boundaries", &StepRow::boundary},
      {"dissipation", "J", "by friction and impacts", &StepRow::dissipation},
      {"correction", "J", "work of the weight in moves that correct violations", &StepRow::correction},
  };
  static_assert(sizeof(StepRow) == 20 * sizeof(Real), "a row has as many numbers as there are columns");
  return columns;
}

template class Reader<2>;
template class Reader<3>;

}  // namespace cairn::record
