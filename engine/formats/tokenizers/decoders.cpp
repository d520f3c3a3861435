// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "formats/tokenizers/json_values.h"
#include "formats/tokenizers/steps.h"
#include "formats/tokenizers/unicode.h"

namespace trainyard::tokenizers {

namespace {

using Tokens = std::vector<std::string>;

template <class Function>
class Decoding : public Decoder {
  public:
    explicit Decoding(Function function) : function_(std::move(function)) {}
    Tokens decode(Tokens tokens) const override { return function_(std::move(tokens)); }

  private:
    Function function_;
};

/// A decoder that is a function of all tokens.
template <class Function>
std::unique_ptr<Decoder> decoding(Function function) {
    return std::make_unique<Decoding<Function>>(std::move(function));
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    if (what.empty())
        return;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
}

/// English as it is written, from tokens with blanks between them.
void clean_up(std::string& text) {
    static constexpr std::pair<std::string_view, std::string_view> kChanges[] = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [what, by] : kChanges)
        replace_all(text, what, by);
}

Tokens decode_bytes(const Tokens& tokens) {
    std::string bytes;
    for (const std::string& token : tokens) {
        std::string own;
        bool all = true;
        for (std::size_t at = 0; at < token.size() && all; at += utf8_size(token[at])) {
            const int byte = byte_of_character(character_at(token, at));
            all = byte >= 0;
            own += static_cast<char>(byte);
        }
        bytes += all ? own : token;
    }
    return {text::to_utf8(bytes)};
}

/// Runs of <0x00> to <0xFF> become the text that they are the bytes of.
Tokens join_bytes(const Tokens& tokens) {
    Tokens texts;
    std::string bytes;
    const auto flush = [&] {
        if (bytes.empty())
            return;
        if (text::is_utf8(bytes))
            texts.push_back(bytes);
        else
            texts.insert(texts.end(), bytes.size(), "\xef\xbf\xbd");
        bytes.clear();
    };
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                      : -1;
    };
    for (const std::string& token : tokens) {
        const bool byte = token.size() == 6 && token.starts_with("<0x") && token[5] == '>' && digit(token[4]) >= 0 &&
                          (digit(token[3]) >= 0 || token[3] == '+');
        if (byte) {
            bytes += static_cast<char>(std::max(digit(token[3]), 0) * 16 + digit(token[4]));
        } else {
            flush();
            texts.push_back(token);
        }
    }
    flush();
    return texts;
}

std::unique_ptr<Decoder> make_word_piece(const Json& step, const std::string& place) {
    const std::string prefix = text_of(step, "prefix", place).value_or("##");
    return decoding([prefix, cleanup = bool_of(step, "cleanup", true, place)](Tokens tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i > 0) {
                if (tokens[i].starts_with(prefix))
                    tokens[i].erase(0, prefix.size());
                else
                    tokens[i].insert(0, " ");
            }
            if (cleanup)
                clean_up(tokens[i]);
        }
        return tokens;
    });
}

std::unique_ptr<Decoder> make_metaspace_decoder(const Json& step, const std::string& place) {
    const std::string mark = text_of(step, "replacement", place).value_or("\u2581");
    const std::string scheme = text_of(step, "prepend_scheme", place).value_or("");
    const bool prepended = scheme.empty() ? bool_of(step, "add_prefix_space", true, place) : scheme != "never";
    return decoding([=](Tokens tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            replace_all(tokens[i], mark, i == 0 && prepended ? "" : " ");
        return tokens;
    });
}

/// At most `start` of a character at the beginning and `stop` at the end of each token.
std::unique_ptr<Decoder> make_strip(const Json& step, const std::string& place) {
    const std::string content = needed_text(step, "content", place);
    const std::size_t start = count_of(step, "start", 0, place), stop = count_of(step, "stop", 0, place);
    if (content.empty())
        throw_bad_value(place, "content", "one character");
    return decoding([=](Tokens tokens) {
        for (std::string& token : tokens) {
            std::size_t begin = 0, end = token.size();
            for (std::size_t i = 0;
                 i < start && std::string_view(token).substr(begin, end - begin).starts_with(content); ++i)
                begin += content.size();
            for (std::size_t i = 0; i < stop && std::string_view(token).substr(begin, end - begin).ends_with(content);
                 ++i)
                end -= content.size();
            token = token.substr(begin, end - begin);
        }
        return tokens;
    });
}

std::unique_ptr<Decoder> make_ctc(const Json& step, const std::string& place) {
    const std::string pad = text_of(step, "pad_token", place).value_or("<pad>"),
                      delimiter = text_of(step, "word_delimiter_token", place).value_or("|");
    return decoding([=, cleanup = bool_of(step, "cleanup", true, place)](Tokens tokens) {
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        Tokens texts;
        for (std::string& token : tokens) {
            replace_all(token, pad, "");
            if (cleanup) {
                clean_up(token);
                replace_all(token, delimiter, " ");
            }
            if (!token.empty())
                texts.push_back(std::move(token));
        }
        return texts;
    });
}

class DecoderSequence : public Decoder {
  public:
    explicit DecoderSequence(std::vector<std::unique_ptr<Decoder>> steps) : steps_(std::move(steps)) {}
    Tokens decode(Tokens tokens) const override {
        for (const auto& step : steps_)
            tokens = step->decode(std::move(tokens));
        return tokens;
    }

  private:
    std::vector<std::unique_ptr<Decoder>> steps_;
};

std::unique_ptr<Decoder> make_known_decoder(const Json& step, const std::string& place) {
    const std::string type = type_of(step, place);
    if (type == "Sequence") {
        std::vector<std::unique_ptr<Decoder>> steps;
        for (const Json& one : needed_array(step, "decoders", place))
            steps.push_back(make_known_decoder(one, fmt::format("{}[{}]", place, steps.size())));
        return std::make_unique<DecoderSequence>(std::move(steps));
    }
    if (type == "ByteLevel")
        return decoding(decode_bytes);
    if (type == "WordPiece")
        return make_word_piece(step, place);
    if (type == "Metaspace")
        return make_metaspace_decoder(step, place);
    if (type == "ByteFallback")
        return decoding(join_bytes);
    if (type == "Fuse")
        return decoding([](const Tokens& tokens) {
            std::string text;
            for (const std::string& token : tokens)
                text += token;
            return Tokens{text};
        });
    if (type == "Strip")
        return make_strip(step, place);
    if (type == "Replace")
        return decoding([pattern = std::make_shared<Regex>(pattern_of(step, place)),
                         content = needed_text(step, "content", place)](Tokens tokens) {
            for (std::string& token : tokens) {
                NormalizedText text(token, false);
                text.replace(*pattern, content);
                token = text.text();
            }
            return tokens;
        });
    if (type == "BPEDecoder") {
        const std::string suffix = text_of(step, "suffix", place).value_or("</w>");
        return decoding([suffix](Tokens tokens) {
            for (std::size_t i = 0; i < tokens.size(); ++i)
                replace_all(tokens[i], suffix, i + 1 == tokens.size() ? "" : " ");
            return tokens;
        });
    }
    if (type == "CTC")
        return make_ctc(step, place);
    throw UserError("{}: the decoder '{}' is not known", place, type);
}

}  // namespace

std::unique_ptr<Decoder> make_decoder(const nlohmann::json& step, const std::string& file) {
    return step.is_null() ? nullptr : make_known_decoder(step, fmt::format("{}: decoder", file));
}

}  // namespace trainyard::tokenizers
