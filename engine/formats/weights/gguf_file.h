// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads a GGUF file (versions 2 and 3, little-endian): key-value pairs, then names, types, shapes and places of the
// tensors, then the data; and writes version 3. What is read is
// checked before: lengths against the file, offsets against each other, no sum overflows. Nothing is allocated from a
// claimed count alone.
// Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/weights/safetensors.h"

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

/// The key-value pairs of a file that is written, in their order.
class GgufValues {
  public:
    void add_number(std::string_view key, std::int64_t value);  ///< 32 bits, unsigned
    void add_float(std::string_view key, float value);
    void add_bool(std::string_view key, bool value);
    void add_text(std::string_view key, std::string_view value);
    void add_numbers(std::string_view key, std::span<const std::int32_t> values);
    void add_floats(std::string_view key, std::span<const float> values);
    void add_texts(std::string_view key, std::span<const std::string> values);

    std::uint64_t count() const { return count_; }
    const std::string& bytes() const { return bytes_; }

  private:
    void begin(std::string_view key);
    std::uint64_t count_ = 0;
    std::string bytes_;
};

struct GgufTensorToWrite {
    std::string name;
    std::string type;                 ///< ggml's name: "Q4_K"
    std::vector<std::int64_t> shape;  ///< row-major; rows are whole blocks of the type
    /// Passes the bytes in pieces.
    std::function<void(const ByteSink& sink)> stream;
};

/// Elements of a block of a type of ggml, and its bytes; 0 for an unknown name.
std::pair<std::int64_t, std::int64_t> gguf_block(std::string_view type);
/// Bytes of a tensor whose rows are whole blocks.
std::uint64_t gguf_bytes(std::string_view type, const std::vector<std::int64_t>& shape);

/// Writes version 3, each tensor at a multiple of 32 bytes, to a temporary name, flushes and renames. Throws UserError
/// (for a full disk with the needed and the free bytes).
files::WrittenFile write_gguf(const std::filesystem::path& path, const GgufValues& values,
                              const std::vector<GgufTensorToWrite>& tensors);

}  // namespace trainyard::weights
