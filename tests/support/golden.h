#pragma once
// Where a test finds its golden files: tests/golden/<topic>, or $TRAINYARD_GOLDEN/<topic> when that folder has it. A test that reads golden() takes
// any file of the topic's schema: it knows no names of files or cases, and lacks no field that is optional.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace trainyard::test {

inline std::filesystem::path golden(const std::string& topic) {
    const char* other = std::getenv("TRAINYARD_GOLDEN");
    if (other != nullptr && std::filesystem::exists(std::filesystem::path(other) / topic))
        return std::filesystem::path(other) / topic;
    return std::filesystem::path(TRAINYARD_TESTS_DIR) / "golden" / topic;
}

/// Files of this repository, for tests that name them: $TRAINYARD_GOLDEN need not have them.
inline std::filesystem::path own_golden(const std::string& topic) {
    return std::filesystem::path(TRAINYARD_TESTS_DIR) / "golden" / topic;
}

}  // namespace trainyard::test
