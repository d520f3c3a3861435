// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The name of this host, and the texts that may be the name of a host or of an account: names reach commands, scripts
// and, through ssh, the shell of Match exec.

#include <string>
#include <string_view>

namespace trainyard {

/// Name of this machine with its domain, where the system has one: for connections. What users see is host_name() of
/// process.h, without the domain.
std::string full_host_name();

/// True for names of hosts that OpenSSH's client accepts (valid_hostname() in its ssh.c): no leading dash, no quotes,
/// blanks, control characters or characters that a shell interprets. Addresses pass; slashes do not. An empty name is
/// not valid.
bool is_valid_host_name(std::string_view name);

/// True for names of accounts that OpenSSH's client accepts (valid_ruser() in its ssh.c): as above, but `$`, inner
/// blanks and inner backslashes (`DOMAIN\user`) are allowed. An empty name is not valid.
bool is_valid_user_name(std::string_view name);

}  // namespace trainyard
