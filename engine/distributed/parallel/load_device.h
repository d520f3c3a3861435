// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Devices are loaded by name before the first tensor exists, on one rank as on many. From then on the C library keeps the memory that the process
// gives back, where no variable of the user's (MALLOC_*_THRESHOLD_, GLIBC_TUNABLES) says otherwise.

#include <string>

#include <c10/core/Device.h>

namespace trainyard::parallel {

/// Opens what `kind` (cpu, cuda, or the name of a PrivateUse1 back end such as npu) needs, and gives the device of this rank: number
/// `index` of its machine, or the processor; the calling thread's tensors without a number are made there. `library` is the file that brings the device; empty: $TRAINYARD_DEVICE_LIBRARY, for
/// CUDA libtrainyard_nccl.so beside the program. Throws UserError: no library, one that cannot be opened or brings another device, or
/// fewer devices than `index` asks for.
c10::Device load_device(const std::string& kind, int index, const std::string& library = "");

/// Tensors of 1 MiB and more go back to the system when they are freed, for who wants little memory more than speed (activation checkpointing, whose second
/// forward needs other sizes than the first and leaves holes). Not if the user chose.
void return_freed_memory();

}  // namespace trainyard::parallel
