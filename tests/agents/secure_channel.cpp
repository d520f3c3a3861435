// SPDX-License-Identifier: GPL-3.0-or-later
// TLS between the head of a run and its agents: authentication, encryption and limits, with peers that do not know the
// secret or do not use TLS 1.3 with a pre-shared key.

#include "launch/supervisor/secure_channel.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "base/error.h"
#include "support/says.h"

using namespace trainyard;
using namespace trainyard::launch;
using test::says;
using testing::HasSubstr;
using testing::Not;
using Failure = SecureChannel::Failure;
using Role = SecureChannel::Role;

namespace {

/// An agent and a head without a network.
struct Pair {
    explicit Pair(const std::string& client_secret = "secret", const std::string& client_rendezvous = "run")
        : client(Role::client, Secret(client_secret), client_rendezvous),
          server(Role::server, Secret("secret"), "run") {}

    bool established() const { return client.established() && server.established(); }

    /// Passes bytes both ways, in pieces, until none is left.
    void pump(std::size_t piece = 65536) {
        for (bool passed = true; passed;) {
            passed = pass(client, server, from_client, at_server, piece);
            passed = pass(server, client, from_server, at_client, piece) || passed;
        }
    }
    static bool pass(SecureChannel& from, SecureChannel& to, std::string& wire, std::string& plaintext,
                     std::size_t piece) {
        const std::string bytes = from.take_outgoing();
        for (std::size_t at = 0; at < bytes.size(); at += piece)
            to.receive(std::string_view(bytes).substr(at, piece), plaintext);
        wire += bytes;
        return !bytes.empty();
    }

    SecureChannel client, server;
    std::string from_client, from_server;  ///< on the wire
    std::string at_client, at_server;      ///< decrypted
};

template <typename Type, void (*release)(Type*)>
struct Release {
    void operator()(Type* object) const { release(object); }
};
template <typename Type, void (*release)(Type*)>
using Owned = std::unique_ptr<Type, Release<Type, release>>;

/// OpenSSL with the settings of another program.
struct ForeignPeer {
    explicit ForeignPeer(Role end)
        : context(::SSL_CTX_new(end == Role::server ? ::TLS_server_method() : ::TLS_client_method())), role(end) {}

    /// Until neither side has anything to send. Returns OpenSSL's reason for the failure of the foreign peer.
    std::string talk_to(SecureChannel& channel) {
        ssl.reset(::SSL_new(context.get()));
        BIO *incoming = ::BIO_new(::BIO_s_mem()), *outgoing = ::BIO_new(::BIO_s_mem());
        ::SSL_set_bio(ssl.get(), incoming, outgoing);
        if (role == Role::server)
            ::SSL_set_accept_state(ssl.get());
        else
            ::SSL_set_connect_state(ssl.get());
        std::string reason, plaintext;
        for (int round = 0; round < 10; ++round) {
            ::ERR_clear_error();
            if (::SSL_do_handshake(ssl.get()) != 1)
                if (const char* text = ::ERR_reason_error_string(::ERR_peek_error()); text != nullptr && reason.empty())
                    reason = text;
            std::string bytes(::BIO_ctrl_pending(outgoing), '\0');
            if (!bytes.empty())
                ::BIO_read(outgoing, bytes.data(), static_cast<int>(bytes.size()));
            channel.receive(bytes, plaintext);
            const std::string answer = channel.take_outgoing();
            if (!answer.empty())
                ::BIO_write(incoming, answer.data(), static_cast<int>(answer.size()));
        }
        EXPECT_EQ(plaintext, "");
        return reason;
    }

