// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/base64.h"
#include "base/error.h"
#include "formats/tokenizers/charsmap.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/steps.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

/// A normalizer that is a function.
template <class Function>
class Applied : public Normalizer {
  public:
    explicit Applied(Function function) : function_(std::move(function)) {}
    void apply(NormalizedText& text) const override { function_(text); }

  private:
    Function function_;
};

template <class Function>
std::unique_ptr<Normalizer> applied(Function function) {
    return std::make_unique<Applied<Function>>(std::move(function));
}

class NormalizerSequence : public Normalizer {
  public:
    explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> steps) : steps_(std::move(steps)) {}
    void apply(NormalizedText& text) const override {
        for (const auto& step : steps_)
            step->apply(text);
    }

  private:
    std::vector<std::unique_ptr<Normalizer>> steps_;
};

/// The blocks of Chinese characters as BERT has them (its beginning of extension E is 0x2b920).
bool is_chinese(char32_t c) {
    return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
           (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

std::unique_ptr<Normalizer> make_bert(const Json& step, const std::string& place) {
    const bool clean = bool_of(step, "clean_text", true, place),
               chinese = bool_of(step, "handle_chinese_chars", true, place),
               lowercase = bool_of(step, "lowercase", true, place),
               accents = bool_of(step, "strip_accents", lowercase, place);
    return applied([=](NormalizedText& text) {
        if (clean) {
            const auto is_kept_control = [](char32_t c) { return c == '\t' || c == '\n' || c == '\r'; };
            text.keep([&](char32_t c) { return c != 0 && c != 0xfffd && (is_kept_control(c) || !is_other(c)); });
            text.map([](char32_t c) { return is_whitespace(c) ? U' ' : c; });
        }
        if (chinese && !is_ascii(text.text())) {
            std::vector<Change> changes;
            const std::string& old = text.text();
            for (std::size_t at = 0; at < old.size(); at += utf8_size(old[at])) {
                const char32_t c = character_at(old, at);
                if (is_chinese(c))
                    changes.insert(changes.end(), {{' ', 0}, {c, 1}, {' ', 1}});
                else
                    changes.push_back({c, 0});
            }
            text.transform(changes);
        }
        if (accents && !is_ascii(text.text())) {
            text.normalize(false, false);
            text.keep([](char32_t c) { return !is_nonspacing_mark(c); });
        }
        if (lowercase)
            text.lower();
    });
}

/// SentencePiece looks whole clusters up first (below 6 bytes), then their characters.
std::unique_ptr<Normalizer> make_precompiled(const Json& step, const std::string& place) {
    const std::string key = place + ".precompiled_charsmap";
    const std::optional<std::string> bytes = from_base64(needed_text(step, "precompiled_charsmap", place));
    if (!bytes)
        throw UserError("{} is not base64", key);
    Charsmap map(*bytes, key);
    return applied([map = std::move(map)](NormalizedText& text) {
        const std::string& old = text.text();
        std::vector<Change> changes;
        bool changed = false;
        const auto put = [&](std::string_view part, std::string_view by) {
            changed = true;
            int more = 0;  // new characters less old ones
            for (const char c : part)
                more -= begins_character(c) ? 1 : 0;
            for (std::size_t at = 0; at < by.size(); at += utf8_size(by[at])) {
                changes.push_back({character_at(by, at), 0});
                ++more;
            }
            for (std::size_t i = 0; more > 0 && i < static_cast<std::size_t>(more); ++i)
                changes[changes.size() - 1 - i].change = 1;
            if (more < 0 && !changes.empty())
                changes.back().change += more;
        };
        std::size_t begin = 0;
        for (const std::size_t end : grapheme_ends(old)) {
            const std::string_view cluster = std::string_view(old).substr(begin, end - begin);
            begin = end;
            if (cluster.size() < 6)
                if (const auto by = map.replacement(cluster)) {
                    put(cluster, *by);
                    continue;
                }
            for (std::size_t at = 0; at < cluster.size();) {
                const std::string_view part = cluster.substr(at, utf8_size(cluster[at]));
                if (const auto by = map.replacement(part))
                    put(part, *by);
                else
                    changes.push_back({character_at(cluster, at), 0});
                at += part.size();
            }
        }
        if (changed)
            text.transform(changes);
    });
}

void apply_nmt(NormalizedText& text) {
    text.keep([](char32_t c) {
        return !((c >= 1 && c <= 8) || c == 0xb || (c >= 0xe && c <= 0x1f) || c == 0x7f || c == 0x8f || c == 0x9f);
    });
    text.map([](char32_t c) {
        const bool blank = c == 0x9 || c == 0xa || c == 0xc || c == 0xd || c == 0x1680 ||
                           (c >= 0x200b && c <= 0x200f) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff ||
                           c == 0xfffd;
        return blank ? U' ' : c;
    });
}

std::unique_ptr<Normalizer> make_known_normalizer(const Json& step, const std::string& place) {
    const std::string type = type_of(step, place);
    if (type == "Sequence") {
        std::vector<std::unique_ptr<Normalizer>> steps;
        for (const Json& one : needed_array(step, "normalizers", place))
            steps.push_back(make_known_normalizer(one, fmt::format("{}[{}]", place, steps.size())));
        return std::make_unique<NormalizerSequence>(std::move(steps));
    }
    if (type == "BertNormalizer")
        return make_bert(step, place);
    if (type == "Precompiled")
        return make_precompiled(step, place);
    if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") {
        const bool compatible = type.size() == 4, composed = type.back() == 'C';
        return applied([=](NormalizedText& text) { text.normalize(compatible, composed); });
    }
    if (type == "Lowercase")
        return applied([](NormalizedText& text) { text.lower(); });
    if (type == "Strip") {
        const bool left = bool_of(step, "strip_left", true, place), right = bool_of(step, "strip_right", true, place);
        return applied([=](NormalizedText& text) { text.strip(left, right); });
    }
    if (type == "StripAccents")
        return applied([](NormalizedText& text) { text.keep([](char32_t c) { return !is_mark(c); }); });
    if (type == "Nmt")
        return applied(apply_nmt);
    if (type == "Prepend")
        return applied(
            [content = needed_text(step, "prepend", place)](NormalizedText& text) { text.prepend(content); });
    if (type == "Replace")
        return applied(
            [pattern = std::make_shared<Regex>(pattern_of(step, place)),
             content = needed_text(step, "content", place)](NormalizedText& text) { text.replace(*pattern, content); });
    if (type == "ByteLevel")
        return applied([](NormalizedText& text) { text.to_byte_characters(); });
    throw UserError("{}: the normalizer '{}' is not known", place, type);
}

}  // namespace

Regex pattern_of(const nlohmann::json& step, const std::string& place) {
    const Json* pattern = value_of(step, "pattern");
    if (pattern != nullptr && pattern->is_string())  // of early versions
        return Regex::literal(pattern->get<std::string>());
    if (pattern != nullptr && pattern->is_object() && pattern->size() == 1) {
        if (const Json* text = value_of(*pattern, "String"); text != nullptr && text->is_string())
            return Regex::literal(text->get<std::string>());
        if (const Json* text = value_of(*pattern, "Regex"); text != nullptr && text->is_string())
            try {
                return Regex(text->get<std::string>());
            } catch (const UserError& error) {
                throw UserError("{}.pattern: {}", place, error.what());
            }
    }
    throw_bad_value(place, "pattern", "{\"String\": text} or {\"Regex\": expression}");
}

std::unique_ptr<Normalizer> make_normalizer(const nlohmann::json& step, const std::string& file) {
    return step.is_null() ? nullptr : make_known_normalizer(step, fmt::format("{}: normalizer", file));
}

}  // namespace trainyard::tokenizers
