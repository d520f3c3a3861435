// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The encoding of a text: the result of a tokenizer.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::tokenizers {

using Id = std::uint32_t;

/// All vectors have the same size: an entry for each token.
struct Encoding {
    std::vector<Id> ids;
    std::vector<std::string> tokens;
    std::vector<std::pair<std::size_t, std::size_t>>
        offsets;                          ///< characters of the original text, from and to; (0, 0) for added ones
    std::vector<Id> type_ids;             ///< 0 or 1: which of two texts
    std::vector<Id> special_tokens_mask;  ///< 1 for tokens of the template and for padding
    std::vector<Id> attention_mask;       ///< 0 for padding
    std::vector<Encoding> overflowing;    ///< what truncation cut off, in pieces of the same form

    std::size_t size() const { return ids.size(); }
    void add(Id id, std::string token, std::pair<std::size_t, std::size_t> offset, Id type_id, bool special);
    void set_type_ids(Id type_id) { type_ids.assign(ids.size(), type_id); }
    /// Appends `other`; pieces that overflow are combined, each of these with each of those.
    void merge(const Encoding& other);
    /// Cuts it into pieces of at most `longest` tokens, of which two neighbours share `stride`; all but the first (from the left, or from the right) overflow.
    /// Throws UserError where `stride` is not below `longest`.
    void truncate(std::size_t longest, std::size_t stride, bool from_left);
    void pad(std::size_t length, Id id, Id type_id, const std::string& token, bool on_the_left);

  private:
    Encoding part(std::size_t begin, std::size_t end) const;
};

}  // namespace trainyard::tokenizers
