// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokenizers of Hugging Face's format, tokenizer.json: the same ids, offsets and decoded texts as the tokenizers library 0.23 gives.
//
//   text -> added tokens -> normalizer -> pre-tokenizer -> model -> truncation -> post-processor -> padding -> Encoding
//
// Models: BPE (byte level or with byte fallback), WordPiece, Unigram, WordLevel. What a file asks for and Trainyard does not know is refused by name. A
// Tokenizer may be used from several threads.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tokenizers/encoding.h"

namespace trainyard::tokenizers {

struct Truncation {
    enum class Strategy { longest_first, only_first, only_second };
    std::size_t max_length = 512;  ///< tokens, special ones included
    std::size_t stride = 0;        ///< tokens that two neighbouring pieces share
    Strategy strategy = Strategy::longest_first;
    bool from_left = false;
};

struct Padding {
    std::optional<std::size_t> length;  ///< absent: the longest of a batch
    std::size_t multiple_of = 0;        ///< 0: any length
    Id id = 0;
    Id type_id = 0;
    std::string token = "[PAD]";
    bool on_the_left = false;
};

class Tokenizer {
  public:
    /// Throws UserError with one sentence that names the file, and the part and key that is wrong.
    static Tokenizer from_file(const std::filesystem::path& file);
    /// `name` begins the sentences about mistakes.
    static Tokenizer from_json(std::string_view text, const std::string& name = "tokenizer.json");
    Tokenizer(Tokenizer&&) noexcept;
    Tokenizer& operator=(Tokenizer&&) noexcept;
    ~Tokenizer();

    /// Throws UserError where `text` is not UTF-8 or has 4 GiB or more.
    Encoding encode(std::string_view text, bool add_special_tokens = true) const;
    Encoding encode(std::string_view text, std::string_view pair, bool add_special_tokens = true) const;
    /// The ids alone, without truncation and padding: what preparing data needs, and quicker.
    std::vector<Id> encode_ids(std::string_view text, bool add_special_tokens = true) const;
    /// Ids that no token has are left out.
    std::string decode(const std::vector<Id>& ids, bool skip_special_tokens = true) const;

    std::optional<Id> id_of(std::string_view token) const;
    std::optional<std::string> token_of(Id id) const;
    bool is_special(Id id) const;
    /// Tokens, added ones included.
    std::size_t vocabulary_size() const;
    /// One more than the greatest id, which is what a model's table of embeddings needs; ids may have gaps.
    std::size_t id_end() const;

    void set_truncation(std::optional<Truncation> truncation);
    void set_padding(std::optional<Padding> padding);

  private:
    Tokenizer();
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace trainyard::tokenizers
