#pragma once
// Messages of the agent's protocol (draft-miller-ssh-agent): a length of four bytes, a type, fields. Inside app/remote only.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"
#include "remote/agent_keys.h"

namespace trainyard::remote {

constexpr char kRequestIdentities = 11;  ///< type of a message
constexpr double kPersonWithin = 60;     ///< seconds for an answer while a person may have to touch or confirm a key

/// A text of SSH's wire: its length in four bytes, then itself.
std::string wire_text(std::string_view text);
/// Takes one from the front; nothing when it is cut off.
std::optional<std::string_view> take_wire_text(std::string_view& bytes);

/// Throws UserError.
FileDescriptor connect_agent(const std::string& identity_agent);
/// One message without its length. Nothing: the end, `seconds` (negative: no limit) without a byte, `wake` is readable, or nonsense.
std::optional<std::string> read_agent_message(int socket, double seconds, int wake);
/// What an agent with these keys answers when it is asked for its identities.
std::string identities_answer(const std::vector<AgentKey>& keys);

/// Stands between libssh and the agent and shows one key at a time, so that we know which keys a server was offered, and how many.
/// Forwards requests to sign with that key and nothing else.
class AgentFilter {
  public:
    /// `cancel` (a descriptor, -1: none) ends waiting for a person once it is readable. Throws UserError when the agent cannot be reached.
    AgentFilter(const std::string& identity_agent, int cancel);
    ~AgentFilter();
    AgentFilter(const AgentFilter&) = delete;
    AgentFilter& operator=(const AgentFilter&) = delete;

    /// libssh's end; released to it once.
    int take_descriptor();
    void show(const AgentKey& key);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace trainyard::remote
