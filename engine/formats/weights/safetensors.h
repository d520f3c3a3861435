// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// safetensors: header length (8 bytes, little-endian), JSON header (safetensors_header.h), data. Does not depend on LibTorch. Format: https://github.com/huggingface/safetensors (README, "Format").

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/file_writer.h"
#include "formats/weights/safetensors_header.h"

namespace trainyard::weights {

/// A memory-mapped file: the header is read at once, the data mapped when bytes() is first called. Tensors are valid as long as the object.
class SafetensorsFile {
  public:
    /// Throws UserError with the file, the tensor and what is wrong.
    explicit SafetensorsFile(const std::filesystem::path& path);
    ~SafetensorsFile();
    SafetensorsFile(SafetensorsFile&&) noexcept;
    SafetensorsFile& operator=(SafetensorsFile&&) noexcept;

    const std::vector<TensorInfo>& tensors() const;         ///< in the order of the file
    const TensorInfo* find(const std::string& name) const;  ///< nullptr if missing
    std::span<const std::byte> bytes(const TensorInfo& tensor) const;
    std::uint64_t data_offset() const;  ///< offset of the data in the file
    const std::map<std::string, std::string>& metadata() const;
    const std::filesystem::path& path() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

using ByteSink = std::function<void(std::span<const std::byte>)>;

/// One tensor to write: row-major little-endian bytes that stay valid until write_safetensors() returns. If `bytes` is
/// empty, `stream` is called in the tensor's turn and passes the bytes to the sink in pieces.
struct TensorToWrite {
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
    std::function<void(const ByteSink& sink)> stream = nullptr;
};

/// Writes to a temporary name, fsyncs and renames. Tensors are ordered by element type as in the
/// original, largest first, then by name; the
/// header is padded to a multiple of 8 bytes. Returns size and hash of the file. Throws UserError (for a full disk with
/// the needed and the free bytes).
files::WrittenFile write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                                     const std::map<std::string, std::string>& metadata = {});

}  // namespace trainyard::weights
