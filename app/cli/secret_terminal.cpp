// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/secret_terminal.h"

#include <cerrno>
#include <mutex>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "base/printable.h"
#include "base/system_call.h"

namespace trainyard::cli {

namespace {

constexpr std::size_t kMostOfLine = 1000;  // characters of a server's text

/// While it lives the terminal shows nothing of what is typed; Ctrl-C is a key like any other.
class Unseen {
  public:
    Unseen(int terminal, bool echo) : terminal_(terminal) {
        good_ = ::tcgetattr(terminal_, &before_) == 0;
        if (!good_)
            return;
        termios now = before_;
        now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ISIG | (echo ? 0 : ECHO));
        ::tcsetattr(terminal_, TCSAFLUSH, &now);
    }
    ~Unseen() {
        if (good_)
            ::tcsetattr(terminal_, TCSAFLUSH, &before_);
    }
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;

  private:
    int terminal_;
    bool good_ = false;
    termios before_{};
};

class SecretTerminal : public remote::Asker {
  public:
    explicit SecretTerminal(FileDescriptor terminal) : terminal_(std::move(terminal)) {}

    std::optional<remote::SecretAnswer> ask(const remote::SecretQuestion& question) override {
        std::lock_guard lock(mutex_);
        if (question.attempt > 1)
            write(question.host + ": that was not right.\n");
        write_lines(question.host, question.note);
        switch (question.kind) {
            case remote::SecretQuestion::Kind::passphrase:
                write(question.host + ": passphrase of " + question.subject + ": ");
                break;
            case remote::SecretQuestion::Kind::password:
                write("password of " + question.subject + ": ");
                break;
            case remote::SecretQuestion::Kind::challenge:
                write(question.host + ": " + text::printable(question.subject) +
                      (question.subject.ends_with(' ') ? "" : " "));
                break;
        }
        remote::SecretAnswer answer;
        bool given = read(answer.secret, question.echo);
        write("\n");
        return given ? std::optional(std::move(answer)) : std::nullopt;
    }

    void say(const std::string& host, const Message& line) override {
        std::lock_guard lock(mutex_);
        write_lines(host, line);
    }

  private:
    /// Each line begins with the host, so that none can look like the question of another host.
    void write_lines(const std::string& host, const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            write(host + ": " + text::printable(line, kMostOfLine) + "\n");
    }

    void write(const std::string& text) {
        // A server's text must not control the terminal.
        write_all(terminal_.get(), text::printable_lines(text));
    }

    bool read(remote::Secret& secret, bool echo) {
        constexpr char kInterrupt = 3, kEnd = 4, kBackspace = 8, kKill = 21, kDelete = 127;
        Unseen unseen(terminal_.get(), echo);
        while (true) {
            char letter = 0;
            const ssize_t size = retry_interrupted([&] { return ::read(terminal_.get(), &letter, 1); });
            if (size <= 0 || letter == kInterrupt || (letter == kEnd && secret.empty()))
                return false;
            if (letter == '\n' || letter == '\r' || letter == kEnd)
                return true;
            if (letter == kBackspace || letter == kDelete)
                secret.remove_last();
            else if (letter == kKill)
                secret.clear();
            else
                secret.append(letter);
        }
    }

    FileDescriptor terminal_;
    std::mutex mutex_;
};

}  // namespace

std::unique_ptr<remote::Asker> secret_terminal() {
    FileDescriptor terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC));
    if (!terminal)
        return nullptr;
    return std::make_unique<SecretTerminal>(std::move(terminal));
}

}  // namespace trainyard::cli
