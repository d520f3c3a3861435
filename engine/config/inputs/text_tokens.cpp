// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/text_tokens.h"

#include <string>

#include "base/error.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

fs::path tokenizer_file(const config::DataRecipe& data) {
    const fs::path path = data.tokenizer;
    std::error_code error;
    return fs::is_directory(path, error) ? path / "tokenizer.json" : path;
}

TextTokens::TextTokens(const config::DataRecipe& data)
    : tokenizer_(tokenizers::Tokenizer::from_file(tokenizer_file(data))),
      lines_(data.format == config::DataFormat::text) {
    for (const char* usual : {"<|endoftext|>", "<|end_of_text|>", "</s>", "<|im_end|>", "<eos>", "[SEP]"})
        if (const auto id = tokenizer_.id_of(usual); id && tokenizer_.is_special(*id)) {
            end_of_text_ = id;
            break;
        }
}

std::vector<tokenizers::Id> TextTokens::encode(std::string_view text) const {
    std::string whole(text);
    if (lines_ || !end_of_text_)
        whole += '\n';
    std::vector<tokenizers::Id> ids = tokenizer_.encode_ids(whole, false);
    if (!lines_ && end_of_text_)
        ids.push_back(*end_of_text_);
    return ids;
}

std::size_t TextTokens::vocabulary_size() const {
    return tokenizer_.id_end();
}

}  // namespace trainyard::inputs
