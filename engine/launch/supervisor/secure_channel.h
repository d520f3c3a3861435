// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// TLS 1.3 (RFC 8446) between the head of a run, which is the server, and its agents, the clients. Both authenticate
// each other with an external pre-shared key (PSK): HKDF-SHA256 (RFC 5869) of the run's secret, with the rendezvous as
// salt. The PSK identity is the rendezvous.
//
// There are no certificates, tickets, resumption or early data. The only cipher suite is TLS_AES_128_GCM_SHA256. The
// only key exchange mode is psk_dhe_ke, so a secret that leaks later does not decrypt recorded traffic.
//
// Limits: The ClientHello contains the rendezvous in plain text. The secret proves membership in the run, not which
// machine a peer is: every member can pose as another one (RFC 9257, section 4). A secret that can be guessed can be
// guessed offline from a recorded handshake. The traffic between ranks (TCPStore, Gloo, NCCL) does not use this
// channel.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/message.h"
#include "launch/supervisor/run_secret.h"

namespace trainyard::launch {

/// One end of a connection, without its socket: the caller transports the bytes. Not thread-safe. Failures are final
/// and are reported by failure(); only the constructor throws.
class SecureChannel {
  public:
    enum class Role { client, server };
    enum class Failure {
        none,
        closed,             ///< the peer has sent close_notify
        other_rendezvous,   ///< client and server have different ones
        secret_refused,     ///< of a client: the server has another secret
        peer_lacks_secret,  ///< the peer could not authenticate itself
        unencrypted,        ///< of a server: the peer sends frames without TLS, as agents before protocol 3 do
        other,              ///< not TLS 1.3, or bytes were changed, dropped or repeated
    };

    /// A client's first message can be sent at once. Throws UserError if OpenSSL lacks what is needed.
    SecureChannel(Role role, const Secret& secret, std::string rendezvous);
    ~SecureChannel();
    SecureChannel(SecureChannel&& other) noexcept;

    /// Takes bytes of the peer and appends what they decrypt to. At most 16 KiB are accepted before established().
    void receive(std::string_view bytes, std::string& plaintext);
    /// Encrypts. The channel must be established and must not have failed.
    void send(std::string_view plaintext);
    /// Sends close_notify; nothing can be sent after it.
    void close();
    /// Returns bytes for the peer and forgets them. After a failure these are the TLS alert that reports it.
    std::string take_outgoing();

    /// Both ends have proved that they know the secret.
    bool established() const { return established_; }
    Failure failure() const { return failure_; }
    /// The reason of Failure::closed and Failure::other, as a part of a sentence.
    const Message& why() const { return why_; }
    /// Of a server: the rendezvous of the client if it differs.
    const std::string& requested_rendezvous() const;

  private:
    struct State;
    void shake_hands();
    void fail(Failure failure, const Message& why);
    void fail_with_openssl_error();

    std::unique_ptr<State> state_;
    std::size_t handshake_bytes_ = 0;
    std::uint64_t bytes_of_key_ = 0;
    bool established_ = false;
    Failure failure_ = Failure::none;
    Message why_;
};

}  // namespace trainyard::launch
