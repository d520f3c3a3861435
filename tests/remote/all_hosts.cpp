// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/all_hosts.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

namespace trainyard::remote {

namespace {

TEST(AllHosts, EachIsCalledOnceAndNoMoreThanTheBoundAtATime) {
    constexpr std::size_t kHosts = 3 * kMostHostsAtOnce;
    std::mutex mutex;
    std::condition_variable arrived;
    std::size_t at_once = 0, most = 0, begun = 0;
    std::vector<int> calls(kHosts);
    for_all_hosts(kHosts, [&](std::size_t i) {
        std::unique_lock lock(mutex);
        ++calls[i];
        ++begun;
        most = std::max(most, ++at_once);
        arrived.notify_all();
        // The first calls wait for each other: as many as the bound run side by side.
        arrived.wait(lock, [&] { return begun >= kMostHostsAtOnce; });
        --at_once;
    });
    EXPECT_EQ(most, kMostHostsAtOnce);
    EXPECT_EQ(calls, std::vector<int>(kHosts, 1));
    for_all_hosts(0, [](std::size_t) { FAIL(); });
}

}  // namespace

}  // namespace trainyard::remote
