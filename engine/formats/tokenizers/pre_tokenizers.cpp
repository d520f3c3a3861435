// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/steps.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

template <class Function>
class Splitting : public PreTokenizer {
  public:
    explicit Splitting(Function function) : function_(std::move(function)) {}
    std::vector<NormalizedText> split(NormalizedText text) const override { return function_(std::move(text)); }

  private:
    Function function_;
};

/// A pre-tokenizer that is a function from a text to its parts.
template <class Function>
std::unique_ptr<PreTokenizer> splitting(Function function) {
    return std::make_unique<Splitting<Function>>(std::move(function));
}

class PreTokenizerSequence : public PreTokenizer {
  public:
    explicit PreTokenizerSequence(std::vector<std::unique_ptr<PreTokenizer>> steps) : steps_(std::move(steps)) {}
    std::vector<NormalizedText> split(NormalizedText text) const override {
        std::vector<NormalizedText> parts;
        parts.push_back(std::move(text));
        for (const auto& step : steps_) {
            std::vector<NormalizedText> finer;
            for (NormalizedText& part : parts)
                for (NormalizedText& piece : step->split(std::move(part)))
                    if (!piece.empty())
                        finer.push_back(std::move(piece));
            parts = std::move(finer);
        }
        return parts;
    }

  private:
    std::vector<std::unique_ptr<PreTokenizer>> steps_;
};

std::vector<NormalizedText> split_at(const NormalizedText& text, bool (*matches)(char32_t), SplitBehavior behavior) {
    return text.split(match_characters(text.text(), matches), behavior);
}

bool is_bert_punctuation(char32_t c) {
    return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) ||
           (c >= 0x7b && c <= 0x7e) || is_punctuation(c);
}

