// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/user_folders.h"

#include <algorithm>
#include <cstdlib>

#include "base/files/account.h"

namespace trainyard::files {

namespace {

std::filesystem::path named_by(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

std::filesystem::path base_folder(const char* variable, const char* below_home) {
    if (std::filesystem::path named = named_by(variable); named.is_absolute())
        return named;
    return home_folder() / below_home;
}

}  // namespace

std::filesystem::path home_folder() {
    if (std::filesystem::path home = named_by("HOME"); !home.empty())
        return home;
    const std::optional<Account> account = own_account();
    return account ? account->home : "/";
}

std::string expand_home(const std::string& path) {
    if (!path.starts_with('~'))
        return path;
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end == 1)
        return home_folder().string() + path.substr(1);
    const std::optional<Account> account = account_named(path.substr(1, end - 1));
    return account ? account->home.string() + path.substr(end) : path;
}

std::filesystem::path config_folder() {
    return base_folder("XDG_CONFIG_HOME", ".config") / "trainyard";
}

std::filesystem::path state_folder() {
    return base_folder("XDG_STATE_HOME", ".local/state") / "trainyard";
}

std::filesystem::path data_folder() {
    return base_folder("XDG_DATA_HOME", ".local/share") / "trainyard";
}

std::filesystem::path cache_folder() {
    if (std::filesystem::path own = named_by("TRAINYARD_CACHE"); !own.empty())
        return own;
    if (std::filesystem::path cache = named_by("XDG_CACHE_HOME"); cache.is_absolute())
        return cache / "trainyard";
    const std::filesystem::path home = named_by("HOME");
    return home.empty() ? home : home / ".cache" / "trainyard";
}

std::filesystem::path hugging_face_folder() {
    if (std::filesystem::path own = named_by("HF_HOME"); !own.empty())
        return own;
    const std::filesystem::path cache = named_by("XDG_CACHE_HOME");
    return (cache.empty() ? named_by("HOME") / ".cache" : cache) / "huggingface";
}

}  // namespace trainyard::files
