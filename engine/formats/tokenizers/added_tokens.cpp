// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/added_tokens.h"

#include <algorithm>

#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

void AddedTokens::Contents::add(std::string content, std::size_t token) {
    if (!content.empty())
        by_length.emplace_back(std::move(content), token);
}

void AddedTokens::Contents::sort() {
    std::stable_sort(by_length.begin(), by_length.end(),
                     [](const auto& one, const auto& other) { return one.first.size() > other.first.size(); });
    first_bytes.assign(256, false);
    for (const auto& [content, token] : by_length)
        first_bytes[static_cast<unsigned char>(content[0])] = true;
}

bool AddedTokens::Contents::find(std::string_view text, std::size_t from, std::size_t& begin, std::size_t& end,
                                 std::size_t& token) const {
    if (by_length.empty())
        return false;
    for (begin = from; begin < text.size(); ++begin) {
        if (!first_bytes[static_cast<unsigned char>(text[begin])])
            continue;
        for (const auto& [content, which] : by_length)
            if (text.substr(begin).starts_with(content)) {
                end = begin + content.size();
                token = which;
                return true;
            }
    }
    return false;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Model& model, const Normalizer* normalizer)
    : tokens_(std::move(tokens)), normalizer_(normalizer) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        AddedToken& token = tokens_[i];
        if (const std::optional<Id> known = model.id_of(token.content))
            token.id = *known;
        NormalizedText content(token.content, false);
        if (token.normalized && normalizer != nullptr)
            normalizer->apply(content);
        token.text = content.text();
        by_content_.emplace(token.content, i);
        by_id_.emplace(token.id, i);
        (token.normalized ? normalized_ : as_they_are_).add(token.text, i);
    }
    as_they_are_.sort();
    normalized_.sort();
}

void AddedTokens::divide(const NormalizedText& whole, const Contents& contents, std::vector<Piece>& pieces) const {
    const std::string& text = whole.text();
    std::size_t done = 0;
    std::size_t begin = 0, end = 0, index = 0;
    for (std::size_t from = 0; contents.find(text, from, begin, end, index);) {
        from = end;
        const AddedToken& token = tokens_[index];
        if (token.single_word && ((begin > 0 && is_word(character_before(text, begin))) ||
                                  (end < text.size() && is_word(character_at(text, end)))))
            continue;
        if (token.lstrip) {
            while (begin > 0 && is_whitespace(character_before(text, begin)))
                do
                    --begin;
                while (!begins_character(text[begin]));
            begin = std::max(begin, done);
        }
        if (token.rstrip)
            while (end < text.size() && is_whitespace(character_at(text, end)))
                end += utf8_size(text[end]);
        if (done < begin)
            pieces.push_back({whole.slice(done, begin), nullptr});
        if (begin < end)
            pieces.push_back({whole.slice(begin, end), &token});
        done = end;
    }
    if (done == 0 && !whole.empty())
        pieces.push_back({whole, nullptr});
    else if (done < text.size())
        pieces.push_back({whole.slice(done, text.size()), nullptr});
}

std::vector<AddedTokens::Piece> AddedTokens::divide(std::string_view text, bool tracked) const {
    std::vector<Piece> raw, pieces;
    divide(NormalizedText(text, tracked), as_they_are_, raw);
    for (Piece& piece : raw) {
        if (piece.token != nullptr) {
            pieces.push_back(std::move(piece));
            continue;
        }
        if (normalizer_ != nullptr)
            normalizer_->apply(piece.text);
        divide(piece.text, normalized_, pieces);
    }
    return pieces;
}

std::optional<Id> AddedTokens::id_of(std::string_view token) const {
    const auto known = by_content_.find(token);
    return known == by_content_.end() ? std::nullopt : std::optional(tokens_[known->second].id);
}

const AddedToken* AddedTokens::token_of(Id id) const {
    const auto known = by_id_.find(id);
    return known == by_id_.end() ? nullptr : &tokens_[known->second];
}

bool AddedTokens::is_special(std::string_view token) const {
    const auto known = by_content_.find(token);
    return known != by_content_.end() && tokens_[known->second].special;
}

}  // namespace trainyard::tokenizers
