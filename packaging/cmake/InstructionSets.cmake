# SPDX-License-Identifier: GPL-3.0-or-later
# Loops that are compiled once for each instruction set of engine/base/instruction_set.h, which TRAINYARD_CPU_ISA selects.
#
#   trainyard_for_instruction_sets(LIBRARY [SETS avx2 avx512 avx512bf16] SOURCES file...)
#       the files for the plain processor, and for those of SETS that this architecture has; TRAINYARD_ISA is the set's name.
#       LIBRARY is compiled with TRAINYARD_X86_KERNELS if it has any kernels besides the plain ones.
#
# -O3 because -O2 of g++ 12 hardly vectorises. Nothing else may be compiled with these flags: it would run where the processor has no
# such instructions. g++ 12 takes its own intrinsics' undefined registers for a mistake (GCC bug 105593).
set(TRAINYARD_FLAGS_generic)
set(TRAINYARD_FLAGS_avx2 -mavx2 -mfma -mf16c)
set(TRAINYARD_FLAGS_avx512 ${TRAINYARD_FLAGS_avx2} -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512 -Wno-uninitialized
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
set(TRAINYARD_FLAGS_avx512bf16 ${TRAINYARD_FLAGS_avx512} -mavx512bf16)

function(trainyard_for_instruction_sets library)
    cmake_parse_arguments(ARG "" "" "SETS;SOURCES" ${ARGN})
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        target_compile_definitions(${library} PRIVATE TRAINYARD_X86_KERNELS)
    else()
        set(ARG_SETS)
    endif()
    foreach(isa generic ${ARG_SETS})
        add_library(${library}_${isa} OBJECT ${ARG_SOURCES})
        target_include_directories(${library}_${isa} PRIVATE "${PROJECT_SOURCE_DIR}/engine")
        target_compile_definitions(${library}_${isa} PRIVATE TRAINYARD_ISA=${isa})
        target_compile_options(${library}_${isa} PRIVATE -O3 -fno-math-errno -fno-trapping-math ${TRAINYARD_FLAGS_${isa}})
        target_link_libraries(${library}_${isa} PRIVATE trainyard_build)
        target_sources(${library} PRIVATE $<TARGET_OBJECTS:${library}_${isa}>)
    endforeach()
endfunction()
