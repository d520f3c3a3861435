// SPDX-License-Identifier: GPL-3.0-or-later
// libtrainyard_nccl.so: ProcessGroupNCCL as a device library. Linked with LibTorch's CUDA half only here.

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include "distributed/parallel/device_library.h"

namespace {

c10::intrusive_ptr<c10d::Backend> make_backend(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                               std::chrono::milliseconds timeout) {
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = timeout;
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
}

}  // namespace

extern "C" __attribute__((visibility("default")))
const trainyard::parallel::DeviceLibrary trainyard_device_library{&make_backend};
