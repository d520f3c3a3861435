# SPDX-License-Identifier: GPL-3.0-or-later
# Tests: suites of one folder share a program, so that its libraries are linked once; each suite is a CTest entry with its own process.
#
#   trainyard_test(NAME [LABELS label...] [DEPENDS lib...] [TIMEOUT seconds] [ALONE] SOURCES file...)
#       a suite, registered in CTest as NAME, e.g. run.state: the GoogleTest tests of these files, in the program of its folder,
#       test_<folder>, whose target is ${TRAINYARD_TESTS_OF_FOLDER}. ALONE gives it a separate program, test_<name>; suites with the
#       labels fuzz and cluster also have separate programs, which are not part of the default build.
#   trainyard_benchmark(NAME [DEPENDS lib...] SOURCES file...)
#       program build/<preset>/bench/bench_NAME, not part of the default build (packaging/bench NAME)
#
# Targets: tests (all that a default `ctest` runs), fuzz_targets, cluster_tests.

add_custom_target(tests)
add_custom_target(fuzz_targets)
add_custom_target(cluster_tests)

# Tests are compiled without optimisation and line numbers, because only the libraries that they call must be fast.
add_library(trainyard_tests_build INTERFACE)
target_compile_options(trainyard_tests_build INTERFACE $<$<CONFIG:Release>:-O0> $<$<CONFIG:Release>:-g0>)
target_include_directories(trainyard_tests_build INTERFACE "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(trainyard_tests_build INTERFACE
    TRAINYARD_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests" TRAINYARD_BIN_DIR="${PROJECT_BINARY_DIR}/bin"
    TRAINYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TRAINYARD_BUILD_DIR="${PROJECT_BINARY_DIR}"
    TRAINYARD_TORCH_FOLDER="${TORCH_DIR}" TRAINYARD_LIBTORCH_VERSION="${LIBTORCH_VERSION}")

# Control groups are root's, and not even root's in most containers.
execute_process(COMMAND sh -c "for top in /sys/fs/cgroup/memory /sys/fs/cgroup; do [ -e $top/cgroup.procs ] && mkdir $top/trainyard-$$ && rmdir $top/trainyard-$$ && exit 0; done; exit 1"
                RESULT_VARIABLE _no_groups OUTPUT_QUIET ERROR_QUIET)
if(_no_groups)
    set(TRAINYARD_CONTROL_GROUPS OFF)
else()
    set(TRAINYARD_CONTROL_GROUPS ON)
endif()

# main() and the selection of a suite's tests, compiled once for all programs.
function(_trainyard_suite_main result)
    set(main main)
    if(CMAKE_AUTOMOC)
        set(main qt_main)
    endif()
    set(target trainyard_suite_${main})
    if(NOT TARGET ${target})
        add_library(${target} STATIC "${PROJECT_SOURCE_DIR}/tests/support/${main}.cpp" "${PROJECT_SOURCE_DIR}/tests/support/suite.cpp")
        set_target_properties(${target} PROPERTIES AUTOMOC OFF)
        target_link_libraries(${target} PRIVATE trainyard_tests_build trainyard_build PUBLIC GTest::gtest)
        if(CMAKE_AUTOMOC)
            target_link_libraries(${target} PUBLIC Qt6::Widgets)
        endif()
    endif()
    set(${result} ${target} PARENT_SCOPE)
endfunction()

# The program `target` for tests that `ctest -L label` runs.
function(_trainyard_test_program target labels)
    add_executable(${target})
    if("fuzz" IN_LIST labels)  # has its own main()
        set(group fuzz_targets)
    else()
        _trainyard_suite_main(main)
        target_link_libraries(${target} PRIVATE ${main})
        set(group tests)
        if("cluster" IN_LIST labels)
            set(group cluster_tests)
        endif()
    endif()
    add_dependencies(${group} ${target})
    if(NOT group STREQUAL "tests")
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    target_link_libraries(${target} PRIVATE trainyard_tests_build trainyard_build GTest::gtest GTest::gmock)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    trainyard_compile_quickly(${target})
endfunction()

function(trainyard_test name)
    cmake_parse_arguments(arg "ALONE" "TIMEOUT" "LABELS;DEPENDS;SOURCES" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    if(arg_ALONE OR "fuzz" IN_LIST arg_LABELS OR "cluster" IN_LIST arg_LABELS)
        string(REPLACE "." "_" target "test_${name}")
    else()
        file(RELATIVE_PATH target "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
        string(REPLACE "/" "_" target "test_${target}")
        set(TRAINYARD_TESTS_OF_FOLDER ${target} PARENT_SCOPE)
    endif()
    if(NOT TARGET ${target})
        _trainyard_test_program(${target} "${arg_LABELS}")
    endif()
    target_sources(${target} PRIVATE ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ${arg_DEPENDS})

    # The suite consists of the tests in its files (tests/support/suite.h).
    set(files)
    foreach(source IN LISTS arg_SOURCES)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests")
        if(NOT source MATCHES "^(support|\\.\\.)/")
            list(APPEND files "${source}")
        endif()
    endforeach()
    list(JOIN files "," files)
    if("fuzz" IN_LIST arg_LABELS)
        add_test(NAME ${name} COMMAND ${target})
    else()
        add_test(NAME ${name} COMMAND ${target} "--files=${files}")
    endif()
    # COST: without measured costs of an earlier run, CTest starts those first that may take longest. GOMP_SPINCOUNT: as
    # the launcher sets it for ranks, so that waiting threads of a test do not take the cores from other tests.
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT}
                         ENVIRONMENT GOMP_SPINCOUNT=2000)
    if(TRAINYARD_SANITIZE)
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
            "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan_suppressions.txt"
            "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan_suppressions.txt")
    endif()
endfunction()

function(trainyard_benchmark name)
    cmake_parse_arguments(arg "" "" "DEPENDS;SOURCES" ${ARGN})
    set(target bench_${name})
    add_executable(${target} EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_compile_definitions(${target} PRIVATE
        TRAINYARD_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests" TRAINYARD_BIN_DIR="${PROJECT_BINARY_DIR}/bin"
        TRAINYARD_BUILD_DIR="${PROJECT_BINARY_DIR}" TRAINYARD_TORCH_FOLDER="${TORCH_DIR}")
    target_link_libraries(${target} PRIVATE ${arg_DEPENDS} nlohmann_json::nlohmann_json CLI11::CLI11 trainyard_build)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
endfunction()
