// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Training of a byte-level BPE: the merges, and their order, that the tokenizers library's BpeTrainer finds for the same text.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::tokenizers {

struct BpeTrainerOptions {
    std::size_t vocabulary_size = 30000;  ///< tokens, the 256 bytes and special ones included
    std::uint64_t min_frequency = 0;      ///< pairs that occur less often are not merged
    std::vector<std::string> special_tokens = {"<|endoftext|>"};
    bool add_prefix_space = false;
    std::string pattern;  ///< how text is divided into words; empty: GPT-2's expression
};

class BpeTrainer {
  public:
    /// Throws UserError if the vocabulary is too small for the bytes, or the pattern cannot be used.
    explicit BpeTrainer(BpeTrainerOptions options);
    BpeTrainer(BpeTrainer&&) noexcept;
    BpeTrainer& operator=(BpeTrainer&&) noexcept;
    ~BpeTrainer();

    /// Counts the words of `text`, which ends at a place where words end. Bytes that are not UTF-8 count as U+FFFD.
    void add(std::string_view text);
    std::uint64_t words() const;
    /// Returns the content of tokenizer.json. `on_merge` gets the number of merges found and the total; if it returns
    /// false, the training stops with the merges so far.
    std::string train(const std::function<bool(std::size_t, std::size_t)>& on_merge = {}) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace trainyard::tokenizers
