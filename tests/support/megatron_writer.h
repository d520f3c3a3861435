// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes Megatron-LM's indexed data sets (formats/tables/megatron_set.h) as Megatron's preprocessing does.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "formats/tables/table.h"

namespace trainyard::test {

class MegatronWriter {
  public:
    MegatronWriter(const std::filesystem::path& prefix, formats::ElementType type)
        : prefix_(prefix.string()), type_(type) {}

    void add_sequence(std::span<const std::int64_t> tokens) {
        lengths_.push_back(static_cast<std::int32_t>(tokens.size()));
        for (const std::int64_t token : tokens)  // of little-endian numbers the low bytes are the narrow number
            data_.append(reinterpret_cast<const char*>(&token), formats::element_size(type_));
    }
    void end_document() { documents_.push_back(std::ssize(lengths_)); }
    void finish() const {
        using enum formats::ElementType;
        std::string index("MMIDIDX\0", 9);
        const auto put = [&](auto number) { index.append(reinterpret_cast<const char*>(&number), sizeof number); };
        put(std::uint64_t{1});
        put(static_cast<std::uint8_t>(type_ == u8    ? 1
                                      : type_ == i8  ? 2
                                      : type_ == i16 ? 3
                                      : type_ == i32 ? 4
                                      : type_ == i64 ? 5
                                                     : 8));  // u16
        put(static_cast<std::uint64_t>(lengths_.size()));
        put(static_cast<std::uint64_t>(documents_.size()));
        for (const std::int32_t length : lengths_)
            put(length);
        std::int64_t start = 0;
        for (const std::int32_t length : lengths_) {
            put(start);
            start += length * static_cast<std::int64_t>(formats::element_size(type_));
        }
        for (const std::int64_t document : documents_)
            put(document);
        write_file_atomically(prefix_ + ".bin", data_, false);
        write_file_atomically(prefix_ + ".idx", index, false);
    }

  private:
    std::string prefix_, data_;
    formats::ElementType type_;
    std::vector<std::int32_t> lengths_;
    std::vector<std::int64_t> documents_{0};
};

}  // namespace trainyard::test
