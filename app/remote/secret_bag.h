// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Secrets entered while connecting, for another connection of the same launch: the process that keeps a run's mirror
// current opens its own connection and cannot ask the user. The secrets are in locked memory and are passed between the
// processes only through standard input.

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "remote/asker.h"

namespace trainyard::remote {

/// Why mlock() failed for a Secret of this process, as given by strerror(); empty if it never failed. Locks are not
/// inherited by a forked process.
Message secret_lock_problem();

/// Whether a prompt of keyboard-interactive (RFC 4256) asks for the password of the account and nothing else, in the
/// wording of sshd and PAM: `Password:`, `me@host's password:`, `Password for me:`. Returns false for prompts for new,
/// repeated or one-time passwords.
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

    /// Stores the answer to a question and replaces an earlier one. Answers to prompts of a server are not stored: they
    /// may be one-time codes or new passwords.
    void keep(const SecretQuestion& question, const Secret& secret);
    const Secret* find(const SecretQuestion& question) const;
    bool empty() const { return entries_.empty(); }

    /// The entries as lines of hexadecimal words, followed by an empty line. The caller must wipe the result.
    Secret to_lines() const;
    /// Reads the entries from a descriptor, up to the empty line or its end. Throws UserError for invalid input.
    static SecretBag read(int descriptor);

  private:
    std::vector<Entry> entries_;
};

/// Forwards questions to another Asker and stores the answers. Thread-safe.
class KeepingAsker : public Asker {
  public:
    explicit KeepingAsker(Asker* asker) : asker_(asker) {}
    std::optional<SecretAnswer> ask(const SecretQuestion& question) override;
    void say(const std::string& host, const Message& line) override { asker_->say(host, line); }
    const SecretBag& kept() const { return bag_; }  ///< call when no connection is being made
    void forget();                                  ///< call after the answers were handed over

  private:
    Asker* asker_;
    std::mutex mutex_;
    SecretBag bag_;
};

/// Answers from a bag, each question once: a wrong secret is not tried again.
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
