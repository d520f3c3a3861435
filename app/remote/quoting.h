// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one place where an argv becomes text for a remote shell. SSH has no other way: sshd hands one string to the account's login
// shell.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard::remote {

struct RemoteCommand {
    std::vector<std::string> argv;
    std::map<std::string, std::string> environment;  ///< visible in the host's process list: no secrets
    std::string directory;                           ///< to start in; empty: the home folder
};

/// One word of a POSIX shell that means exactly `text`. Throws UserError for a NUL byte, which no argument can hold.
std::string shell_quote(const std::string& text);
/// The command as a line for a POSIX shell.
std::string posix_command_line(const RemoteCommand& command);
/// The same for any login shell (csh, fish, ...): /bin/sh is given the line in octal, of which no shell sees a special character.
std::string any_shell_command_line(const RemoteCommand& command);
/// True for shells that read POSIX quoting, by the name of the program: sh, bash, dash, zsh, ksh, ash, mksh, yash, busybox.
bool is_posix_shell(const std::string& path);

}  // namespace trainyard::remote
