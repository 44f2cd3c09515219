#include "cairn/shape/hull.hpp"

#include <cstdio>
#include <cstdlib>

#include "cairn/base/pose.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace cairn {
namespace {

// The corners of each facet, each followed by -1. Qhull leaves by a long jump when it fails, so that no object with a
// destructor may live here.
bool list_facets(qhT* qh, std::vector<int>& list) {
  qh->NOerrexit = False;
  const bool failed = setjmp(qh->errexit) != 0;
  if (!failed) {
    facetT* facet;
    FORALLfacets {
      setT* corners = qh_facet3vertex(qh, facet);
      vertexT *vertex, **vertexp;
      FOREACHvertex_(corners) list.push_back(qh_pointid(qh, vertex->point));
      qh_settempfree(qh, &corners);
      list.push_back(-1);
    }
  }
  qh->NOerrexit = True;
  return !failed;
}

// One run of Qhull. Its messages go to memory: the library prints nothing.
class Run {
 public:
  Run() : log_(open_memstream(&text_, &length_)) { qh_zero(&state_, log_); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    qh_freeqhull(&state_, qh_ALL);
    int long_memory = 0, total = 0;
    qh_memfreeshort(&state_, &long_memory, &total);
    std::fclose(log_);
    std::free(text_);
  }

  bool hull(std::vector<double>& coordinates) {
    char command[] = "qhull";
    const int n = static_cast<int>(coordinates.size() / 3);
    return qh_new_qhull(&state_, 3, n, coordinates.data(), False, command, log_, log_) == 0;
  }

  // False when Qhull finds its own facets inconsistent.
  bool facets(std::vector<Ring>& rings) {
    std::vector<int> flat;
    if (!list_facets(&state_, flat)) return false;
    rings.assign(1, {});
    for (const int i : flat)
      if (i >= 0)
        rings.back().push_back(i);
      else
        rings.emplace_back();
    rings.pop_back();
    return true;
  }

  std::string message() {  // the first line
    std::fflush(log_);
    const std::string all = text_ ? text_ : "";
    return all.substr(0, all.find('\n'));
  }

 private:
  char* text_ = nullptr;
  std::size_t length_ = 0;
  std::FILE* log_;
  qhT state_;
};

}  // namespace

Expected<std::vector<Ring>> hull_facets(std::span<const Vec<3>> points) {
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec<3>& p : points) coordinates.insert(coordinates.end(), {p[0], p[1], p[2]});
  Run run;
  std::vector<Ring> rings;
  if (run.hull(coordinates) && run.facets(rings)) return rings;
  return Error{"no hull of the points (" + run.message() + ")"};
}

}  // namespace cairn
