// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a batch size that fits in memory: starts at 128 and reduces it by a tenth after each out-of-memory error.

#include <new>
#include <vector>

#include <trainyard/memory.h>

#include "main.h"
#include "rings.h"

bool sample() {
    trainyard::Accelerator accelerator;
    std::vector<std::int64_t> tried;
    auto train = trainyard::accelerator::find_executable_batch_size(
        [&](std::int64_t batch_size) {
            tried.push_back(batch_size);
            if (batch_size > 100)  // stands for a network that runs out of memory
                throw std::bad_alloc();
            return batch_size;
        },
        128);
    std::int64_t found = train();
    accelerator.print("batch size " + std::to_string(found) + " after " + std::to_string(tried.size()) + " tries");
    return tried == std::vector<std::int64_t>{128, 115, 103, 92};
}
