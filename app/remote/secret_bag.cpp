// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/secret_bag.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "base/error.h"
#include "base/system_call.h"

namespace trainyard::remote {

namespace {

constexpr std::size_t kMostBytes = 64u << 10;  ///< bytes of all lines

void append_hex(Secret& text, std::string_view word) {
    static constexpr char kDigits[] = "0123456789abcdef";
    for (const char letter : word) {
        text.append(kDigits[static_cast<unsigned char>(letter) >> 4]);
        text.append(kDigits[static_cast<unsigned char>(letter) & 15]);
    }
}

int digit(char letter) {
    return letter >= '0' && letter <= '9' ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// Takes the next word from the front of the line.
Secret take_word(std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    Secret word;
    for (std::size_t i = 0; i + 1 < end; i += 2) {
        const int high = digit(line[i]), low = digit(line[i + 1]);
        if (high < 0 || low < 0)
            throw UserError("standard input does not contain valid secrets");
        word.append(static_cast<char>(high * 16 + low));
    }
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
}

}  // namespace

void SecretBag::keep(const SecretQuestion& question, const Secret& secret) {
    if (question.kind == SecretQuestion::Kind::challenge)
        return;
    const auto same = [&](const Entry& entry) {
        return entry.kind == question.kind && entry.host == question.host && entry.user == question.user &&
               entry.subject == question.subject;
    };
    std::erase_if(entries_, same);
    entries_.push_back({question.kind, question.host, question.user, question.subject, secret.copy()});
}

const Secret* SecretBag::find(const SecretQuestion& question) const {
    for (const Entry& entry : entries_)
        if (entry.kind == question.kind && entry.host == question.host && entry.user == question.user &&
            entry.subject == question.subject)
            return &entry.secret;
    return nullptr;
}

Secret SecretBag::to_lines() const {
    Secret text;
    for (const Entry& entry : entries_) {
        text.append(static_cast<char>('0' + static_cast<int>(entry.kind)));
        for (const std::string_view word : {std::string_view(entry.host), std::string_view(entry.user),
                                            std::string_view(entry.subject), entry.secret.view()}) {
            text.append(' ');
            append_hex(text, word);
        }
        text.append('\n');
    }
    text.append('\n');
    return text;
}

SecretBag SecretBag::read(int descriptor) {
    SecretBag bag;
    Secret line;
    std::size_t all = 0;
    for (char letter = 0;;) {
        const ssize_t n = retry_interrupted([&] { return ::read(descriptor, &letter, 1); });
        if (n > 0 && ++all > kMostBytes)
            throw UserError("standard input does not contain valid secrets");
        if (n > 0 && letter != '\n') {
            line.append(letter);
            continue;
        }
        if (line.empty())
            return bag;
        std::string_view rest = line.view();
        const int kind = rest.front() - '0';
        if (kind < 0 || kind > static_cast<int>(SecretQuestion::Kind::challenge) || rest.size() < 2)
            throw UserError("standard input does not contain valid secrets");
        rest.remove_prefix(2);
        SecretQuestion question;
        question.kind = static_cast<SecretQuestion::Kind>(kind);
        question.host = take_word(rest).view();
        question.user = take_word(rest).view();
        question.subject = take_word(rest).view();
        bag.keep(question, take_word(rest));
        line.clear();
        if (n <= 0)
            return bag;
    }
}

std::optional<SecretAnswer> KeepingAsker::ask(const SecretQuestion& question) {
    std::optional<SecretAnswer> answer = asker_->ask(question);
    if (answer) {
        const std::lock_guard lock(mutex_);
        bag_.keep(question, answer->secret);
    }
    return answer;
}

void KeepingAsker::forget() {
    const std::lock_guard lock(mutex_);
    bag_ = SecretBag();
}

std::optional<SecretAnswer> BagAsker::ask(const SecretQuestion& question) {
    const Secret* secret = question.attempt > 1 ? nullptr : bag_.find(question);
    if (secret == nullptr)
        return std::nullopt;
    return SecretAnswer{secret->copy(), false};
}

}  // namespace trainyard::remote
