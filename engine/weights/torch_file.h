#pragma once
// What torch.save wrote: an archive (torch 1.6 and later) or the sequence of pickles before that. Opening it checks that every
// tensor lies inside its storage and every storage inside the file; reading a tensor also compares checksums.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "files/mapped_file.h"
#include "files/zip_archive.h"
#include "weights/pickle.h"

namespace trainyard::weights {

class TorchFile {
  public:
    /// Of a part of a file that outlives the object. `where` names it in errors. Throws UserError.
    TorchFile(std::span<const std::byte> bytes, const std::string& where);
    explicit TorchFile(const std::filesystem::path& path);

    const Value& root() const { return pickle_->root(); }
    const Pickle& pickle() const { return *pickle_; }

    /// All bytes of a tensor's storage as the tensor may use them, after comparing the checksum unless `trusted`. Throws UserError.
    std::span<const std::byte> storage_bytes(const TensorPart& tensor, bool trusted = false) const;

    /// The elements alone where they lie in row-major order, else empty; the rest as storage_bytes().
    std::span<const std::byte> contiguous_bytes(const TensorPart& tensor, bool trusted = false) const;

    /// Elements in row-major order, in pieces that together are the tensor. Throws UserError.
    void stream(const TensorPart& tensor, const std::function<void(std::span<const std::byte>)>& sink) const;

  private:
    struct Storage {
        std::span<const std::byte> bytes;
        mutable bool verified = false;  ///< checksum compared
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

/// Number of elements; empty when it does not fit 63 bits.
std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape);

}  // namespace trainyard::weights
