// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A socket that listens at one address, so that nothing listens on the others (TCPStore left to itself listens on all): where ranks meet,
// agents of other machines call, and ports are looked for.

#include <string>

#include "base/file_descriptor.h"

namespace trainyard {

/// Listens on `address`:`port`; port 0 becomes a free one. The address is of this machine, or a name of it: the first of the name's addresses
/// that can be had. Throws UserError. SO_REUSEADDR: connections of an earlier generation that have not faded do not count.
FileDescriptor listen_on(const std::string& address, int& port);

/// Reserves a port of this machine for ranks that bind it seconds later: other launches see it as in use until the
/// descriptor is closed or its process ends. Invalid: another launch has it. The name of an abstract Unix socket, which
/// belongs to the network namespace as ports do.
FileDescriptor reserve_port(int port);

/// listen_on() and reserve_port() at once; port 0 becomes a free one that is not reserved.
FileDescriptor listen_for_ranks(const std::string& address, int& port, FileDescriptor& reservation);

/// A port of `address` that nobody listens on and that is not reserved now; 0: none. For programs that bind it
/// themselves.
int free_port(const std::string& address);

}  // namespace trainyard
