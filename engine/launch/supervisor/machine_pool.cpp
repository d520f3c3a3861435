// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/machine_pool.h"

#include <utility>

namespace trainyard::launch {

void FixedPool::add(std::unique_ptr<RankMachine> machine, int ranks, std::string address) {
    participants_.push_back({machine.get(), ranks, std::move(address)});
    machines_.push_back(std::move(machine));
}

std::vector<Participant> FixedPool::participants() {
    return participants_;
}

}  // namespace trainyard::launch
