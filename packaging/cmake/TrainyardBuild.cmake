# How every target of the project is compiled, and the functions that make them.
#
#   trainyard_library(NAME folder... [TORCH] [DEPENDS lib...] SOURCES file...)
#       static library trainyard_NAME; includes are written from engine/ (or app/, widgets' parent): "run/state.h"
#   trainyard_movable(target)
#       a program or plug-in that is copied to other hosts: finds its libraries in ../lib beside its own folder
#   trainyard_test(NAME [LABELS label...] [DEPENDS lib...] [TIMEOUT seconds] SOURCES file...)
#       one GoogleTest program registered in CTest as NAME, e.g. run.state

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
    message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} is too old: Trainyard needs g++ 11 or newer (C++20).")
endif()

find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()
find_program(MOLD mold)
if(MOLD)
    execute_process(COMMAND "${MOLD}" --version OUTPUT_VARIABLE _mold_version)
    string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" _mold_version "${_mold_version}")
    # Older ones make a program now and then that the loader refuses ("cannot apply additional memory protection after relocation",
    # https://github.com/rui314/mold/issues/1151), and with -z norelro some links never end.
    if(_mold_version VERSION_GREATER_EQUAL 2.4)
        add_link_options(-fuse-ld=mold)
    endif()
endif()

if(TRAINYARD_SANITIZE)
    add_compile_options(-fsanitize=${TRAINYARD_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TRAINYARD_SANITIZE})
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")

add_library(trainyard_build INTERFACE)
target_compile_options(trainyard_build INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
# g++ 12 warns of overlapping copies inside std::string that cannot happen (GCC bug 105651).
target_compile_options(trainyard_build INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_compile_definitions(trainyard_build INTERFACE TRAINYARD_VERSION="${PROJECT_VERSION}")

function(trainyard_library name)
    cmake_parse_arguments(arg "TORCH" "" "DEPENDS;SOURCES" ${ARGN})
    add_library(trainyard_${name} STATIC ${arg_SOURCES})
    target_include_directories(trainyard_${name} PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/..>")
    if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/engine/")  # what other programs can link: Install.cmake
        add_library(Trainyard::${name} ALIAS trainyard_${name})
        set_target_properties(trainyard_${name} PROPERTIES EXPORT_NAME ${name})
        set_property(GLOBAL APPEND PROPERTY TRAINYARD_LIBRARIES trainyard_${name})
    endif()
    target_link_libraries(trainyard_${name} PUBLIC ${arg_DEPENDS} PRIVATE trainyard_build)
    if(arg_TORCH)
        target_link_libraries(trainyard_${name} PUBLIC torch::cpu)
    endif()
endfunction()

add_custom_target(fuzz_targets)  # all tests labelled fuzz

# DT_RPATH, since DT_RUNPATH does not count for libraries that libraries need.
function(trainyard_movable target)
    target_link_options(${target} PRIVATE "LINKER:--disable-new-dtags")
    set_property(TARGET ${target} APPEND PROPERTY BUILD_RPATH "$ORIGIN/../lib")
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "$ORIGIN/../lib")
endfunction()

function(trainyard_test name)
    cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;DEPENDS;SOURCES" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    string(REPLACE "." "_" target "test_${name}")
    add_executable(${target} ${arg_SOURCES})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_compile_definitions(${target} PRIVATE TRAINYARD_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests"
                                                 TRAINYARD_BIN_DIR="${PROJECT_BINARY_DIR}/bin"
                                                 TRAINYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE ${arg_DEPENDS} trainyard_build GTest::gtest_main GTest::gmock)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    add_test(NAME ${name} COMMAND ${target})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
    if("fuzz" IN_LIST arg_LABELS)
        add_dependencies(fuzz_targets ${target})
    endif()
    if(TRAINYARD_SANITIZE)
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
            "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks_of_others.txt"
            "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/races_of_others.txt")
    endif()
endfunction()
