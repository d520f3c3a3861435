#pragma once
// Writes ZIP archives as torch.save does, sequentially: stored entries in one folder, each aligned to 64 bytes, with
// checksums, ZIP64 if a size needs it. Format: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4;
// caffe2/serialize/inline_container.cc.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_writer.h"

namespace trainyard::files {

class ZipWriter {
  public:
    /// The archive begins at the file's position: torch.distributed.checkpoint puts several one behind the other into
    /// a file. `file` must outlive the
    /// object.
    explicit ZipWriter(files::FileWriter& file, std::string folder = "archive")
        : file_(file), folder_(std::move(folder)), begin_(file.position()) {}

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
    files::FileWriter& file_;
    std::string folder_;
    std::uint64_t begin_;  ///< of the archive, in the file
    std::vector<Entry> entries_;
};

}  // namespace trainyard::files
