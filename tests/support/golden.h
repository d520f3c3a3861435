#pragma once
// Where a test finds its golden files: tests/golden/<topic>, or $TRAINYARD_GOLDEN/<topic> when that folder has it.

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

}  // namespace trainyard::test
