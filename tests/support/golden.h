// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds golden files: tests/golden/<topic>, or $TRAINYARD_GOLDEN/<topic> if that folder exists. A test that uses
// golden() must accept any files of the topic's schema: it names no files or cases, and does not require optional
// fields.

#include <cctype>
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

/// Golden files of this repository, for tests that name files; $TRAINYARD_GOLDEN need not have them.
inline std::filesystem::path own_golden(const std::string& topic) {
    return std::filesystem::path(TRAINYARD_TESTS_DIR) / "golden" / topic;
}

/// The chat template with the date of golden texts instead of today's, which some templates write.
inline std::string with_date(const std::string& chat_template, const std::string& date) {
    if (date.empty() || chat_template.find("strftime_now") == std::string::npos)
        return chat_template;
    return "{% macro strftime_now(format) %}" + date + "{% endmacro %}" + chat_template;
}

/// A case's name as gtest takes it, for INSTANTIATE_TEST_SUITE_P: letters, digits and underscores; the number keeps them apart.
inline std::string case_name(const std::string& name, std::size_t number) {
    std::string taken = name;
    for (char& letter : taken)
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0 || static_cast<unsigned char>(letter) >= 0x80)
            letter = '_';
    return taken == name ? name : taken + "_" + std::to_string(number);
}

}  // namespace trainyard::test
