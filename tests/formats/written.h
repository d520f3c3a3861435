// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files written by the tests of data formats.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.h"

namespace trainyard::test {

inline std::filesystem::path write(const std::filesystem::path& path, std::string_view content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    return path;
}

/// The error of `work`; empty if it succeeds.
template <class Work>
std::string refusal(Work work) {
    try {
        work();
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

}  // namespace trainyard::test
