#pragma once
// What a person was asked for while connecting, for one more connection of the same launch: the process that keeps a run's copy current connects
// by itself and has nobody to ask. In locked memory, and from one process to the other on its standard input only.

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "remote/asker.h"

namespace trainyard::remote {

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

    /// The last answer to a question counts.
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
    void say(const std::string& host, const std::string& line) override { asker_->say(host, line); }
    const SecretBag& kept() const { return bag_; }  ///< when no connection is being made

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
    void say(const std::string&, const std::string&) override {}

  private:
    SecretBag bag_;
};

}  // namespace trainyard::remote
