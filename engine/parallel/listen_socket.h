#pragma once
// The socket at which the ranks meet, bound to one address: TCPStore left to itself listens on every interface.

#include <string>

namespace trainyard::parallel {

/// Binds and listens at address:port (0: any free port). The descriptor is the caller's. Throws UserError naming the address.
int listen_at(const std::string& address, int port);

}  // namespace trainyard::parallel
