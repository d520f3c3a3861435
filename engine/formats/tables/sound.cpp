// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/sound.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "formats/tables/sound_library.h"

namespace trainyard::formats {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kUnknownWavSize = 0xffffffff;  ///< of programs that write to a pipe

enum class WavEncoding { integer, real };

/// Place of the samples in a file.
struct WavData {
    SoundInfo info;
    WavEncoding encoding = WavEncoding::integer;
    std::int64_t bytes = 0;  ///< of a sample of one channel
    std::streamoff first = 0;
};

template <class Number>
Number little_endian(const char* bytes) {
    static_assert(std::endian::native == std::endian::little);
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

class WavFile {
  public:
    explicit WavFile(const fs::path& path) : path_(path), file_(path, std::ios::binary) {
        std::error_code error;
        if (!fs::is_regular_file(path, error) || !file_)
            throw UserError("cannot read {}", path.string());
        size_ = static_cast<std::streamoff>(fs::file_size(path, error));
        read_header();
    }
    const WavData& data() const { return data_; }

    std::vector<float> read(std::int64_t most) {
        const std::int64_t count = std::min(most, data_.info.samples), channels = data_.info.channels;
        std::vector<char> bytes(static_cast<std::size_t>(count * channels * data_.bytes));
        file_.clear();
        file_.seekg(data_.first);
        if (!file_.read(bytes.data(), std::ssize(bytes)))
            fail_truncated();
        std::vector<float> samples(static_cast<std::size_t>(count));
        const char* at = bytes.data();
        for (float& sample : samples) {
            float sum = 0;
            for (std::int64_t channel = 0; channel < channels; ++channel, at += data_.bytes)
                sum += value(at);
            sample = sum / static_cast<float>(channels);
        }
        return samples;
    }

  private:
    [[noreturn]] void fail_truncated() const {
        throw UserError("{} is damaged or truncated: its header announces more than the file has", path_.string());
    }
    std::string_view take(std::streamoff at, std::size_t count) {
        file_.clear();
        file_.seekg(at);
        if (at + static_cast<std::streamoff>(count) > size_ ||
            !file_.read(buffer_.data(), static_cast<std::streamsize>(count)))
            fail_truncated();
        return {buffer_.data(), count};
    }

    void read_header() {
        constexpr std::streamoff kWavHeader = 12, kWavChunkWavHeader = 8;
        const bool is_wav = size_ >= kWavHeader && [&] {
            const std::string_view begin = take(0, kWavHeader);
            return begin.starts_with("RIFF") && begin.ends_with("WAVE");
        }();
        if (!is_wav)
            throw UserError("{} is not a WAV file: convert it to WAV", path_.string());
        bool has_format = false;
        for (std::streamoff at = kWavHeader; at + kWavChunkWavHeader <= size_;) {
            const std::string_view header = take(at, kWavChunkWavHeader);
            const std::string name(header.substr(0, 4));
            const auto size = little_endian<std::uint32_t>(header.data() + 4);
            at += kWavChunkWavHeader;
            if (name == "fmt ") {
                read_format(at, size);
                has_format = true;
            } else if (name == "data") {
                if (!has_format)
                    break;
                return place(at, size);
            }
            at += static_cast<std::streamoff>(size) + size % 2;  // chunks begin at even places
        }
        fail_truncated();
    }

    void read_format(std::streamoff at, std::uint32_t size) {
        constexpr std::uint32_t kPlainFormat = 16, kExtendedFormat = 26;
        constexpr std::uint16_t kWavPcm = 1, kWavFloat = 3, kWavExtensible = 0xfffe;
        if (size < kPlainFormat)
            fail_truncated();
        const char* fields = take(at, std::min(size, kExtendedFormat)).data();
        auto tag = little_endian<std::uint16_t>(fields);
        data_.info.channels = little_endian<std::uint16_t>(fields + 2);
        data_.info.rate = little_endian<std::uint32_t>(fields + 4);
        const auto bits = little_endian<std::uint16_t>(fields + 14);
        if (tag == kWavExtensible && size >= kExtendedFormat)
            tag = little_endian<std::uint16_t>(fields + 24);
        data_.encoding = tag == kWavFloat ? WavEncoding::real : WavEncoding::integer;
        data_.bytes = bits / 8;
        const bool integer = tag == kWavPcm && (bits == 8 || bits == 16 || bits == 24 || bits == 32);
        const bool real = tag == kWavFloat && (bits == 32 || bits == 64);
        if (!integer && !real)
            throw UserError(
                "{} has samples of the encoding {} with {} bits: this version reads PCM of 8, 16, 24 and 32 bits and "
                "floating point: convert it to PCM of 16 bits",
                path_.string(), tag, bits);
        if (data_.info.channels == 0 || data_.info.rate == 0)
            throw UserError("{} is damaged: its header has no channels or no samples a second", path_.string());
    }

    void place(std::streamoff at, std::uint32_t size) {
        const std::streamoff rest = size_ - at;
        if (size != kUnknownWavSize && static_cast<std::streamoff>(size) > rest)
            fail_truncated();
        data_.first = at;
        data_.info.samples =
            (size == kUnknownWavSize ? rest : static_cast<std::streamoff>(size)) / (data_.info.channels * data_.bytes);
    }

    float value(const char* at) const {
        if (data_.encoding == WavEncoding::real)
            return data_.bytes == 4 ? little_endian<float>(at) : static_cast<float>(little_endian<double>(at));
        switch (data_.bytes) {
            case 1:  // the only one without a sign
                return static_cast<float>(static_cast<unsigned char>(*at) - 128) / 128.0F;
            case 2:
                return static_cast<float>(little_endian<std::int16_t>(at)) / 32768.0F;
            case 3: {
                std::array<char, 4> wide{0, at[0], at[1], at[2]};
                return static_cast<float>(little_endian<std::int32_t>(wide.data())) / 2147483648.0F;
            }
            default:
                return static_cast<float>(little_endian<std::int32_t>(at)) / 2147483648.0F;
        }
    }

    fs::path path_;
    std::ifstream file_;
    std::streamoff size_ = 0;
    std::array<char, 32> buffer_{};
    WavData data_;
};

}  // namespace

namespace {

std::string ending_of(const fs::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return ending;
}

bool is_wav_name(const fs::path& path) {
    return ending_of(path) == ".wav";
}

}  // namespace

SoundInfo read_sound_info(const fs::path& path) {
    return is_wav_name(path) ? WavFile(path).data().info : SoundLibrary::installed().read_info(path);
}

std::vector<float> read_sound(const fs::path& path, std::int64_t most) {
    return is_wav_name(path) ? WavFile(path).read(most) : SoundLibrary::installed().read(path, most);
}

std::vector<fs::path> sound_files(const std::vector<fs::path>& found) {
    static constexpr std::array<std::string_view, 9> read{".wav",  ".flac", ".mp3",  ".ogg", ".oga",
                                                          ".opus", ".aif",  ".aiff", ".aifc"};
    static constexpr std::array<std::string_view, 4> others{".m4a", ".aac", ".wma", ".amr"};
    std::vector<fs::path> files;
    for (const fs::path& path : found) {
        const std::string ending = ending_of(path);
        if (std::ranges::find(read, ending) != read.end())
            files.push_back(path);
        else if (std::ranges::find(others, ending) != others.end())
            throw UserError("{} is of a format that this version does not read: convert it to WAV or FLAC",
                            path.string());
    }
    if (files.empty())
        throw UserError(
            "there are no recordings: name files that end with .wav, .flac, .mp3, .ogg or .opus, or folders of them");
    return files;
}

}  // namespace trainyard::formats
