// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/sequence_tokens.h"

#include <algorithm>
#include <initializer_list>

#include "base/error.h"
#include "base/utf8.h"
#include "config/inputs/text_tokens.h"

namespace trainyard::inputs {

SequenceTokens::SequenceTokens(const config::Recipe& recipe)
    : length_(static_cast<std::size_t>(recipe.data.sequence_length)),
      padding_(std::max<std::int64_t>(0, recipe.model.pad_token_id)) {
    if (recipe.data.tokenizer.empty())
        return;
    tokenizer_.emplace(tokenizers::Tokenizer::from_file(tokenizer_file(recipe.data)));
    tokenizers::Truncation truncation;
    truncation.max_length = length_;
    tokenizer_->set_truncation(truncation);
    tokenizer_->set_padding(std::nullopt);  // batches are padded separately
}

SequenceTokens::Encoded SequenceTokens::encode(const std::string& first, const std::string& second) const {
    Encoded made;
    if (!tokenizer_) {
        for (const char letter : first + (second.empty() ? "" : "\n" + second))
            made.ids.push_back(static_cast<unsigned char>(letter));
        made.types.assign(made.ids.size(), 0);
        if (made.ids.size() > length_) {
            made.ids.resize(length_);
            made.types.resize(length_);
        }
        return made;
    }
    const tokenizers::Encoding encoding =
        second.empty() ? tokenizer_->encode(first, true) : tokenizer_->encode(first, second, true);
    made.ids.assign(encoding.ids.begin(), encoding.ids.end());
    made.types.assign(encoding.type_ids.begin(), encoding.type_ids.end());
    return made;
}

SequenceTokens::Placed SequenceTokens::place(const std::string& text) const {
    Placed made;
    if (!tokenizer_) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            made.ids.push_back(static_cast<unsigned char>(text[i]));
            made.bytes.emplace_back(i, i + 1);
        }
        return made;
    }
    std::vector<std::size_t> begins;  // byte of each character, and the end
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text::begins_character(text[i]))
            begins.push_back(i);
    begins.push_back(text.size());
    const auto add = [&](const tokenizers::Encoding& encoding) {
        made.ids.insert(made.ids.end(), encoding.ids.begin(), encoding.ids.end());
        for (const auto& [from, to] : encoding.offsets)
            made.bytes.emplace_back(begins[std::min(from, begins.size() - 1)], begins[std::min(to, begins.size() - 1)]);
    };
    const tokenizers::Encoding first = tokenizer_->encode(text, false);
    add(first);
    for (const tokenizers::Encoding& further : first.overflowing)  // what truncation cuts off
        add(further);
    return made;
}

std::vector<std::int64_t> SequenceTokens::of_word(const std::string& word) const {
    std::vector<std::int64_t> made;
    if (tokenizer_) {
        const std::vector<tokenizers::Id> ids = tokenizer_->encode_ids(word, false);
        made.assign(ids.begin(), ids.end());
    } else {
        for (const char letter : word)
            made.push_back(static_cast<unsigned char>(letter));
    }
    return made;
}

std::string SequenceTokens::text_of(const std::vector<std::int64_t>& ids) const {
    return tokenizer_ ? tokenizer_->decode(std::vector<tokenizers::Id>(ids.begin(), ids.end())) : whole_text_of(ids);
}

std::string SequenceTokens::whole_text_of(const std::vector<std::int64_t>& ids) const {
    if (tokenizer_)
        return tokenizer_->decode(std::vector<tokenizers::Id>(ids.begin(), ids.end()), false);
    std::string text;
    for (const std::int64_t id : ids)
        text += static_cast<char>(id);
    return text;
}

std::optional<std::int64_t> SequenceTokens::id_of(const std::string& token) const {
    return tokenizer_ ? tokenizer_->id_of(token) : std::nullopt;
}

bool SequenceTokens::is_special(std::int64_t id) const {
    return tokenizer_ && tokenizer_->is_special(static_cast<tokenizers::Id>(id));
}

WordTokens word_tokens(const SequenceTokens& tokens, const std::vector<std::string>& words) {
    const auto first_known = [&](std::initializer_list<const char*> names) -> std::optional<std::int64_t> {
        for (const char* name : names)
            if (const auto id = tokens.id_of(name))
                return id;
        return std::nullopt;
    };
    WordTokens made;
    if (const auto begin = first_known({"[CLS]", "<s>"}))
        made.ids.push_back(*begin);
    // What is cut off is at the end of the words: the last token of a sequence stays.
    const std::optional<std::int64_t> end = first_known({"[SEP]", "</s>"});
    const std::size_t room = tokens.length() - (end ? 1 : 0);
    for (const std::string& word : words) {
        const std::vector<std::int64_t> ids = tokens.of_word(word);
        made.first.push_back(ids.empty() || made.ids.size() >= room ? -1 : std::ssize(made.ids));
        for (std::size_t i = 0; i < ids.size() && made.ids.size() < room; ++i)
            made.ids.push_back(ids[i]);
    }
    if (end)
        made.ids.push_back(*end);
    return made;
}

SampleTokens tagged_tokens(const SequenceTokens& tokens, const formats::Column& words, const formats::Column& tags,
                           const ClassReader& classes, std::int64_t row) {
    const std::int64_t first = words.begin_of(row), count = words.end_of(row) - first, tag = tags.begin_of(row);
    if (tags.end_of(row) - tag != count)
        throw UserError("data.label_column: row {} has {} words and {} classes", row + 1, count,
                        tags.end_of(row) - tag);
    std::vector<std::string> texts;
    for (std::int64_t word = 0; word < count; ++word)
        texts.emplace_back(words.text(first + word));
    WordTokens encoded = word_tokens(tokens, texts);
    SampleTokens sample{std::move(encoded.ids), {}};
    sample.labels.assign(sample.ids.size(), kUncountedLabel);
    for (std::int64_t word = 0; word < count; ++word)
        if (const std::int64_t place = encoded.first[static_cast<std::size_t>(word)]; place >= 0)
            sample.labels[static_cast<std::size_t>(place)] = classes.index(tags, tag + word);
    return sample;
}

}  // namespace trainyard::inputs
