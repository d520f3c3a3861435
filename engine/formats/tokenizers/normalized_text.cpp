// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/normalized_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

struct ByteCharacters {
    std::array<char32_t, 256> of_byte{};
    std::array<int, 512> of_character{};
    ByteCharacters() {
        of_character.fill(-1);
        char32_t next = 256;  // those that cannot be seen get the characters from U+0100 on, in their order
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool seen = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
            of_byte[byte] = seen ? byte : next++;
            of_character[of_byte[byte]] = static_cast<int>(byte);
        }
    }
};

const ByteCharacters& byte_characters() {
    static const ByteCharacters characters;
    return characters;
}

/// Canonical ordering: marks between two starters by their class, each with its change.
void order_marks(std::vector<Change>& changes, std::size_t from) {
    std::stable_sort(changes.begin() + static_cast<std::ptrdiff_t>(from), changes.end(),
                     [](const Change& one, const Change& other) {
                         return combining_class(one.character) < combining_class(other.character);
                     });
}

std::vector<Change> decomposed(std::string_view text, bool compatible) {
    std::vector<Change> changes;
    std::size_t pending = 0;  // from here on there are only marks
    for (std::size_t at = 0; at < text.size(); at += utf8_size(text[at])) {
        int change = 0;
        for (const char32_t character : decompose(character_at(text, at), compatible)) {
            if (combining_class(character) == 0) {
                order_marks(changes, pending);
                pending = changes.size() + 1;
            }
            changes.push_back({character, change});
            change = 1;
        }
    }
    order_marks(changes, std::min(pending, changes.size()));
    return changes;
}

/// The composition algorithm of the Unicode Standard, 3.11 (D117). A composed character counts for all that it was made of.
std::vector<Change> composed_of(const std::vector<Change>& changes) {
    std::vector<Change> result;
    std::vector<Change> marks;
    bool has_starter = false;
    Change starter;
    int last_class = -1;
    const auto flush = [&] {
        if (has_starter)
            result.push_back(starter);
        result.insert(result.end(), marks.begin(), marks.end());
        marks.clear();
        last_class = -1;
    };
    for (const Change& next : changes) {
        const int own_class = combining_class(next.character);
        if (!has_starter) {
            if (own_class != 0) {
                result.push_back(next);
            } else {
                starter = next;
                has_starter = true;
            }
            continue;
        }
        const bool blocked = last_class >= 0 && last_class >= own_class;
        if (const char32_t composed = blocked ? 0 : compose(starter.character, next.character); composed != 0) {
            starter = {composed, starter.change + next.change - 1};
        } else if (own_class == 0) {
            flush();
            starter = next;
        } else {
            marks.push_back(next);
            last_class = own_class;
        }
    }
    flush();
    return result;
}

}  // namespace

char32_t character_of_byte(unsigned char byte) {
    return byte_characters().of_byte[byte];
}

int byte_of_character(char32_t character) {
    return character < 512 ? byte_characters().of_character[character] : -1;
}

std::vector<Match> match_all(std::string_view text, const Regex& pattern) {
    std::vector<Match> matches;
    std::size_t last = 0;
    pattern.for_each_match(text, [&](std::size_t begin, std::size_t end) {
        if (last != begin)
            matches.push_back({last, begin, false});
        matches.push_back({begin, end, true});
        last = end;
    });
    if (last != text.size())
        matches.push_back({last, text.size(), false});
    return matches;
}

std::vector<Match> match_characters(std::string_view text, const std::function<bool(char32_t)>& matches) {
    std::vector<Match> found;
    std::size_t last = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = at + utf8_size(text[at]);
        if (matches(character_at(text, at))) {
            if (last < at)
                found.push_back({last, at, false});
            found.push_back({at, next, true});
            last = next;
        }
        at = next;
    }
    if (last < text.size())
        found.push_back({last, text.size(), false});
    return found;
}

void NormalizedText::keep_spans() {
    if (!tracked_ || spans_.size() == text_.size())
        return;
    spans_.resize(text_.size());
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t next = std::min(at + utf8_size(text_[at]), text_.size());
        const Span span{static_cast<std::uint32_t>(origin_ + at), static_cast<std::uint32_t>(origin_ + next)};
        for (; at < next; ++at)
            spans_[at] = span;
    }
}

