// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/question_parts.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "config/inputs/text_tokens.h"

namespace trainyard::inputs {

namespace {

/// data.doc_stride; one that is left out fits any sample.
std::int64_t stride_of(const config::DataRecipe& data) {
    const bool is_usual = data.doc_stride == config::DataRecipe().doc_stride;
    return is_usual && data.doc_stride >= data.sequence_length ? data.sequence_length / 3 : data.doc_stride;
}

QuestionPart part_of(const tokenizers::Encoding& encoding, std::int64_t tokens_of_question) {
    QuestionPart part;
    part.ids.assign(encoding.ids.begin(), encoding.ids.end());
    part.types.assign(encoding.type_ids.begin(), encoding.type_ids.end());
    // Type ids cannot tell the texts apart: those of RoBERTa are all 0.
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        if (encoding.special_tokens_mask[i] != 0 || seen++ < tokens_of_question)
            continue;
        if (part.offsets.empty())
            part.first = static_cast<std::int64_t>(i);
        part.offsets.emplace_back(encoding.offsets[i].first, encoding.offsets[i].second);
    }
    return part;
}

}  // namespace

std::int64_t characters_in(std::string_view text) {
    return std::ranges::count_if(text, text::begins_character);
}

std::size_t bytes_of_characters(std::string_view text, std::int64_t characters) {
    std::size_t at = 0;
    while (at < text.size() && (characters > 0 || !text::begins_character(text[at])))
        characters -= text::begins_character(text[at++]) ? 1 : 0;
    return at;
}

std::string characters_of(std::string_view text, std::int64_t from, std::int64_t to) {
    const std::size_t begin = bytes_of_characters(text, from);
    return std::string(text.substr(begin, bytes_of_characters(text, to) - begin));
}

QuestionTokens::QuestionTokens(const config::Recipe& recipe)
    : length_(recipe.data.sequence_length), stride_(stride_of(recipe.data)) {
    if (recipe.data.tokenizer.empty())
        return;
    tokenizer_.emplace(tokenizers::Tokenizer::from_file(tokenizer_file(recipe.data)));
    tokenizer_->set_truncation(tokenizers::Truncation{.max_length = static_cast<std::size_t>(length_),
                                                      .stride = static_cast<std::size_t>(stride_),
                                                      .strategy = tokenizers::Truncation::Strategy::only_second});
    tokenizer_->set_padding(std::nullopt);
}

std::vector<QuestionPart> QuestionTokens::parts(const std::string& asked, const std::string& context) const {
    const std::string question = asked.substr(std::min(asked.find_first_not_of(" \t\n"), asked.size()));
    if (!tokenizer_)
        return parts_of_bytes(question, context);
    const auto length = std::ssize(tokenizer_->encode_ids(question, false));
    const tokenizers::Encoding all = tokenizer_->encode(question, context, true);
    std::vector<QuestionPart> parts{part_of(all, length)};
    for (const tokenizers::Encoding& more : all.overflowing)
        parts.push_back(part_of(more, length));
    return parts;
}

/// A token per byte: the question, a newline, and a part of the text.
std::vector<QuestionPart> QuestionTokens::parts_of_bytes(const std::string& question,
                                                         const std::string& context) const {
    const std::string start = question + "\n";
    const std::int64_t room = length_ - std::ssize(start);
    if (room <= stride_)
        throw UserError("the question has {} tokens, which leaves {} of {} for the text, and its parts share {}",
                        start.size(), std::max<std::int64_t>(0, room), length_, stride_);
    std::vector<QuestionPart::Range> places;  // characters of each byte
    std::int64_t character = -1;
    for (const char byte : context) {
        character += text::begins_character(byte) ? 1 : 0;
        places.emplace_back(character, character + 1);
    }
    std::vector<QuestionPart> parts;
    for (std::int64_t from = 0;; from += room - stride_) {
        const std::int64_t to = std::min(std::ssize(context), from + room);
        QuestionPart part;
        part.first = std::ssize(start);
        for (const char byte :
             start + context.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)))
            part.ids.push_back(static_cast<unsigned char>(byte));
        part.types.assign(part.ids.size(), 0);
        part.offsets.assign(places.begin() + from, places.begin() + to);
        parts.push_back(std::move(part));
        if (to == std::ssize(context))
            return parts;
    }
}

}  // namespace trainyard::inputs
