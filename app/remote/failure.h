#pragma once
// What can go wrong between here and a host, one kind for each thing a person would do about it. Every sentence names the host, or
// the jump host before it, and the mend.

#include <string>
#include <vector>

#include "base/error.h"
#include "base/untrusted.h"
#include "remote/host_key.h"

namespace trainyard::remote {

enum class Cause {
    bad_settings,  ///< ssh_config, known_hosts or our own store cannot be used as they are
    name_not_found,
    no_route,  ///< no route, network unreachable, network down
    refused,   ///< nothing listens on the port
    timed_out,
    not_ssh,            ///< something answers that is no SSH server, or has no algorithm in common with us
    host_key_unknown,   ///< HostKeyRefused: may be trusted
    host_key_changed,   ///< HostKeyRefused: never goes on
    host_key_revoked,   ///< HostKeyRefused: never goes on
    authentication,     ///< none of what we have was taken
    too_many_attempts,  ///< the server hung up before everything had been tried
    jump_refused,       ///< the jump host is there, but does not connect us to the host behind it
    no_shell,           ///< the account cannot run commands (nologin, forced command, restricted shell)
    shell_prints,       ///< start-up files of the login shell print text before commands run
    command_missing,    ///< the program is not there on the host
    no_space,
    remote_file,  ///< a file over there cannot be read or written
    connection_lost,
    cancelled,
};

/// `name_not_found` and so on; for JSON and tests.
const char* name_of(Cause cause);

/// With what a host or a library said in it as HostText::lines.
Message printable_message(const Message& message);

/// A host, as it failed. `what()` is the whole sentence; what the host or a library said in it is made printable.
class ConnectionError : public UserError {
  public:
    ConnectionError(Cause cause, std::string host, const Message& sentence, std::string command_to_try = {})
        : UserError(printable_message(sentence)),
          cause_(cause),
          host_(std::move(host)),
          command_to_try_(HostText(command_to_try, HostText::kMessage)) {}
    Cause cause() const { return cause_; }
    /// Where it happened: the name of the host that was asked for, or of a jump host on the way.
    const std::string& host() const { return host_; }
    /// What a person can type into a terminal to see the same; may be empty.
    const std::string& command_to_try() const { return command_to_try_; }
    /// What was done up to then, a line each (redacted); filled in by Session::connect.
    const std::vector<Message>& transcript() const { return transcript_; }
    void set_transcript(std::vector<Message> lines) { transcript_ = std::move(lines); }

  private:
    Cause cause_;
    std::string host_;
    std::string command_to_try_;
    std::vector<Message> transcript_;
};

/// The server's key is not one that known_hosts vouches for. Nothing was sent after the key exchange.
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
