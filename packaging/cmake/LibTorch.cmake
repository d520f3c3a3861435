# SPDX-License-Identifier: GPL-3.0-or-later
# Finds LibTorch without its own CMake package: that of the PyPI wheel requires all of CUDA at configure time, while the
# worker links the CPU part only and loads the CUDA part (engine/distributed/parallel/nccl) at run time if there is a GPU.
#
# Searched at -DTORCH_DIR or $TORCH_DIR (the `torch` folder of any installation, for example site-packages/torch), else
# in the cache of packaging/libtorch.
#
# Defines torch::cpu (include folders, definitions, libtorch_cpu and libc10, run path), TORCH_DIR, LIBTORCH_VERSION,
# TRAINYARD_CACHE_FOLDER.

set(LIBTORCH_VERSION 2.15.0)
if(NOT TORCH_DIR AND DEFINED ENV{TORCH_DIR})
    set(TORCH_DIR "$ENV{TORCH_DIR}")
endif()
# The download cache of the scripts in packaging/, shared by all clones.
if(DEFINED ENV{TRAINYARD_CACHE})
    set(TRAINYARD_CACHE_FOLDER "$ENV{TRAINYARD_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(TRAINYARD_CACHE_FOLDER "$ENV{XDG_CACHE_HOME}/trainyard")
else()
    set(TRAINYARD_CACHE_FOLDER "$ENV{HOME}/.cache/trainyard")
endif()
if(NOT TORCH_DIR)
    set(TORCH_DIR "${TRAINYARD_CACHE_FOLDER}/libtorch-${LIBTORCH_VERSION}/torch")
endif()
set(TORCH_DIR "${TORCH_DIR}" CACHE PATH "The torch folder of a LibTorch ${LIBTORCH_VERSION} installation" FORCE)

if(NOT EXISTS "${TORCH_DIR}/lib/libtorch_cpu.so")
    message(FATAL_ERROR "LibTorch was not found in ${TORCH_DIR}: set TORCH_DIR to the folder torch of a LibTorch "
                        "${LIBTORCH_VERSION} installation, the one that contains lib/libtorch_cpu.so "
                        "(packaging/libtorch of the source tree downloads it).")
endif()
file(STRINGS "${TORCH_DIR}/include/torch/headeronly/version.h" _version REGEX "TORCH_VERSION_(MAJOR|MINOR) [0-9]+")
string(REGEX MATCHALL "[0-9]+" _version "${_version}")
list(JOIN _version "." _version)
if(NOT LIBTORCH_VERSION MATCHES "^${_version}\\.")
    message(FATAL_ERROR "${TORCH_DIR} holds LibTorch ${_version}, Trainyard needs ${LIBTORCH_VERSION}: "
                        "set TORCH_DIR to another installation or unset it.")
endif()

# The headers of CUDA and NCCL are next to torch if packaging/libtorch fetched them (or in any Python environment);
# find_path() of the parts that use them searches there, too.
list(APPEND CMAKE_INCLUDE_PATH "${TORCH_DIR}/../nvidia/cu13/include" "${TORCH_DIR}/../nvidia/nccl/include")

add_library(torch_c10 SHARED IMPORTED GLOBAL)
set_target_properties(torch_c10 PROPERTIES IMPORTED_LOCATION "${TORCH_DIR}/lib/libc10.so")
add_library(torch_cpu SHARED IMPORTED GLOBAL)
set_target_properties(torch_cpu PROPERTIES IMPORTED_LOCATION "${TORCH_DIR}/lib/libtorch_cpu.so"
                                           IMPORTED_LINK_DEPENDENT_LIBRARIES torch_c10)

add_library(torch_headers INTERFACE)
target_include_directories(torch_headers SYSTEM INTERFACE "${TORCH_DIR}/include"
                                                          "${TORCH_DIR}/include/torch/csrc/api/include")
target_compile_definitions(torch_headers INTERFACE USE_DISTRIBUTED USE_C10D_GLOO)
# at::parallel_for is a template that is parallel only if OpenMP is enabled. The OpenMP run-time library must be
# LibTorch's own copy, because a second one would have its own thread pool.
target_compile_options(torch_headers INTERFACE -fopenmp)
file(GLOB _openmp "${TORCH_DIR}/lib/libgomp*.so*")

# An imported target, so that an installed library refers to it by name and the package file defines it again.
add_library(torch::cpu INTERFACE IMPORTED GLOBAL)
target_link_libraries(torch::cpu INTERFACE torch_headers torch_cpu torch_c10 ${_openmp})
# clang's loops call functions that only its own library has: such a build has two thread pools.
target_link_options(torch::cpu INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fopenmp>)
# libtorch_cpu.so needs CUDA's run-time and profiling libraries, which are next to it and found with its own run path.
target_link_options(torch::cpu INTERFACE "LINKER:--allow-shlib-undefined" "LINKER:--no-as-needed")
