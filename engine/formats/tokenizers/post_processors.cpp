// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/error.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/steps.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

struct SpecialToken {
    std::string token;
    Id id = 0;
};

void append_special(Encoding& encoding, const SpecialToken& token, Id type_id) {
    encoding.add(token.id, token.token, {0, 0}, type_id, true);
}

/// Offsets of byte-level tokens without the white space at their ends.
void trim_offsets(Encoding& encoding, bool prefix_space) {
    const auto is_space = [](char32_t c) { return c == character_of_byte(' ') || is_whitespace(c); };
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        const std::string& token = encoding.tokens[i];
        auto& [begin, end] = encoding.offsets[i];
        std::size_t leading = 0, trailing = 0;
        for (std::size_t at = 0; at < token.size() && is_space(character_at(token, at)); at += utf8_size(token[at]))
            ++leading;
        for (std::size_t at = token.size(); at > 0 && is_space(character_before(token, at)); ++trailing)
            do
                --at;
            while (at > 0 && !begins_character(token[at]));
        if (leading > 0) {
            if ((i == 0 || begin == 0) && prefix_space)
                --leading;  // the one that was put there
            begin = std::min(begin + leading, end);
        }
        if (trailing > 0 && end >= trailing)
            end = std::max(end - trailing, begin);
    }
    for (Encoding& piece : encoding.overflowing)
        trim_offsets(piece, prefix_space);
}

class ByteLevel : public PostProcessor {
  public:
    ByteLevel(const Json& step, const std::string& place)
        : trim_(bool_of(step, "trim_offsets", true, place)),
          prefix_space_(bool_of(step, "add_prefix_space", true, place)) {}
    std::size_t added(bool) const override { return 0; }
    std::vector<Encoding> process(std::vector<Encoding> encodings, bool) const override {
        for (Encoding& encoding : encodings)
            if (trim_)
                trim_offsets(encoding, prefix_space_);
        return encodings;
    }

  private:
    bool trim_;
    bool prefix_space_;
};

class Template : public PostProcessor {
  public:
    Template(const Json& step, const std::string& place) {
        const Json* tokens = value_of(step, "special_tokens");
        if (tokens != nullptr && !tokens->is_object())
            throw_bad_value(place, "special_tokens", "an object");
        single_ = pieces_of(step, "single", tokens, place);
        pair_ = pieces_of(step, "pair", tokens, place);
    }
    std::size_t added(bool pair) const override {
        std::size_t count = 0;
        for (const Piece& piece : pair ? pair_ : single_)
            count += piece.tokens.size();
        return count;
    }
    std::vector<Encoding> process(std::vector<Encoding> encodings, bool add_special_tokens) const override {
        std::vector<Encoding> parts;
        for (const Piece& piece : encodings.size() > 1 ? pair_ : single_) {
            if (piece.sequence >= 0) {
                if (static_cast<std::size_t>(piece.sequence) >= encodings.size())
                    throw UserError("the template of the post-processor needs a second text");
                Encoding& encoding = encodings[static_cast<std::size_t>(piece.sequence)];
                encoding.set_type_ids(piece.type_id);
                parts.push_back(encoding);
            } else if (add_special_tokens) {
                parts.emplace_back();
                for (const SpecialToken& token : piece.tokens)
                    append_special(parts.back(), token, piece.type_id);
            }
        }
        return parts;
    }

  private:
    struct Piece {
        int sequence = -1;  ///< 0: A, 1: B, -1: tokens
        Id type_id = 0;
        std::vector<SpecialToken> tokens;
    };

    static std::vector<Piece> pieces_of(const Json& step, const char* key, const Json* tokens,
                                        const std::string& place) {
        std::vector<Piece> pieces;
        for (const Json& entry : needed_array(step, key, place)) {
            const std::string here = fmt::format("{}.{}[{}]", place, key, pieces.size());
            const Json* sequence = entry.is_object() ? value_of(entry, "Sequence") : nullptr;
            const Json* special = entry.is_object() ? value_of(entry, "SpecialToken") : nullptr;
            const Json* either = sequence != nullptr ? sequence : special;
            if (either == nullptr || !either->is_object())
                throw UserError("{} must be {{\"Sequence\": ...}} or {{\"SpecialToken\": ...}}", here);
            Piece piece;
            piece.type_id = static_cast<Id>(count_of(*either, "type_id", 0, here));
            const std::string id = needed_text(*either, "id", here);
            if (sequence != nullptr) {
                if (id != "A" && id != "B")
                    throw_bad_value(here, "id", "A or B");
                piece.sequence = id == "A" ? 0 : 1;
            } else {
                const Json* token = tokens == nullptr ? nullptr : value_of(*tokens, id.c_str());
                if (token == nullptr)
                    throw UserError("{}: '{}' is not among special_tokens", here, id);
                const Json& ids = needed_array(*token, "ids", here);
                const Json& texts = needed_array(*token, "tokens", here);
                for (std::size_t i = 0; i < ids.size(); ++i) {
                    if (!ids[i].is_number_unsigned() || i >= texts.size() || !texts[i].is_string())
                        throw UserError("{}: ids and tokens of '{}' do not go together", here, id);
                    piece.tokens.push_back({texts[i].get<std::string>(), ids[i].get<Id>()});
                }
            }
            pieces.push_back(std::move(piece));
        }
        return pieces;
    }

