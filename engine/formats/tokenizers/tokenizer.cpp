// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/tokenizer.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/json.h"
#include "base/text_file.h"
#include "formats/tokenizers/added_tokens.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/steps.h"
#include "formats/tokenizers/tokenizer_model.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

constexpr std::uint64_t kMaxFileBytes = 512ull << 20;

std::vector<AddedToken> added_tokens_of(const Json& settings, const Model& model, const std::string& file) {
    std::vector<AddedToken> tokens;
    const Json* list = value_of(settings, "added_tokens");
    if (list == nullptr)
        return tokens;
    if (!list->is_array())
        throw_bad_value(file, "added_tokens", "a list");
    // As the tokenizers library numbers them: a content that the model does not have gets the next id, whatever the file says.
    std::optional<Id> last;
    const auto first_free = static_cast<Id>(model.size());
    for (const Json& entry : *list) {
        const std::string place = fmt::format("{}: added_tokens[{}]", file, tokens.size());
        if (!entry.is_object())
            throw UserError("{} must be an object", place);
        AddedToken token;
        token.content = needed_text(entry, "content", place);
        token.special = bool_of(entry, "special", false, place);
        token.single_word = bool_of(entry, "single_word", false, place);
        token.lstrip = bool_of(entry, "lstrip", false, place);
        token.rstrip = bool_of(entry, "rstrip", false, place);
        token.normalized = bool_of(entry, "normalized", !token.special, place);
        if (token.content.empty())
            continue;
        const auto known = std::find_if(tokens.begin(), tokens.end(),
                                        [&](const AddedToken& one) { return one.content == token.content; });
        if (const std::optional<Id> id = model.id_of(token.content))
            token.id = *id;
        else if (known != tokens.end())
            token.id = known->id;
        else
            token.id = last && (*last >= first_free || first_free == 0) ? *last + 1 : first_free;
        last = std::max(last.value_or(0), token.id);
        if (known != tokens.end())
            *known = std::move(token);
        else
            tokens.push_back(std::move(token));
    }
    return tokens;
}

std::optional<Truncation> truncation_of(const Json& settings, const std::string& file) {
    const Json* step = value_of(settings, "truncation");
    if (step == nullptr)
        return std::nullopt;
    const std::string place = fmt::format("{}: truncation", file);
    Truncation truncation;
    truncation.max_length = count_of(*step, "max_length", truncation.max_length, place);
    truncation.stride = count_of(*step, "stride", 0, place);
    truncation.from_left = text_of(*step, "direction", place).value_or("Right") == "Left";
    const std::string strategy = text_of(*step, "strategy", place).value_or("LongestFirst");
    if (strategy == "OnlyFirst")
        truncation.strategy = Truncation::Strategy::only_first;
    else if (strategy == "OnlySecond")
        truncation.strategy = Truncation::Strategy::only_second;
    else if (strategy != "LongestFirst")
        throw_bad_value(place, "strategy", "LongestFirst, OnlyFirst or OnlySecond");
    return truncation;
}

std::optional<Padding> padding_of(const Json& settings, const std::string& file) {
    const Json* step = value_of(settings, "padding");
    if (step == nullptr)
        return std::nullopt;
    const std::string place = fmt::format("{}: padding", file);
    Padding padding;
    if (const Json* strategy = value_of(*step, "strategy"); strategy != nullptr && strategy->is_object())
        padding.length = count_of(*strategy, "Fixed", 0, place + ".strategy");
    padding.multiple_of = count_of(*step, "pad_to_multiple_of", 0, place);
    padding.id = static_cast<Id>(count_of(*step, "pad_id", 0, place));
    padding.type_id = static_cast<Id>(count_of(*step, "pad_type_id", 0, place));
    padding.token = text_of(*step, "pad_token", place).value_or(padding.token);
    padding.on_the_left = text_of(*step, "direction", place).value_or("Right") == "Left";
    return padding;
}

/// Characters that begin before each byte: offsets of bytes become offsets of characters.
class CharacterOffsets {
  public:
    explicit CharacterOffsets(std::string_view text) {
        if (is_ascii(text))
            return;
        before_.reserve(text.size() + 1);
        std::uint32_t characters = 0;
        for (const char c : text) {
            if (begins_character(c))
                ++characters;
            before_.push_back(characters - 1);
        }
        before_.push_back(characters);
    }
    std::pair<std::size_t, std::size_t> range(Span span) const {
        if (before_.empty())
            return {span.begin, span.end};
        const auto at = [&](std::uint32_t byte) { return before_[std::min<std::size_t>(byte, before_.size() - 1)]; };
        return {at(span.begin), at(span.end)};
    }

  private:
    std::vector<std::uint32_t> before_;
};

void check_text(std::string_view text) {
    if (text.size() >= std::numeric_limits<std::uint32_t>::max())
        throw UserError("a text of 4 GiB or more cannot be tokenized at once: divide it");
    check_utf8(text, "the text");
}

}  // namespace

