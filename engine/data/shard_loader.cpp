// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/shard_loader.h"

#include "data/rng_sync.h"

namespace trainyard::data {

std::int64_t ShardLoader::start(const PassStart& start) {
    if (setup_.communicator != nullptr)
        synchronize_rng_states(rng_types_, setup_.source->generator(), setup_.process,
                               setup_.device.value_or(at::Device(at::kCPU)), *setup_.communicator);
    start_reading(start);
    return setup_.source->remainder();
}

}  // namespace trainyard::data
