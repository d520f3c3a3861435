#pragma once
// safetensors: header length (8 bytes, little-endian), JSON header, data. The reader is strict (header at most 100 MB,
// offsets inside the file, no overlap, no gap, product(shape) * element size = bytes, unique names). Does not depend on
// LibTorch. Format: https://github.com/huggingface/safetensors (README, "Format").

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/file_writer.h"

namespace trainyard::weights {

/// Bytes per element of a dtype (F64 F32 F16 BF16 I64 I32 I16 I8 U8 U16 U32 U64 BOOL F8_E4M3 F8_E5M2 C64); 0 if
/// unknown.
std::size_t dtype_size(const std::string& dtype);

struct TensorInfo {
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  ///< offset from the start of the data, in bytes
    std::uint64_t end = 0;
};

/// A memory-mapped file. Tensors are valid as long as the object.
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

/// Writes to a temporary name, fsyncs and renames. Tensors are ordered by descending element size, then by name; the
/// header is padded to a multiple of 8 bytes. Returns size and hash of the file. Throws UserError (for a full disk with
/// the needed and the free bytes).
files::WrittenFile write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                                     const std::map<std::string, std::string>& metadata = {});

}  // namespace trainyard::weights