    Owned<SSL_CTX, ::SSL_CTX_free> context;
    Owned<SSL, ::SSL_free> ssl;
    Role role;
};

TEST(SecureChannel, PeersWithTheSameSecretAreEstablished) {
    Pair pair;
    EXPECT_FALSE(pair.client.established() || pair.server.established());
    pair.pump(1);
    ASSERT_TRUE(pair.established()) << pair.client.why() << pair.server.why();
    pair.client.send("from the agent");
    pair.server.send("from the head");
    pair.pump(1);
    EXPECT_EQ(pair.at_server, "from the agent");
    EXPECT_EQ(pair.at_client, "from the head");
    EXPECT_EQ(pair.client.failure(), Failure::none);
    EXPECT_EQ(pair.server.failure(), Failure::none);
}

TEST(SecureChannel, TheKeyExchangeIsEphemeralAndThereAreNoTickets) {
    Pair pair;
    Pair::pass(pair.client, pair.server, pair.from_client, pair.at_server, 65536);
    // Extension 45, psk_key_exchange_modes: one mode, psk_dhe_ke. The identity is in plain text, as secure_channel.h
    // states.
    EXPECT_THAT(pair.from_client, HasSubstr(std::string("\x00\x2d\x00\x02\x01\x01", 6)));
    EXPECT_THAT(pair.from_client, HasSubstr("run"));
    Pair::pass(pair.server, pair.client, pair.from_server, pair.at_client, 65536);
    Pair::pass(pair.client, pair.server, pair.from_client, pair.at_server, 65536);
    ASSERT_TRUE(pair.established());
    EXPECT_EQ(pair.server.take_outgoing(), "");
}

TEST(SecureChannel, LargeMessagesPassBothWaysAndNothingIsReadableOnTheWire) {
    Pair pair;
    pair.pump();
    std::string up, down;
    while (up.size() < (4u << 20)) {
        up += "step " + std::to_string(up.size()) + " of the agent\n";
        down += "order " + std::to_string(down.size()) + " of the head\n";
    }
    pair.client.send(up);
    pair.server.send(down);
    pair.pump(1000);
    EXPECT_TRUE(pair.at_server == up);
    EXPECT_TRUE(pair.at_client == down);
    EXPECT_GT(pair.from_client.size(), up.size());
    for (const std::string& wire : {pair.from_client, pair.from_server}) {
        EXPECT_EQ(wire.find("of the agent"), std::string::npos);
        EXPECT_EQ(wire.find("of the head"), std::string::npos);
        EXPECT_EQ(wire.find("secret"), std::string::npos);
    }
}

TEST(SecureChannel, TheSameMessageIsAnotherOnEachConnectionAndEachTime) {
    Pair one, other;
    one.pump();
    other.pump();
    one.client.send("heartbeat");
    other.client.send("heartbeat");
    const std::string first = one.client.take_outgoing();
    one.client.send("heartbeat");
    EXPECT_NE(first, one.client.take_outgoing());
    EXPECT_NE(first, other.client.take_outgoing());
}

TEST(SecureChannel, KeysAreReplacedDuringALongConnection) {
    Pair pair;
    pair.pump();
    const std::string part(16u << 20, 'x');
    std::size_t usual = 0;
    int updates = 0;
    for (int i = 0; i < 18; ++i) {
        pair.client.send(part);
        pair.from_client.clear();
        pair.pump();
        ASSERT_TRUE(pair.at_server == part) << i << pair.server.why();
        pair.at_server.clear();
        if (i == 0)
            usual = pair.from_client.size();
        updates += pair.from_client.size() > usual;  // by a KeyUpdate
    }
    EXPECT_EQ(updates, 1);
    pair.server.send("answer");
    pair.pump();
    EXPECT_EQ(pair.at_client, "answer");
}

TEST(SecureChannel, AnotherSecretIsRefusedAtBothEnds) {
    Pair pair("guess");
    pair.pump();
    EXPECT_FALSE(pair.client.established() || pair.server.established());
    EXPECT_EQ(pair.server.failure(), Failure::peer_lacks_secret);
    EXPECT_EQ(pair.client.failure(), Failure::secret_refused);
    EXPECT_EQ(pair.at_client + pair.at_server, "");
    pair.pump();
    EXPECT_FALSE(pair.client.established() || pair.server.established());
}

TEST(SecureChannel, AnotherRendezvousIsRefusedAtBothEnds) {
    Pair pair("secret", "another run");
    pair.pump();
    EXPECT_FALSE(pair.client.established() || pair.server.established());
    EXPECT_EQ(pair.server.failure(), Failure::other_rendezvous);
    EXPECT_EQ(pair.server.requested_rendezvous(), "another run");
    EXPECT_EQ(pair.client.failure(), Failure::other_rendezvous);
}

TEST(SecureChannel, RendezvousOfAnyLengthAreIdentities) {
    for (const std::size_t size : {1, 100, 1000, 4000}) {
        const std::string name(size, 'n');
        SecureChannel client(Role::client, Secret(std::string(1024, 's')), name),
            server(Role::server, Secret(std::string(1024, 's')), name);
        std::string wire, plaintext;
        for (bool passed = true; passed;) {
            passed = Pair::pass(client, server, wire, plaintext, 65536);
            passed = Pair::pass(server, client, wire, plaintext, 65536) || passed;
        }
        EXPECT_TRUE(client.established() && server.established()) << size;
    }
}

TEST(SecureChannel, PeersWithoutTlsAreRefused) {
    std::string plaintext;
    SecureChannel http(Role::server, Secret("secret"), "run");
    http.receive("GET / HTTP/1.1\r\nHost: head\r\n\r\n", plaintext);
    EXPECT_EQ(http.failure(), Failure::other);
    EXPECT_THAT(http.why(), says("TLS failed: {}", "http request"));
    SecureChannel frames(Role::server, Secret("secret"), "run");
    frames.receive(std::string_view("\0\0\0\x03\x01{}", 7), plaintext);
    EXPECT_EQ(frames.failure(), Failure::unencrypted);
    SecureChannel client(Role::client, Secret("secret"), "run");
    client.receive("SSH-2.0-OpenSSH_9.2\r\n", plaintext);
    EXPECT_EQ(client.failure(), Failure::other);
    EXPECT_EQ(plaintext, "");
}

TEST(SecureChannel, GarbageIsRefusedAndBounded) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
        std::string garbage(64 + random() % 1024, '\0'), plaintext;
        std::ranges::generate(garbage, [&] { return static_cast<char>(random()); });
        garbage[0] = '\x16';  // a record of a handshake
        if (round % 2 == 0)
            garbage.replace(1, 4, std::string("\x03\x01\x00\x20", 4));
        SecureChannel server(Role::server, Secret("secret"), "run");
        server.receive(garbage, plaintext);
        // A record may be longer than what has come.
        EXPECT_TRUE(server.failure() == Failure::other || server.failure() == Failure::none);
        EXPECT_FALSE(server.established());
        EXPECT_EQ(plaintext, "");
    }
    // A ClientHello of 128 KB that never ends.
    SecureChannel server(Role::server, Secret("secret"), "run");
    std::string plaintext;
    std::size_t sent = 0;
    for (bool first = true; server.failure() == Failure::none && sent < (1u << 20); first = false) {
        std::string record("\x16\x03\x01\x10\x00", 5);
        record.resize(5 + 4096, '\x01');
        if (first)
            record.replace(5, 4, std::string("\x01\x01\xf4\x00", 4));
        server.receive(record, plaintext);
        sent += record.size();
    }
    EXPECT_EQ(server.failure(), Failure::other);
    EXPECT_LE(sent, 24u << 10);
}

