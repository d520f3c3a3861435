// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Queries the hardware and software of hosts: one command over one connection, read-only. For connectivity between
// hosts see reach.h.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "remote/host_facts.h"
#include "remote/host_store.h"
#include "remote/session.h"

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

}  // namespace trainyard::remote
