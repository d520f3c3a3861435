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
    # Tests without LibTorch compile quickly, and are edited more often than built from scratch.
    if(TRAINYARD_UNITY AND (arg_TORCH OR NOT arg_TESTS))
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
        # g++ warns about a class of a .cpp file with a member from an unnamed namespace; no header is concerned.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    if(TRAINYARD_PRECOMPILED)
        _trainyard_precompiled_headers(${kind})
        target_precompile_headers(${target} REUSE_FROM trainyard_precompiled_${kind})
    endif()
endfunction()
