// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Queries hosts without a run, for `trainyard probe` and the Hosts page: their hardware and software (one command over
// one connection, read-only), and which of them can connect to each other.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "remote/host_facts.h"
#include "remote/host_store.h"
#include "remote/session.h"

namespace trainyard::launch {
struct ConnectionTest;
}

namespace trainyard::remote {

/// Queries a host over an existing connection. `stored`: runs folder and interpreter of the host. Throws
/// ConnectionError, with timed_out after `seconds`.
HostFacts probe(Session& session, const StoredHost& stored = {}, double seconds = 8);

struct ProbeResult {
    std::string host;
    std::optional<HostFacts> facts;
    double connect_s = 0;  ///< seconds to connect and log in
    Message problem;       ///< one sentence: why there are no facts
    std::string cause;     ///< name_of(Cause); empty if `facts` is set
    std::string command_to_try;
    std::vector<Message> transcript;

    void fields(auto& field) const {
        field("host", host)("facts", facts)("connect_s", connect_s)("problem", problem)("cause", cause);
        field("command_to_try", command_to_try)("transcript", transcript);
    }
};

/// Queries all hosts at once (for_all_hosts). Results are in the order of `names`. A
/// failure of a single host does not throw. `on_result`, if given, is called on those threads, one call at a time.
std::vector<ProbeResult> probe_hosts(const std::vector<std::string>& names, const ConnectOptions& options = {},
                                     const std::function<void(const ProbeResult&)>& on_result = {});
std::string to_json(const ProbeResult& result);

/// Tests every ordered pair of different hosts, in the order of `names`; `localhost` is this machine. All hosts are
/// queried at once, each with its own `trainyard`: the one named in hosts.yaml, one in its PATH, or one that an earlier
/// launch copied; nothing is copied. Pairs with a host that cannot take part are not ok, with the reason as `problem`.
/// Each host opens ports on its own addresses for some seconds while the others connect, then closes them. A failure of
/// a single host does not throw; throws ConnectionError(cancelled) when cancelled.
std::vector<launch::ConnectionTest> test_connections(const std::vector<std::string>& names,
                                                     const ConnectOptions& options = {});

}  // namespace trainyard::remote
