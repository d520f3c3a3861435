# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DTORCH_DIR=FOLDER -P: what the build finds for the GPUs of a LibTorch (packaging/cmake/GpuCollectives.cmake).
include("${CMAKE_CURRENT_LIST_DIR}/../../packaging/cmake/GpuCollectives.cmake")
trainyard_find_gpu_collectives(found "${TORCH_DIR}")
message(STATUS "name=${found_NAME};libraries=${found_LIBRARIES};definitions=${found_DEFINITIONS};problem=${found_PROBLEM}")
