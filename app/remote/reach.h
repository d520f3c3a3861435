#pragma once
// Who reaches whom among hosts that are named, without a run: `trainyard probe a b c` and the desktop's Hosts page.

#include <functional>
#include <string>
#include <vector>

#include "launch/supervisor/reach.h"
#include "remote/session.h"

namespace trainyard::remote {

/// Every ordered pair of different hosts, in the order of `names`; `localhost` is this machine. All hosts are asked at once, each with the
/// `trainyard` that it has: the one named for it in hosts.yaml, one in its PATH, or one that an earlier launch brought; nothing is copied.
/// Pairs with a host that cannot take part are not ok, with the reason as `problem`. Each host opens ports on its own addresses for
/// seconds, the others connect; all of it goes away by itself. Never throws for a single host; ConnectionError(cancelled) when cancelled.
std::vector<launch::Reach> reach_between(const std::vector<std::string>& names, const ConnectOptions& options = {});

}  // namespace trainyard::remote
