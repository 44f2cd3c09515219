# Tests: src/cairn/<module>/test/<name>_test.cpp and tests/<name>_test.cpp. A new file is enough.
include_guard(GLOBAL)

# What tests that look at the tree or run the program need to know.
set(CAIRN_TEST_DEFINITIONS CAIRN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CAIRN_SCENES_DIR="${PROJECT_SOURCE_DIR}/scenes")
file(GLOB CAIRN_TESTS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cairn/*/test/*_test.cpp")

if(NOT CAIRN_MODULES_ONLY)
  file(GLOB CAIRN_CROSS_TESTS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")
  list(APPEND CAIRN_TESTS ${CAIRN_CROSS_TESTS})
  list(APPEND CAIRN_TEST_DEFINITIONS CAIRN_PROGRAM="$<TARGET_FILE:cairn_app>"
       CAIRN_DOCS_PROGRAMS="${PROJECT_BINARY_DIR}/docs")

  # The programs that the pages of docs/ show; docs_test runs them.
  file(GLOB CAIRN_DOCS_SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/code/*.cpp")
  add_custom_target(cairn_docs_programs)
  foreach(source IN LISTS CAIRN_DOCS_SOURCES)
    cmake_path(GET source STEM page)
    add_executable(docs_${page} "${source}")
    target_link_libraries(docs_${page} PRIVATE cairn)
    target_compile_options(docs_${page} PRIVATE $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(docs_${page} REUSE_FROM cairn_cold)
    set_target_properties(docs_${page} PROPERTIES OUTPUT_NAME ${page} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/docs")
    add_dependencies(cairn_docs_programs docs_${page})
  endforeach()
endif()

# What tests link: main(), and the precompiled headers. The library under test is optimised in full. Tests themselves are
# optimised less, or not at all: those of tests/ and of modules without templates to speak of hold nothing but
# assertions. Those of laws solve a million problems each.
foreach(support IN ITEMS cairn_test cairn_cross_test)
  add_library(${support} STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/main.cpp")
  target_link_libraries(${support} PUBLIC cairn GTest::gtest)
  target_compile_definitions(${support} PUBLIC ${CAIRN_TEST_DEFINITIONS})
  target_precompile_headers(${support} PRIVATE ${CAIRN_PRECOMPILED} <gtest/gtest.h>)
endforeach()
target_compile_options(cairn_test PRIVATE $<$<CONFIG:Release>:-O1>)
target_compile_options(cairn_cross_test PRIVATE $<$<CONFIG:Release>:-O0>)

# The tests of a module are one program, scene_tests; of modules whose files are much alike, they are compiled together,
# too. Each file of tests/ is one of its own, cli_test, and so are those that change what holds for a whole program: what
# an allocation does, what the leak checker is told.
set(CAIRN_COMPILED_TOGETHER ensemble export input lagrange law plot problem record run scene scheme solver view)

foreach(source IN LISTS CAIRN_TESTS)
  file(RELATIVE_PATH relative "${PROJECT_SOURCE_DIR}" "${source}")
  string(REGEX REPLACE "^src/cairn/([a-z]+)/.*" "\\1" module "${relative}")
  string(REGEX REPLACE "^src/cairn/|/test/|^tests/|\\.cpp$" "." test "${relative}")
  string(REGEX REPLACE "^\\.+|\\.+$" "" test "${test}")
  file(STRINGS "${source}" alone REGEX "test/allocations.hpp|__lsan_")
  if(NOT alone AND NOT relative MATCHES "^tests/")
    set(test ${module}_tests)
    if(TARGET ${test})
      target_sources(${test} PRIVATE "${source}")
      continue()
    endif()
  endif()
  add_executable(${test} "${source}")
  list(APPEND CAIRN_TEST_PROGRAMS ${test})
  if(test STREQUAL "${module}_tests" AND module IN_LIST CAIRN_COMPILED_TOGETHER)
    set(units 8)
    if(module STREQUAL "lagrange")
      set(units 20)  # all of them
    endif()
    cairn_compile_together(${test} ${units})
  endif()
  set(support cairn_test)
  set(level -O1)
  if(module STREQUAL "law")
    set(level -O2)
  endif()
  if(relative MATCHES "^src/cairn/(base|problem|shape|model|scene|run|record|export|plot|input|view|ensemble)/")
    set(support cairn_cross_test)
    set(level -O0)
  endif()
  if(relative MATCHES "^tests/")  # unit tests need not wait for the program and the examples
    set(support cairn_cross_test)
    set(level -O0)
    target_link_libraries(${test} PRIVATE cairn_examples)
    add_dependencies(${test} cairn_app cairn_tools cairn_docs_programs)
  endif()
  target_link_libraries(${test} PRIVATE ${support})
  target_compile_options(${test} PRIVATE $<$<CONFIG:Release>:${level}>)
  target_precompile_headers(${test} REUSE_FROM ${support})
  set_target_properties(${test} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test")
endforeach()

# ctest runs programs: they take longer to start than most tests do. Long ones it runs in parts, and these first.
set(CAIRN_PARTS_OF_scene_tests 12)
set(CAIRN_PARTS_OF_law_tests 6)
set(CAIRN_PARTS_OF_detection_tests 2)
foreach(test IN LISTS CAIRN_TEST_PROGRAMS)
  set(parts 1)
  if(CAIRN_PARTS_OF_${test})
    set(parts ${CAIRN_PARTS_OF_${test}})
  endif()
  foreach(part RANGE 1 ${parts})
    set(name ${test})
    if(parts GREATER 1)
      set(name ${test}.${part})
    endif()
    math(EXPR index "${part} - 1")
    add_test(NAME ${name} COMMAND ${test})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 COST ${parts}
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${index}")
  endforeach()
endforeach()
