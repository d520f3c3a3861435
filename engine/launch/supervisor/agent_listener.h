// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Accepts the agents of a run: one listening socket on one address, and the connections that have not joined yet. A
// peer learns nothing about the run before the TLS handshake is complete.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <poll.h>

#include "base/message.h"
#include "launch/supervisor/agent_messages.h"
#include "launch/supervisor/agent_wire.h"

namespace trainyard::launch {

struct ListenerOptions {
    std::string address = "127.0.0.1";  ///< of one interface; never all of them
    int port = 0;                       ///< 0: a free one
    std::string rendezvous;             ///< PSK identity of agents: --rdzv_id, or (empty) the run's id
    Secret secret;
    double handshake_s = 10;  ///< time limit from accept to join
};

class AgentListener {
  public:
    explicit AgentListener(ListenerOptions options);
    ~AgentListener();

    /// Binds and listens; a second call after close() takes the same port. Throws UserError.
    void open();
    void close();
    /// The name to use where the options have none.
    void meet_as(const std::string& run_id);
    bool is_open() const { return static_cast<bool>(socket_); }
    int port() const { return options_.port; }
    const std::string& address() const { return options_.address; }

    void add_descriptors(std::vector<pollfd>& descriptors) const;
    /// Accepts connections, advances handshakes, and closes connections that break the protocol.
    void take();

    /// An authenticated agent that asks to join. The caller answers with JoinAnswer or refuse().
    struct Arrival {
        JoinRequest request;
        std::unique_ptr<AgentConnection> connection;
    };
    std::optional<Arrival> next_arrival();
    /// An arrival that cannot take part: it is told why, and has a moment to read it.
    void refuse(std::unique_ptr<AgentConnection> connection, const Refusal& refusal);
    /// Sentences on who was turned away, for the journal; bounded.
    std::vector<Message> take_notes();

  private:
    struct Guest;
    void accept_all();
    /// False: this guest has gone on to next_arrival(), or is gone.
    bool go_on(Guest& guest);
    /// False: there is nothing more to hear of it here.
    bool take_frame(Guest& guest, const Frame& frame);
    void note_failure(AgentConnection& connection);
    /// With words for it, it stays a moment to read them.
    bool turn_away(Guest& guest, const Message& to_it, const Message& to_us);
    void say_farewell(Guest& guest, const Refusal& refusal);
    void note(const Message& text);

    ListenerOptions options_;
    FileDescriptor socket_;
    std::vector<std::unique_ptr<Guest>> guests_;
    std::deque<Arrival> arrivals_;
    std::vector<Message> notes_;
};

}  // namespace trainyard::launch
