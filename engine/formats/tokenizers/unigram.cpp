// SPDX-License-Identifier: GPL-3.0-or-later
// The unigram language model: the most probable division of a text into pieces (Kudo 2018, https://arxiv.org/abs/1804.10959).

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/tokenizer_model.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

constexpr double kUnknownPenalty = 10;  ///< below the least score, as in SentencePiece

/// Pieces by their bytes.
class Trie {
  public:
    Trie() { nodes_.emplace_back(); }
    void add(std::string_view piece, Id id) {
        std::uint32_t node = 0;
        for (const char c : piece) {
            std::uint32_t next = child(node, static_cast<unsigned char>(c));
            if (next == 0) {
                next = static_cast<std::uint32_t>(nodes_.size());
                nodes_.emplace_back();
                auto& children = nodes_[node].children;
                const auto place =
                    std::lower_bound(children.begin(), children.end(), static_cast<unsigned char>(c),
                                     [](const auto& one, unsigned char byte) { return one.first < byte; });
                children.insert(place, {static_cast<unsigned char>(c), next});
            }
            node = next;
        }
        nodes_[node].id = static_cast<std::int64_t>(id);
    }
    template <class Take>
    void for_each_prefix(std::string_view text, Take take) const {
        std::uint32_t node = 0;
        for (std::size_t at = 0; at < text.size(); ++at) {
            node = child(node, static_cast<unsigned char>(text[at]));
            if (node == 0)
                return;
            if (nodes_[node].id >= 0)
                take(at + 1, static_cast<Id>(nodes_[node].id));
        }
    }

  private:
    struct Node {
        std::vector<std::pair<unsigned char, std::uint32_t>> children;  ///< by byte, ascending
        std::int64_t id = -1;
    };
    std::uint32_t child(std::uint32_t node, unsigned char byte) const {
        const auto& children = nodes_[node].children;
        const auto place = std::lower_bound(children.begin(), children.end(), byte,
                                            [](const auto& one, unsigned char wanted) { return one.first < wanted; });
        return place != children.end() && place->first == byte ? place->second : 0;
    }
    std::vector<Node> nodes_;
};

class Unigram : public Model {
  public:
    Unigram(const Json& settings, const std::string& place)
        : byte_fallback_(bool_of(settings, "byte_fallback", false, place)) {
        double least = std::numeric_limits<double>::infinity();
        for (const Json& entry : needed_array(settings, "vocab", place)) {
            if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
                throw UserError("{}.vocab: entry {} must be a list of a piece and its score", place, scores_.size());
            const auto id = static_cast<Id>(scores_.size());
            const std::string piece = entry[0].get<std::string>();
            vocabulary_.add(piece, id);
            if (!piece.empty())
                trie_.add(piece, id);
            scores_.push_back(entry[1].get<double>());
            least = std::min(least, scores_.back());
        }
        if (value_of(settings, "unk_id") != nullptr) {
            unknown_ = static_cast<Id>(count_of(settings, "unk_id", 0, place));
            if (*unknown_ >= scores_.size())
                throw UserError("{}.unk_id is {}, and the vocabulary has {} pieces", place, *unknown_, scores_.size());
        }
        unknown_score_ = least - kUnknownPenalty;
        for (unsigned byte = 0; byte < 256 && byte_fallback_; ++byte)
            byte_tokens_.push_back(vocabulary_.id_of(fmt::format("<0x{:02X}>", byte)));
    }

    void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
        std::uint32_t begin = 0;
        for (const std::string_view part : parts_of(piece)) {
            const auto end = begin + static_cast<std::uint32_t>(part.size());
            if (const std::optional<Id> id = vocabulary_.id_of(part)) {
                tokens.push_back({*id, std::string(part), {begin, end}});
            } else if (byte_fallback_ && std::all_of(part.begin(), part.end(), [&](char c) {
                           return byte_tokens_[static_cast<unsigned char>(c)].has_value();
                       })) {
                for (const char c : part) {
                    const Id byte = *byte_tokens_[static_cast<unsigned char>(c)];
                    tokens.push_back({byte, *vocabulary_.token_of(byte), {begin, end}});
                }
            } else {
                tokens.push_back({needed_unknown(), std::string(part), {begin, end}});
            }
            begin = end;
        }
    }
    std::optional<Id> id_of(std::string_view token) const override { return vocabulary_.id_of(token); }
    const std::string* token_of(Id id) const override { return vocabulary_.token_of(id); }
    std::size_t size() const override { return scores_.size(); }
    std::size_t id_end() const override { return scores_.size(); }

  private:
    struct Node {
        double score = 0;
        std::uint32_t begin = 0;
        Id id = 0;
        bool reached = false;
    };

    Id needed_unknown() const {
        if (!unknown_)
            throw UserError("the vocabulary has no unk_id, which a text needs");
        return *unknown_;
    }

    /// Viterbi over the bytes; unknown characters next to each other are one part.
    std::vector<std::string_view> parts_of(std::string_view text) const {
        std::vector<Node> best(text.size() + 1);
        for (std::size_t begin = 0; begin < text.size();) {
            const double score = best[begin].score;
            const std::size_t character = utf8_size(text[begin]);
            bool single = false;
            const auto offer = [&](std::size_t size, double own, Id id) {
                Node& target = best[begin + size];
                if (!target.reached || score + own > target.score)
                    target = {score + own, static_cast<std::uint32_t>(begin), id, true};
            };
            trie_.for_each_prefix(text.substr(begin), [&](std::size_t size, Id id) {
                offer(size, scores_[id], id);
                single = single || size == character;
            });
            if (!single)
                offer(character, unknown_score_, needed_unknown());
            begin += character;
        }
        std::vector<std::string_view> parts;
        std::size_t unknown_end = 0;  // of unknown characters that are not yet a part; 0: none
        std::size_t end = text.size();
        const auto flush = [&](std::size_t begin) {
            if (unknown_end > 0)
                parts.push_back(text.substr(begin, unknown_end - begin));
            unknown_end = 0;
        };
        while (end > 0) {
            const Node& node = best[end];
            if (unknown_ && node.id == *unknown_) {
                unknown_end = unknown_end > 0 ? unknown_end : end;
            } else {
                flush(end);
                parts.push_back(text.substr(node.begin, end - node.begin));
            }
            end = node.begin;
        }
        flush(0);
        std::reverse(parts.begin(), parts.end());
        return parts;
    }

    Vocabulary vocabulary_;
    std::vector<double> scores_;
    Trie trie_;
    std::optional<Id> unknown_;
    double unknown_score_ = 0;
    bool byte_fallback_ = false;
    std::vector<std::optional<Id>> byte_tokens_;
};

}  // namespace

std::unique_ptr<Model> make_unigram(const nlohmann::json& settings, const std::string& file) {
    return std::make_unique<Unigram>(settings, Message("{}: model", file));
}

}  // namespace trainyard::tokenizers
