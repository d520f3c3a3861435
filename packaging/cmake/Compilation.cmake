# SPDX-License-Identifier: GPL-3.0-or-later
# Faster builds without changing the result: precompiled headers and unity builds.
#
#   trainyard_compile_quickly(target [TORCH] [TESTS])    enables both for a target
#
# TRAINYARD_UNITY=OFF and TRAINYARD_PRECOMPILED=OFF disable them, as clang-tidy and editors need it (packaging/check
# does so).

option(TRAINYARD_PRECOMPILED "Precompile the headers that almost every file includes" ON)
option(TRAINYARD_UNITY "Compile several files of a library as one" ON)

# A precompiled header fits only objects with the same flags, and CMake compiles programs with -fPIE and libraries with
# -fPIC.
add_compile_options(-fPIC)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A precompiled header counts towards the heap limits of the compiler's garbage collector, which would otherwise run
    # immediately and often.
    add_compile_options(--param=ggc-min-heapsize=786432)
endif()

set(_precompiled "${CMAKE_CURRENT_LIST_DIR}/precompiled")
# The target precompiled_<kind> of a build folder, created for the first target that needs it.
function(_trainyard_precompiled_headers kind)
    set(target trainyard_precompiled_${kind})
    if(TARGET ${target})
        return()
    endif()
    add_library(${target} OBJECT "${_precompiled}/empty.cpp")
    set_target_properties(${target} PROPERTIES AUTOMOC OFF)
    target_precompile_headers(${target} PRIVATE "${_precompiled}/${kind}.h")
    target_link_libraries(${target} PRIVATE fmt::fmt trainyard_build)
    if(kind MATCHES "^torch")
        target_link_libraries(${target} PRIVATE torch::cpu)
    elseif(kind MATCHES "^desktop")
        target_link_libraries(${target} PRIVATE Qt6::Widgets)
    endif()
    if(kind MATCHES "_tests$")
        target_link_libraries(${target} PRIVATE GTest::gtest trainyard_tests_build)
    endif()
endfunction()

function(trainyard_compile_quickly target)
    cmake_parse_arguments(arg "TORCH;CORE;TESTS" "" "" ${ARGN})
    set(kind standard)
    if(arg_TORCH)
        set(kind torch)
    elseif(CMAKE_AUTOMOC AND NOT arg_CORE)
        set(kind desktop)
    endif()
    if(arg_TESTS)
        string(APPEND kind _tests)
    endif()
    if(TRAINYARD_UNITY)
        set(batch 12)
        if(arg_TESTS AND NOT arg_TORCH)  # quick to compile, and edited more often than built from scratch
            set(batch 8)
        endif()
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
        # g++ warns about a class of a .cpp file with a member from an unnamed namespace; no header is concerned.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    # What waits for users, files and hosts: -O1 takes three quarters of the time of -O2, which pays where a program
    # computes.
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    if(folder MATCHES "^(app|engine/(config|launch|run|formats/hub))(/|$)")
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    if(TRAINYARD_PRECOMPILED)
        _trainyard_precompiled_headers(${kind})
        target_precompile_headers(${target} REUSE_FROM trainyard_precompiled_${kind})
    endif()
endfunction()
