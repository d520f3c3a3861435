// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The steps of tokenizer.json before and after the model. Each make_... takes the step's JSON (null: no such step), and throws UserError naming the file and the
// step for a type or value that it does not know.

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "formats/tokenizers/encoding.h"
#include "formats/tokenizers/normalized_text.h"

namespace trainyard::tokenizers {

class Normalizer {
  public:
    virtual ~Normalizer() = default;
    virtual void apply(NormalizedText& text) const = 0;
};

class PreTokenizer {
  public:
    virtual ~PreTokenizer() = default;
    virtual std::vector<NormalizedText> split(NormalizedText text) const = 0;
};

class PostProcessor {
  public:
    virtual ~PostProcessor() = default;
    /// How many tokens process() adds to one or two texts.
    virtual std::size_t added(bool pair) const = 0;
    /// One or two encodings become encodings that are to be put one behind the other.
    virtual std::vector<Encoding> process(std::vector<Encoding> encodings, bool add_special_tokens) const = 0;
};

class Decoder {
  public:
    virtual ~Decoder() = default;
    virtual std::vector<std::string> decode(std::vector<std::string> tokens) const = 0;
};

std::unique_ptr<Normalizer> make_normalizer(const nlohmann::json& step, const std::string& file);
std::unique_ptr<PreTokenizer> make_pre_tokenizer(const nlohmann::json& step, const std::string& file);
std::unique_ptr<PostProcessor> make_post_processor(const nlohmann::json& step, const std::string& file);
std::unique_ptr<Decoder> make_decoder(const nlohmann::json& step, const std::string& file);

/// A `pattern`: {"String": text} or {"Regex": expression}.
Regex pattern_of(const nlohmann::json& step, const std::string& place);

}  // namespace trainyard::tokenizers
