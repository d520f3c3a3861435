// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A server's public key and its two human-readable forms: the SHA-256 fingerprint and the randomart of OpenSSH.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::remote {

struct HostKey {
    std::string type;  ///< as in known_hosts: `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa`
    std::string blob;  ///< the key in base64, as in known_hosts
    bool operator==(const HostKey&) const = default;

    /// `SHA256:` and 43 letters, as ssh-keygen -l shows it.
    std::string fingerprint() const;
    /// 11 lines of 19 characters, as ssh-keygen -lv draws them.
    std::string randomart() const;
    /// `ED25519`, `ECDSA`, `RSA`.
    std::string short_type() const;
};

/// A line of a known_hosts file that applies to a host.
struct KnownLine {
    std::filesystem::path file;
    int line = 0;  ///< from 1; 0: the file as a whole
    HostKey key;
    bool operator==(const KnownLine&) const = default;
    std::string place() const;  ///< `/home/me/.ssh/known_hosts:12`
};

/// Everything that a dialog shows about a key that is not known.
struct HostKeyReport {
    std::string host;     ///< name as looked up in known_hosts: `gpu-b`, `[gpu-b]:2222`
    std::string address;  ///< the address connected to
    HostKey offered;      ///< the key that the server presents now
    std::vector<KnownLine>
        recorded;                ///< keys that were expected instead (changed), of other types (unknown), or revoked
    std::filesystem::path file;  ///< where trust() writes
    bool hash_names = false;     ///< HashKnownHosts of ssh_config
    bool operator==(const HostKeyReport&) const = default;
};

/// A key that the user accepted without storing it. It is valid only for the host it was shown for.
struct AcceptedKey {
    std::string host;  ///< as in the report
    HostKey key;
    bool operator==(const AcceptedKey&) const = default;
};
using AcceptedKeys = std::vector<AcceptedKey>;

/// Returns the decision "this time only" for a report.
AcceptedKey accepted_for_now(const HostKeyReport& report);

/// Adds the key of a report to its file (created with mode 0600 if necessary). This is the only way in which the
/// program writes known_hosts. Throws UserError for a changed or revoked key, or if the file cannot be written.
void trust(const HostKeyReport& report);

/// Encodes and decodes Base64 without line ends. base64_decode() returns an empty string for invalid text.
std::string base64_encode(std::string_view bytes);
std::string base64_decode(std::string_view text);

}  // namespace trainyard::remote
