#pragma once
// Asking hosts what they have: one command over one connection, read-only. Who reaches whom: reach.h.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "remote/host_facts.h"
#include "remote/host_store.h"
#include "remote/session.h"

namespace trainyard::remote {

/// Asks over a connection that is there. `stored`: runs folder and interpreter of the host. Throws ConnectionError; timed_out after
/// `seconds`.
HostFacts probe(Session& session, const StoredHost& stored = {}, double seconds = 8);

struct ProbeResult {
    std::string host;
    std::optional<HostFacts> facts;
    double connect_s = 0;  ///< to reach it and log in
    Message problem;       ///< why there are no facts, one sentence
    std::string cause;     ///< name_of(Cause); empty where there are facts
    std::string command_to_try;
    std::vector<Message> transcript;

    void fields(auto& field) const {
        field("host", host)("facts", facts)("connect_s", connect_s)("problem", problem)("cause", cause);
        field("command_to_try", command_to_try)("transcript", transcript);
    }
};

/// All at once, a thread each (at most 32 at a time); the results in the order of `names`. Never throws for a single host.
/// `on_result`, where given, is called on those threads, one at a time.
std::vector<ProbeResult> probe_hosts(const std::vector<std::string>& names, const ConnectOptions& options = {},
                                     const std::function<void(const ProbeResult&)>& on_result = {});
std::string to_json(const ProbeResult& result);

}  // namespace trainyard::remote