SplitBehavior behavior_of(const Json& step, const std::string& place, const char* otherwise) {
    const std::string name = text_of(step, "behavior", place).value_or(otherwise);
    if (name == "Removed")
        return SplitBehavior::removed;
    if (name == "Isolated")
        return SplitBehavior::isolated;
    if (name == "MergedWithPrevious")
        return SplitBehavior::merged_with_previous;
    if (name == "MergedWithNext")
        return SplitBehavior::merged_with_next;
    if (name == "Contiguous")
        return SplitBehavior::contiguous;
    throw_bad_value(place, "behavior", "Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

/// GPT-2's division into words.
constexpr const char* kByteLevelWords = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

std::unique_ptr<PreTokenizer> make_byte_level(const Json& step, const std::string& place) {
    const bool prefix_space = bool_of(step, "add_prefix_space", true, place),
               in_words = bool_of(step, "use_regex", true, place);
    return splitting([prefix_space, in_words, words = std::make_shared<Regex>(kByteLevelWords)](NormalizedText text) {
        if (prefix_space && !text.text().starts_with(' '))
            text.prepend(" ");
        std::vector<NormalizedText> parts;
        if (in_words)
            parts = text.split(match_all(text.text(), *words), SplitBehavior::isolated);
        else
            parts.push_back(std::move(text));
        for (NormalizedText& part : parts)
            part.to_byte_characters();
        return parts;
    });
}

std::unique_ptr<PreTokenizer> make_metaspace(const Json& step, const std::string& place) {
    const std::string mark = text_of(step, "replacement", place).value_or("\u2581");
    std::string scheme = text_of(step, "prepend_scheme", place).value_or("");
    if (scheme.empty())  // files before prepend_scheme
        scheme = bool_of(step, "add_prefix_space", true, place) ? "always" : "never";
    if (scheme != "always" && scheme != "first" && scheme != "never")
        throw_bad_value(place, "prepend_scheme", "always, first or never");
    if (mark.empty() || mark.size() != utf8_size(mark[0]))
        throw_bad_value(place, "replacement", "one character");
    const bool divided = bool_of(step, "split", true, place);
    return splitting([=, blank = std::make_shared<Regex>(Regex::literal(" ")),
                      marks = std::make_shared<Regex>(Regex::literal(mark))](NormalizedText text) {
        text.replace(*blank, mark);
        if (!text.text().starts_with(mark) && (scheme == "always" || (scheme == "first" && text.origin() == 0)))
            text.prepend(mark);
        if (divided)
            return text.split(match_all(text.text(), *marks), SplitBehavior::merged_with_next);
        std::vector<NormalizedText> whole;
        whole.push_back(std::move(text));
        return whole;
    });
}

std::vector<NormalizedText> split_words_and_signs(const NormalizedText& text) {
    // Runs of word characters, and runs of other characters except white space.
    std::vector<Match> parts;
    int last = -1;
    const std::string& characters = text.text();
    for (std::size_t at = 0; at < characters.size();) {
        const char32_t c = character_at(characters, at);
        const std::size_t next = at + utf8_size(characters[at]);
        const int kind = is_whitespace(c) ? 0 : is_word(c) ? 1 : 2;
        if (kind == last)
            parts.back().end = next;
        else
            parts.push_back({at, next, kind == 0});
        last = kind;
        at = next;
    }
    return text.split(parts, SplitBehavior::removed);
}

/// A part ends where another script begins. As in the library, what comes before the first character of a script is left out.
std::vector<NormalizedText> split_scripts(const NormalizedText& text) {
    const std::string& characters = text.text();
    std::vector<Match> parts{{0, 0, true}};
    int last = 0;
    for (std::size_t at = 0; at < characters.size(); at += utf8_size(characters[at])) {
        const int script = script_of(character_at(characters, at));
        if (script == 0 || script == last)
            continue;
        parts.back().end = at;
        parts.push_back({at, at, false});
        last = script;
    }
    parts.back().end = characters.size();
    std::erase_if(parts, [](const Match& part) { return part.begin == part.end; });
    return text.split(parts, SplitBehavior::removed);
}

std::unique_ptr<PreTokenizer> make_known_pre_tokenizer(const Json& step, const std::string& place) {
    const std::string type = type_of(step, place);
    if (type == "Sequence") {
        std::vector<std::unique_ptr<PreTokenizer>> steps;
        for (const Json& one : needed_array(step, "pretokenizers", place))
            steps.push_back(make_known_pre_tokenizer(one, fmt::format("{}[{}]", place, steps.size())));
        return std::make_unique<PreTokenizerSequence>(std::move(steps));
    }
    if (type == "ByteLevel")
        return make_byte_level(step, place);
    if (type == "Metaspace")
        return make_metaspace(step, place);
    if (type == "Split") {
        const SplitBehavior behavior = behavior_of(step, place, "");
        const bool invert = bool_of(step, "invert", false, place);
        return splitting(
            [behavior, invert, pattern = std::make_shared<Regex>(pattern_of(step, place))](const NormalizedText& text) {
                std::vector<Match> matches = match_all(text.text(), *pattern);
                for (Match& match : matches)
                    match.matches = match.matches != invert;
                return text.split(matches, behavior);
            });
    }
    if (type == "BertPreTokenizer")
        return splitting([](const NormalizedText& text) {
            std::vector<NormalizedText> parts;
            for (const NormalizedText& word : split_at(text, is_whitespace, SplitBehavior::removed))
                for (NormalizedText& part : split_at(word, is_bert_punctuation, SplitBehavior::isolated))
                    parts.push_back(std::move(part));
            return parts;
        });
    if (type == "Whitespace")
        return splitting(split_words_and_signs);
    if (type == "UnicodeScripts")
        return splitting(split_scripts);
    if (type == "WhitespaceSplit")
        return splitting(
            [](const NormalizedText& text) { return split_at(text, is_whitespace, SplitBehavior::removed); });
    if (type == "Punctuation")
        return splitting([behavior = behavior_of(step, place, "Isolated")](const NormalizedText& text) {
            return split_at(text, is_bert_punctuation, behavior);
        });
    if (type == "Digits") {
        const SplitBehavior behavior =
            bool_of(step, "individual_digits", false, place) ? SplitBehavior::isolated : SplitBehavior::contiguous;
        return splitting([behavior](const NormalizedText& text) { return split_at(text, is_number, behavior); });
    }
    if (type == "CharDelimiterSplit") {
        const std::string delimiter = needed_text(step, "delimiter", place);
        return splitting([pattern = std::make_shared<Regex>(Regex::literal(delimiter))](const NormalizedText& text) {
            return text.split(match_all(text.text(), *pattern), SplitBehavior::removed);
        });
    }
    if (type == "FixedLength") {
        const std::size_t length = count_of(step, "length", 5, place);
        if (length == 0)
            throw_bad_value(place, "length", "at least 1");
        return splitting([length](const NormalizedText& text) {
            std::vector<Match> parts;
            std::size_t count = 0;
            for (std::size_t at = 0; at < text.text().size(); ++count) {
                const std::size_t next = at + utf8_size(text.text()[at]);
                if (count % length == 0)
                    parts.push_back({at, next, false});
                parts.back().end = next;
                at = next;
            }
            return text.split(parts, SplitBehavior::isolated);
        });
    }
    throw UserError("{}: the pre-tokenizer '{}' is not known", place, type);
}

}  // namespace

std::unique_ptr<PreTokenizer> make_pre_tokenizer(const nlohmann::json& step, const std::string& file) {
    return step.is_null() ? nullptr : make_known_pre_tokenizer(step, file + ": pre_tokenizer");
}

}  // namespace trainyard::tokenizers
