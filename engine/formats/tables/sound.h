// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads recordings: WAV (PCM of 8, 16, 24 and 32 bits, and floating point of 32 and 64 bits), and, through libsndfile,
// FLAC, MP3, Ogg (Vorbis, Opus) and AIFF. The ending of a name says which.

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
/// The first `most` samples, from -1 to 1: the mean of the channels. Throws UserError if the file is truncated or
/// has another encoding, or if libsndfile is needed and missing.
std::vector<float> read_sound(const std::filesystem::path& path,
                              std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Those of the files whose names end as those of recordings do, in upper or lower case. Formats of sound that cannot
/// be read are refused by their names, all others are left out. Throws UserError if there is none.
std::vector<std::filesystem::path> sound_files(const std::vector<std::filesystem::path>& found);

}  // namespace trainyard::formats
