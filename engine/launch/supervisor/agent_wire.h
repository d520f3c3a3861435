#pragma once
// Frames between the head of a run and its agents, over one TCP connection.
//
//   4 bytes  length of the rest, big endian
//   1 byte   kind
//   8 bytes  number of the frame in its direction, from 0, big endian  \  only after the handshake (secret_handshake.h)
//   n bytes  payload
//   32 bytes HMAC-SHA256(key of the direction, kind || number || payload)  /
//
// Frames of the handshake are at most 4 KiB, later ones at most 4 MiB; whatever breaks a rule ends the connection. Payloads are JSON
// (agent_messages.h) but for what ranks write, to their terminal or as event files, which is bytes.
//
// Buffers are bounded. What ranks write is dropped when the link is slower than they are (the agent's own log keeps it), heartbeats
// overtake everything that waits, event files wait until there is room, and a peer that takes nothing for 16 MiB of messages is given up.

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
#include "launch/supervisor/secret_handshake.h"

namespace trainyard::launch {

enum class FrameKind : std::uint8_t {
    hello = 1,
    challenge = 2,
    proof = 3,
    refusal = 4,  ///< why there will be no connection, for people
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

inline constexpr std::size_t kLongestHandshakeFrame = 4096;
inline constexpr std::size_t kLongestFrame = 4u << 20;
inline constexpr std::size_t kLongestOutput = 16u << 10;  ///< bytes of a rank in one frame

/// Bytes of one direction -> frames. Pure: for tests and fuzzing, too.
class FrameReader {
  public:
    /// Frames that follow are numbered and authenticated.
    void use_key(const Digest& key) { key_ = key; }
    void feed(std::string_view bytes) { buffer_ += bytes; }
    /// Empty: no whole frame is there. Throws WireError; nothing can be read after that.
    std::optional<Frame> next();
    std::size_t buffered() const { return buffer_.size() - begin_; }

  private:
    std::string buffer_;
    std::size_t begin_ = 0;
    std::optional<Digest> key_;
    std::uint64_t number_ = 0;
};

/// Frames -> bytes of one direction.
class FrameWriter {
  public:
    void use_key(const Digest& key) { key_ = key; }
    std::string bytes_of(const Frame& frame);

  private:
    std::optional<Digest> key_;
    std::uint64_t number_ = 0;
};

/// A connected socket with both. Never blocks.
class AgentConnection {
  public:
    /// `socket` is connected, or being connected (begin_connecting).
    AgentConnection(FileDescriptor socket, std::string peer);

    const std::string& peer() const { return peer_; }  ///< "10.0.0.2:40123", for people
    /// Of our end of the connection: the interface that reaches the peer.
    std::string own_address() const;
    std::string peer_address() const;
    void use_keys(const Digest& sending, const Digest& receiving);

    void send(FrameKind kind, std::string payload);
    /// False: dropped, since the link does not keep up.
    bool send_output(std::string payload);
    /// False: not now; to be offered again.
    bool send_events(std::string payload, std::size_t most_waiting = 256u << 10);
    void send_heartbeat(std::string payload);

    void add_descriptors(std::vector<pollfd>& descriptors) const;
    /// Writes and reads what can be now, a bounded amount. What has been read is to be taken with next() before the next wait: the
    /// descriptor does not tell of it again.
    void exchange();
    /// Writes what can be now.
    void flush();
    /// The next frame that has arrived. Throws WireError.
    std::optional<Frame> next();

    /// The peer is gone, or was given up; why() for people. Frames that had arrived before can still be taken.
    bool broken() const { return broken_; }
    const Message& why() const { return why_; }
    /// The system refused to connect: nobody listens there.
    bool was_refused() const { return refused_; }
    /// Monotonic, of the last whole frame.
    double heard() const { return heard_; }
    bool sending() const { return !outgoing_.empty() || !urgent_.empty() || !waiting_.empty(); }
    /// Nothing more will be sent; waits up to `seconds` until the peer has taken all of it and closed its end.
    void finish(double seconds);

  private:
    void give_up(const Message& why);
    void find_out_whether_connected();
    void write_some();
    void read_some();

    FileDescriptor socket_;
    std::string peer_;
    FrameReader reader_;
    FrameWriter writer_;
    std::deque<Frame> urgent_;
    std::deque<Frame> waiting_;
    std::size_t waiting_output_ = 0;  ///< bytes
    std::size_t waiting_events_ = 0;
    std::size_t waiting_messages_ = 0;
    std::string outgoing_;  ///< of frames that have been sealed
    bool connected_ = false;
    bool broken_ = false;
    bool refused_ = false;
    Message why_;
    double heard_;
};

/// A connection under way to address:port, that does not block; `error` is what the system said at once, else 0.
FileDescriptor begin_connecting(const std::string& address, int port, Message& error);

}  // namespace trainyard::launch