Span NormalizedText::original(std::size_t begin, std::size_t end) const {
    if (begin == end || end > text_.size())
        return {static_cast<std::uint32_t>(origin_ + begin), static_cast<std::uint32_t>(origin_ + end)};
    if (!spans_.empty())
        return {spans_[begin].begin, spans_[end - 1].end};
    while (begin > 0 && !begins_character(text_[begin]))
        --begin;
    while (end < text_.size() && !begins_character(text_[end]))
        ++end;
    return {static_cast<std::uint32_t>(origin_ + begin), static_cast<std::uint32_t>(origin_ + end)};
}

NormalizedText NormalizedText::slice(std::size_t begin, std::size_t end) const {
    NormalizedText part(std::string_view(text_).substr(begin, end - begin), tracked_);
    part.origin_ = original(begin, end).begin;
    if (!spans_.empty())
        part.spans_.assign(spans_.begin() + static_cast<std::ptrdiff_t>(begin),
                           spans_.begin() + static_cast<std::ptrdiff_t>(end));
    return part;
}

void NormalizedText::transform(const std::vector<Change>& changes, std::size_t skipped) {
    keep_spans();
    std::string text;
    std::vector<Span> spans;
    text.reserve(text_.size());
    if (tracked_)
        spans.reserve(text_.size());
    std::size_t at = 0;  // how far the old text is used up
    const auto use_up = [&](std::size_t characters) {
        for (; characters > 0 && at < text_.size(); --characters)
            at += utf8_size(text_[at]);
    };
    use_up(skipped);
    for (const Change& change : changes) {
        if (tracked_) {
            const auto here = static_cast<std::uint32_t>(origin_);
            Span span{here, here};
            if (change.change > 0 && at > 0)
                span = spans_[at - 1];
            else if (change.change <= 0 && at < text_.size())
                span = spans_[at];
            else if (change.change <= 0 && at > 0)
                span = spans_[at - 1];
            if (change.change <= 0)
                use_up(1 + static_cast<std::size_t>(-change.change));
            const std::size_t before = text.size();
            text::append_utf8(text, change.character);
            spans.insert(spans.end(), text.size() - before, span);
        } else {
            text::append_utf8(text, change.character);
        }
    }
    text_ = std::move(text);
    spans_ = std::move(spans);
}

void NormalizedText::keep(const std::function<bool(char32_t)>& kept) {
    keep_spans();
    std::size_t to = 0;
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t size = utf8_size(text_[at]);
        if (kept(character_at(text_, at))) {
            for (std::size_t i = 0; i < size; ++i, ++to) {
                text_[to] = text_[at + i];
                if (tracked_)
                    spans_[to] = spans_[at + i];
            }
        }
        at += size;
    }
    text_.resize(to);
    if (tracked_)
        spans_.resize(to);
}

void NormalizedText::map(const std::function<char32_t(char32_t)>& mapped) {
    std::vector<Change> changes;
    for (std::size_t at = 0; at < text_.size(); at += utf8_size(text_[at]))
        changes.push_back({mapped(character_at(text_, at)), 0});
    transform(changes);
}

void NormalizedText::lower() {
    if (is_ascii(text_)) {
        for (char& c : text_)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        return;
    }
    std::vector<Change> changes;
    for (std::size_t at = 0; at < text_.size(); at += utf8_size(text_[at])) {
        int change = 0;
        for (const char32_t character : to_lower(character_at(text_, at)))
            changes.push_back({character, std::exchange(change, 1)});
    }
    transform(changes);
}

void NormalizedText::prepend(const std::string& content) {
    if (text_.empty())
        return;
    keep_spans();
    text_.insert(0, content);
    if (tracked_)
        spans_.insert(spans_.begin(), content.size(), spans_.front());
}

void NormalizedText::append(const std::string& content) {
    if (text_.empty())
        return;
    keep_spans();
    text_ += content;
    if (tracked_)
        spans_.insert(spans_.end(), content.size(), spans_.back());
}

