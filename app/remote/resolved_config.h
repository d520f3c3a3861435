// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values of ssh_config(5) for one host: `ssh -G` if OpenSSH is installed, otherwise libssh's parser. Inside app/remote
// only.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "remote/ssh_config.h"

namespace trainyard::remote {

struct ResolvedConfig {
    /// By keyword in lower case. Tokens and `~` are not expanded, except in the host name. ssh: the host name, user and
    /// port, and what differs from its defaults. libssh: only host name, user, port, the first identity file, proxy and
    /// the first file of each kind of known hosts.
    std::map<std::string, std::vector<std::string>> values;
    Message problem;                           ///< why the configuration cannot be used; empty: it can be
    std::vector<std::filesystem::path> files;  ///< that libssh has read; none with OpenSSH
};

/// Returns whether PATH has ssh.
bool has_openssh();

/// Asks for a checked host name (is_valid_host_name), with the user and port that were typed. ssh runs without a shell
/// and is ended after 10 s, because its Match exec may access the network.
ResolvedConfig resolve_config(const Jump& given, const std::filesystem::path& user_file,
                              const std::filesystem::path& system_file);

}  // namespace trainyard::remote
