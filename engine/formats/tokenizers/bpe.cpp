// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/bpe.h"

#include <algorithm>

#include <queue>

#include "base/error.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {
constexpr std::size_t kMaxCachedWords = 20000;
constexpr std::size_t kMaxCachedBytes = 256;  ///< of a word
}  // namespace

Vocabulary::Vocabulary(const nlohmann::json& object, const std::string& place) {
    if (!object.is_object())
        throw UserError("{} must be an object of tokens and their ids", place);
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        if (!entry.value().is_number_unsigned() || entry.value().get<std::uint64_t>() > 0x0fffffff)
            throw UserError("{}: the id of '{}' must be a number from 0 to 268435455", place, entry.key());
        add(entry.key(), entry.value().get<Id>());
    }
}

void Vocabulary::add(std::string token, Id id) {
    if (id >= tokens_.size()) {
        tokens_.resize(id + 1);
        present_.resize(id + 1);
    }
    tokens_[id] = token;
    present_[id] = true;
    ids_.insert_or_assign(std::move(token), id);
}

Bpe::Bpe(Vocabulary vocabulary, const std::vector<std::pair<std::string, std::string>>& merges, BpeOptions options,
         const std::string& place)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)) {
    merges_.reserve(merges.size() * 2);
    std::uint32_t rank = 0;
    for (const auto& [left, right] : merges) {
        const auto known = [&](const std::string& token) {
            const std::optional<Id> id = vocabulary_.id_of(token);
            if (!id)
                throw UserError("{}: merge {} of '{}' and '{}' needs the token '{}', which the vocabulary lacks", place,
                                rank, left, right, token);
            return *id;
        };
        const Id first = known(left), second = known(right);
        const Id whole = known(left + (right.starts_with(options_.continuing_subword_prefix)
                                           ? right.substr(options_.continuing_subword_prefix.size())
                                           : right));
        merges_.insert_or_assign(std::uint64_t{first} << 32 | second, Merge{rank, whole});
        ++rank;
    }
    if (options_.unk_token)
        unknown_ = vocabulary_.id_of(*options_.unk_token);
    if (options_.byte_fallback)
        for (unsigned byte = 0; byte < 256; ++byte)
            byte_tokens_.push_back(vocabulary_.id_of(fmt::format("<0x{:02X}>", byte)));
}

std::vector<Bpe::Symbol> Bpe::symbols_of(std::string_view piece) const {
    std::vector<Symbol> symbols;
    const auto add = [&](Id id, std::size_t bytes) {
        const auto at = static_cast<std::int32_t>(symbols.size());
        symbols.push_back({id, static_cast<std::uint32_t>(bytes), at - 1, -1});
        if (at > 0)
            symbols[static_cast<std::size_t>(at) - 1].next = at;
    };
    std::size_t unknown_bytes = 0;
    const auto flush = [&] {
        if (unknown_bytes > 0)
            add(*unknown_, std::exchange(unknown_bytes, 0));
    };
    std::string edged;
    for (std::size_t at = 0; at < piece.size();) {
        const std::size_t size = utf8_size(piece[at]);
        std::string_view token = piece.substr(at, size);
        const bool first = at == 0, last = at + size >= piece.size();
        at += size;
        if ((!first && !options_.continuing_subword_prefix.empty()) || (last && !options_.end_of_word_suffix.empty())) {
            edged = first ? std::string() : options_.continuing_subword_prefix;
            edged += token;
            if (last)
                edged += options_.end_of_word_suffix;
            token = edged;
        }
        if (const std::optional<Id> id = vocabulary_.id_of(token)) {
            flush();
            add(*id, size);
            continue;
        }
        if (options_.byte_fallback && std::all_of(token.begin(), token.end(), [&](char c) {
                return byte_tokens_[static_cast<unsigned char>(c)].has_value();
            })) {
            for (const char c : token)
                add(*byte_tokens_[static_cast<unsigned char>(c)], 1);
            continue;
        }
        if (!options_.unk_token)
            continue;  // as the tokenizers library: what has no token and no substitute is left out
        if (!unknown_)
            throw UserError("the vocabulary lacks unk_token '{}', which a text needs", *options_.unk_token);
        if (!options_.fuse_unk)
            flush();
        unknown_bytes += size;
    }
    flush();
    return symbols;
}

