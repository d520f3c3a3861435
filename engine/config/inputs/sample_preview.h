// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The first samples of a recipe's text as a model sees them: tokens, their texts, and what the loss counts. Bounded in
// time and memory for any files; for previews, and the same tokens that ranks train on (sequence_tokens.h).

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"

namespace trainyard::inputs {

/// One token, or the tokens of one character that are not text on their own.
struct PreviewToken {
    std::string text;  ///< UTF-8
    std::vector<std::int64_t> ids;
    bool counted = false;      ///< whether the loss compares a prediction with it
    bool begins_text = false;  ///< the first of another text of the sample: a second text, a choice, what is written
    std::string label = {};    ///< class of a word, in token_classification
    bool operator==(const PreviewToken&) const = default;
};

struct SamplePreview {
    static constexpr std::size_t kMostTokens = 256;
    std::vector<PreviewToken> tokens = {};  ///< at most kMostTokens of `used`
    std::int64_t used = 0;                  ///< tokens of the sample
    std::int64_t counted = 0;               ///< of those, tokens that the loss counts
    std::int64_t cut = 0;                   ///< further tokens of the row, which data.sequence_length cuts off
    Message problem = {};                   ///< why the row has no tokens
    bool operator==(const SamplePreview&) const = default;
};

/// Targets that the loss of a task compares with.
enum class CountedPart {
    tokens,   ///< every token with the one that is predicted for it, or those that are marked
    masked,   ///< tokens that are drawn at random in every step, of those that are marked
    answers,  ///< the marked part of the text, by its first and last token
    row,      ///< a class, number or choice of the row: no tokens
};

struct SamplePreviews {
    CountedPart counted = CountedPart::tokens;
    bool packed = false;              ///< samples are cut from all rows, end to end
    bool by_template = false;         ///< conversations are written by the chat template of the tokenizer
    std::vector<SamplePreview> rows;  ///< of the first rows, in the order of the file
    Message problem = {};             ///< why there are none: a tokenizer or columns that cannot be used
    bool operator==(const SamplePreviews&) const = default;
};

/// The samples of at most `most` rows of the first of `files`; for bytes and Megatron's sets, of the first blocks and
/// sequences. Does not throw.
SamplePreviews preview_samples(const config::Recipe& recipe, const std::vector<std::filesystem::path>& files,
                               std::int64_t most);

/// Limits for reading the first rows of files of others: bytes of a record, and of a part of a Parquet file that is
/// decoded as a whole.
inline constexpr std::uint64_t kMostPreviewRecord = 16u << 20, kMostPreviewMemory = 1u << 30;

}  // namespace trainyard::inputs
