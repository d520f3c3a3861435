// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads WAV files: PCM of 8, 16, 24 and 32 bits, and floating point of 32 and 64 bits.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace trainyard::formats {

/// Values of the header of a file.
struct SoundInfo {
    std::int64_t rate = 0;  ///< samples a second
    std::int64_t channels = 0;
    std::int64_t samples = 0;  ///< of each channel
};

/// Throws UserError, as read_sound().
SoundInfo read_sound_info(const std::filesystem::path& path);
/// The first `most` samples, from -1 to 1: the mean of the channels. Throws UserError if the file is not WAV, is
/// truncated, or has another encoding.
std::vector<float> read_sound(const std::filesystem::path& path,
                              std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// The files under the folders and the files themselves, sorted, that end with .wav in upper or lower case. Files of
/// other formats of sound are refused by their names, all others are left out. Throws UserError if there is none.
std::vector<std::filesystem::path> sound_files(const std::vector<std::filesystem::path>& found);

}  // namespace trainyard::formats
