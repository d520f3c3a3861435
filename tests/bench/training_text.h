// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A text of 40,000 different lines for runs of benchmarks.

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/file.h"

namespace trainyard::bench {

inline void write_training_text(const std::filesystem::path& file) {
    std::string text;
    for (int i = 0; i < 40'000; ++i)
        text += fmt::format("line {} of a text for training\n", i * 7919 % 40'000);
    write_file_atomically(file, text, false);
}

}  // namespace trainyard::bench
