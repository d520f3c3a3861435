// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/all_hosts.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace trainyard::remote {

void for_all_hosts(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(count, kMostHostsAtOnce); ++i)
        threads.emplace_back([&] {
            for (std::size_t host; (host = next++) < count;)
                work(host);
        });
}

}  // namespace trainyard::remote
