#pragma once
// ~/.ssh/config. Where OpenSSH is installed, it says itself what its files mean for a host (openssh_config.h). Elsewhere they are read as
// ssh_config(5) of OpenSSH 9 says: first value wins, Host patterns with negation, Match (all, host, originalhost, user, localuser;
// final/canonical and exec never match), Include, tokens (%h %n %p %r %u %d %L %l %i %%, ~). Names and mistakes are always found by this
// reader. Only read, never written; ProxyCommand is split into words and run without a shell.

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::remote {

/// One stop of a ProxyJump; settings of its own name in the config apply on top.
struct Jump {
    std::string host;  ///< alias or name
    std::string user;  ///< empty: as configured
    int port = 0;      ///< 0: as configured
    bool operator==(const Jump&) const = default;
};

/// How a host is reached. Everything is resolved: no tokens, no `~`.
struct HostSettings {
    std::string alias;      ///< what the user typed
    std::string host_name;  ///< name or address to connect to
    std::string user;
    int port = 22;
    std::vector<std::filesystem::path> identity_files;
    std::vector<std::filesystem::path> certificate_files;
    bool identity_files_given = false;  ///< named by the user, not just the usual ones
    bool identities_only = false;
    std::string identity_agent;                           ///< path of a socket; `none`; empty: $SSH_AUTH_SOCK
    std::vector<Jump> jumps;                              ///< first one first
    std::vector<std::string> proxy_command;               ///< argv; empty: none
    std::vector<std::filesystem::path> user_known_hosts;  ///< first one is written
    std::vector<std::filesystem::path> global_known_hosts;
    std::vector<std::filesystem::path> revoked_host_keys;  ///< RevokedHostKeys; each must be readable
    /// KnownHostsCommand: argv, its first word an absolute path; empty: none. The tokens %I %H %t %K %f and %% are not
    /// expanded yet, as their values are known during the connection only.
    std::vector<std::string> known_hosts_command;
    std::optional<int> required_rsa_size;  ///< RequiredRSASize, in bits
    std::string host_key_alias;
    bool hash_known_hosts = false;
    bool password_authentication = true;
    bool kbd_interactive_authentication = true;
    bool pubkey_authentication = true;
    std::string address_family = "any";  ///< any, inet, inet6
    std::string bind_address;
    std::optional<double> connect_timeout;  ///< seconds
    /// As ssh_config has them, `+`, `-` and `^` included; empty: the usual ones.
    std::string host_key_algorithms;
    std::string kex_algorithms;
    std::string ciphers;
    std::string macs;
    std::string pubkey_algorithms;
    /// Sentences about keys that we do not follow, for the transcript: "ForwardAgent is ignored: Trainyard never forwards an agent".
    std::vector<Message> notes;

    /// `user@host_name:port`
    std::string target() const;
    /// Name to look up in known_hosts: `host`, or `[host]:port` when the port is not 22.
    std::string known_name() const;
};

class SshConfig {
  public:
    /// Missing files are empty ones. Throws InvalidInput, with every problem of every file (Includes, too).
    explicit SshConfig(const std::filesystem::path& user_file = default_file(),
                       const std::filesystem::path& system_file = "/etc/ssh/ssh_config");
    static SshConfig from_text(std::string_view text, const std::filesystem::path& name = "ssh_config");
    /// `$TRAINYARD_SSH_CONFIG`, else `~/.ssh/config`.
    static std::filesystem::path default_file();

    /// Names that a person can mean: those of Host lines without `*`, `?` and `!`, in the order of the files, each once.
    const std::vector<std::string>& aliases() const { return aliases_; }
    /// `name` is an alias, a host name or an address, `user@name`, `name:port`, `ssh://user@name:port`, `[::1]:22`.
    /// Throws ConnectionError(bad_settings) when the settings for it cannot be used. Asks ssh, so not for the GUI thread.
    HostSettings resolve(const std::string& name) const;
    /// Where a name's Host line stands, `/home/me/.ssh/config:12`; empty: not there.
    std::string place_of(const std::string& alias) const;

  private:
    struct Line {
        std::string place;  ///< `file:12`
        std::string key;    ///< lower case
        std::vector<std::string> words;
        std::string rest;  ///< the words as they stand in the file
        int block = -1;    ///< index of blocks_; -1: holds for all
    };
    struct Block {
        bool match = false;  ///< Match, else Host
        std::vector<std::string> words;
        int parent = -1;  ///< block whose Include brought this file in
        std::string place;
    };
    class Reader;    // ssh_config_reader.cpp
    class Resolver;  // ssh_config.cpp
    SshConfig(std::nullptr_t) {}

    std::optional<std::filesystem::path> for_openssh_;  ///< its -F, empty: none; nothing: OpenSSH is not asked
    std::vector<Block> blocks_;
    std::vector<Line> lines_;
    std::vector<std::string> aliases_;
    std::map<std::string, std::string> places_;
};

/// Parses the argument of ProxyJump (`none`, `a`, `me@a:22,b`, `ssh://me@a:22`).
std::vector<Jump> parse_jumps(const std::string& text);
/// OpenSSH's pattern list: `*`, `?`, `!`, separated by commas. True: matches and is not negated.
bool matches_pattern_list(std::string_view text, std::string_view patterns);
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace trainyard::remote
