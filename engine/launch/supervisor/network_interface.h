// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which network interface an address belongs to, and what its name is for the libraries that want one.

#include <map>
#include <span>
#include <string>

namespace trainyard::launch {

/// Name of this machine's interface with that address ("eth0"); empty: none has it.
std::string interface_with(const std::string& address);

/// GLOO_SOCKET_IFNAME, NCCL_SOCKET_IFNAME, TP_SOCKET_IFNAME.
std::span<const char* const> interface_variable_names();

/// These for the interface with that address; nothing for the loopback address, an
/// address of another machine, or a name that the environment has already.
std::map<std::string, std::string> interface_variables(const std::string& address);

/// True if the address can be reached from the internet: neither loopback nor link-local nor of a private or test
/// network (RFC 1918, 2544, 4193, 6598).
bool is_public_address(const std::string& address);

}  // namespace trainyard::launch
