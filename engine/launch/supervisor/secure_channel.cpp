// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/secure_channel.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/ssl.h>

#include "base/error.h"

namespace trainyard::launch {

namespace {

constexpr const char* kCipherSuite = "TLS_AES_128_GCM_SHA256";
constexpr unsigned char kCipherSuiteId[] = {0x13, 0x01};
constexpr std::string_view kKeyLabel = "trainyard-agent-psk";
constexpr std::size_t kMaxHandshakeBytes = 16u << 10;
/// Far below the 2^24 full records that RFC 8446, section 5.5, allows for AES-GCM.
constexpr std::uint64_t kMaxBytesPerKey = 256u << 20;

struct Free {
    void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
    void operator()(SSL* ssl) const { ::SSL_free(ssl); }
    void operator()(SSL_SESSION* session) const { ::SSL_SESSION_free(session); }
    void operator()(EVP_KDF* function) const { ::EVP_KDF_free(function); }
    void operator()(EVP_KDF_CTX* context) const { ::EVP_KDF_CTX_free(context); }
};
template <typename Type>
using Owned = std::unique_ptr<Type, Free>;

void require(bool succeeded) {
    if (!succeeded)
        throw UserError(
            "this machine's OpenSSL refuses TLS 1.3 with a pre-shared key: runs on several machines need "
            "it");
}

OSSL_PARAM octets(const char* name, std::string_view bytes) {
    return ::OSSL_PARAM_construct_octet_string(name, const_cast<char*>(bytes.data()), bytes.size());
}

/// The session that both ends pass to OpenSSL as the external PSK.
Owned<SSL_SESSION> psk_session(SSL* ssl, const Secret& secret, std::string_view rendezvous) {
    std::array<unsigned char, 32> key;
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {::OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
                                     octets(OSSL_KDF_PARAM_KEY, secret.text()), octets(OSSL_KDF_PARAM_SALT, rendezvous),
                                     octets(OSSL_KDF_PARAM_INFO, kKeyLabel), ::OSSL_PARAM_construct_end()};
    const Owned<EVP_KDF> hkdf(::EVP_KDF_fetch(nullptr, "HKDF", nullptr));
    const Owned<EVP_KDF_CTX> context(::EVP_KDF_CTX_new(hkdf.get()));
    require(context && ::EVP_KDF_derive(context.get(), key.data(), key.size(), parameters) == 1);
    Owned<SSL_SESSION> session(::SSL_SESSION_new());
    const bool complete = session && ::SSL_SESSION_set1_master_key(session.get(), key.data(), key.size()) == 1 &&
                          ::SSL_SESSION_set_cipher(session.get(), ::SSL_CIPHER_find(ssl, kCipherSuiteId)) == 1 &&
                          ::SSL_SESSION_set_protocol_version(session.get(), TLS1_3_VERSION) == 1;
    ::OPENSSL_cleanse(key.data(), key.size());
    require(complete);
    return session;
}

}  // namespace

struct SecureChannel::State {
    static SSL_CTX* context_of(Role role);
    static int use_session(SSL* ssl, const EVP_MD* digest, const unsigned char** identity, std::size_t* size,
                           SSL_SESSION** session);
    static int find_session(SSL* ssl, const unsigned char* identity, std::size_t size, SSL_SESSION** session);
    static State& state_of(SSL* ssl) { return *static_cast<State*>(SSL_get_app_data(ssl)); }

