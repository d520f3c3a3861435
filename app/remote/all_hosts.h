// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Work on many hosts side by side, so that waiting for one host does not delay the others.

#include <cstddef>
#include <functional>

namespace trainyard::remote {

constexpr std::size_t kMostHostsAtOnce = 32;

/// Calls `work` with each number below `count`, at most kMostHostsAtOnce at a time, and returns after the last call.
/// `work` must not throw, and must not wait for the work of another host.
void for_all_hosts(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace trainyard::remote
