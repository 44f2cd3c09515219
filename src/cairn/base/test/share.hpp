// How much of a random test a build runs.
#pragma once

namespace cairn::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // fewer and shorter runs: sanitizers look at the code, not at the numbers
#else
constexpr bool sanitized = false;
#endif
#if defined(NDEBUG) || defined(__OPTIMIZE__)
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

constexpr int share = sanitized ? 50 : optimised ? 1 : 20;  // of the cases of an optimised build: 1/share

}  // namespace cairn::test