struct Tokenizer::Parts {
    std::unique_ptr<Normalizer> normalizer;
    std::unique_ptr<PreTokenizer> pre_tokenizer;
    std::unique_ptr<Model> model;
    std::unique_ptr<PostProcessor> post_processor;
    std::unique_ptr<Decoder> decoder;
    std::unique_ptr<AddedTokens> added;
    std::optional<Truncation> truncation;
    std::optional<Padding> padding;

    /// Calls `take` with each piece of the text and its tokens.
    template <class Take>
    void tokenize(std::string_view text, bool tracked, Take take) const {
        std::vector<Token> tokens;
        for (AddedTokens::Piece& piece : added->divide(text, tracked)) {
            if (piece.token != nullptr) {
                tokens.assign(
                    1, {piece.token->id, piece.text.text(), {0, static_cast<std::uint32_t>(piece.text.text().size())}});
                take(piece.text, tokens);
                continue;
            }
            std::vector<NormalizedText> parts;
            if (pre_tokenizer)
                parts = pre_tokenizer->split(std::move(piece.text));
            else
                parts.push_back(std::move(piece.text));
            for (const NormalizedText& part : parts) {
                if (part.empty())
                    continue;
                tokens.clear();
                model->tokenize(part.text(), tokens);
                take(part, tokens);
            }
        }
    }

    Encoding encode(std::string_view text, Id type_id) const {
        check_text(text);
        const CharacterOffsets characters(text);
        Encoding encoding;
        tokenize(text, true, [&](const NormalizedText& piece, std::vector<Token>& tokens) {
            for (Token& token : tokens)
                encoding.add(token.id, std::move(token.text),
                             characters.range(piece.original(token.span.begin, token.span.end)), type_id, false);
        });
        return encoding;
    }

    void truncate(std::vector<Encoding>& encodings, bool add_special_tokens) const {
        if (!truncation)
            return;
        std::size_t room = truncation->max_length;
        const std::size_t specials =
            add_special_tokens && post_processor ? post_processor->added(encodings.size() > 1) : 0;
        if (specials > room)
            throw UserError(
                "truncation: max_length {} is less than the {} special tokens that are "
                "added",
                room, specials);
        room -= specials;
        const auto cut = [&](Encoding& encoding, std::size_t length) {
            encoding.truncate(length, truncation->stride, truncation->from_left);
        };
        std::size_t total = 0;
        for (const Encoding& encoding : encodings)
            total += encoding.size();
        if (room == 0) {
            for (Encoding& encoding : encodings)
                cut(encoding, 0);
        } else if (total > room && truncation->strategy == Truncation::Strategy::longest_first) {
            if (encodings.size() == 1)
                return cut(encodings[0], room);
            std::size_t shorter = encodings[0].size(), longer = encodings[1].size();
            const bool swapped = shorter > longer;
            if (swapped)
                std::swap(shorter, longer);
            longer = shorter > room ? shorter : std::max(shorter, room - shorter);
            if (shorter + longer > room) {
                shorter = room / 2;
                longer = shorter + room % 2;
            }
            if (swapped)
                std::swap(shorter, longer);
            cut(encodings[0], shorter);
            cut(encodings[1], longer);
        } else if (total > room) {
            const bool second = truncation->strategy == Truncation::Strategy::only_second;
            if (second && encodings.size() < 2)
                throw UserError("truncation: the strategy OnlySecond needs a second text");
            Encoding& target = encodings[second ? 1 : 0];
            if (target.size() <= total - room)
                throw UserError(second ? Message("truncation: the second text has {} tokens, and {} would have to go",
                                                 target.size(), total - room)
                                       : Message("truncation: the first text has {} tokens, and {} would have to go",
                                                 target.size(), total - room));
            cut(target, target.size() - (total - room));
        }
    }

    Encoding finish(std::vector<Encoding> encodings, bool add_special_tokens) const {
        truncate(encodings, add_special_tokens);
        if (post_processor) {
            for (std::size_t i = 0; i < encodings.size(); ++i)
                encodings[i].set_type_ids(static_cast<Id>(i));
            encodings = post_processor->process(std::move(encodings), add_special_tokens);
        }
        Encoding whole;
        for (const Encoding& encoding : encodings)
            whole.merge(encoding);
        // merge() combines pieces that overflow, and the first has nothing to be combined with.
        if (padding) {
            std::size_t length = padding->length.value_or(whole.size());
            if (padding->multiple_of > 0)
                length = (length + padding->multiple_of - 1) / padding->multiple_of * padding->multiple_of;
            whole.pad(length, padding->id, padding->type_id, padding->token, padding->on_the_left);
        }
        return whole;
    }
};

Tokenizer::Tokenizer() : parts_(std::make_unique<Parts>()) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::from_file(const std::filesystem::path& file) {
    return from_json(text::read_text_file(file, kMaxFileBytes), file.string());
}

