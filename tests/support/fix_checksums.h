// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For fuzz targets: corrects lengths and checksums after a mutation, because otherwise nearly all mutations would be
// refused at once.

#include <cstdint>
#include <span>
#include <string>

#include "base/files/zip_archive.h"

namespace trainyard::test {

/// safetensors: sets the length of the header (the first eight bytes) to the position of its last brace, so that the
/// header is not cut and does not extend into the data.
inline void fix_safetensors_length(std::string& text) {
    if (text.size() < 16)
        return;
    std::size_t end = text.find("}}", 8);
    if (end == std::string::npos)
        return;
    std::uint64_t length = end + 2 - 8;
    for (std::size_t i = 0; i < 8; ++i)
        text[i] = static_cast<char>(length >> 8 * i);
}

/// ZIP archives, such as those of torch.save: the checksum of every entry.
inline void fix_zip_checksums(std::string& text) {
    for (std::size_t at = text.find("PK\1\2"); at != std::string::npos && at + 46 <= text.size();
         at = text.find("PK\1\2", at + 4)) {
        auto number = [&](std::size_t place, std::size_t bytes) {
            std::uint64_t value = 0;
            for (std::size_t i = bytes; i-- > 0;)
                value = value << 8 | static_cast<unsigned char>(text[place + i]);
            return value;
        };
        std::uint64_t size = number(at + 24, 4), header = number(at + 42, 4);
        if (header + 30 > text.size())
            continue;
        std::uint64_t data = header + 30 + number(header + 26, 2) + number(header + 28, 2);
        if (data + size > text.size())
            continue;
        std::uint32_t crc = files::crc32(std::as_bytes(std::span(text.data() + data, size)));
        for (std::size_t i = 0; i < 4; ++i)
            text[at + 16 + i] = static_cast<char>(crc >> 8 * i);
    }
}

}  // namespace trainyard::test