    Role role;
    std::string rendezvous;
    std::string requested_rendezvous;
    Owned<SSL> ssl;
    Owned<SSL_SESSION> session;
    BIO* incoming = nullptr;  ///< owned by `ssl`, as is `outgoing`
    BIO* outgoing = nullptr;
};

SSL_CTX* SecureChannel::State::context_of(Role role) {
    static const auto make = [](Role end) {
        Owned<SSL_CTX> context(::SSL_CTX_new(end == Role::server ? ::TLS_server_method() : ::TLS_client_method()));
        require(context && SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
                SSL_CTX_set_max_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
                ::SSL_CTX_set_ciphersuites(context.get(), kCipherSuite) == 1 &&
                ::SSL_CTX_set_num_tickets(context.get(), 0) == 1);
        SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
        SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
        if (end == Role::server) {
            ::SSL_CTX_set_psk_find_session_callback(context.get(), find_session);
        } else {
            ::SSL_CTX_set_psk_use_session_callback(context.get(), use_session);
            // A server that has a certificate instead of the key is refused: no authority is trusted.
            ::SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
        }
        return context;
    };
    static const Owned<SSL_CTX> server = make(Role::server), client = make(Role::client);
    return role == Role::server ? server.get() : client.get();
}

int SecureChannel::State::use_session(SSL* ssl, const EVP_MD*, const unsigned char** identity, std::size_t* size,
                                      SSL_SESSION** session) {
    State& state = state_of(ssl);
    ::SSL_SESSION_up_ref(state.session.get());  // OpenSSL releases it
    *session = state.session.get();
    *identity = reinterpret_cast<const unsigned char*>(state.rendezvous.data());
    *size = state.rendezvous.size();
    return 1;
}

int SecureChannel::State::find_session(SSL* ssl, const unsigned char* identity, std::size_t size,
                                       SSL_SESSION** session) {
    State& state = state_of(ssl);
    *session = nullptr;  // the handshake fails, because there is no certificate either
    const std::string_view requested(reinterpret_cast<const char*>(identity), size);
    if (requested != state.rendezvous) {
        state.requested_rendezvous = requested;
        return 1;
    }
    ::SSL_SESSION_up_ref(state.session.get());
    *session = state.session.get();
    return 1;
}

SecureChannel::SecureChannel(Role role, const Secret& secret, std::string rendezvous)
    : state_(std::make_unique<State>()) {
    state_->role = role;
    state_->rendezvous = std::move(rendezvous);
    state_->ssl.reset(::SSL_new(State::context_of(role)));
    state_->incoming = ::BIO_new(::BIO_s_mem());
    state_->outgoing = ::BIO_new(::BIO_s_mem());
    require(state_->ssl && state_->incoming != nullptr && state_->outgoing != nullptr);
    SSL* ssl = state_->ssl.get();
    ::SSL_set_bio(ssl, state_->incoming, state_->outgoing);
    SSL_set_app_data(ssl, state_.get());
    state_->session = psk_session(ssl, secret, state_->rendezvous);
    if (role == Role::server) {
        ::SSL_set_accept_state(ssl);
    } else {
        ::SSL_set_connect_state(ssl);
        shake_hands();
    }
}

SecureChannel::~SecureChannel() = default;
SecureChannel::SecureChannel(SecureChannel&& other) noexcept = default;

void SecureChannel::shake_hands() {
    ::ERR_clear_error();
    const int result = ::SSL_do_handshake(state_->ssl.get());
    if (result == 1 && ::SSL_session_reused(state_->ssl.get()) == 1)
        established_ = true;
    else if (result == 1)
        fail(Failure::peer_lacks_secret, {});
    else if (::SSL_get_error(state_->ssl.get(), result) != SSL_ERROR_WANT_READ)
        fail_with_openssl_error();
}

void SecureChannel::receive(std::string_view bytes, std::string& plaintext) {
    if (failure_ != Failure::none || bytes.empty())
        return;
    if (!established_) {
        // A TLS record begins with 20 to 23; the frames of older versions began with a length below 4 KiB, big endian.
        if (state_->role == Role::server && handshake_bytes_ == 0 && bytes.front() == '\0')
            return fail(Failure::unencrypted, {});
        handshake_bytes_ += bytes.size();
    }
    ::ERR_clear_error();
    if (::BIO_write(state_->incoming, bytes.data(), static_cast<int>(bytes.size())) != static_cast<int>(bytes.size()))
        return fail_with_openssl_error();
    if (!established_)
        shake_hands();
    if (!established_ && failure_ == Failure::none && handshake_bytes_ > kMaxHandshakeBytes)
        fail(Failure::other, Message("its TLS handshake is longer than {} bytes", kMaxHandshakeBytes));
    while (established_ && failure_ == Failure::none) {
        char buffer[16384];
        std::size_t size = 0;
        ::ERR_clear_error();
        if (::SSL_read_ex(state_->ssl.get(), buffer, sizeof buffer, &size) == 1) {
            plaintext.append(buffer, size);
            continue;
        }
        const int error = ::SSL_get_error(state_->ssl.get(), 0);
        if (error == SSL_ERROR_WANT_READ)
            return;
        if (error == SSL_ERROR_ZERO_RETURN)
            return fail(Failure::closed, "it closed the connection");
        fail_with_openssl_error();
    }
}

void SecureChannel::send(std::string_view plaintext) {
    std::size_t written = 0;
    ::ERR_clear_error();
    if (::SSL_write_ex(state_->ssl.get(), plaintext.data(), plaintext.size(), &written) != 1)
        return fail_with_openssl_error();
    bytes_of_key_ += written;
    if (bytes_of_key_ >= kMaxBytesPerKey && ::SSL_key_update(state_->ssl.get(), SSL_KEY_UPDATE_NOT_REQUESTED) == 1)
        bytes_of_key_ = 0;
}

void SecureChannel::close() {
    ::ERR_clear_error();
    if (established_ && failure_ == Failure::none)
        ::SSL_shutdown(state_->ssl.get());
}

std::string SecureChannel::take_outgoing() {
    std::string bytes(::BIO_ctrl_pending(state_->outgoing), '\0');
    if (!bytes.empty())
        ::BIO_read(state_->outgoing, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
}

const std::string& SecureChannel::requested_rendezvous() const {
    return state_->requested_rendezvous;
}

void SecureChannel::fail(Failure failure, const Message& why) {
    failure_ = failure;
    why_ = why;
}

void SecureChannel::fail_with_openssl_error() {
    std::vector<int> reasons;
    Message text = "no reason is known";
    while (const unsigned long error = ::ERR_get_error()) {
        if (ERR_GET_LIB(error) == ERR_LIB_SSL)
            reasons.push_back(ERR_GET_REASON(error));
        if (const char* reason = ::ERR_reason_error_string(error))
            text = Message::verbatim(reason);
    }
    auto one_of = [&](auto... expected) {
        return !established_ && std::ranges::any_of(reasons, [&](int reason) { return ((reason == expected) || ...); });
    };
    const bool client = state_->role == Role::client;
    Failure failure = Failure::other;
    if (!client && !state_->requested_rendezvous.empty())
        failure = Failure::other_rendezvous;
    else if (!client && one_of(SSL_R_BINDER_DOES_NOT_VERIFY))
        failure = Failure::peer_lacks_secret;
    else if (client && one_of(SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE))
        failure = Failure::other_rendezvous;
    // OpenSSL reports a wrong binder as illegal_parameter, other implementations as decrypt_error.
    else if (client && one_of(SSL_R_SSLV3_ALERT_ILLEGAL_PARAMETER, SSL_R_TLSV1_ALERT_DECRYPT_ERROR))
        failure = Failure::secret_refused;
    else if (client && one_of(SSL_R_CERTIFICATE_VERIFY_FAILED, SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC))
        failure = Failure::peer_lacks_secret;
    fail(failure, Message("TLS failed: {}", text));
}

}  // namespace trainyard::launch
