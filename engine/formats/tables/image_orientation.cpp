// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/image_orientation.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace trainyard::formats {

namespace {

using Bytes = std::span<const std::byte>;

/// A number of `size` bytes; nothing if it is not within the bytes.
std::optional<std::size_t> number_at(Bytes bytes, std::size_t at, std::size_t size, bool big_endian) {
    if (at > bytes.size() || size > bytes.size() - at)
        return std::nullopt;
    std::size_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
        number = number << 8 | std::to_integer<std::size_t>(bytes[at + (big_endian ? i : size - 1 - i)]);
    return number;
}

bool begins(Bytes bytes, const char* text, std::size_t size) {
    return bytes.size() >= size && std::memcmp(bytes.data(), text, size) == 0;
}

/// EXIF is a TIFF file. Only its first directory is read.
int orientation_of_tiff(Bytes tiff) {
    constexpr std::size_t kOrientation = 274, kShort = 3, kEntry = 12;
    const bool big_endian = begins(tiff, "MM\0*", 4);
    if (!big_endian && !begins(tiff, "II*\0", 4))
        return 1;
    const std::size_t directory = number_at(tiff, 4, 4, big_endian).value_or(tiff.size());
    const std::size_t entries = number_at(tiff, directory, 2, big_endian).value_or(0);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t at = directory + 2 + i * kEntry;
        const std::optional<std::size_t> tag = number_at(tiff, at, 2, big_endian);
        if (!tag)
            return 1;
        if (*tag != kOrientation)
            continue;
        const std::size_t value = number_at(tiff, at + 8, 2, big_endian).value_or(1);
        const bool known = number_at(tiff, at + 2, 2, big_endian) == kShort && value >= 1 && value <= 8;
        return known ? static_cast<int>(value) : 1;
    }
    return 1;
}

/// The EXIF block before the pixels of a JPEG file.
Bytes exif_of_jpeg(Bytes file) {
    constexpr std::size_t kApplication1 = 0xffe1, kScan = 0xffda;
    for (std::size_t at = 2;;) {
        const std::optional<std::size_t> marker = number_at(file, at, 2, true);
        const std::size_t size = number_at(file, at + 2, 2, true).value_or(0);
        if (!marker || *marker < 0xff00 || *marker == kScan || size < 2)
            return {};
        if (*marker == 0xffff) {  // a fill byte
            ++at;
            continue;
        }
        const Bytes content = file.subspan(at + 4, std::min(size - 2, file.size() - at - 4));
        if (*marker == kApplication1 && begins(content, "Exif\0\0", 6))
            return content.subspan(6);
        at += 2 + size;
    }
}

Bytes exif_of_png(Bytes file) {
    for (std::size_t at = 8;;) {
        const std::optional<std::size_t> size = number_at(file, at, 4, true);
        if (!size || file.size() - at < 12 || *size > file.size() - at - 12)
            return {};
        if (begins(file.subspan(at + 4), "eXIf", 4))
            return file.subspan(at + 8, *size);
        at += 12 + *size;
    }
}

}  // namespace

int exif_orientation(Bytes file) {
    return orientation_of_tiff(begins(file, "\x89PNG", 4) ? exif_of_png(file) : exif_of_jpeg(file));
}

Image turned(Image image, int orientation) {
    if (orientation <= 1)
        return image;
    const bool transposed = orientation >= 5;
    // Which of the stored sides is counted from its end.
    const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    Image made{transposed ? image.width : image.height, transposed ? image.height : image.width, image.channels, {}};
    made.pixels.resize(image.pixels.size());
    auto to = made.pixels.begin();
    for (std::int64_t y = 0; y < made.height; ++y)
        for (std::int64_t x = 0; x < made.width; ++x) {
            const std::int64_t row = transposed ? x : y, column = transposed ? y : x;
            const std::int64_t stored_row = from_bottom ? image.height - 1 - row : row;
            const std::int64_t stored_column = from_right ? image.width - 1 - column : column;
            const auto pixel = image.pixels.begin() + (stored_row * image.width + stored_column) * image.channels;
            to = std::copy_n(pixel, image.channels, to);
        }
    return made;
}

}  // namespace trainyard::formats