    std::vector<Piece> single_;
    std::vector<Piece> pair_;
};

/// [CLS] A [SEP] B [SEP], and <s> A </s></s> B </s>.
class ClassAndSeparator : public PostProcessor {
  public:
    ClassAndSeparator(const Json& step, bool roberta, const std::string& place)
        : separator_(token_of(step, "sep", place)),
          class_(token_of(step, "cls", place)),
          roberta_(roberta),
          trim_(roberta && bool_of(step, "trim_offsets", true, place)),
          prefix_space_(bool_of(step, "add_prefix_space", true, place)) {}
    std::size_t added(bool pair) const override { return pair ? (roberta_ ? 4 : 3) : 2; }
    std::vector<Encoding> process(std::vector<Encoding> encodings, bool add_special_tokens) const override {
        for (std::size_t i = 0; i < encodings.size(); ++i) {
            Encoding& encoding = encodings[i];
            if (trim_)
                trim_offsets(encoding, prefix_space_);
            if (roberta_)
                encoding.set_type_ids(0);
            if (!add_special_tokens)
                continue;
            std::vector<Encoding> pieces;
            for (Encoding& piece : encoding.overflowing)
                pieces.push_back(enclosed(piece, i));
            encoding.overflowing.clear();
            encoding = enclosed(encoding, i);
            encoding.overflowing = std::move(pieces);
        }
        return encodings;
    }

  private:
    static SpecialToken token_of(const Json& step, const char* key, const std::string& place) {
        const Json& pair = needed_array(step, key, place);
        if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number_unsigned())
            throw_bad_value(place, key, "a list of a token and its id");
        return {pair[0].get<std::string>(), pair[1].get<Id>()};
    }
    Encoding enclosed(const Encoding& encoding, std::size_t which) const {
        const Id type_id = roberta_ ? 0 : static_cast<Id>(which);
        Encoding whole;
        if (which == 0)
            append_special(whole, class_, type_id);
        else if (roberta_)
            append_special(whole, separator_, type_id);
        Encoding middle = encoding;
        middle.set_type_ids(type_id);
        whole.merge(middle);
        append_special(whole, separator_, type_id);
        return whole;
    }

    SpecialToken separator_;
    SpecialToken class_;
    bool roberta_;
    bool trim_;
    bool prefix_space_;
};

class PostProcessorSequence : public PostProcessor {
  public:
    explicit PostProcessorSequence(std::vector<std::unique_ptr<PostProcessor>> steps) : steps_(std::move(steps)) {}
    std::size_t added(bool pair) const override {
        std::size_t count = 0;
        for (const auto& step : steps_)
            count += step->added(pair);
        return count;
    }
    std::vector<Encoding> process(std::vector<Encoding> encodings, bool add_special_tokens) const override {
        for (const auto& step : steps_)
            encodings = step->process(std::move(encodings), add_special_tokens);
        return encodings;
    }

  private:
    std::vector<std::unique_ptr<PostProcessor>> steps_;
};

std::unique_ptr<PostProcessor> make_known_post_processor(const Json& step, const std::string& place) {
    const std::string type = type_of(step, place);
    if (type == "Sequence") {
        std::vector<std::unique_ptr<PostProcessor>> steps;
        for (const Json& one : needed_array(step, "processors", place))
            steps.push_back(make_known_post_processor(one, fmt::format("{}[{}]", place, steps.size())));
        return std::make_unique<PostProcessorSequence>(std::move(steps));
    }
    if (type == "TemplateProcessing")
        return std::make_unique<Template>(step, place);
    if (type == "ByteLevel")
        return std::make_unique<ByteLevel>(step, place);
    if (type == "BertProcessing" || type == "RobertaProcessing")
        return std::make_unique<ClassAndSeparator>(step, type == "RobertaProcessing", place);
    throw UserError("{}: the post-processor '{}' is not known", place, type);
}

}  // namespace

std::unique_ptr<PostProcessor> make_post_processor(const nlohmann::json& step, const std::string& file) {
    return step.is_null() ? nullptr : make_known_post_processor(step, file + ": post_processor");
}

}  // namespace trainyard::tokenizers
