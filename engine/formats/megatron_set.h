#pragma once
// Megatron-LM's indexed sets: `<prefix>.bin` with the tokens of all sequences one after the other, `<prefix>.idx` with
//
//     "MMIDIDX\0\0", u64 version = 1, u8 type code, u64 sequences S, u64 D,
//     i32 length[S] in tokens, i64 start[S] in bytes of .bin, i64 first_sequence_of_document[D] (the last one is S), [i8 mode[S]]
//
// all little-endian. Type codes: 1 uint8, 2 int8, 3 int16, 4 int32, 5 int64, 6 float64, 7 float32, 8 uint16.
// Format: Megatron-LM, megatron/core/datasets/indexed_dataset.py.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "formats/table.h"

namespace trainyard::formats {

class MegatronSet {
  public:
    /// `prefix` with or without ".bin" or ".idx". Everything the index says is compared with both files' sizes; throws UserError naming the file
    /// and the sequence. Kept in memory: 4 bytes a sequence and 8 a document.
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

    /// Tokens `offset` .. `offset + out.size()` of a sequence. Sets of floating point numbers are refused (UserError).
    void read(std::int64_t sequence, std::int64_t offset, std::span<std::int64_t> out) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Writes both files aside and renames them when finish() is called; without it nothing remains. Not thread safe.
class MegatronWriter {
  public:
    /// Any integer type of the table above (`u16` when the vocabulary is below 65,500, as Megatron chooses).
    MegatronWriter(const std::filesystem::path& prefix, ElementType type);
    ~MegatronWriter();
    MegatronWriter(const MegatronWriter&) = delete;
    MegatronWriter& operator=(const MegatronWriter&) = delete;

    /// Throws UserError naming a token that does not fit the type.
    void add_sequence(std::span<const std::int64_t> tokens);
    void end_document();
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::formats
