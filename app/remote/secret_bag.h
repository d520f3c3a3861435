#pragma once
// What a person was asked for while connecting, for one more connection of the same launch: the process that keeps a run's copy current connects
// by itself and has nobody to ask. In locked memory, and from one process to the other on its standard input only.

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "remote/asker.h"

namespace trainyard::remote {

/// Why mlock() failed for a Secret of this process, as strerror() says it; empty: it never did. Locks do not pass to a
/// forked process.
Message secret_lock_problem();

/// True for a prompt of keyboard-interactive (RFC 4256) that asks for the password of the account and nothing else, as
/// sshd and PAM word it:
/// `Password:`, `me@host's password:`, `Password for me:`. Prompts for new, repeated or one-time passwords are not.
bool is_login_password_prompt(std::string_view prompt, std::string_view user);

class SecretBag {
  public:
    struct Entry {
        SecretQuestion::Kind kind = SecretQuestion::Kind::password;
        std::string host, user, subject;
        Secret secret;
    };
    SecretBag() = default;
    SecretBag(SecretBag&&) noexcept = default;
    SecretBag& operator=(SecretBag&&) noexcept = default;

    /// The last answer to a question counts. Answers to prompts of a server are not stored: they may be codes for one
    /// use or new passwords.
    void keep(const SecretQuestion& question, const Secret& secret);
    const Secret* find(const SecretQuestion& question) const;
    bool empty() const { return entries_.empty(); }

    /// Lines of words in hexadecimal digits, an empty line at the end. To be wiped by whoever has it.
    Secret to_lines() const;
    /// Reads them from a descriptor, up to the empty line or its end. Throws UserError for what is something else.
    static SecretBag read(int descriptor);

  private:
    std::vector<Entry> entries_;
};

/// Asks somebody else and keeps the answers. From several threads.
class KeepingAsker : public Asker {
  public:
    explicit KeepingAsker(Asker* asker) : asker_(asker) {}
    std::optional<SecretAnswer> ask(const SecretQuestion& question) override;
    void say(const std::string& host, const Message& line) override { asker_->say(host, line); }
    const SecretBag& kept() const { return bag_; }  ///< when no connection is being made
    void forget();                                  ///< once the answers are handed over

  private:
    Asker* asker_;
    std::mutex mutex_;
    SecretBag bag_;
};

/// Answers from a bag, each question once: a secret that was wrong is not tried again.
class BagAsker : public Asker {
  public:
    explicit BagAsker(SecretBag bag) : bag_(std::move(bag)) {}
    std::optional<SecretAnswer> ask(const SecretQuestion& question) override;
    void say(const std::string&, const Message&) override {}
    void forget() { bag_ = SecretBag(); }

  private:
    SecretBag bag_;
};

}  // namespace trainyard::remote
