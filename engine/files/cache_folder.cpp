#include "files/cache_folder.h"

#include <cstdlib>

namespace trainyard::files {

std::filesystem::path cache_folder() {
    const auto folder_of = [](const char* name) -> std::filesystem::path {
        const char* value = std::getenv(name);
        return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
    };
    if (std::filesystem::path own = folder_of("TRAINYARD_CACHE"); !own.empty())
        return own;
    if (std::filesystem::path cache = folder_of("XDG_CACHE_HOME"); cache.is_absolute())
        return cache / "trainyard";
    const std::filesystem::path home = folder_of("HOME");
    return home.empty() ? home : home / ".cache" / "trainyard";
}

}  // namespace trainyard::files
