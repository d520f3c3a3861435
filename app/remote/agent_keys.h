// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The keys an ssh-agent holds (draft-miller-ssh-agent), to show them and to offer them one at a time.

#include <string>
#include <vector>

#include "remote/host_key.h"

namespace trainyard::remote {

struct AgentKey {
    HostKey key;
    std::string comment;
    /// Lives in a security key that wants to be touched.
    bool needs_touch() const { return key.type.starts_with("sk-"); }
};

/// `socket` as HostSettings::identity_agent: empty means $SSH_AUTH_SOCK, `none` no agent. Throws UserError with one sentence when
/// there is none ("no agent: SSH_AUTH_SOCK is not set") or it does not answer.
std::vector<AgentKey> agent_keys(const std::string& socket = {});
/// The path an identity_agent stands for; empty: none.
std::string agent_socket(const std::string& identity_agent);

}  // namespace trainyard::remote
