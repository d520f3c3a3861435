// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/encoding.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::tokenizers {

namespace {

template <class Value>
void append_values(std::vector<Value>& to, const std::vector<Value>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

template <class Value>
std::vector<Value> values_between(const std::vector<Value>& values, std::size_t begin, std::size_t end) {
    return {values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

void Encoding::add(Id id, std::string token, std::pair<std::size_t, std::size_t> offset, Id type_id, bool special) {
    ids.push_back(id);
    tokens.push_back(std::move(token));
    offsets.push_back(offset);
    type_ids.push_back(type_id);
    special_tokens_mask.push_back(special ? 1 : 0);
    attention_mask.push_back(1);
}

Encoding Encoding::part(std::size_t begin, std::size_t end) const {
    Encoding piece;
    piece.ids = values_between(ids, begin, end);
    piece.tokens = values_between(tokens, begin, end);
    piece.offsets = values_between(offsets, begin, end);
    piece.type_ids = values_between(type_ids, begin, end);
    piece.special_tokens_mask = values_between(special_tokens_mask, begin, end);
    piece.attention_mask = values_between(attention_mask, begin, end);
    return piece;
}

void Encoding::merge(const Encoding& other) {
    std::vector<Encoding> pieces;
    const auto combine = [&](const Encoding& one, const Encoding& two) {
        Encoding piece = one;
        piece.merge(two);
        pieces.push_back(std::move(piece));
    };
    for (const Encoding& own : overflowing) {
        combine(own, other);
        for (const Encoding& theirs : other.overflowing)
            combine(own, theirs);
    }
    for (const Encoding& theirs : other.overflowing)
        combine(*this, theirs);
    append_values(ids, other.ids);
    append_values(tokens, other.tokens);
    append_values(offsets, other.offsets);
    append_values(type_ids, other.type_ids);
    append_values(special_tokens_mask, other.special_tokens_mask);
    append_values(attention_mask, other.attention_mask);
    overflowing = std::move(pieces);
}

void Encoding::truncate(std::size_t longest, std::size_t stride, bool from_left) {
    if (longest >= size())
        return;
    if (longest == 0) {
        Encoding all = std::move(*this);
        *this = {};
        overflowing.push_back(std::move(all));
        return;
    }
    if (stride >= longest)
        throw UserError(
            "truncation: stride {} must be less than max_length, of which {} are left "
            "beside special tokens",
            stride, longest);
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    const std::size_t step = longest - stride;
    if (from_left) {
        for (std::size_t end = size();; end -= step) {
            const std::size_t begin = end > longest ? end - longest : 0;
            parts.emplace_back(begin, end);
            if (begin == 0 || end <= step)
                break;
        }
    } else {
        for (std::size_t begin = 0; begin < size(); begin += step) {
            const std::size_t end = std::min(begin + longest, size());
            parts.emplace_back(begin, end);
            if (end == size())
                break;
        }
    }
    Encoding first = part(parts.front().first, parts.front().second);
    for (std::size_t i = 1; i < parts.size(); ++i)
        first.overflowing.push_back(part(parts[i].first, parts[i].second));
    *this = std::move(first);
}

void Encoding::pad(std::size_t length, Id id, Id type_id, const std::string& token, bool on_the_left) {
    for (Encoding& piece : overflowing)
        piece.pad(length, id, type_id, token, on_the_left);
    if (size() >= length)
        return;
    const std::size_t missing = length - size();
    const auto fill = [&](auto& values, const auto& value) {
        values.insert(on_the_left ? values.begin() : values.end(), missing, value);
    };
    fill(ids, id);
    fill(tokens, token);
    fill(offsets, std::pair<std::size_t, std::size_t>(0, 0));
    fill(type_ids, type_id);
    fill(special_tokens_mask, Id{1});
    fill(attention_mask, Id{0});
}

}  // namespace trainyard::tokenizers
