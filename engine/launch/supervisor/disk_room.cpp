// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/disk_room.h"

#include "estimate/training_memory.h"

namespace trainyard::launch {

std::uint64_t disk_room(const config::Recipe& recipe) {
    return kRoomOfLogs + 2 * static_cast<std::uint64_t>(estimate::estimate_memory(recipe).checkpoint);
}

}  // namespace trainyard::launch
