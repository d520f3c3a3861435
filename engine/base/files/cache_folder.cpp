// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/cache_folder.h"

#include <cstdlib>

namespace trainyard::files {

namespace {

std::filesystem::path named_by(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

}  // namespace

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
