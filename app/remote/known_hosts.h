// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// known_hosts files, read by ourselves so that a refusal can name file and line (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT): plain,
// wildcard, negated and hashed names, [host]:port, @revoked, @cert-authority.

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "remote/host_key.h"

namespace trainyard::remote {

enum class KeyState {
    known,
    unknown,  ///< no line about this host, or only lines about keys of other types
    changed,  ///< a line about this host has another key of this type
    revoked,
};

struct KnownHostsAnswer {
    KeyState state = KeyState::unknown;
    std::vector<KnownLine> lines;  ///< the ones that decided
    bool authority = false;        ///< a @cert-authority line names this host; host certificates are not supported
};

class KnownHosts {
  public:
    /// Reads what is there of the files; missing ones are empty.
    explicit KnownHosts(const std::vector<std::filesystem::path>& files);
    /// Adds lines from another source; `name` stands for its file in messages.
    void add(const std::string& text, const std::filesystem::path& name);

    /// `name` as HostSettings::known_name() gives it.
    KnownHostsAnswer look_up(const std::string& name, const HostKey& key) const;
    /// Types of the keys known for a host, so that the server is asked for one of these first.
    std::vector<std::string> key_types(const std::string& name) const;
    /// Every line that names the host, for "forget": the user is shown what to remove.
    std::vector<KnownLine> lines_about(const std::string& name) const;

  private:
    enum class Mark { none, revoked, authority };
    struct Entry {
        Mark mark = Mark::none;
        std::string names;
        KnownLine line;
    };
    void read(std::istream& in, const std::filesystem::path& file);
    static bool names_host(const Entry& entry, const std::string& name);
    std::vector<Entry> entries_;
};

/// The command that removes the lines about a host from this file. `name` as HostSettings::known_name() gives it.
std::string remove_key_command(const std::string& name, const std::filesystem::path& file);

/// What RevokedHostKeys says about a key. The files have one public key a line, or are key revocation lists of
/// `ssh-keygen -k`, which ssh-keygen reads.
struct RevokedAnswer {
    std::optional<KnownLine> line;  ///< revokes the key; line 0: a key revocation list
    Message problem;                ///< why a file cannot be used: then every key counts as revoked, as in OpenSSH
};
/// `cancelled`: a descriptor that ends the wait for ssh-keygen; -1: none.
RevokedAnswer look_up_revoked(const std::vector<std::filesystem::path>& files, const HostKey& key, int cancelled = -1);

/// The line for a host; `hashed`: name as HMAC-SHA1 with a random salt.
std::string known_hosts_line(const std::string& name, const HostKey& key, bool hashed);

}  // namespace trainyard::remote
