// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Provides the hosts of the Hosts page and probes them. All functions may block and are called on other threads, which
// share ownership. SshHostSource is the real implementation; tests have others. Times are wall seconds.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/supervisor/connection_test.h"
#include "remote/agent_keys.h"
#include "remote/asker.h"
#include "remote/host_key.h"
#include "remote/host_store.h"
#include "remote/probe.h"
#include "remote/session.h"

namespace trainyard::desktop {

/// This machine in lists of hosts; it is asked without SSH.
inline constexpr const char* kThisMachine = "localhost";

/// The answer of a host, or the reason why there is none.
struct HostAnswer {
    remote::ProbeResult result;
    std::optional<remote::HostKeyReport> key;  ///< unknown, changed or revoked: which, `result.cause` says
    std::string authenticated_by;              ///< `agent: ED25519 SHA256:... (comment)`
    std::string host_key;                      ///< `ED25519 SHA256:...`, proven by the host
    double time = 0;
    bool connected = false;  ///< the connection is kept for the next question
};

struct HostListing {
    std::vector<remote::KnownHost> hosts;        ///< without this machine
    std::map<std::string, std::string> targets;  ///< by name: `user@gpu-b:22 · ProxyJump bastion`
    std::map<std::string, HostAnswer> last;      ///< by name: kept from an earlier start; this machine, too
    std::vector<Message> problems;               ///< sentences: a file that cannot be read
    std::map<std::string, Message> unusable;     ///< by name: why its settings cannot be used
};

/// A key that could open hosts, for the dialog about keys.
struct UsableKey {
    std::string type;         ///< ED25519
    std::string fingerprint;  ///< SHA256:...; empty for a file that only its passphrase would open
    std::string comment;      ///< of the agent, or the path of the file
    bool in_agent = false;
    std::vector<std::string> opened;  ///< names of hosts, of this start
};
struct KeyListing {
    std::vector<UsableKey> keys;
    std::string agent;  ///< path of its socket; empty: none
    Message problem;    ///< why the agent cannot be asked
    Message key_ring;   ///< why passwords cannot be kept; empty: they can
};

struct ProbeOrder {
    std::shared_ptr<remote::Asker> asker;
    remote::AcceptedKeys accepted_once;
    std::shared_ptr<remote::Cancel> cancel;
};

class HostSource {
  public:
    virtual ~HostSource() = default;
    virtual HostListing list() = 0;
    /// Never throws; a failed probe is reported in the answer.
    virtual HostAnswer probe(const std::string& name, const ProbeOrder& order) = 0;
    /// The following functions may throw UserError.
    virtual void trust(const remote::HostKeyReport& report) = 0;
    /// Returns the problems of an entry; `key` names the field.
    virtual std::vector<Problem> check(const remote::StoredHost& host) = 0;
    /// `before`: its name up to now, empty for a new one.
    virtual void save(const remote::StoredHost& host, const std::string& before) = 0;
    virtual void forget(const std::string& name) = 0;
    virtual void set_order(const std::vector<std::string>& names) = 0;
    virtual KeyListing keys() = 0;
    /// Measures every ordered pair of these hosts. The pairs of a host that cannot take part have the reason.
    virtual std::vector<launch::ConnectionTest> reach(const std::vector<std::string>& names,
                                                      const ProbeOrder& order) = 0;
    /// Returns the command to run in a terminal: `ssh -p 22 -- user@host`.
    virtual std::vector<std::string> terminal_command(const std::string& name) = 0;
};

}  // namespace trainyard::desktop
