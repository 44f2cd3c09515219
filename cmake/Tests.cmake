# Tests: src/cairn/<module>/test/<name>_test.cpp and tests/<name>_test.cpp, each one executable. A new file is enough.
include_guard(GLOBAL)
include(GoogleTest)
find_package(GTest REQUIRED)

# What tests that look at the tree or run the program need to know.
set(CAIRN_TEST_DEFINITIONS CAIRN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CAIRN_SCENES_DIR="${PROJECT_SOURCE_DIR}/scenes")
if(TARGET cairn_app)
  list(APPEND CAIRN_TEST_DEFINITIONS CAIRN_PROGRAM="$<TARGET_FILE:cairn_app>")
endif()

# The programs that the pages of docs/ show; docs_test runs them.
file(GLOB CAIRN_DOCS_SOURCES CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/code/*.cpp")
add_custom_target(cairn_docs_programs)
foreach(source IN LISTS CAIRN_DOCS_SOURCES)
  cmake_path(GET source STEM page)
  add_executable(docs_${page} "${source}")
  target_link_libraries(docs_${page} PRIVATE cairn)
  set_target_properties(docs_${page} PROPERTIES OUTPUT_NAME ${page} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/docs")
  add_dependencies(cairn_docs_programs docs_${page})
endforeach()
list(APPEND CAIRN_TEST_DEFINITIONS CAIRN_DOCS_PROGRAMS="${PROJECT_BINARY_DIR}/docs")

file(GLOB CAIRN_TESTS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cairn/*/test/*_test.cpp"
     "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")
foreach(source IN LISTS CAIRN_TESTS)
  file(RELATIVE_PATH relative "${PROJECT_SOURCE_DIR}" "${source}")
  string(REGEX REPLACE "^src/cairn/|/test/|^tests/|\\.cpp$" "." test "${relative}")
  string(REGEX REPLACE "^\\.+|\\.+$" "" test "${test}")  # problem.fclib_test, cli_test
  add_executable(${test} "${source}")
  target_link_libraries(${test} PRIVATE cairn GTest::gtest_main)
  target_compile_definitions(${test} PRIVATE ${CAIRN_TEST_DEFINITIONS})
  set_target_properties(${test} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test")
  if(relative MATCHES "^tests/docs")
    add_dependencies(${test} cairn_docs_programs)
  endif()
  if(relative MATCHES "^tests/")  # unit tests need not wait for the program and the examples
    if(TARGET cairn_app)
      add_dependencies(${test} cairn_app)
    endif()
    if(TARGET cairn_examples)
      target_link_libraries(${test} PRIVATE cairn_examples)
    endif()
  endif()
  # Discovery waits for ctest: at build time a slow machine would hit its time limit.
  gtest_discover_tests(${test} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endforeach()
