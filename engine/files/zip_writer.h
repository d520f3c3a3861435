#pragma once
// The ZIP archives of torch.save, written front to back: stored entries in one folder, each beginning at a multiple of 64 bytes, with
// checksums, ZIP64 where sizes ask for it. Format: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4; caffe2/serialize/inline_container.cc.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_writer.h"

namespace trainyard::files {

class ZipWriter {
  public:
    /// `file` outlives the object.
    explicit ZipWriter(files::FileWriter& file, std::string folder = "archive")
        : file_(file), folder_(std::move(folder)) {}

    void add(std::string_view name, std::span<const std::byte> bytes);
    void add(std::string_view name, std::string_view text) {
        add(name, std::as_bytes(std::span(text.data(), text.size())));
    }
    /// The directory. Nothing can be added afterwards.
    void finish();

    /// Bytes that an archive of entries of these sizes needs at most.
    static std::uint64_t size_limit(std::span<const std::uint64_t> sizes);

  private:
    struct Entry {
        std::string name;
        std::uint64_t size = 0, place = 0;
        std::uint32_t crc = 0;
    };
    files::FileWriter& file_;
    std::string folder_;
    std::vector<Entry> entries_;
};

}  // namespace trainyard::files
