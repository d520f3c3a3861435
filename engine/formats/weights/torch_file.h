// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads what torch.save writes: an archive (torch 1.6 and later) or a sequence of pickles (earlier). The constructor
// checks that every tensor is inside its storage and every storage inside the file; reading a tensor also verifies
// checksums.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files/mapped_file.h"
#include "base/files/zip_archive.h"
#include "formats/weights/pickle.h"

namespace trainyard::weights {

class TorchFile {
  public:
    /// Part of a file that outlives the object. `where` names it in errors. Throws UserError.
    TorchFile(std::span<const std::byte> bytes, const std::string& where);
    explicit TorchFile(const std::filesystem::path& path);

    const Value& root() const { return pickle_->root(); }
    const Pickle& pickle() const { return *pickle_; }

    /// All bytes of a tensor's storage, after verifying the checksum unless `trusted`. Throws UserError.
    std::span<const std::byte> storage_bytes(const TensorPart& tensor, bool trusted = false) const;

    /// Only the tensor's elements if they are contiguous (row-major), else empty; otherwise as storage_bytes().
    std::span<const std::byte> contiguous_bytes(const TensorPart& tensor, bool trusted = false) const;

    /// The name in errors.
    const std::string& where() const { return where_; }
    /// The bytes of the file that this object reads; the spans of tensors point into them.
    std::span<const std::byte> bytes() const { return bytes_; }

    /// The elements in row-major order, in pieces. Throws UserError.
    void stream(const TensorPart& tensor, const std::function<void(std::span<const std::byte>)>& sink) const;

  private:
    struct Storage {
        std::span<const std::byte> bytes;
        mutable bool verified = false;  ///< the checksum has been verified
    };

    void open();
    void open_archive();
    void open_sequence();
    void check(const TensorPart& tensor);
    const Storage& storage_of(const TensorPart& tensor) const;

    std::unique_ptr<files::MappedFile> file_;
    std::span<const std::byte> bytes_;
    std::string where_;
    std::optional<files::ZipArchive> archive_;
    std::unique_ptr<Pickle> pickle_;
    std::map<std::string, Storage, std::less<>> storages_;
};

/// Number of elements; std::nullopt if it does not fit in 63 bits.
std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape);

}  // namespace trainyard::weights
