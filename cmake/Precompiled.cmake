# Headers that nearly every unit reads, compiled once a build: Eigen and the standard library for all, GoogleTest beside
# for the tests. Sources include what they use as if this were not there.
include_guard(GLOBAL)

set(CAIRN_PRECOMPILED <Eigen/Dense> <Eigen/SparseCore> <fmt/format.h> <algorithm> <array> <cmath> <concepts> <functional>
                      <limits> <memory> <optional> <span> <string> <utility> <vector>)
