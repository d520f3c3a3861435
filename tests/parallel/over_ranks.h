// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs a body on ranks as threads, with one communicator over all of them.

#include <functional>
#include <memory>
#include <vector>

#include "support/ranks.h"

namespace trainyard::test {

inline void over_ranks(int size, const std::function<void(parallel::Communicator&)>& body, bool share_memory = true) {
    run_ranks(
        size,
        [&](std::unique_ptr<parallel::World> world) {
            std::vector<int> all;
            for (int rank = 0; rank < size; ++rank)
                all.push_back(rank);
            auto communicator = world->group(all, "data");
            body(*communicator);
        },
        share_memory);
}

}  // namespace trainyard::test
