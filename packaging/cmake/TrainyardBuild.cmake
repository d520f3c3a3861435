# SPDX-License-Identifier: GPL-3.0-or-later
# Compiler options of all targets, and functions that create targets.
#
#   trainyard_library(NAME folder... [TORCH | CORE] [DEPENDS lib...] SOURCES file...)
#       static library trainyard_NAME; includes are written from engine/ (or app/, widgets' parent): "run/state.h"
#       CORE: knows Qt Core and no widgets; its texts become QStrings in the open only
#   trainyard_public_headers(NAME)
#       the headers of the subfolder `trainyard` of the current folder: included as <trainyard/...>, in this build and as installed
#   trainyard_movable(target)
#       a program or plug-in that is copied to other hosts: finds its libraries in ../lib relative to its own folder
#   trainyard_program(target)
#       options as for a library, for a program

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)  # no header is generated, so moc need not wait for libraries
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
    message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} is too old: Trainyard needs g++ 11 or newer (C++20).")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
    # Older versions capture no structured bindings and cannot compile the ranges of libstdc++ 12.
    message(FATAL_ERROR "clang++ ${CMAKE_CXX_COMPILER_VERSION} is too old: Trainyard needs clang++ 16 or newer, for example -DCMAKE_CXX_COMPILER=clang++-19.")
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()
find_program(MOLD mold)
if(MOLD)
    execute_process(COMMAND "${MOLD}" --version OUTPUT_VARIABLE _mold_version)
    string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" _mold_version "${_mold_version}")
    # Older versions sometimes produce a program that the loader refuses ("cannot apply additional memory protection
    # after relocation", https://github.com/rui314/mold/issues/1151), and with -z norelro some links never finish.
    if(_mold_version VERSION_GREATER_EQUAL 2.4)
        add_link_options(-fuse-ld=mold)
        set(_linker mold)
    endif()
endif()
find_program(LLD ld.lld)
if(LLD AND NOT _linker)  # a fifth of the time of binutils' linker
    add_link_options(-fuse-ld=lld)
endif()

if(TRAINYARD_SANITIZE)
    add_compile_options(-fsanitize=${TRAINYARD_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TRAINYARD_SANITIZE})
    # With sanitizers g++ 12 takes parts of std::regex for uninitialised (GCC bug 105562).
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
# g++ 12 leaves empty .cold parts of functions, for which lld keeps a second unwind entry at an address that has one: an
# exception that passes there ends the program. tests/check/unwind.py looks for such entries.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    string(APPEND CMAKE_CXX_FLAGS_RELEASE " -fno-reorder-blocks-and-partition")
endif()

add_library(trainyard_build INTERFACE)
target_compile_options(trainyard_build INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor)
# clang takes names of another file of a unity build for shadowed ones, and std::stable_sort of libstdc++ 12 for deprecated.
target_compile_options(trainyard_build INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wshadow> $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# A newer compiler has warnings that nobody has seen yet: they stop our own builds and those of the checks, not a packager's.
if(TRAINYARD_WERROR)
    target_compile_options(trainyard_build INTERFACE -Werror)
endif()
# g++ 12 warns about overlapping copies inside std::string that cannot happen (GCC bug 105651).
target_compile_options(trainyard_build INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_compile_definitions(trainyard_build INTERFACE TRAINYARD_VERSION="${PROJECT_VERSION}")
target_link_libraries(trainyard_build INTERFACE fmt::fmt)

include(Compilation)

function(trainyard_library name)
    cmake_parse_arguments(arg "TORCH;CORE" "" "DEPENDS;SOURCES" ${ARGN})
    add_library(trainyard_${name} STATIC ${arg_SOURCES})
    set(includes "${CMAKE_CURRENT_SOURCE_DIR}/..")
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/engine/")  # can be linked by other programs: Install.cmake
        set(includes "${PROJECT_SOURCE_DIR}/engine")
        add_library(Trainyard::${name} ALIAS trainyard_${name})
        set_target_properties(trainyard_${name} PROPERTIES EXPORT_NAME ${name})
        set_property(GLOBAL APPEND PROPERTY TRAINYARD_LIBRARIES trainyard_${name})
    endif()
    target_include_directories(trainyard_${name} PUBLIC "$<BUILD_INTERFACE:${includes}>")
    target_link_libraries(trainyard_${name} PUBLIC ${arg_DEPENDS} PRIVATE trainyard_build)
    target_compile_features(trainyard_${name} PUBLIC cxx_std_20)  # for programs that include its headers
    if(arg_TORCH)
        target_link_libraries(trainyard_${name} PUBLIC torch::cpu)
    elseif(arg_CORE)
        set_target_properties(trainyard_${name} PROPERTIES AUTOMOC ON)
        target_link_libraries(trainyard_${name} PUBLIC Qt6::Core)
        target_compile_definitions(
            trainyard_${name} PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING
                                      QT_NO_CAST_FROM_BYTEARRAY QT_NO_FOREACH QT_STRICT_ITERATORS
                                      QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
    endif()
    trainyard_compile_quickly(trainyard_${name})
endfunction()

function(trainyard_public_headers name)
    get_target_property(type trainyard_${name} TYPE)
    set(scope PUBLIC)
    if(type STREQUAL "INTERFACE_LIBRARY")
        set(scope INTERFACE)
    endif()
    target_include_directories(trainyard_${name} ${scope} "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>")
    set_property(GLOBAL APPEND PROPERTY TRAINYARD_PUBLIC_HEADERS "${CMAKE_CURRENT_SOURCE_DIR}/trainyard/*.h")
endfunction()

function(trainyard_program target)
    target_link_libraries(${target} PRIVATE trainyard_build)
    trainyard_compile_quickly(${target})
endfunction()

# DT_RPATH, because DT_RUNPATH is not used for dependencies of dependencies. The build folder has it as installed: CMake's own has an
# empty entry at its end, so the loader would look for every library in the working directory first.
function(trainyard_movable target)
    target_link_options(${target} PRIVATE "LINKER:--disable-new-dtags")
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "$ORIGIN/../lib")
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()

