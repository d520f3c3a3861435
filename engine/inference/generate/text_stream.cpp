// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/text_stream.h"

#include <algorithm>

#include "base/utf8.h"

namespace trainyard::generate {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// Bytes at the end that may begin a character.
std::size_t open_bytes(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        const std::size_t needed = byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
        if (byte >= 0xc0)
            return byte < 0xf8 && needed > back ? back : 0;
        if (byte < 0x80)
            return 0;
    }
    return 0;
}

}  // namespace

std::vector<std::int64_t> Vocabulary::encode(std::string_view text, bool add_special_tokens) const {
    std::vector<std::int64_t> tokens;
    if (tokenizer_ == nullptr) {
        for (const char byte : text)
            tokens.push_back(static_cast<unsigned char>(byte));
        return tokens;
    }
    for (const tokenizers::Id id : tokenizer_->encode_ids(text, add_special_tokens))
        tokens.push_back(static_cast<std::int64_t>(id));
    return tokens;
}

std::string Vocabulary::decode(const std::vector<std::int64_t>& tokens) const {
    if (tokenizer_ == nullptr) {
        std::string text;
        for (const std::int64_t token : tokens)
            text += token < 256 ? std::string(1, static_cast<char>(token)) : std::string();
        return text;
    }
    std::vector<tokenizers::Id> ids;
    for (const std::int64_t token : tokens)
        ids.push_back(static_cast<tokenizers::Id>(token));
    return tokenizer_->decode(ids);
}

std::vector<std::int64_t> Vocabulary::end_tokens() const {
    std::vector<std::int64_t> tokens;
    if (tokenizer_ != nullptr)
        for (const char* name : {"<|endoftext|>", "</s>", "<|end_of_text|>", "<eos>", "<|im_end|>", "<|eot_id|>"})
            if (const std::optional<tokenizers::Id> id = tokenizer_->id_of(name))
                tokens.push_back(static_cast<std::int64_t>(*id));
    return tokens;
}

std::string TextStream::add(std::int64_t token) {
    tokens_.push_back(token);
    std::string text = vocabulary_.decode(tokens_);
    std::size_t end = text.size() - open_bytes(text);
    // A tokenizer writes what is not complete as U+FFFD.
    while (end >= given_ + kReplacement.size() && std::string_view(text).substr(0, end).ends_with(kReplacement))
        end -= kReplacement.size();
    if (end <= given_)
        return {};
    std::string more = text.substr(given_, end - given_);
    given_ = end;
    return text::to_utf8(more);
}

std::string TextStream::finish() {
    const std::string text = vocabulary_.decode(tokens_);
    return given_ < text.size() ? text::to_utf8(text.substr(given_)) : std::string();
}

}  // namespace trainyard::generate
