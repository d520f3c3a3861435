#pragma once
// A server's public key and its two pictures for people: the SHA-256 fingerprint and the randomart of OpenSSH.

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

/// A line of a known_hosts file that has to do with a host.
struct KnownLine {
    std::filesystem::path file;
    int line = 0;  ///< from 1; 0: the file as a whole
    HostKey key;
    bool operator==(const KnownLine&) const = default;
    std::string place() const;  ///< `/home/me/.ssh/known_hosts:12`
};

/// All that a dialog shows about a key that is not simply known.
struct HostKeyReport {
    std::string host;     ///< name as looked up in known_hosts: `gpu-b`, `[gpu-b]:2222`
    std::string address;  ///< that was connected to
    HostKey offered;      ///< by the server now
    std::vector<KnownLine>
        recorded;  ///< keys that were expected instead (changed), of other types (unknown), or that revoke
    std::filesystem::path file;  ///< where trust() writes
    bool hash_names = false;     ///< HashKnownHosts of ssh_config
    bool operator==(const HostKeyReport&) const = default;
};

/// A key that the user accepted without remembering it. It counts for the host it was shown for and for no other.
struct AcceptedKey {
    std::string host;  ///< as in the report
    HostKey key;
    bool operator==(const AcceptedKey&) const = default;
};
using AcceptedKeys = std::vector<AcceptedKey>;

/// The decision "this time only" about a report.
AcceptedKey accepted_for_now(const HostKeyReport& report);

/// Remembers the key of a report in its file (made with 0600 when it is not there), which is the only way this program ever writes
/// known_hosts. Throws UserError for a key that has changed or is revoked, and when the file cannot be written.
void trust(const HostKeyReport& report);

/// Base64 both ways, without line ends. decode gives an empty string for text that is none.
std::string base64_encode(std::string_view bytes);
std::string base64_decode(std::string_view text);

}  // namespace trainyard::remote
