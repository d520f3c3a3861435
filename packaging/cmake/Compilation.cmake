# SPDX-License-Identifier: GPL-3.0-or-later
# Faster builds without changing the result: several files are compiled as one, which includes their headers once.
#
#   trainyard_compile_quickly(target)
#
# TRAINYARD_UNITY=OFF disables it, as clang-tidy and editors need it (packaging/check does so). Precompiled headers were removed: beside unity builds
# they save nothing (six files measured with and without: 0.7 to 1.4 times), and in a virtual machine that has just been restored a file with them took
# 681 s instead of 273 s, because pages of the header's 310 MB are fetched one by one.

option(TRAINYARD_UNITY "Compile several files of a library as one" ON)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # static libraries are part of programs and of plug-ins
add_compile_options(-pipe)  # no assembler text in temporary files, 3 to 6 % less processor time
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A file with LibTorch needs 1 GB, so the compiler's garbage collector starts late: 12.7 s instead of 15.2 s with 32 MB.
    add_compile_options(--param=ggc-min-heapsize=786432)
endif()

function(trainyard_compile_quickly target)
    if(TRAINYARD_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
        # g++ warns about a class of a .cpp file with a member from an unnamed namespace; no header is concerned.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    # What waits for users, files and hosts: -O1 takes three quarters of the time of -O2, which pays where a program
    # computes.
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    if(folder MATCHES "^(app|engine/(config|launch|run|formats/hub))(/|$)")
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
endfunction()
