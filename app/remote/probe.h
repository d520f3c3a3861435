#pragma once
// Asking hosts: what they have (one command over one connection, read-only), and who reaches whom.

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
    std::string problem;   ///< why there are no facts, one sentence
    std::string cause;     ///< name_of(Cause); empty where there are facts
    std::string command_to_try;
    std::vector<std::string> transcript;
};

/// All at once, a thread each (at most 32 at a time); the results in the order of `names`. Never throws for a single host.
/// `on_result`, where given, is called on those threads, one at a time.
std::vector<ProbeResult> probe_hosts(const std::vector<std::string>& names, const ConnectOptions& options = {},
                                     const std::function<void(const ProbeResult&)>& on_result = {});
std::string to_json(const ProbeResult& result);

/// Can `from` open a TCP connection to `to`, and over which addresses?
struct Reach {
    std::string from;
    std::string to;
    bool ok = false;
    std::string address;        ///< of `to` that answered
    std::string local_address;  ///< of `from` on that way
    std::string interface;      ///< of `from` on that way
    double round_trip_s = 0;
    std::string problem;  ///< "refused", "no answer for 3 s", ...; empty when ok
};

/// Every pair. Each host opens a port on its own addresses for seconds, the others connect; all of it goes away by itself. `programs`:
/// path of `trainyard` on each host of the same index (a bundle's). Throws ConnectionError when a host cannot take part.
std::vector<Reach> reach_matrix(std::vector<Session> hosts, const std::vector<std::string>& programs);

}  // namespace trainyard::remote
