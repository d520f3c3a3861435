// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads FLAC, MP3, Ogg (Vorbis, Opus) and AIFF through libsndfile, which is loaded when such a file is read. Inside
// this library.

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <vector>

#include "formats/tables/sound.h"

namespace trainyard::formats {

class SoundLibrary {
  public:
    /// The first of these libraries that the loader finds.
    explicit SoundLibrary(std::initializer_list<const char*> names);
    /// libsndfile, loaded once.
    static const SoundLibrary& installed();

    /// Throw UserError if the library is missing, or cannot read the file.
    SoundInfo read_info(const std::filesystem::path& path) const;
    /// The first `most` samples, as read_sound(). Memory grows with what is decoded, not with what the header says.
    std::vector<float> read(const std::filesystem::path& path, std::int64_t most) const;

  private:
    friend class DecodedSound;
    /// SF_INFO of sndfile.h, whose layout is part of the library's version number (libsndfile.so.1).
    struct Header {
        std::int64_t frames = 0;
        int rate = 0, channels = 0, format = 0, sections = 0, seekable = 0;
    };

    void* (*open_)(const char* path, int mode, Header* header) = nullptr;
    std::int64_t (*read_)(void* file, float* frames, std::int64_t count) = nullptr;
    int (*close_)(void* file) = nullptr;
    bool usable_ = false;
};

}  // namespace trainyard::formats
