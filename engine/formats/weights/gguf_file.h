// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads a GGUF file (versions 2 and 3, little-endian): key-value pairs, then names, types, shapes and places of the
// tensors, then the data. Everything is
// checked before: lengths against the file, offsets against each other, no sum overflows. Nothing is allocated from a
// claimed count alone.
// Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::weights {

struct GgufTensor {
    std::string name;
    std::string type;   ///< ggml's name: "F32", "BF16", "Q4_K"
    std::string dtype;  ///< safetensors' name of the same elements; empty: packed in blocks, or of an unknown type
    std::vector<std::int64_t> shape;  ///< row-major, as torch has it: the reverse of ggml's order
    std::uint64_t begin = 0;          ///< in the file, bytes
    std::uint64_t bytes = 0;          ///< 0 with an unknown type: its blocks have an unknown size
};

struct GgufHeader {
    std::uint32_t version = 0;
    /// In the order of the file, values as text; lists of more than 8 items as their number and first items.
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<GgufTensor> tensors;
    std::uint64_t header_bytes = 0;  ///< up to the data
};

/// `bytes`: from the start of the file, at least the header; `file_bytes`: the size of the whole file. Throws
/// UserError naming `where`.
GgufHeader read_gguf_header(std::span<const std::byte> bytes, std::uint64_t file_bytes, const std::string& where);

/// True if the bytes begin like a GGUF file.
bool begins_like_gguf(std::span<const std::byte> bytes);

}  // namespace trainyard::weights
