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

namespace trainyard::io {

/// Files a data recipe names, sorted, each readable and not empty. Throws UserError naming what is missing or
/// unreadable.
std::vector<std::filesystem::path> corpus_files(const config::DataRecipe& recipe);

class ByteCorpus {
  public:
    explicit ByteCorpus(const config::DataRecipe& recipe);
    ~ByteCorpus();
    ByteCorpus(ByteCorpus&&) noexcept;

    std::uint64_t bytes() const;
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

}  // namespace trainyard::io
