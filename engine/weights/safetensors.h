#pragma once
// safetensors: 8-byte little-endian header length, JSON header, data. Strict on reading (header at most 100 MB, offsets
// inside the file, no overlap, no hole, product(shape) * size = bytes, no duplicate name). Knows no tensor library.
// Format: https://github.com/huggingface/safetensors (README, "Format").

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

/// Bytes per element of a dtype name (F64 F32 F16 BF16 I64 I32 I16 I8 U8 U16 U32 U64 BOOL F8_E4M3 F8_E5M2 C64); 0 when
/// unknown.
std::size_t dtype_size(const std::string& dtype);

struct TensorInfo {
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  ///< bytes from the start of the data
    std::uint64_t end = 0;
};

/// A memory-mapped file. Tensors stay valid as long as the object lives.
class SafetensorsFile {
  public:
    /// Throws UserError naming the file, the tensor and what is wrong.
    explicit SafetensorsFile(const std::filesystem::path& path);
    ~SafetensorsFile();
    SafetensorsFile(SafetensorsFile&&) noexcept;
    SafetensorsFile& operator=(SafetensorsFile&&) noexcept;

    const std::vector<TensorInfo>& tensors() const;         ///< in file order
    const TensorInfo* find(const std::string& name) const;  ///< nullptr when absent
    std::span<const std::byte> bytes(const TensorInfo& tensor) const;
    std::uint64_t data_offset() const;  ///< of the data in the file
    const std::map<std::string, std::string>& metadata() const;
    const std::filesystem::path& path() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

using ByteSink = std::function<void(std::span<const std::byte>)>;

/// One tensor to write: C-order little-endian bytes that stay valid until write_safetensors returns; or, with `bytes` empty,
/// `stream`, which is called when it is the tensor's turn and gives its bytes to the sink in pieces.
struct TensorToWrite {
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
    std::function<void(const ByteSink& sink)> stream = nullptr;
};

/// Writes `path` aside, fsyncs and renames. Tensors are laid out by falling element size, then name; header padded
/// to 8. Returns size and hash of the file. Throws UserError (disk full names needed and free bytes).
files::WrittenFile write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                                     const std::map<std::string, std::string>& metadata = {});

}  // namespace trainyard::weights
