// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/accelerate/machine.h"

namespace trainyard::settings {

/// A machine with this many GPUs that run fp8, and DeepSpeed.
inline Machine with_gpus(int count) {
    Machine machine;
    machine.device = "cuda";
    machine.device_count = count;
    machine.deepspeed = "0.18.0";
    machine.fp8 = true;
    return machine;
}

}  // namespace trainyard::settings
