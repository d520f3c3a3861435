// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The header of a safetensors file: names, types, shapes and places of its tensors. Strict (header at most 100 MB,
// offsets inside the file, no overlap, no gap, product(shape) * element size = bytes, unique names).
// Format: https://github.com/huggingface/safetensors (README, "Format").

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace trainyard::weights {

/// Bytes per element of a dtype (F64 F32 F16 BF16 I64 I32 I16 I8 U8 U16 U32 U64 BOOL F8_E4M3 F8_E5M2 F8_E8M0 C64); 0 if
/// unknown.
std::size_t dtype_size(std::string_view dtype);

struct TensorInfo {
    std::string name;
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  ///< offset from the start of the data, in bytes
    std::uint64_t end = 0;
};

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors;  ///< in the order of the file
    std::map<std::string, std::string> metadata;
    std::uint64_t data_offset = 0;  ///< of the data in the file
};

inline constexpr std::size_t kSafetensorsLength = 8;  ///< bytes before the header, which say how long it is

/// Bytes up to the data, from the first kSafetensorsLength bytes. Throws UserError naming `where`: too few bytes, a
/// length that does not fit the file or is more than 100 MB.
std::uint64_t safetensors_data_offset(std::span<const std::byte> first, std::uint64_t file_bytes,
                                      const std::string& where);

/// `bytes`: from the start of the file, at least up to the data; `file_bytes`: the size of the whole file. Throws
/// UserError with `where`, the tensor and what is wrong.
SafetensorsHeader read_safetensors_header(std::span<const std::byte> bytes, std::uint64_t file_bytes,
                                          const std::string& where);
/// Reads only the header of a file.
SafetensorsHeader read_safetensors_header(const std::filesystem::path& path);
/// The same of a file that is open for reading.
SafetensorsHeader read_safetensors_header(int file, std::uint64_t file_bytes, const std::filesystem::path& path);

}  // namespace trainyard::weights
