#pragma once
// How much memory this process can still have.

#include <cstdint>
#include <filesystem>

namespace trainyard {

/// Bytes: what the system has available (MemAvailable), within the limits of the control groups (v1 and v2) that this process is in. `root` stands before
/// /proc and /sys, for tests.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace trainyard
