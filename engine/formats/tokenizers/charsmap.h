// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SentencePiece's compiled table of normalizations (`precompiled_charsmap`): a double-array trie of UTF-8 sequences and the texts that take their places
// (https://github.com/google/sentencepiece, normalizer.h; https://github.com/s-yata/darts-clone for the trie's units).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::tokenizers {

class Charsmap {
  public:
    /// `blob`: the size of the trie in bytes as 32 bits, the trie, the texts with a zero byte behind each. Throws UserError where it is damaged.
    Charsmap(std::string_view blob, const std::string& place);
    /// The text for the shortest beginning of `part` that is in the table.
    std::optional<std::string_view> replacement(std::string_view part) const;

  private:
    std::vector<std::uint32_t> units_;
    std::string texts_;
};

}  // namespace trainyard::tokenizers
