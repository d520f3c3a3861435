// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/sound_library.h"

#include <algorithm>

#include "base/error.h"
#include "base/shared_library.h"

namespace trainyard::formats {

namespace fs = std::filesystem;

/// An open file of the library.
class DecodedSound {
  public:
    DecodedSound(const SoundLibrary& library, const fs::path& path) : library_(library), path_(path) {
        constexpr int kReadMode = 0x10, kMostChannels = 1024;
        std::error_code error;
        if (!fs::is_regular_file(path, error))
            throw UserError("cannot read {}", path.string());
        if (!library.usable_)
            throw UserError(
                "{} is read by libsndfile, which is not installed (Debian: libsndfile1): install it, or convert the "
                "recordings to WAV",
                path.string());
        file_ = library.open_(path.c_str(), kReadMode, &header_);
        if (file_ == nullptr)
            fail();
        if (header_.channels < 1 || header_.channels > kMostChannels || header_.rate < 1 || header_.frames < 0) {
            library_.close_(file_);
            fail();
        }
    }
    ~DecodedSound() { library_.close_(file_); }
    DecodedSound(const DecodedSound&) = delete;
    DecodedSound& operator=(const DecodedSound&) = delete;

    SoundInfo info() const { return {header_.rate, header_.channels, header_.frames}; }

    std::vector<float> read(std::int64_t most) {
        constexpr std::int64_t kBlock = 1 << 16;  ///< values
        const std::int64_t wanted = std::min(most, header_.frames), channels = header_.channels,
                           frames_of_block = std::max<std::int64_t>(1, kBlock / channels);
        std::vector<float> block(static_cast<std::size_t>(frames_of_block * channels)), samples;
        while (std::ssize(samples) < wanted) {
            const std::int64_t count =
                library_.read_(file_, block.data(), std::min(frames_of_block, wanted - std::ssize(samples)));
            if (count <= 0)
                throw UserError("{} is damaged or truncated: its header announces more than the file has",
                                path_.string());
            for (std::int64_t frame = 0; frame < count; ++frame) {
                float sum = 0;
                for (std::int64_t channel = 0; channel < channels; ++channel)
                    sum += block[static_cast<std::size_t>(frame * channels + channel)];
                samples.push_back(sum / static_cast<float>(channels));
            }
        }
        return samples;
    }

  private:
    [[noreturn]] void fail() const {
        throw UserError(
            "{} cannot be read by the installed libsndfile: it is damaged, or of a format that this version does not "
            "know (MP3 needs 1.1): convert it to WAV",
            path_.string());
    }

    const SoundLibrary& library_;
    fs::path path_;
    SoundLibrary::Header header_;
    void* file_ = nullptr;
};

SoundLibrary::SoundLibrary(std::initializer_list<const char*> names) {
    SystemLibrary library(names);
    library.find(open_, "sf_open");
    library.find(read_, "sf_readf_float");
    library.find(close_, "sf_close");
    usable_ = library.usable();
}

const SoundLibrary& SoundLibrary::installed() {
    static const SoundLibrary library({"libsndfile.so.1"});
    return library;
}

SoundInfo SoundLibrary::read_info(const fs::path& path) const {
    return DecodedSound(*this, path).info();
}

std::vector<float> SoundLibrary::read(const fs::path& path, std::int64_t most) const {
    return DecodedSound(*this, path).read(most);
}

}  // namespace trainyard::formats
