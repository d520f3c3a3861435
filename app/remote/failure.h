// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Failures of connections to a host, one kind for each remedy. Every message names the host, or the jump host before
// it, and the remedy.

#include <string>
#include <vector>

#include "base/error.h"
#include "base/untrusted.h"
#include "remote/host_key.h"

namespace trainyard::remote {

enum class Cause {
    bad_settings,  ///< ssh_config, known_hosts or our own store are invalid
    name_not_found,
    no_route,  ///< no route, network unreachable, network down
    refused,   ///< nothing listens on the port
    timed_out,
    not_ssh,            ///< the peer is not an SSH server, or has no algorithm in common with us
    host_key_unknown,   ///< HostKeyRefused: may be trusted
    host_key_changed,   ///< HostKeyRefused: never accepted
    host_key_revoked,   ///< HostKeyRefused: never accepted
    authentication,     ///< the server accepted none of our credentials
    too_many_attempts,  ///< the server closed the connection before all credentials were tried
    jump_refused,       ///< the jump host is reachable, but does not connect us to the target host
    no_shell,           ///< the account cannot run commands (nologin, forced command, restricted shell)
    shell_prints,       ///< start-up files of the login shell print text before commands run
    command_missing,    ///< the program does not exist on the host
    no_space,
    remote_file,  ///< a file on the host cannot be read or written
    connection_lost,
    cancelled,
};

/// Identifiers such as `name_not_found`, for JSON and tests.
const char* name_of(Cause cause);

/// Escapes the text that a host or library contributed to the message, as HostText::lines.
Message printable_message(const Message& message);

/// A failed connection to a host. `what()` is the complete message; text from the host or a library is made printable.
class ConnectionError : public UserError {
  public:
    ConnectionError(Cause cause, std::string host, const Message& sentence, std::string command_to_try = {})
        : UserError(printable_message(sentence)),
          cause_(cause),
          host_(std::move(host)),
          command_to_try_(HostText(command_to_try, HostText::kMessage)) {}
    Cause cause() const { return cause_; }
    /// The host where it happened: the requested host or a jump host on the way.
    const std::string& host() const { return host_; }
    /// A command that reproduces the failure in a terminal; may be empty.
    const std::string& command_to_try() const { return command_to_try_; }
    /// The steps up to the failure, one per line (redacted); filled in by Session::connect.
    const std::vector<Message>& transcript() const { return transcript_; }
    void set_transcript(std::vector<Message> lines) { transcript_ = std::move(lines); }

  private:
    Cause cause_;
    std::string host_;
    std::string command_to_try_;
    std::vector<Message> transcript_;
};

/// known_hosts does not confirm the server's key. Nothing was sent after the key exchange.
class HostKeyRefused : public ConnectionError {
  public:
    HostKeyRefused(Cause cause, std::string host, const Message& sentence, HostKeyReport report,
                   std::string command_to_try)
        : ConnectionError(cause, std::move(host), sentence, std::move(command_to_try)), report_(std::move(report)) {}
    const HostKeyReport& report() const { return report_; }

  private:
    HostKeyReport report_;
};

}  // namespace trainyard::remote
