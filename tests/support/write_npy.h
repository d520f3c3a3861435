// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes .npy files of version 1.0 as numpy.save does (numpy/lib/format.py).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"

namespace trainyard::test {

/// `type` as NumPy writes it: <i4.
inline void write_npy(const std::filesystem::path& path, std::string_view type, std::span<const std::int64_t> shape,
                      std::span<const std::byte> data) {
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                     fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10, ' ');
    header.back() = '\n';
    std::string content("\x93NUMPY\x01\x00", 8);
    content += static_cast<char>(header.size() & 0xff);
    content += static_cast<char>(header.size() >> 8);
    content += header;
    content.append(reinterpret_cast<const char*>(data.data()), data.size());
    write_file_atomically(path, content, false);
}

}  // namespace trainyard::test
