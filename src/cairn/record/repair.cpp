#include "cairn/record/repair.hpp"

#include "cairn/record/copy.hpp"
#include "cairn/record/reader.hpp"

namespace cairn::record {
namespace {

template <int D>
RepairReport repair_in(const std::string& path, const std::string& out) {
  const Content<D> from = Content<D>::open(path);
  const Salvaged kept = copy_readable<D>(out, from);
  return {D,
          static_cast<long>(kept.frames),
          static_cast<long>(from.times.size() - kept.frames),
          static_cast<long>(kept.steps),
          static_cast<long>(from.steps - kept.steps),
          from.info.finished};
}

}  // namespace

Expected<RepairReport> repair(const std::string& path, const std::string& out) {
  const Expected<ResultInfo> info = read_info(path);
  if (!info) return Error{info.error()};
  RepairReport report;
  const std::string bad =
      guarded(path, [&] { report = info->dimension == 2 ? repair_in<2>(path, out) : repair_in<3>(path, out); });
  if (!bad.empty()) return Error{bad};
  return report;
}

}  // namespace cairn::record
