// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How connecting asks a person: a dialog of the desktop or a line of the terminal. Called on the connecting thread, which waits.

#include <optional>
#include <string>

#include "remote/secret.h"

namespace trainyard::remote {

struct SecretQuestion {
    enum class Kind {
        passphrase,  ///< of a private key: `subject` is its file
        password,    ///< of user@host
        challenge,   ///< a prompt of the server (keyboard-interactive): `subject` is the prompt
    };
    Kind kind = Kind::password;
    std::string host;  ///< as the user calls it
    std::string user;
    std::string subject;
    std::string note;   ///< more words of the server, may be empty
    bool echo = false;  ///< a challenge whose answer may be seen
    int attempt = 1;    ///< 2: the first answer was wrong
    bool can_remember = false;
};

struct SecretAnswer {
    Secret secret;
    bool remember = false;  ///< keep it on the key ring once it has worked
};

class Asker {
  public:
    virtual ~Asker() = default;
    /// Nothing: the person does not want to answer; the next way of authentication is tried.
    virtual std::optional<SecretAnswer> ask(const SecretQuestion& question) = 0;
    /// One line for the person: "touch your security key", the banner of a server, "the password could not be kept: ...".
    virtual void say(const std::string& host, const Message& line) = 0;
};

}  // namespace trainyard::remote
