#pragma once
// How an agent and the head of a run prove to each other that they know the run's secret, without sending it.
//
//   agent -> head   hello      version, rendezvous, agent's nonce (32 random bytes)
//   head -> agent   challenge  version, head's nonce
//   agent -> head   proof      HMAC-SHA256(secret, "trainyard agent proof" || transcript)
//   head -> agent   proof      HMAC-SHA256(secret, "trainyard head proof" || transcript)
//
// The transcript is everything said so far, each part with its length in front. Challenge and response both ways over both nonces,
// as SCRAM does it (RFC 5802), with HMAC of RFC 2104 and SHA-256 of FIPS 180-4; role names keep a proof from being sent back to its
// maker. The keys of the two directions, which authenticate every later frame (agent_wire.h), come from the same transcript in the
// manner of HKDF's expand step (RFC 5869).
//
// What this gives: nobody without the secret joins a run, poses as its head or changes, drops or repeats a frame unnoticed. What it does
// not: frames are not encrypted, and a secret that can be guessed (a rendezvous id in the place of a random key) can be guessed
// offline from a recorded handshake. What ranks say to each other (TCPStore, Gloo, NCCL) is neither encrypted nor authenticated by anyone.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hex.h"

namespace trainyard::launch {

using Digest = std::array<std::uint8_t, 32>;

/// Throws UserError when the library refuses (it does not in practice).
Digest hmac_sha256(std::string_view key, std::string_view message);
/// Takes the same time wherever the first difference is.
bool equal_in_constant_time(std::string_view one, std::string_view other);
std::string_view bytes_of(const Digest& digest);
/// From the kernel; for nonces and keys.
std::string random_bytes(std::size_t count);

/// Overwrites a text that held a secret, then empties it.
void wipe(std::string& text);

/// The key of a run. Wiped when it goes; never printed, never in an argument, an environment dump or a file that outlives the run.
class Secret {
  public:
    Secret() = default;
    /// Any text; longer is better. Throws UserError when it is empty or longer than 1 KiB.
    explicit Secret(std::string_view text);
    ~Secret();
    Secret(const Secret&) = default;  ///< no moves: a short text would stay behind in the source
    Secret& operator=(const Secret& other);
    static Secret random();  ///< 64 hexadecimal digits

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }

  private:
    std::string text_;
};

enum class Side { head, agent };

/// Both sides fill it with what was said and compute the rest.
struct Transcript {
    std::string rendezvous;  ///< id of the run, or the name under which machines meet
    std::string agent_version;
    std::string head_version;
    std::string agent_nonce;
    std::string head_nonce;
};

Digest proof_of(Side prover, const Secret& secret, const Transcript& transcript);
/// Of the frames that `sender` sends.
Digest frame_key(Side sender, const Secret& secret, const Transcript& transcript);

}  // namespace trainyard::launch
