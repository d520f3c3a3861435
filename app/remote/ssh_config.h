// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hosts of ~/.ssh/config: their names, read here, and their settings, as `ssh -G` or libssh's parser resolves them
// (resolved_config.h). Files are never written; ProxyCommand is split into words and run without a shell.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::remote {

/// One hop of a ProxyJump; settings for its own name in the config apply, too.
struct Jump {
    std::string host;  ///< alias or name
    std::string user;  ///< empty: as configured
    int port = 0;      ///< 0: as configured
    bool operator==(const Jump&) const = default;
};

/// Connection settings of a host. All values are resolved: no tokens, no `~`.
struct HostSettings {
    std::string alias;      ///< what the user typed
    std::string host_name;  ///< name or address to connect to
    std::string user;
    int port = 22;
    std::vector<std::filesystem::path> identity_files;
    std::vector<std::filesystem::path> certificate_files;
    bool identity_files_given = false;  ///< named by the user, not only the defaults
    bool identities_only = false;
    std::string identity_agent;                           ///< path of a socket; `none`; empty: $SSH_AUTH_SOCK
    std::vector<Jump> jumps;                              ///< first hop first
    std::vector<std::string> proxy_command;               ///< argv; empty: none
    std::vector<std::filesystem::path> user_known_hosts;  ///< new keys are written to the first one
    std::vector<std::filesystem::path> global_known_hosts;
    std::vector<std::filesystem::path> revoked_host_keys;  ///< RevokedHostKeys; each must be readable
    /// KnownHostsCommand: argv with an absolute path as its first word; empty: none. The tokens %I %H %t %K %f and %%
    /// are expanded later, as their values are only known during the connection.
    std::vector<std::string> known_hosts_command;
    std::optional<int> required_rsa_size;  ///< RequiredRSASize, in bits
    std::string host_key_alias;
    bool hash_known_hosts = false;
    bool password_authentication = true;
    bool kbd_interactive_authentication = true;
    bool pubkey_authentication = true;
    bool gssapi_authentication = false;
    std::string address_family = "any";  ///< any, inet, inet6
    std::string bind_address;
    std::optional<double> connect_timeout;  ///< seconds
    /// As in ssh_config, including `+`, `-` and `^`; empty: the defaults.
    std::string host_key_algorithms;
    std::string kex_algorithms;
    std::string ciphers;
    std::string macs;
    std::string pubkey_algorithms;
    /// Files that libssh reads for the connection itself, without OpenSSH: for algorithms, sizes and limits.
    std::vector<std::filesystem::path> libssh_files;
    /// Messages about keys that are ignored, for the transcript: "ForwardAgent is ignored: Trainyard never forwards an
    /// agent".
    std::vector<Message> notes;

    /// `user@host_name:port`
    std::string target() const;
    /// Name to look up in known_hosts: `host`, or `[host]:port` if the port is not 22.
    std::string known_name() const;
};

class SshConfig {
  public:
    /// Reads the names of hosts. Missing files count as empty. Throws InvalidInput with all problems of all files
    /// (Includes, too).
    explicit SshConfig(const std::filesystem::path& user_file = default_file(),
                       const std::filesystem::path& system_file = "/etc/ssh/ssh_config");
    /// No files: every name stands for itself.
    static SshConfig empty() { return SshConfig({}, {}); }
    /// `$TRAINYARD_SSH_CONFIG`, else `~/.ssh/config`.
    static std::filesystem::path default_file();

    /// Names that a user can connect to: those of Host lines without `*`, `?` and `!`, in the order of the files,
    /// without duplicates.
    const std::vector<std::string>& aliases() const { return aliases_; }
    /// `name` is an alias, a host name or an address, `user@name`, `name:port`, `ssh://user@name:port`, `[::1]:22`.
    /// Throws ConnectionError(bad_settings) if its settings cannot be used. Runs ssh, so not for the GUI thread.
    HostSettings resolve(const std::string& name) const;
    /// The place of a name's Host line, such as `/home/me/.ssh/config:12`; empty if it does not exist.
    std::string place_of(const std::string& alias) const;

  private:
    class Reader;
    class Resolver;

    std::filesystem::path user_file_, system_file_;
    std::vector<std::string> aliases_;
    std::map<std::string, std::string> places_;
    std::map<std::string, std::vector<std::string>> keywords_;  ///< places of each keyword (lower case) of the files
    /// Lists of known hosts files by their first file, each list once.
    std::map<std::string, std::set<std::string>> known_hosts_;
};

/// Parses the argument of ProxyJump (`none`, `a`, `me@a:22,b`, `ssh://me@a:22`).
std::vector<Jump> parse_jumps(const std::string& text);
}  // namespace trainyard::remote
