// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Frames between the head of a run and its agents, over one TCP connection that is encrypted and authenticated
// (secure_channel.h).
//
//   4 bytes  length of the rest, big endian, at most 4 MiB
//   1 byte   kind
//   n bytes  payload
//
// A frame that breaks a rule ends the connection. An incomplete frame is never delivered, so it does not matter whether
// a connection ended with close_notify. Payloads are JSON (agent_messages.h), except for what ranks write to their
// terminal or as event files, which is bytes.
//
// Buffers are bounded. Output of ranks is dropped when the link is slower than they are (the agent's own log has it),
// heartbeats overtake all frames that wait, event files wait until there is room, and a peer with more than 16 MiB of
// unsent messages is disconnected.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>

#include "base/file_descriptor.h"
#include "base/message.h"
#include "launch/supervisor/secure_channel.h"

namespace trainyard::launch {

enum class FrameKind : std::uint8_t {
    hello = 1,    ///< the first frame of an agent
    refusal = 4,  ///< why there is no connection, for the user; the same number in all versions of the protocol
    message = 16,
    output = 17,
    heartbeat = 18,
    events = 19,  ///< a part of an event file (remote_event_files.h)
};

struct Frame {
    FrameKind kind = FrameKind::message;
    std::string payload;
};

/// The peer does not keep to the rules; what() says which one, for people.
class WireError : public std::runtime_error {
  public:
    explicit WireError(Message message)
        : std::runtime_error(message.text()), message_(std::make_shared<const Message>(std::move(message))) {}
    const Message& message() const { return *message_; }

  private:
    std::shared_ptr<const Message> message_;
};

inline constexpr std::size_t kLongestFrame = 4u << 20;
inline constexpr std::size_t kLongestOutput = 16u << 10;  ///< bytes of a rank in one frame

/// Splits the decrypted bytes of one direction into frames.
class FrameReader {
  public:
    void feed(std::string_view bytes) { buffer_ += bytes; }
    /// Empty if no whole frame has arrived. Throws WireError; nothing can be read after that.
    std::optional<Frame> next();
    std::size_t buffered() const { return buffer_.size() - begin_; }

  private:
    std::string buffer_;
    std::size_t begin_ = 0;
};

std::string encode_frame(const Frame& frame);

/// A socket with a secure channel. Never blocks. What is sent before the channel is established waits for it.
class AgentConnection {
  public:
    /// `socket` is connected, or being connected (begin_connecting).
    AgentConnection(FileDescriptor socket, std::string peer, SecureChannel channel);

    const std::string& peer() const { return peer_; }  ///< "10.0.0.2:40123", for people
    /// Of our end of the connection: the interface that reaches the peer.
    std::string own_address() const;
    std::string peer_address() const;
    const SecureChannel& channel() const { return channel_; }

    void send(FrameKind kind, std::string payload);
    /// False: dropped, since the link does not keep up.
    bool send_output(std::string payload);
    /// False: not now; to be offered again.
    bool send_events(std::string payload, std::size_t most_waiting = 256u << 10);
    void send_heartbeat(std::string payload);

    void add_descriptors(std::vector<pollfd>& descriptors) const;
    /// Writes and reads what can be now, a bounded amount. What has been read is to be taken with next() before the
    /// next wait: the descriptor does not tell of it again.
    void exchange();
    /// Writes what can be now.
    void flush();
    /// Best effort, to a peer whose channel failed because it does not use TLS.
    void send_unencrypted(const Frame& frame);
    /// The next frame that has arrived. Throws WireError.
    std::optional<Frame> next();

    /// The peer is gone, or was given up; why() for people. Frames that had arrived before can still be taken.
    bool broken() const { return broken_; }
    const Message& why() const { return why_; }
    /// The system refused to connect: nobody listens there.
    bool was_refused() const { return refused_; }
    /// Monotonic, of the last whole frame.
    double heard() const { return heard_; }
    bool sending() const {
        return !outgoing_.empty() || (channel_.established() && (!urgent_.empty() || !waiting_.empty()));
    }
    /// Nothing more will be sent; waits up to `seconds` until the peer has taken all of it and closed its end.
    void finish(double seconds);

  private:
    void give_up(const Message& why);
    void find_out_whether_connected();
    void write_some();
    void read_some();

    FileDescriptor socket_;
    std::string peer_;
    SecureChannel channel_;
    FrameReader reader_;
    std::deque<Frame> urgent_;
    std::deque<Frame> waiting_;
    std::size_t waiting_output_ = 0;  ///< bytes
    std::size_t waiting_events_ = 0;
    std::size_t waiting_messages_ = 0;
    std::string outgoing_;  ///< encrypted
    bool connected_ = false;
    bool broken_ = false;
    bool refused_ = false;
    Message why_;
    double heard_;
};

/// A connection under way to address:port, that does not block; `error` is what the system said at once, else 0.
FileDescriptor begin_connecting(const std::string& address, int port, Message& error);

}  // namespace trainyard::launch
