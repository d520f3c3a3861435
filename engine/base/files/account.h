// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Entries of the system's user database, read from any thread (getpwuid() and getpwnam() are for one thread only).

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::files {

struct Account {
    std::string name;
    std::filesystem::path home;
};

/// The account that runs this program. Returns std::nullopt if the database does not have it, as in some containers.
std::optional<Account> own_account();

/// Returns std::nullopt if the database has no account of this name.
std::optional<Account> account_named(const std::string& name);

}  // namespace trainyard::files
