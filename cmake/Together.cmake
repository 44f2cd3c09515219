# Units compiled several at a time: where they instantiate much the same, that takes half the time. What the files of one
# target keep to themselves (anonymous namespaces) must then have names of its own.
include_guard(GLOBAL)

function(cairn_compile_together target units)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${units})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # takes such a unit for a header
  endif()
endfunction()
