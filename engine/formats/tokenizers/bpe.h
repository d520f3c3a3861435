// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Byte-pair encoding: pairs of neighbours are merged in the order in which training found them (Sennrich et al. 2016, https://arxiv.org/abs/1508.07909).

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/tokenizers/tokenizer_model.h"

namespace trainyard::tokenizers {

struct BpeOptions {
    std::optional<std::string> unk_token;
    std::string continuing_subword_prefix;
    std::string end_of_word_suffix;
    bool fuse_unk = false;       ///< unknown characters next to each other are one token
    bool byte_fallback = false;  ///< unknown characters become tokens <0x00> to <0xFF>
    bool ignore_merges = false;  ///< a piece that is a token is that token
};

class Bpe : public Model {
  public:
    /// Throws UserError for a merge whose parts or whole are not in the vocabulary; `place` begins the sentence.
    Bpe(Vocabulary vocabulary, const std::vector<std::pair<std::string, std::string>>& merges, BpeOptions options,
        const std::string& place);
    void tokenize(std::string_view piece, std::vector<Token>& tokens) const override;
    std::optional<Id> id_of(std::string_view token) const override { return vocabulary_.id_of(token); }
    const std::string* token_of(Id id) const override { return vocabulary_.token_of(id); }
    std::size_t size() const override { return vocabulary_.size(); }
    std::size_t id_end() const override { return vocabulary_.id_end(); }

  private:
    struct Symbol {
        Id id = 0;
        std::uint32_t bytes = 0;
        std::int32_t previous = -1;
        std::int32_t next = -1;
    };
    struct Merge {
        std::uint32_t rank = 0;
        Id id = 0;
    };
    std::vector<Symbol> symbols_of(std::string_view piece) const;
    void merge(std::vector<Symbol>& symbols) const;
    const Merge* merge_of(Id left, Id right) const {
        const auto found = merges_.find(std::uint64_t{left} << 32 | right);
        return found == merges_.end() ? nullptr : &found->second;
    }

    Vocabulary vocabulary_;
    std::unordered_map<std::uint64_t, Merge> merges_;
    BpeOptions options_;
    std::optional<Id> unknown_;
    std::vector<std::optional<Id>> byte_tokens_;
    /// Words come again and again. Held by one thread at a time; another one that finds it taken goes without.
    mutable std::mutex mutex_;
    mutable StringMap<std::vector<std::pair<Id, std::uint32_t>>> cache_;
};

}  // namespace trainyard::tokenizers