TEST(SecureChannel, AChangedHandshakeEstablishesNothing) {
    std::mt19937_64 random(7);
    for (bool of_client : {true, false}) {
        std::size_t length = 1000;
        for (std::size_t at = 5; at < length; ++at) {  // after the header of the record, whose version is ignored
            Pair pair;
            std::string hello = pair.client.take_outgoing(), answer;
            if (of_client) {
                length = hello.size();
                hello[at] = static_cast<char>(hello[at] ^ (1 << random() % 8));
            }
            pair.server.receive(hello, pair.at_server);
            answer = pair.server.take_outgoing();
            if (!of_client) {
                length = answer.size();
                answer[at] = static_cast<char>(answer[at] ^ (1 << random() % 8));
            }
            pair.client.receive(answer, pair.at_client);
            pair.pump();
            ASSERT_FALSE(pair.established()) << at << (of_client ? " of the client" : " of the server");
        }
    }
}

TEST(SecureChannel, EveryFlippedBitOfAMessageIsFound) {
    std::string good;
    for (std::size_t bit = 0; bit == 0 || bit < 8 * good.size(); ++bit) {
        Pair pair;
        pair.pump();
        pair.client.send("pay 1");
        std::string bad = good = pair.client.take_outgoing();
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
        pair.server.receive(bad, pair.at_server);
        EXPECT_EQ(pair.at_server, "") << bit;
        // A longer length waits for bytes that do not come.
        EXPECT_TRUE(pair.server.failure() == Failure::other || bit / 8 == 3 || bit / 8 == 4) << bit;
    }
}

