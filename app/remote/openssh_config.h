// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What OpenSSH itself makes of ssh_config(5) for one host: `ssh -G`, with Match exec, canonical names and all else that only OpenSSH follows.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"

namespace trainyard::remote {

struct OpenSshAnswer {
    /// Keys in lower case and their values as ssh prints them, without those that ssh takes when nothing is configured. Tokens and `~` of
    /// file names are not expanded.
    std::vector<std::pair<std::string, std::string>> settings;
    Message problem;  ///< why there are none: one sentence; empty: there are
};

/// Nothing: no ssh on this machine. `host`, `user` (may be empty) and `port` (0: as configured) are as the user typed them; `config`: the
/// file instead of ~/.ssh/config and that of the system; empty: these two. Runs two short programs; a command of Match exec may take
/// ten seconds.
std::optional<OpenSshAnswer> ask_openssh(const std::string& host, const std::string& user, int port,
                                         const std::filesystem::path& config);

}  // namespace trainyard::remote
