// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages of the SSH agent protocol (draft-miller-ssh-agent): a length of four bytes, a type, fields. Private to
// app/remote.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"
#include "remote/agent_keys.h"

namespace trainyard::remote {

constexpr char kRequestIdentities = 11;  ///< message type
constexpr double kPersonWithin = 60;     ///< seconds to wait while the user may have to touch or confirm a key

/// Encodes a string of the SSH protocol: its length in four bytes, then its bytes.
std::string wire_text(std::string_view text);
/// Takes a string of the SSH protocol from the front of `bytes`; std::nullopt if it is truncated.
std::optional<std::string_view> take_wire_text(std::string_view& bytes);

/// Connects to the agent. Throws UserError.
FileDescriptor connect_agent(const std::string& identity_agent);
/// Reads one message, without its length prefix. Returns std::nullopt at the end of the stream, after `seconds` without
/// a byte (negative: no limit), when `wake` becomes readable, or for a malformed message.
std::optional<std::string> read_agent_message(int socket, double seconds, int wake);
/// The reply of an agent that holds these keys to a request for its identities.
std::string identities_answer(const std::vector<AgentKey>& keys);

/// A proxy between libssh and the agent that shows one key at a time, so that we know which keys, and how many, were
/// offered to a server. Only requests to sign with that key are forwarded.
class AgentFilter {
  public:
    /// `cancel` (a descriptor, -1: none) ends waiting for the user once it is readable. Throws UserError if the agent
    /// cannot be reached.
    AgentFilter(const std::string& identity_agent, int cancel);
    ~AgentFilter();
    AgentFilter(const AgentFilter&) = delete;
    AgentFilter& operator=(const AgentFilter&) = delete;

    /// The end of the connection for libssh. It can be taken once; the caller becomes its owner.
    int take_descriptor();
    void show(const AgentKey& key);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace trainyard::remote
