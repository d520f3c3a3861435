// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Free disk space that a run asks for: the same figure in the checks before a start and in a launch.

#include <cstdint>

#include "config/recipe/recipe.h"

namespace trainyard::launch {

/// Bytes for logs, metrics and state. A program has no checkpoints that are known.
inline constexpr std::uint64_t kRoomOfLogs = 32'000'000;
/// Bytes for logs, metrics and state, and for two checkpoints of the recipe: the one that is written and the one
/// before.
std::uint64_t disk_room(const config::Recipe& recipe);

}  // namespace trainyard::launch
