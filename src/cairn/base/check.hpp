// CAIRN_CHECK(condition, message): a bug stops the program, in every build, with the place and the reason.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CAIRN_CHECK(condition, message)                                                               \
  do {                                                                                                \
    if (!(condition)) {                                                                               \
      std::fprintf(stderr, "%s:%d: check failed: %s: %s\n", __FILE__, __LINE__, #condition, message); \
      std::abort();                                                                                   \
    }                                                                                                 \
  } while (false)
