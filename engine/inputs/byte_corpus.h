#pragma once
// Text files as one long row of byte tokens, memory-mapped, in a fixed order (paths sorted bytewise), split in a
// training part and a held-out tail, cut in blocks. No tensor library: the data loader in train/ turns blocks into
// tensors.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/recipe.h"

namespace trainyard::inputs {

/// Files a data recipe names, sorted by path, readable and not empty. From folders, searched recursively, come the files
/// whose name matches the pattern; hidden and empty ones are left out, links to folders are not followed. Throws UserError
/// naming everything that is missing, unreadable or no file.
std::vector<std::filesystem::path> corpus_files(const config::DataRecipe& recipe);

/// One newline stands between two files. What is left of the last block is not used. The held-out blocks are the last ones.
class ByteCorpus {
  public:
    /// Throws UserError like corpus_files, and when the text is shorter than one block.
    explicit ByteCorpus(const config::DataRecipe& recipe);
    ~ByteCorpus();
    ByteCorpus(ByteCorpus&&) noexcept;
    ByteCorpus& operator=(ByteCorpus&&) noexcept;

    std::uint64_t bytes() const;  ///< of the whole text, newlines between files included
    std::size_t files() const;
    /// Largest byte in the text (reads all of it).
    unsigned char largest_byte() const;
    std::int64_t training_blocks() const;
    std::int64_t validation_blocks() const;
    /// Copies block `index` (sequence_length bytes) of the training or held-out part as int64 token ids.
    void copy_training_block(std::int64_t index, std::span<std::int64_t> out) const;
    void copy_validation_block(std::int64_t index, std::span<std::int64_t> out) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// A permutation of 0..size-1 that can be asked at any position in O(1) without memory: a keyed Feistel network with
/// cycle walking. Same key, same order, on every machine and layout; resuming needs only (key, position).
class Permutation {
  public:
    Permutation(std::uint64_t size, std::uint64_t seed, std::uint64_t epoch);
    std::uint64_t operator()(std::uint64_t position) const;

  private:
    std::uint64_t size_;
    std::uint64_t key_[2];
    int half_bits_;
};

}  // namespace trainyard::inputs