Tokenizer Tokenizer::from_json(std::string_view text, const std::string& name) {
    Json settings;
    try {
        settings = parse_json(text);
    } catch (const Json::exception& error) {
        throw UserError("{} is not JSON: {}", name, message_of(error));
    }
    if (!settings.is_object())
        throw UserError("{} must be an object with a 'model': is this a tokenizer.json?", name);
    const auto step = [&](const char* key) {
        const Json* value = value_of(settings, key);
        return value == nullptr ? Json() : *value;
    };
    Tokenizer tokenizer;
    Parts& parts = *tokenizer.parts_;
    parts.normalizer = make_normalizer(step("normalizer"), name);
    parts.pre_tokenizer = make_pre_tokenizer(step("pre_tokenizer"), name);
    parts.model = make_model(step("model"), name);
    parts.post_processor = make_post_processor(step("post_processor"), name);
    parts.decoder = make_decoder(step("decoder"), name);
    parts.added = std::make_unique<AddedTokens>(added_tokens_of(settings, *parts.model, name), *parts.model,
                                                parts.normalizer.get());
    parts.truncation = truncation_of(settings, name);
    parts.padding = padding_of(settings, name);
    return tokenizer;
}

Encoding Tokenizer::encode(std::string_view text, bool add_special_tokens) const {
    std::vector<Encoding> encodings;
    encodings.push_back(parts_->encode(text, 0));
    return parts_->finish(std::move(encodings), add_special_tokens);
}

Encoding Tokenizer::encode(std::string_view text, std::string_view pair, bool add_special_tokens) const {
    std::vector<Encoding> encodings;
    encodings.push_back(parts_->encode(text, 0));
    encodings.push_back(parts_->encode(pair, 1));
    return parts_->finish(std::move(encodings), add_special_tokens);
}

std::vector<Id> Tokenizer::encode_ids(std::string_view text, bool add_special_tokens) const {
    check_text(text);
    Encoding encoding;
    parts_->tokenize(text, false, [&](const NormalizedText&, const std::vector<Token>& tokens) {
        for (const Token& token : tokens)
            encoding.ids.push_back(token.id);
    });
    if (!add_special_tokens || !parts_->post_processor || parts_->post_processor->added(false) == 0)
        return std::move(encoding.ids);
    encoding.tokens.resize(encoding.ids.size());
    encoding.offsets.resize(encoding.ids.size());
    encoding.special_tokens_mask.resize(encoding.ids.size());
    encoding.attention_mask.resize(encoding.ids.size());
    encoding.set_type_ids(0);
    std::vector<Encoding> encodings;
    encodings.push_back(std::move(encoding));
    std::vector<Id> ids;
    for (const Encoding& part : parts_->post_processor->process(std::move(encodings), true))
        ids.insert(ids.end(), part.ids.begin(), part.ids.end());
    return ids;
}

std::string Tokenizer::decode(const std::vector<Id>& ids, bool skip_special_tokens) const {
    std::vector<std::string> tokens;
    for (const Id id : ids) {
        const AddedToken* added = parts_->added->token_of(id);
        const std::string* token = added != nullptr ? &added->text : parts_->model->token_of(id);
        if (token != nullptr && !(skip_special_tokens && parts_->added->is_special(*token)))
            tokens.push_back(*token);
    }
    const bool decoded = parts_->decoder != nullptr;
    if (decoded)
        tokens = parts_->decoder->decode(std::move(tokens));
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        text += (i > 0 && !decoded ? " " : "") + tokens[i];
    return text;
}

std::optional<Id> Tokenizer::id_of(std::string_view token) const {
    const std::optional<Id> id = parts_->added->id_of(token);
    return id ? id : parts_->model->id_of(token);
}

std::optional<std::string> Tokenizer::token_of(Id id) const {
    if (const AddedToken* added = parts_->added->token_of(id))
        return added->text;
    const std::string* token = parts_->model->token_of(id);
    return token == nullptr ? std::nullopt : std::optional(*token);
}

bool Tokenizer::is_special(Id id) const {
    const AddedToken* added = parts_->added->token_of(id);
    return added != nullptr && added->special;
}

std::size_t Tokenizer::vocabulary_size() const {
    std::size_t size = parts_->model->size();
    for (const AddedToken& token : parts_->added->tokens())
        size += parts_->model->id_of(token.content) ? 0 : 1;
    return size;
}

std::size_t Tokenizer::id_end() const {
    std::size_t end = parts_->model->id_end();
    for (const AddedToken& token : parts_->added->tokens())
        end = std::max<std::size_t>(end, token.id + std::size_t{1});
    return end;
}

void Tokenizer::set_truncation(std::optional<Truncation> truncation) {
    parts_->truncation = truncation;
}

void Tokenizer::set_padding(std::optional<Padding> padding) {
    parts_->padding = std::move(padding);
}

}  // namespace trainyard::tokenizers
