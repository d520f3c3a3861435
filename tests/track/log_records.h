// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads the records of a file of W&B or SwanLab, independently of the writer.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/files/zip_archive.h"
#include "base/protobuf.h"

namespace trainyard::test {

/// `head`: the first bytes. Checks the checksums.
inline std::vector<std::string> log_records(const std::string& bytes, std::string_view head) {
    EXPECT_TRUE(bytes.starts_with(head));
    std::vector<std::string> records;
    std::string joined;
    for (std::size_t at = head.size(); at + 7 <= bytes.size();) {
        if (const std::size_t room = 32768 - at % 32768; room < 7) {
            at += room;
            continue;
        }
        const std::string_view rest = std::string_view(bytes).substr(at);
        const std::size_t size = protobuf::little_endian(rest.substr(4, 2));
        const std::string_view summed = rest.substr(6, size + 1);
        EXPECT_EQ(files::crc32(std::as_bytes(std::span(summed))), protobuf::little_endian(rest.substr(0, 4)));
        if (summed[0] == 1 || summed[0] == 2)
            joined.clear();
        joined += summed.substr(1);
        if (summed[0] == 1 || summed[0] == 4)
            records.push_back(joined);
        at += 7 + size;
    }
    return records;
}

}  // namespace trainyard::test
