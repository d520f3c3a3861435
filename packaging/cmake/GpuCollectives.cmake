# SPDX-License-Identifier: GPL-3.0-or-later
# What the collectives of GPUs are built with: NCCL for a LibTorch of CUDA, RCCL for one of ROCm.
#
#   trainyard_find_gpu_collectives(PREFIX TORCH_DIR)
#       sets PREFIX_NAME (NCCL, RCCL; empty: none can be built), PREFIX_INCLUDES, PREFIX_LIBRARIES, PREFIX_DEFINITIONS, and
#       PREFIX_PROBLEM: what is missing for a LibTorch whose GPUs could not be used, else empty
#
# A LibTorch of CUDA may have no headers of CUDA: it is also the one for processors.

function(trainyard_find_gpu_collectives prefix torch_dir)
    set(name "")
    set(problem "")
    set(definitions USE_C10D_NCCL)
    if(EXISTS "${torch_dir}/lib/libtorch_hip.so")
        find_path(TRAINYARD_HIP_INCLUDE hip/hip_runtime_api.h HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES include)
        find_path(TRAINYARD_RCCL_INCLUDE rccl/rccl.h HINTS ENV ROCM_PATH PATHS /opt/rocm PATH_SUFFIXES include)
        if(TRAINYARD_HIP_INCLUDE AND TRAINYARD_RCCL_INCLUDE)
            set(name RCCL)
            set(includes "${TRAINYARD_HIP_INCLUDE}" "${TRAINYARD_RCCL_INCLUDE}" "${TRAINYARD_RCCL_INCLUDE}/rccl")
            set(libraries "${torch_dir}/lib/libtorch_hip.so" "${torch_dir}/lib/libc10_hip.so")
            list(APPEND definitions USE_ROCM __HIP_PLATFORM_AMD__=1)
        else()
            set(problem "The LibTorch in ${torch_dir} is for ROCm, and the headers of HIP (hip/hip_runtime_api.h) or RCCL \
(rccl/rccl.h) were not found: set ROCM_PATH to the installation of ROCm. Without them no GPU can be used.")
        endif()
    elseif(EXISTS "${torch_dir}/lib/libtorch_cuda.so")
        find_path(TRAINYARD_CUDA_INCLUDE cuda_runtime_api.h HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES include)
        find_path(TRAINYARD_NCCL_INCLUDE nccl.h HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES include)
        if(TRAINYARD_CUDA_INCLUDE AND TRAINYARD_NCCL_INCLUDE)
            set(name NCCL)
            set(includes "${TRAINYARD_CUDA_INCLUDE}" "${TRAINYARD_NCCL_INCLUDE}")
            set(libraries "${torch_dir}/lib/libtorch_cuda.so" "${torch_dir}/lib/libc10_cuda.so")
        endif()
    endif()
    foreach(_field name includes libraries definitions problem)
        string(TOUPPER "${_field}" _upper)
        set(${prefix}_${_upper} "${${_field}}" PARENT_SCOPE)
    endforeach()
endfunction()
