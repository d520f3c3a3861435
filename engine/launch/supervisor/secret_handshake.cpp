#include "launch/supervisor/secret_handshake.h"

#include <cerrno>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include "base/error.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kLongestSecret = 1024;

void append_part(std::string& text, std::string_view part) {
    for (int shift = 24; shift >= 0; shift -= 8)
        text.push_back(static_cast<char>((part.size() >> shift) & 0xff));
    text += part;
}

std::string labelled(std::string_view label, const Transcript& transcript) {
    std::string text;
    for (std::string_view part : {label, std::string_view(transcript.rendezvous),
                                  std::string_view(transcript.agent_version), std::string_view(transcript.head_version),
                                  std::string_view(transcript.agent_nonce), std::string_view(transcript.head_nonce)})
        append_part(text, part);
    return text;
}

}  // namespace

Digest hmac_sha256(std::string_view key, std::string_view message) {
    Digest digest{};
    unsigned int size = 0;
    if (::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()),
               reinterpret_cast<const unsigned char*>(message.data()), message.size(), digest.data(),
               &size) == nullptr ||
        size != digest.size())
        throw UserError("this machine's libcrypto refuses HMAC-SHA256: runs on several machines need it");
    return digest;
}

bool equal_in_constant_time(std::string_view one, std::string_view other) {
    return one.size() == other.size() && ::CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string_view bytes_of(const Digest& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t have = 0; have < count;) {
        const ssize_t n = retry_interrupted([&] { return ::getrandom(bytes.data() + have, count - have, 0); });
        if (n <= 0)
            throw UserError("the kernel gives no random bytes: a run's secret cannot be made");
        have += static_cast<std::size_t>(n);
    }
    return bytes;
}

void wipe(std::string& text) {
    ::OPENSSL_cleanse(text.data(), text.size());
    text.clear();
}

Secret::Secret(std::string_view text) : text_(text) {
    if (text_.empty() || text_.size() > kLongestSecret)
        throw UserError(text_.empty() ? Message("the run's secret is empty: give at least a word")
                                      : Message("the run's secret is longer than 1024 bytes: give a shorter one"));
}

Secret::~Secret() {
    wipe(text_);
}

Secret& Secret::operator=(const Secret& other) {
    if (this != &other) {
        wipe(text_);
        text_ = other.text_;
    }
    return *this;
}

Secret Secret::random() {
    std::string bytes = random_bytes(32), text = to_hex(bytes);
    Secret secret(text);
    wipe(bytes);
    wipe(text);
    return secret;
}

Digest proof_of(Side prover, const Secret& secret, const Transcript& transcript) {
    return hmac_sha256(secret.text(),
                       labelled(prover == Side::head ? "trainyard head proof" : "trainyard agent proof", transcript));
}

Digest frame_key(Side sender, const Secret& secret, const Transcript& transcript) {
    return hmac_sha256(
        secret.text(),
        labelled(sender == Side::head ? "trainyard frames of the head" : "trainyard frames of an agent", transcript));
}

}  // namespace trainyard::launch