void NormalizedText::replace(const Regex& pattern, const std::string& content) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    pattern.for_each_match(text_, [&](std::size_t begin, std::size_t end) { places.emplace_back(begin, end); });
    if (places.empty())
        return;
    keep_spans();
    std::string text;
    std::vector<Span> spans;
    std::size_t last = 0;
    const auto copy = [&](std::size_t end) {
        text.append(text_, last, end - last);
        if (tracked_)
            spans.insert(spans.end(), spans_.begin() + static_cast<std::ptrdiff_t>(last),
                         spans_.begin() + static_cast<std::ptrdiff_t>(end));
    };
    for (const auto& [begin, end] : places) {
        copy(begin);
        text += content;
        const auto here = static_cast<std::uint32_t>(origin_);
        if (tracked_)  // what is put there counts as coming from the last character that goes
            spans.insert(spans.end(), content.size(), end > 0 ? spans_[end - 1] : Span{here, here});
        last = end;
    }
    copy(text_.size());
    text_ = std::move(text);
    spans_ = std::move(spans);
}

void NormalizedText::strip(bool left, bool right) {
    std::size_t begin = 0, end = text_.size();
    while (left && begin < end && is_whitespace(character_at(text_, begin)))
        begin += utf8_size(text_[begin]);
    while (right && end > begin && is_whitespace(character_before(text_, end)))
        do
            --end;
        while (!begins_character(text_[end]));
    if (begin == 0 && end == text_.size())
        return;
    keep_spans();
    text_ = text_.substr(begin, end - begin);
    if (tracked_)
        spans_ = std::vector<Span>(spans_.begin() + static_cast<std::ptrdiff_t>(begin),
                                   spans_.begin() + static_cast<std::ptrdiff_t>(end));
}

void NormalizedText::normalize(bool compatible, bool composed) {
    if (is_ascii(text_))
        return;
    const std::vector<Change> changes = decomposed(text_, compatible);
    transform(composed ? composed_of(changes) : changes);
}

void NormalizedText::to_byte_characters() {
    keep_spans();
    std::string text;
    std::vector<Span> spans;
    text.reserve(text_.size() * 2);
    for (std::size_t at = 0; at < text_.size(); ++at) {
        const std::size_t before = text.size();
        const char32_t character = character_of_byte(static_cast<unsigned char>(text_[at]));
        if (character < 0x80) {
            text += static_cast<char>(character);
        } else {  // all are below U+0800
            text += static_cast<char>(0xc0 | character >> 6);
            text += static_cast<char>(0x80 | (character & 0x3f));
        }
        if (tracked_)
            spans.insert(spans.end(), text.size() - before, spans_[at]);
    }
    text_ = std::move(text);
    spans_ = std::move(spans);
}

std::vector<NormalizedText> NormalizedText::split(const std::vector<Match>& matches, SplitBehavior behavior) const {
    std::vector<Match> parts;
    bool previous = false;
    switch (behavior) {
        case SplitBehavior::removed:
            for (const Match& match : matches)
                if (!match.matches)
                    parts.push_back(match);
            break;
        case SplitBehavior::isolated:
            parts = matches;
            break;
        case SplitBehavior::contiguous:
            for (const Match& match : matches) {
                if (match.matches == previous && !parts.empty())
                    parts.back().end = match.end;
                else
                    parts.push_back(match);
                previous = match.matches;
            }
            break;
        case SplitBehavior::merged_with_previous:
            for (const Match& match : matches) {
                if (match.matches && !previous && !parts.empty())
                    parts.back().end = match.end;
                else
                    parts.push_back(match);
                previous = match.matches;
            }
            break;
        case SplitBehavior::merged_with_next:
            for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
                if (match->matches && !previous && !parts.empty())
                    parts.back().begin = match->begin;
                else
                    parts.push_back(*match);
                previous = match->matches;
            }
            std::reverse(parts.begin(), parts.end());
            break;
    }
    std::vector<NormalizedText> texts;
    texts.reserve(parts.size());
    for (const Match& part : parts)
        if (part.begin < part.end)
            texts.push_back(slice(part.begin, part.end));
    return texts;
}

}  // namespace trainyard::tokenizers
