#pragma once
// The CUDA half of the engine, one small shared library (libtrainyard_nccl.so) opened when a GPU is there, so that the worker
// itself links nothing of CUDA.

#include <chrono>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace trainyard::parallel {

/// What the plug-in exports under the name `trainyard_nccl_plugin`.
struct NcclPlugin {
    c10::intrusive_ptr<c10d::Backend> (*make_backend)(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                                      std::chrono::milliseconds timeout);
};

/// Opens libtrainyard_nccl.so beside the program, once. Throws UserError saying what is missing.
const NcclPlugin& nccl_plugin();

}  // namespace trainyard::parallel
