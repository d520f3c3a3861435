// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The device of these tests, loaded once per process.

#include <c10/core/Device.h>

#include "distributed/parallel/load_device.h"

namespace trainyard::test {

inline c10::Device guarded(int index = 0) {
    return parallel::load_device("guarded", index, TRAINYARD_GUARDED_DEVICE);
}

}  // namespace trainyard::test
