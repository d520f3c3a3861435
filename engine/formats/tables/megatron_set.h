// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Megatron-LM's indexed data sets: `<prefix>.bin` contains the tokens of all sequences, `<prefix>.idx` contains
//
//     "MMIDIDX\0\0", u64 version = 1, u8 type code, u64 sequences S, u64 D,
//     i32 length[S] in tokens, i64 start[S] in bytes of .bin, i64 first_sequence_of_document[D] (the last one is S), [i8 mode[S]]
//
// All numbers are little-endian. Type codes: 1 uint8, 2 int8, 3 int16, 4 int32, 5 int64, 6 float64, 7 float32, 8
// uint16. Format: Megatron-LM, megatron/core/datasets/indexed_dataset.py. Also read is the format that its older
// implementations `cached` and `lazy` have in common; starts count tokens, not bytes:
//
//     "TNTIDX\0\0", u64 version = 1, u64 type code, u64 bytes of a token, u64 sequences S, u64 S, u64 D,
//     i64 number of the length of each sequence[S + 1] (0, 1, ...), i64 start[S + 1], i64 length[S],
//     i64 first_sequence_of_document[D]

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "formats/tables/table.h"

namespace trainyard::formats {

class MegatronSet {
  public:
    /// `prefix` with or without ".bin" or ".idx". Validates the index against the sizes of both files; throws UserError
    /// with the file and the sequence. Memory: 4 bytes per sequence and 8 per document.
    explicit MegatronSet(const std::filesystem::path& prefix);
    ~MegatronSet();
    MegatronSet(MegatronSet&&) noexcept;
    MegatronSet& operator=(MegatronSet&&) noexcept;

    ElementType type() const;
    std::int64_t sequences() const;
    std::span<const std::int32_t> lengths() const;        ///< tokens of each sequence
    std::span<const std::int64_t> document_ends() const;  ///< the index's D numbers: 0, ..., sequences()
    std::int64_t tokens() const;
    const std::filesystem::path& prefix() const;

    /// Reads tokens `offset` .. `offset + out.size()` of a sequence. Throws UserError for sets of floating-point
    /// numbers.
    void read(std::int64_t sequence, std::int64_t offset, std::span<std::int64_t> out) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::formats
