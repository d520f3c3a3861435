// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Functions that the shared library of a device exports to the engine, in addition to the device itself, which it
// registers with LibTorch when it is loaded.
// The worker links nothing of any accelerator: libtrainyard_nccl.so (CUDA with NCCL) is such a library, and so is any that brings a
// PrivateUse1 back end. https://docs.pytorch.org/tutorials/advanced/privateuseone.html

#include <chrono>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace trainyard::parallel {

/// Exported under the name kDeviceLibrarySymbol (base/device_kinds.h), or not at all: then collectives go through the
/// host.
struct DeviceLibrary {
    /// Collectives over the device's own memory.
    c10::intrusive_ptr<c10d::Backend> (*make_backend)(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                                      std::chrono::milliseconds timeout);
};

/// Returns the library of a kind of device ("cuda"), loading it if needed. nullptr: the CPU, or a library that exports
/// nothing.
const DeviceLibrary* device_library(const std::string& kind);

}  // namespace trainyard::parallel
