# CHOLMOD, KLU and UMFPACK as one imported target, SuiteSparse::direct. Debian 12 ships neither a CMake config nor a
# pkg-config file for them, so that the headers and libraries are looked for by name.
include_guard(GLOBAL)

find_path(CAIRN_SUITESPARSE_INCLUDE cholmod.h PATH_SUFFIXES suitesparse)
find_library(CAIRN_CHOLMOD_LIBRARY cholmod)
find_library(CAIRN_KLU_LIBRARY klu)
find_library(CAIRN_UMFPACK_LIBRARY umfpack)
mark_as_advanced(CAIRN_SUITESPARSE_INCLUDE CAIRN_CHOLMOD_LIBRARY CAIRN_KLU_LIBRARY CAIRN_UMFPACK_LIBRARY)

if(NOT CAIRN_SUITESPARSE_INCLUDE OR NOT CAIRN_CHOLMOD_LIBRARY OR NOT CAIRN_KLU_LIBRARY OR NOT CAIRN_UMFPACK_LIBRARY)
  message(FATAL_ERROR "SuiteSparse (CHOLMOD, KLU, UMFPACK) not found: run scripts/setup, or install libsuitesparse-dev")
endif()

add_library(SuiteSparse::direct INTERFACE IMPORTED)
target_include_directories(SuiteSparse::direct SYSTEM INTERFACE "${CAIRN_SUITESPARSE_INCLUDE}")
target_link_libraries(SuiteSparse::direct INTERFACE "${CAIRN_CHOLMOD_LIBRARY}" "${CAIRN_KLU_LIBRARY}"
                                                      "${CAIRN_UMFPACK_LIBRARY}")
