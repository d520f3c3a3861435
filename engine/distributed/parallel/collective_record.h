// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The newest collective of the process, written by the training thread, read by the heartbeat.

#include <cstdint>
#include <string>

namespace trainyard::parallel {

void record_collective(const char* operation, std::uint64_t number, const std::string& name);

}  // namespace trainyard::parallel
