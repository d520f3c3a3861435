// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Commands on a host or on this machine, in the same words: a launch on `localhost:2,gpu-b:2` makes no difference between the two.

#include <memory>
#include <string>
#include <string_view>

#include "remote/session.h"

namespace trainyard::remote {

/// Bytes to and from a program that runs somewhere.
class ByteLink {
  public:
    virtual ~ByteLink() = default;
    /// What has come within `seconds`; empty: nothing yet. `wake` readable (-1: none) ends the wait, too. Throws UserError when the link
    /// is lost.
    virtual std::string read(double seconds, int wake) = 0;
    virtual void write(std::string_view bytes) = 0;
    /// The other side has closed. Throws UserError with its words when it said why on standard error.
    virtual bool ended() const = 0;
};

/// A command of a session, as a link.
std::unique_ptr<ByteLink> link_of(Channel channel);
/// A program of this machine, in a process group that is killed with the link. Throws UserError when it cannot be started.
std::unique_ptr<ByteLink> local_link(const RemoteCommand& command);

class HostShell {
  public:
    virtual ~HostShell() = default;
    virtual ExecResult exec(const RemoteCommand& command, std::string_view input, double seconds) = 0;
    virtual std::unique_ptr<ByteLink> open(const RemoteCommand& command) = 0;
    /// Null on this machine.
    virtual Session* session() { return nullptr; }
};

std::unique_ptr<HostShell> shell_of(Session session);
std::unique_ptr<HostShell> local_shell(std::shared_ptr<Cancel> cancel = nullptr);

}  // namespace trainyard::remote
