// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The libssh session behind a Session, always non-blocking: every wait goes through wait(), which knows the cancel
// flag, the limit, and whether the other side still lives. Inside app/remote only.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <libssh/libssh.h>

#include "base/file_descriptor.h"
#include "remote/session.h"

namespace trainyard::remote {

/// What a connection runs over: a socket, and what keeps it going (a jump host's thread, a ProxyCommand).
class Carrier {
  public:
    virtual ~Carrier() = default;
    /// Why the line ended, if this is what ended it; empty: it is not to blame.
    virtual Message blame() = 0;
};

struct Line {
    FileDescriptor socket;
    std::unique_ptr<Carrier> carrier;  ///< empty: a TCP connection of our own
    std::string local_address, remote_address;
};

class KnownHosts;

struct Link {
    Link(HostSettings settings, const ConnectOptions& options, Line line, std::vector<Message>& transcript);
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    /// Banner, key exchange, host key. Throws.
    void shake_hands(double seconds);

    /// Repeats a libssh call while it answers `again`. Throws on cancel, silence, and timed_out with `sentence` after
    /// `seconds`.
    int repeat(const std::function<int()>& call, int again, double seconds, const Message& sentence);

    enum class Woken { socket, wake, limit };
    /// Until the socket has something (or had: packets were taken in), `wake` is readable or `seconds` (negative: none)
    /// are over. Throws on cancel and silence.
    Woken wait(double seconds, int wake = -1);
    /// Takes in what has come and sends a sign of life when it is time; throws connection_lost.
    void look();
    /// Time that a person took does not count as silence.
    void heard_now();
    /// From now on silence is broken by asking: servers answer such requests only to those who are logged in.
    void start_asking_for_life() { authenticated_ = true; }
    [[noreturn]] void lost(const Message& why = {});
    [[noreturn]] void fail(Cause cause, const Message& sentence, const std::string& command = {}) const;
    void note(const Message& text) { transcript.push_back(printable_message(text)); }
    /// Number of packets that have come. What was done before it changed has to be looked at again before anybody
    /// waits.
    std::uint64_t packets() const { return packets_.in_packets; }
    bool connected() const { return session != nullptr && ::ssh_is_connected(session) != 0; }
    void close();

    HostSettings host;
    double silence;
    std::shared_ptr<Cancel> cancel;
    AcceptedKeys accepted_once;
    Line line;
    std::vector<Message> transcript;
    ssh_session session = nullptr;
    HostKey key;
    Message authenticated_by;
    std::optional<ShellFacts> shell;
    Message lost_because;  ///< set once

  private:
    void check_host_key();
    /// The files of ssh_config and what its KnownHostsCommand prints. `why` is the value of its token %I: `ORDER` or
    /// `HOSTNAME`.
    KnownHosts known_hosts(const std::string& why);
    bool heard_something();

    ssh_counter_struct sockets_{}, packets_{};
    std::uint64_t packets_heard_ = 0;
    std::uint64_t acknowledged_ = 0;
    double last_heard_ = 0;
    double last_asked_ = 0;
    double asked_since_ = 0;  ///< the first question for a sign of life that nothing has come after; 0: none
    bool authenticated_ = false;
};

/// Runs the ways of authentication in their order (authentication.cpp). Throws.
void authenticate(Link& link, Asker* asker, bool use_key_ring);

/// TCP connection to a host, or its ProxyCommand (dial.cpp). `seen_from`: empty, for messages.
Line dial(const HostSettings& host, double seconds, Cancel* cancel, std::vector<Message>& transcript);
/// A line through a host that we are logged in on (jump.cpp); takes the link over.
Line dial_through(std::unique_ptr<Link> jump, const HostSettings& host, double seconds);

/// The public part of a key.
HostKey host_key_of(ssh_key key);
/// `host` (user@name:port), or just the name where both are the same.
std::string described(const HostSettings& host);
/// A number of seconds for a sentence: `5 s`.
std::string seconds_text(double seconds);

}  // namespace trainyard::remote