TEST(SecureChannel, RepeatedDroppedAndReflectedMessagesAreFound) {
    for (const std::string attack : {"repeat", "drop", "reflect"}) {
        Pair pair;
        pair.pump();
        pair.client.send("a");
        const std::string first = pair.client.take_outgoing();
        pair.client.send("b");
        const std::string second = pair.client.take_outgoing();
        if (attack == "repeat") {
            pair.server.receive(first, pair.at_server);
            pair.server.receive(first, pair.at_server);
            EXPECT_EQ(pair.at_server, "a");
            EXPECT_EQ(pair.server.failure(), Failure::other);
        } else if (attack == "drop") {
            pair.server.receive(second, pair.at_server);
            EXPECT_EQ(pair.at_server, "");
            EXPECT_EQ(pair.server.failure(), Failure::other);
        } else {
            pair.client.receive(first, pair.at_client);
            EXPECT_EQ(pair.at_client, "");
            EXPECT_EQ(pair.client.failure(), Failure::other);
        }
    }
}

TEST(SecureChannel, ARecordedConnectionCannotBeReplayed) {
    Pair recorded;
    recorded.pump();
    recorded.client.send("order");
    recorded.pump();
    ASSERT_EQ(recorded.at_server, "order");
    std::string plaintext;
    SecureChannel server(Role::server, Secret("secret"), "run");
    server.receive(recorded.from_client, plaintext);
    EXPECT_FALSE(server.established());
    EXPECT_EQ(server.failure(), Failure::other);
    SecureChannel client(Role::client, Secret("secret"), "run");
    client.receive(recorded.from_server, plaintext);
    EXPECT_FALSE(client.established());
    EXPECT_NE(client.failure(), Failure::none);
    EXPECT_EQ(plaintext, "");
}

TEST(SecureChannel, ATruncatedMessageIsNotDelivered) {
    Pair pair;
    pair.pump();
    pair.client.send("whole");
    pair.client.send("cut off");
    const std::string bytes = pair.client.take_outgoing();
    pair.server.receive(std::string_view(bytes).substr(0, bytes.size() - 1), pair.at_server);
    EXPECT_EQ(pair.at_server, "whole");
    EXPECT_EQ(pair.server.failure(), Failure::none);
}

TEST(SecureChannel, MessagesBeforeCloseAreDelivered) {
    Pair pair;
    pair.pump();
    pair.server.send("the run is over");
    pair.server.close();
    pair.pump();
    EXPECT_EQ(pair.at_client, "the run is over");
    EXPECT_EQ(pair.client.failure(), Failure::closed);
    EXPECT_EQ(pair.client.why(), "it closed the connection");
}

TEST(SecureChannel, ClientsOfTls12AndClientsWithoutAKeyAreRefused) {
    ForeignPeer old(Role::client);
    SSL_CTX_set_max_proto_version(old.context.get(), TLS1_2_VERSION);
    SecureChannel server(Role::server, Secret("secret"), "run");
    EXPECT_THAT(old.talk_to(server), HasSubstr("protocol version"));
    EXPECT_EQ(server.failure(), Failure::other);
    EXPECT_THAT(server.why(), says("TLS failed: {}", "unsupported protocol"));
    EXPECT_FALSE(server.established());

    ForeignPeer browser(Role::client);
    SecureChannel again(Role::server, Secret("secret"), "run");
    EXPECT_THAT(browser.talk_to(again), HasSubstr("handshake failure"));
    EXPECT_EQ(again.failure(), Failure::other);
    EXPECT_FALSE(again.established());
}

TEST(SecureChannel, AServerWithACertificateInsteadOfTheKeyIsRefused) {
    const Owned<EVP_PKEY, ::EVP_PKEY_free> key(::EVP_EC_gen("P-256"));
    const Owned<X509, ::X509_free> certificate(::X509_new());
    ::X509_set_version(certificate.get(), 2);
    ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate.get()), 1);
    ::X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    ::X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    ::X509_set_pubkey(certificate.get(), key.get());
    ASSERT_GT(::X509_sign(certificate.get(), key.get(), ::EVP_sha256()), 0);
    ForeignPeer impostor(Role::server);
    ASSERT_EQ(::SSL_CTX_use_certificate(impostor.context.get(), certificate.get()), 1);
    ASSERT_EQ(::SSL_CTX_use_PrivateKey(impostor.context.get(), key.get()), 1);
    SecureChannel client(Role::client, Secret("secret"), "run");
    EXPECT_THAT(impostor.talk_to(client), Not(HasSubstr("protocol")));
    EXPECT_FALSE(client.established());
    EXPECT_EQ(client.failure(), Failure::peer_lacks_secret) << client.why();
}

}  // namespace
