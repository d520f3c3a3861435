// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens that are found in a text before it is normalized and divided: special ones and those of a user's own.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/tokenizers/steps.h"
#include "formats/tokenizers/tokenizer_model.h"

namespace trainyard::tokenizers {

struct AddedToken {
    std::string content;
    std::string text{};  ///< the content in the form in which it is looked for, and which decoding gives
    Id id = 0;
    bool special = false;
    bool single_word = false;  ///< only where no word character is next to it
    bool lstrip = false;       ///< takes the white space before it
    bool rstrip = false;       ///< takes the white space after it
    bool normalized = true;    ///< looked for in normalized text, in its normalized form
};

class AddedTokens {
  public:
    /// Contents that `model` has get the ids of the model; others get those given in `tokens`.
    AddedTokens(std::vector<AddedToken> tokens, const Model& model, const Normalizer* normalizer);

    struct Piece {
        NormalizedText text;
        const AddedToken* token = nullptr;  ///< null: text for the pre-tokenizer
    };
    /// The text in its pieces; those for the pre-tokenizer are normalized.
    std::vector<Piece> divide(std::string_view text, bool tracked) const;
    std::optional<Id> id_of(std::string_view token) const;
    const AddedToken* token_of(Id id) const;
    bool is_special(std::string_view token) const;
    const std::vector<AddedToken>& tokens() const { return tokens_; }

  private:
    /// Contents to look for: the leftmost, of these the longest.
    struct Contents {
        std::vector<std::pair<std::string, std::size_t>> by_length;  ///< longest first, with the index of the token
        std::vector<bool> first_bytes;
        void add(std::string content, std::size_t token);
        void sort();
        bool find(std::string_view text, std::size_t from, std::size_t& begin, std::size_t& end,
                  std::size_t& token) const;
    };
    void divide(const NormalizedText& text, const Contents& contents, std::vector<Piece>& pieces) const;

    std::vector<AddedToken> tokens_;
    StringMap<std::size_t> by_content_;  ///< places in tokens_
    std::unordered_map<Id, std::size_t> by_id_;
    const Normalizer* normalizer_;
    Contents as_they_are_;
    Contents normalized_;
};

}  // namespace trainyard::tokenizers
