# Compiler flags: warnings, instruction set, sanitizers.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)
include(CheckCXXSourceRuns)

# The instruction set is one for the whole build: Eigen's alignment, thus its ABI, depends on it. Never `native` unless
# asked: a binary that dies on the neighbour's machine is worse than one a little slower.
function(cairn_default_march result)
  set(${result} "" PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    return()
  endif()
  check_cxx_compiler_flag("-march=x86-64-v3" CAIRN_COMPILER_HAS_V3)
  check_cxx_source_runs(
    "int main() { __builtin_cpu_init();
       return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") &&
                __builtin_cpu_supports(\"bmi2\")); }"
    CAIRN_HOST_HAS_V3)
  if(CAIRN_COMPILER_HAS_V3 AND CAIRN_HOST_HAS_V3)
    set(${result} "x86-64-v3" PARENT_SCOPE)
  endif()
endfunction()

cairn_default_march(CAIRN_MARCH_DEFAULT)
set(CAIRN_MARCH "${CAIRN_MARCH_DEFAULT}" CACHE STRING "-march of every unit (empty: the compiler's default)")
set(CAIRN_SANITIZE "" CACHE STRING "Sanitizers of every unit, e.g. address,undefined")

add_compile_options(-Wall -Wextra -Wshadow)
add_compile_options(-pthread)  # in all units alike, else they could not share precompiled headers
# a * b + c is rounded twice wherever it stands: fused in one inlined copy and not in another, the same function would
# give different bits.
add_compile_options(-ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler's own garbage collection is a tenth of its time; below a gigabyte it may be left out.
  add_compile_options(--param=ggc-min-heapsize=1000000)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on "text" + std::string (GCC bug 105651), on arrays filled as far as they are read, and on packets of
  # Eigen's.
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Meant: | of conditions where a branch would cost more; captures that one of two branches of `if constexpr` uses.
  add_compile_options(-Wno-bitwise-instead-of-logical -Wno-unused-lambda-capture)
endif()
if(CAIRN_MARCH)
  add_compile_options("-march=${CAIRN_MARCH}")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    add_compile_options(-mno-fma)  # GCC 12 fuses a b +- c d when it vectorises, contraction being off or not
  endif()
endif()
if(CAIRN_SANITIZE)
  add_compile_options("-fsanitize=${CAIRN_SANITIZE}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(CAIRN_SANITIZE MATCHES "undefined")
    # Checks of every pointer use: they make units with Eigen six times slower to compile, and the address sanitizer
    # sees what they would.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CAIRN_SANITIZE MATCHES "address")
    add_compile_definitions(__SANITIZE_ADDRESS__=1)  # as GCC says it
  endif()
  add_link_options("-fsanitize=${CAIRN_SANITIZE}")
endif()
