# What makes a build quick without changing what it builds: headers read once, files compiled together.
#
#   trainyard_compile_quickly(target [TORCH] [TESTS])    precompiled headers and unity builds
#
# TRAINYARD_UNITY, TRAINYARD_PRECOMPILED: OFF compiles each file by itself, as clang-tidy and editors want it (packaging/check does so).

option(TRAINYARD_PRECOMPILED "Precompile the headers that almost every file includes" ON)
option(TRAINYARD_UNITY "Compile several files of a library as one" ON)

# Precompiled headers fit objects of the same kind only, and CMake gives programs -fPIE where libraries have -fPIC.
add_compile_options(-fPIC)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A precompiled header fills the heap that the compiler starts with, so that it would collect garbage at once and often.
    add_compile_options(--param=ggc-min-heapsize=786432)
endif()

set(_precompiled "${CMAKE_CURRENT_LIST_DIR}/precompiled")
# The headers precompiled_<kind> of a build folder, made when the first target asks for them.
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
    cmake_parse_arguments(arg "TORCH;TESTS" "" "" ${ARGN})
    set(kind standard)
    if(arg_TORCH)
        set(kind torch)
    elseif(CMAKE_AUTOMOC)
        set(kind desktop)
    endif()
    if(arg_TESTS)
        string(APPEND kind _tests)
    endif()
    # A test without LibTorch is quick to compile, and edited more often than built from nothing.
    if(TRAINYARD_UNITY AND (arg_TORCH OR NOT arg_TESTS))
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
        # A class of one .cpp with a member of that file's unnamed namespace: no header is concerned.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    if(TRAINYARD_PRECOMPILED)
        _trainyard_precompiled_headers(${kind})
        target_precompile_headers(${target} REUSE_FROM trainyard_precompiled_${kind})
    endif()
endfunction()
