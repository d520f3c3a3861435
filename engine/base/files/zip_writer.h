// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes ZIP archives as torch.save does, sequentially: stored entries in one folder (in none if its name is empty),
// each aligned to 64 bytes, with checksums, ZIP64 if a size needs it. Format: PKWARE APPNOTE 6.3.10, sections 4.3 and
// 4.4; caffe2/serialize/inline_container.cc.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/file_writer.h"

namespace trainyard::files {

class ZipWriter {
  public:
    /// The archive begins at the file's position: torch.distributed.checkpoint puts several one behind the other into
    /// a file. `file` must outlive the
    /// object.
    explicit ZipWriter(files::FileWriter& file, std::string folder = "archive")
        : ZipWriter([&file](std::span<const std::byte> bytes) { file.write(bytes); }, std::move(folder)) {}
    /// `write` gets the bytes of the archive in their order.
    explicit ZipWriter(std::function<void(std::span<const std::byte>)> write, std::string folder = "archive")
        : write_(std::move(write)), folder_(std::move(folder)) {}

    void add(std::string_view name, std::span<const std::byte> bytes);
    void add(std::string_view name, std::string_view text) {
        add(name, std::as_bytes(std::span(text.data(), text.size())));
    }
    /// Writes the directory. No entry can be added afterwards.
    void finish();

    /// Upper limit of the size of an archive with entries of these sizes.
    static std::uint64_t size_limit(std::span<const std::uint64_t> sizes);

  private:
    struct Entry {
        std::string name;
        std::uint64_t size = 0, place = 0;
        std::uint32_t crc = 0;
    };
    void put(std::string_view text) { put(std::as_bytes(std::span(text.data(), text.size()))); }
    void put(std::span<const std::byte> bytes) {
        write_(bytes);
        position_ += bytes.size();
    }

    std::function<void(std::span<const std::byte>)> write_;
    std::string folder_;
    std::uint64_t position_ = 0;  ///< in the archive
    std::vector<Entry> entries_;
};

}  // namespace trainyard::files
