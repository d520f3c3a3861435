// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Peak FLOP/s of the device, for the model FLOPs utilisation (MFU): the manufacturer's figure for dense matrix products
// on GPUs that are known here; else measured with a matrix product in the dtype of training.

#include <string>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace trainyard::train {

struct PeakFlops {
    double flops_per_s = 0;  ///< of one device; 0: not known
    bool measured = false;   ///< on this machine; else named by the maker
};

/// Dense, without sparsity, from the makers' data sheets; 0 for a device that is not known. `name` as the driver tells it;
/// `tf32`: products of float32 may be computed in it.
double named_peak(const std::string& name, c10::ScalarType type, bool tf32);

/// Takes some 20 ms where it has to measure.
PeakFlops device_peak(c10::Device device, c10::ScalarType type, bool tf32);

}  // namespace trainyard::train
