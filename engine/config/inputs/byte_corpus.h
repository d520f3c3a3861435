// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text files as one sequence of byte tokens: memory-mapped, in a fixed order (paths sorted bytewise), split into a
// training part and held-out blocks at the end, cut into blocks. Does not depend on LibTorch; the data loader in train/
// turns blocks into tensors.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"

namespace trainyard::inputs {

/// The readable, non-empty files that a data recipe names, sorted by path. Folders are searched recursively for names
/// that match the pattern; hidden and empty files are skipped, links to folders are not followed. Throws UserError with
/// every path that is missing, unreadable or not a file.
std::vector<std::filesystem::path> corpus_files(const config::DataRecipe& recipe);

/// Files are separated by one newline. The bytes after the last complete block are not used. The held-out blocks are
/// the last ones.
class ByteCorpus {
  public:
    /// Throws UserError as corpus_files() does, and if the text is shorter than one block or not in UTF-8. UTF-8 is
    /// checked block by block, when they are copied, unless data.on_corrupt is keep.
    explicit ByteCorpus(const config::DataRecipe& recipe);
    ~ByteCorpus();
    ByteCorpus(ByteCorpus&&) noexcept;
    ByteCorpus& operator=(ByteCorpus&&) noexcept;

    std::uint64_t bytes() const;  ///< of the whole text, including the newlines between files
    std::size_t files() const;
    /// Largest byte of the text; reads the whole text.
    unsigned char largest_byte() const;
    std::int64_t training_blocks() const;
    std::int64_t validation_blocks() const;
    /// Copies block `index` of the training or held-out part as int64 token ids [sequence_length].
    void copy_training_block(std::int64_t index, std::span<std::int64_t> out) const;
    void copy_validation_block(std::int64_t index, std::span<std::int64_t> out) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// A permutation of 0..size-1 with random access in O(1) time and memory: a keyed Feistel network with cycle walking.
/// The same key gives the same order on every machine and layout, so resuming needs only (key, position).
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
