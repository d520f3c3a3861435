// SPDX-License-Identifier: GPL-3.0-or-later
// Models that look words up: WordPiece (greedy, longest piece first) and WordLevel.

#include "base/error.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/tokenizer_model.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

class WordPiece : public Model {
  public:
    WordPiece(const Json& settings, const std::string& place)
        : vocabulary_(settings.value("vocab", Json()), place + ".vocab"),
          unk_token_(text_of(settings, "unk_token", place).value_or("[UNK]")),
          prefix_(text_of(settings, "continuing_subword_prefix", place).value_or("##")),
          longest_(count_of(settings, "max_input_chars_per_word", 100, place)) {}

    void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
        std::size_t characters = 0;
        for (const char c : piece)
            characters += begins_character(c) ? 1 : 0;
        const std::size_t before = tokens.size();
        bool known = characters <= longest_;
        std::string part;
        for (std::size_t begin = 0; known && begin < piece.size();) {
            std::size_t end = piece.size();
            for (; end > begin; end = previous(piece, end)) {
                part = begin > 0 ? prefix_ : std::string();
                part += piece.substr(begin, end - begin);
                if (const std::optional<Id> id = vocabulary_.id_of(part)) {
                    tokens.push_back({*id, part, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}});
                    break;
                }
            }
            known = end > begin;
            begin = end;
        }
        if (known)
            return;
        tokens.resize(before);
        const std::optional<Id> id = vocabulary_.id_of(unk_token_);
        if (!id)
            throw UserError("the vocabulary lacks unk_token '{}', which a text needs", unk_token_);
        tokens.push_back({*id, unk_token_, {0, static_cast<std::uint32_t>(piece.size())}});
    }
    std::optional<Id> id_of(std::string_view token) const override { return vocabulary_.id_of(token); }
    const std::string* token_of(Id id) const override { return vocabulary_.token_of(id); }
    std::size_t size() const override { return vocabulary_.size(); }
    std::size_t id_end() const override { return vocabulary_.id_end(); }

  private:
    static std::size_t previous(std::string_view text, std::size_t end) {
        do
            --end;
        while (end > 0 && !begins_character(text[end]));
        return end;
    }

    Vocabulary vocabulary_;
    std::string unk_token_;
    std::string prefix_;
    std::size_t longest_;
};

class WordLevel : public Model {
  public:
    WordLevel(const Json& settings, const std::string& place)
        : vocabulary_(settings.value("vocab", Json()), place + ".vocab"),
          unk_token_(text_of(settings, "unk_token", place).value_or("<unk>")) {}

    void tokenize(std::string_view piece, std::vector<Token>& tokens) const override {
        std::string text(piece);
        std::optional<Id> id = vocabulary_.id_of(text);
        if (!id) {
            id = vocabulary_.id_of(unk_token_);
            text = unk_token_;
        }
        if (!id)
            throw UserError("the vocabulary lacks unk_token '{}', which a text needs", unk_token_);
        tokens.push_back({*id, std::move(text), {0, static_cast<std::uint32_t>(piece.size())}});
    }
    std::optional<Id> id_of(std::string_view token) const override { return vocabulary_.id_of(token); }
    const std::string* token_of(Id id) const override { return vocabulary_.token_of(id); }
    std::size_t size() const override { return vocabulary_.size(); }
    std::size_t id_end() const override { return vocabulary_.id_end(); }

  private:
    Vocabulary vocabulary_;
    std::string unk_token_;
};

}  // namespace

std::unique_ptr<Model> make_model(const nlohmann::json& settings, const std::string& file) {
    if (!settings.is_object())
        throw UserError("{}: 'model' must be an object: is this a tokenizer.json?", file);
    const std::string place = fmt::format("{}: model", file);
    // Files of old versions have no type: the keys tell.
    std::string type = text_of(settings, "type", place).value_or("");
    if (type.empty())
        type = settings.contains("merges")                     ? "BPE"
               : settings.contains("unk_id")                   ? "Unigram"
               : settings.contains("max_input_chars_per_word") ? "WordPiece"
                                                               : "WordLevel";
    if (type == "BPE")
        return make_bpe(settings, file);
    if (type == "Unigram")
        return make_unigram(settings, file);
    if (type == "WordPiece")
        return std::make_unique<WordPiece>(settings, place);
    if (type == "WordLevel")
        return std::make_unique<WordLevel>(settings, place);
    throw UserError("{}.type '{}' is not known: it is BPE, Unigram, WordPiece or WordLevel", place, type);
}

}  // namespace trainyard::tokenizers
