// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/account.h"

#include <cerrno>
#include <vector>

#include <pwd.h>
#include <unistd.h>

namespace trainyard::files {

namespace {

constexpr std::size_t kLargestEntry = 1u << 20;  // bytes

/// `look_up`: getpwuid_r() or getpwnam_r() of a key.
template <class LookUp>
std::optional<Account> account_from(const LookUp& look_up) {
    for (std::vector<char> text(1024); text.size() <= kLargestEntry; text.resize(2 * text.size())) {
        passwd entry{};
        passwd* found = nullptr;
        const int error = look_up(&entry, text.data(), text.size(), &found);
        if (found != nullptr)
            return Account{entry.pw_name, entry.pw_dir};
        if (error != ERANGE)
            break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Account> own_account() {
    return account_from([](auto... place) { return ::getpwuid_r(::getuid(), place...); });
}

std::optional<Account> account_named(const std::string& name) {
    return account_from([&name](auto... place) { return ::getpwnam_r(name.c_str(), place...); });
}

}  // namespace trainyard::files
