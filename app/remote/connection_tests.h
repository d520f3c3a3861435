// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tests which of the named hosts can connect to each other, without a run: for `trainyard probe a b c` and the Hosts
// page.

#include <functional>
#include <string>
#include <vector>

#include "launch/supervisor/connection_test.h"
#include "remote/session.h"

namespace trainyard::remote {

/// Tests every ordered pair of different hosts, in the order of `names`; `localhost` is this machine. All hosts are
/// queried at once, each with its own `trainyard`: the one named in hosts.yaml, one in its PATH, or one that an earlier
/// launch copied; nothing is copied. Pairs with a host that cannot take part are not ok, with the reason as `problem`.
/// Each host opens ports on its own addresses for some seconds while the others connect, then closes them. A failure of
/// a single host does not throw; throws ConnectionError(cancelled) when cancelled.
std::vector<launch::ConnectionTest> test_connections(const std::vector<std::string>& names,
                                                     const ConnectOptions& options = {});

}  // namespace trainyard::remote
