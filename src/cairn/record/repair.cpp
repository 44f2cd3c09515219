#include "cairn/record/repair.hpp"

#include "cairn/record/copy.hpp"
#include "cairn/record/reader.hpp"

namespace cairn::record {
namespace {

template <int D>
Expected<RepairReport> repair_in(const std::string& path, const std::string& out) {
  std::optional<Content<D>> from;
  Salvaged kept;
  std::string bad = guarded(path, [&] { from.emplace(Content<D>::open(path)); });
  if (bad.empty()) bad = guarded(out, [&] { kept = copy_readable<D>(out, *from); });
  if (!bad.empty()) return Error{std::move(bad)};
  return RepairReport{D,
                      static_cast<long>(kept.frames),
                      static_cast<long>(from->times.size() - kept.frames),
                      static_cast<long>(kept.steps),
                      static_cast<long>(from->steps - kept.steps),
                      from->info.finished};
}

}  // namespace

Expected<RepairReport> repair(const std::string& path, const std::string& out) {
  const Expected<ResultInfo> info = read_info(path);
  if (!info) return Error{info.error()};
  return info->dimension == 2 ? repair_in<2>(path, out) : repair_in<3>(path, out);
}

}  // namespace cairn::record
