// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/bpe_trainer.h"

#include <algorithm>
#include <unordered_map>

#include <queue>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/steps.h"
#include "formats/tokenizers/tokenizer_model.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson byte_level(bool prefix_space, bool trim, bool words) {
    return {{"type", "ByteLevel"}, {"add_prefix_space", prefix_space}, {"trim_offsets", trim}, {"use_regex", words}};
}

OrderedJson pre_tokenizer_of(const BpeTrainerOptions& options) {
    if (options.pattern.empty())
        return byte_level(options.add_prefix_space, true, true);
    const OrderedJson split = {
        {"type", "Split"}, {"pattern", {{"Regex", options.pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
    return {{"type", "Sequence"},
            {"pretokenizers", OrderedJson::array({split, byte_level(options.add_prefix_space, true, false)})}};
}

std::uint64_t key_of(Id left, Id right) {
    return std::uint64_t{left} << 32 | right;
}

/// A pair and the words that it may be in. The greatest comes first: the highest count, of equal ones the least pair.
struct Candidate {
    std::uint64_t pair = 0;
    std::int64_t count = 0;
    std::vector<std::uint32_t> words;
    bool operator<(const Candidate& other) const {
        return count != other.count ? count < other.count : pair > other.pair;
    }
};

/// The words of a text as symbols, the counts of their pairs, and what a merge changes of both.
class Merger {
  public:
    void add_word(std::vector<Id> symbols, std::int64_t count) {
        const auto word = static_cast<std::uint32_t>(words_.size());
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
            change(key_of(symbols[i], symbols[i + 1]), count, word);
        words_.push_back({std::move(symbols), count});
    }
    /// Puts pairs whose words are new into the queue.
    void offer() {
        for (auto& [pair, words] : places_) {
            const std::int64_t count = counts_[pair];
            if (count <= 0)
                continue;
            std::sort(words.begin(), words.end());
            words.erase(std::unique(words.begin(), words.end()), words.end());
            queue_.push({pair, count, std::move(words)});
        }
        places_.clear();
    }
    /// False: no pair is left.
    bool best(Candidate& candidate) {
        while (!queue_.empty()) {
            candidate = queue_.top();
            queue_.pop();
            if (candidate.count == counts_[candidate.pair])
                return true;
            candidate.count = counts_[candidate.pair];
            queue_.push(std::move(candidate));
        }
        return false;
    }
    void merge(const Candidate& candidate, Id by) {
        const auto left = static_cast<Id>(candidate.pair >> 32), right = static_cast<Id>(candidate.pair);
        for (const std::uint32_t at : candidate.words) {
            auto& [symbols, count] = words_[at];
            std::size_t to = 0;
            for (std::size_t i = 0; i < symbols.size(); ++i) {
                if (symbols[i] != left || i + 1 >= symbols.size() || symbols[i + 1] != right) {
                    symbols[to++] = symbols[i];
                    continue;
                }
                if (to > 0) {
                    change(key_of(symbols[to - 1], left), -count, at);
                    change(key_of(symbols[to - 1], by), count, at);
                }
                if (i + 2 < symbols.size()) {
                    change(key_of(right, symbols[i + 2]), -count, at);
                    change(key_of(by, symbols[i + 2]), count, at);
                }
                symbols[to++] = by;
                ++i;
            }
            symbols.resize(to);
        }
        offer();
    }

  private:
    void change(std::uint64_t pair, std::int64_t count, std::uint32_t word) {
        counts_[pair] += count;
        if (count > 0)
            places_[pair].push_back(word);
    }

    std::vector<std::pair<std::vector<Id>, std::int64_t>> words_;
    std::unordered_map<std::uint64_t, std::int64_t> counts_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> places_;
    std::priority_queue<Candidate> queue_;
};

}  // namespace

struct BpeTrainer::Parts {
    BpeTrainerOptions options;
    std::unique_ptr<PreTokenizer> pre_tokenizer;
    StringMap<std::uint64_t> counts;
};

BpeTrainer::BpeTrainer(BpeTrainerOptions options) : parts_(std::make_unique<Parts>()) {
    if (options.vocabulary_size < 256 + options.special_tokens.size())
        throw UserError(
            "a byte-level vocabulary has at least {} tokens: 256 bytes and {} special "
            "ones",
            256 + options.special_tokens.size(), options.special_tokens.size());
    parts_->pre_tokenizer =
        make_pre_tokenizer(parse_json(json_text(pre_tokenizer_of(options))), "the tokenizer to be trained");
    parts_->options = std::move(options);
}
BpeTrainer::BpeTrainer(BpeTrainer&&) noexcept = default;
BpeTrainer& BpeTrainer::operator=(BpeTrainer&&) noexcept = default;
BpeTrainer::~BpeTrainer() = default;

void BpeTrainer::add(std::string_view text) {
    for (const NormalizedText& word : parts_->pre_tokenizer->split(NormalizedText(text::to_utf8(text), false))) {
        const auto known = parts_->counts.find(word.text());
        if (known == parts_->counts.end())
            parts_->counts.emplace(word.text(), 1);
        else
            ++known->second;
    }
}

std::uint64_t BpeTrainer::words() const {
    return parts_->counts.size();
}

std::string BpeTrainer::train(const std::function<bool(std::size_t, std::size_t)>& on_merge) const {
    const BpeTrainerOptions& options = parts_->options;
    std::vector<std::string> tokens = options.special_tokens;
    std::vector<char32_t> alphabet;
    for (unsigned byte = 0; byte < 256; ++byte)
        alphabet.push_back(character_of_byte(static_cast<unsigned char>(byte)));
    std::sort(alphabet.begin(), alphabet.end());
    std::unordered_map<char32_t, Id> of_character;
    for (const char32_t character : alphabet) {
        of_character[character] = static_cast<Id>(tokens.size());
        tokens.push_back(to_utf8(std::u32string_view(&character, 1)));
    }
    StringMap<Id> ids;
    for (std::size_t id = 0; id < tokens.size(); ++id)
        ids.emplace(tokens[id], static_cast<Id>(id));

    Merger merger;
    for (const auto& [word, count] : parts_->counts) {
        std::vector<Id> symbols;
        for (std::size_t at = 0; at < word.size(); at += utf8_size(word[at]))
            symbols.push_back(of_character.at(character_at(word, at)));
        merger.add_word(std::move(symbols), static_cast<std::int64_t>(count));
    }
    merger.offer();
    OrderedJson merges = OrderedJson::array();
    const std::size_t wanted = options.vocabulary_size - std::min(tokens.size(), options.vocabulary_size);
    const auto least = static_cast<std::int64_t>(std::max<std::uint64_t>(options.min_frequency, 1));
    for (Candidate candidate;
         tokens.size() < options.vocabulary_size && merger.best(candidate) && candidate.count >= least;) {
        const std::string left = tokens[candidate.pair >> 32], right = tokens[candidate.pair & 0xffffffff];
        const auto [place, added] = ids.emplace(left + right, static_cast<Id>(tokens.size()));
        const Id id = place->second;
        if (added)
            tokens.push_back(left + right);
        merges.push_back(OrderedJson::array({left, right}));
        merger.merge(candidate, id);
        if (on_merge && !on_merge(merges.size(), wanted))
            break;
    }

    OrderedJson added = OrderedJson::array(), vocabulary = OrderedJson::object();
    for (std::size_t id = 0; id < options.special_tokens.size(); ++id)
        added.push_back({{"id", id},
                         {"content", options.special_tokens[id]},
                         {"single_word", false},
                         {"lstrip", false},
                         {"rstrip", false},
                         {"normalized", false},
                         {"special", true}});
    for (std::size_t id = 0; id < tokens.size(); ++id)
        vocabulary[tokens[id]] = id;
    const OrderedJson model = {{"type", "BPE"},
                               {"dropout", nullptr},
                               {"unk_token", nullptr},
                               {"continuing_subword_prefix", nullptr},
                               {"end_of_word_suffix", nullptr},
                               {"fuse_unk", false},
                               {"byte_fallback", false},
                               {"ignore_merges", false},
                               {"vocab", vocabulary},
                               {"merges", merges}};
    const OrderedJson file = {{"version", "1.0"},
                              {"truncation", nullptr},
                              {"padding", nullptr},
                              {"added_tokens", added},
                              {"normalizer", nullptr},
                              {"pre_tokenizer", pre_tokenizer_of(options)},
                              {"post_processor", byte_level(true, false, true)},
                              {"decoder", byte_level(true, true, true)},
                              {"model", model}};
    return json_text(file, {.indent = 2});
}

}  // namespace trainyard::tokenizers