void Bpe::merge(std::vector<Symbol>& symbols) const {
    struct Candidate {
        std::uint32_t rank;
        std::int32_t at;
        Id id;
        bool operator<(const Candidate& other) const { return rank != other.rank ? rank > other.rank : at > other.at; }
    };
    const auto symbol = [&](std::int32_t at) -> Symbol& { return symbols[static_cast<std::size_t>(at)]; };
    std::vector<Candidate> heap;
    heap.reserve(symbols.size());
    const auto offer = [&](std::int32_t left, std::int32_t right) {
        if (left >= 0 && right >= 0)
            if (const Merge* merge = merge_of(symbol(left).id, symbol(right).id))
                heap.push_back({merge->rank, left, merge->id});
    };
    for (std::int32_t at = 0; at + 1 < static_cast<std::int32_t>(symbols.size()); ++at)
        offer(at, at + 1);
    std::make_heap(heap.begin(), heap.end());
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end());
        const Candidate best = heap.back();
        heap.pop_back();
        Symbol& left = symbol(best.at);
        if (left.bytes == 0 || left.next < 0)
            continue;
        Symbol& right = symbol(left.next);
        const Merge* merge = merge_of(left.id, right.id);
        if (merge == nullptr || merge->id != best.id)
            continue;  // one of the two has become another since
        left.id = best.id;
        left.bytes += right.bytes;
        left.next = right.next;
        right.bytes = 0;
        if (left.next >= 0)
            symbol(left.next).previous = best.at;
        const std::size_t before = heap.size();
        offer(left.previous, best.at);
        if (heap.size() > before)
            std::push_heap(heap.begin(), heap.end());
        const std::size_t then = heap.size();
        offer(best.at, left.next);
        if (heap.size() > then)
            std::push_heap(heap.begin(), heap.end());
    }
    std::erase_if(symbols, [](const Symbol& one) { return one.bytes == 0; });
}

void Bpe::tokenize(std::string_view piece, std::vector<Token>& tokens) const {
    if (piece.empty())
        return;
    if (options_.ignore_merges)
        if (const std::optional<Id> id = vocabulary_.id_of(piece)) {
            tokens.push_back({*id, std::string(piece), {0, static_cast<std::uint32_t>(piece.size())}});
            return;
        }
    std::uint32_t begin = 0;
    const auto add = [&](Id id, std::uint32_t bytes) {
        const std::string* text = vocabulary_.token_of(id);
        tokens.push_back({id, text == nullptr ? std::string() : *text, {begin, begin + bytes}});
        begin += bytes;
    };
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock)
        if (const auto known = cache_.find(piece); known != cache_.end()) {
            for (const auto& [id, bytes] : known->second)
                add(id, bytes);
            return;
        }
    std::vector<Symbol> symbols = symbols_of(piece);
    merge(symbols);
    for (const Symbol& one : symbols)
        add(one.id, one.bytes);
    if (lock && piece.size() <= kMaxCachedBytes && cache_.size() < kMaxCachedWords) {
        std::vector<std::pair<Id, std::uint32_t>> word;
        for (const Symbol& one : symbols)
            word.emplace_back(one.id, one.bytes);
        cache_.emplace(piece, std::move(word));
    }
}

std::unique_ptr<Model> make_bpe(const nlohmann::json& settings, const std::string& file) {
    const std::string place = fmt::format("{}: model", file);
    if (const Json* dropout = value_of(settings, "dropout");
        dropout != nullptr && !(dropout->is_number() && dropout->get<double>() == 0))
        throw UserError(
            "{}.dropout gives other tokens at each use, which Trainyard does not do: set "
            "it to null",
            place);
    BpeOptions options;
    options.unk_token = text_of(settings, "unk_token", place);
    options.continuing_subword_prefix = text_of(settings, "continuing_subword_prefix", place).value_or("");
    options.end_of_word_suffix = text_of(settings, "end_of_word_suffix", place).value_or("");
    options.fuse_unk = bool_of(settings, "fuse_unk", false, place);
    options.byte_fallback = bool_of(settings, "byte_fallback", false, place);
    options.ignore_merges = bool_of(settings, "ignore_merges", false, place);
    std::vector<std::pair<std::string, std::string>> merges;
    for (const Json& merge : needed_array(settings, "merges", place)) {
        if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
            continue;
        }
        const std::string text = merge.is_string() ? merge.get<std::string>() : std::string();
        const std::size_t blank = text.find(' ');
        if (blank == std::string::npos || text.find(' ', blank + 1) != std::string::npos)
            throw UserError("{}.merges: entry {} must be two tokens, as a list or with one blank between them", place,
                            merges.size());
        merges.emplace_back(text.substr(0, blank), text.substr(blank + 1));
    }
    if (!settings.contains("vocab"))
        throw_bad_value(place, "vocab", "an object of tokens and their ids");
    return std::make_unique<Bpe>(Vocabulary(settings.at("vocab"), place + ".vocab"), merges, std::move(options), place);
}

}  // namespace trainyard::tokenizers
