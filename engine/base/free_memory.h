// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How much memory this process can still have.

#include <cstdint>
#include <filesystem>

namespace trainyard {

/// Returns the bytes of memory that the system has available (MemAvailable), within the limits of this process's
/// control groups (v1 and v2). `root` is prepended to /proc and /sys, for tests.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace trainyard
