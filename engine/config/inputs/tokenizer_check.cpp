// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/tokenizer_check.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/regular_file.h"
#include "config/inputs/text_tokens.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMostTokenizerBytes = 512ull << 20;

struct TokenTable {
    std::map<std::uint64_t, std::string> tokens;  ///< by id, with added ones
    std::vector<std::string> merges;              ///< of BPE: "left right"
};

const Json& member(const Json& object, const char* key) {
    static const Json none;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? none : *found;
}

TokenTable table_of(const std::string& text) {
    const Json settings = parse_json(text);
    const Json& model = member(settings, "model");
    const Json& vocabulary = member(model, "vocab");
    TokenTable table;
    if (vocabulary.is_object()) {
        for (const auto& [token, id] : vocabulary.items())
            table.tokens.emplace(id.get<std::uint64_t>(), token);
    } else {  // Unigram: tokens with their scores
        for (const Json& entry : vocabulary)
            table.tokens.emplace(table.tokens.size(), entry.at(0).get<std::string>());
    }
    for (const Json& merge : member(model, "merges"))
        table.merges.push_back(merge.is_array() ? merge.at(0).get<std::string>() + " " + merge.at(1).get<std::string>()
                                                : merge.get<std::string>());
    for (const Json& token : member(settings, "added_tokens"))
        table.tokens.emplace(token.at("id").get<std::uint64_t>(), token.at("content").get<std::string>());
    return table;
}

TokenTable table_of(const std::string& text, const fs::path& file) {
    try {
        return table_of(text);
    } catch (const Json::exception& error) {
        throw UserError("{} is not a tokenizer.json: {}", file.string(), message_of(error));
    }
}

}  // namespace

Message token_difference(const fs::path& one, const fs::path& other) {
    const std::string first = read_regular_file(one, kMostTokenizerBytes),
                      second = read_regular_file(other, kMostTokenizerBytes);
    if (first == second)
        return {};
    const TokenTable mine = table_of(first, one), its = table_of(second, other);
    for (const auto& [id, token] : mine.tokens)
        if (const auto found = its.tokens.find(id); found != its.tokens.end() && found->second != token)
            return Message("token {} is '{}' in {} and '{}' in {}", id, token, one.string(), found->second,
                           other.string());
    const auto [left, right] = std::ranges::mismatch(mine.merges, its.merges);
    if (left != mine.merges.end() && right != its.merges.end())
        return Message("merge {} is '{}' in {} and '{}' in {}", left - mine.merges.begin(), *left, one.string(), *right,
                       other.string());
    return {};
}

Message other_tokenizer(const fs::path& folder, const config::DataRecipe& data) {
    const fs::path stored = folder / "tokenizer.json";
    std::error_code error;
    if (data.tokenizer.empty() || !fs::exists(stored, error))
        return {};
    try {
        return token_difference(stored, tokenizer_file(data));
    } catch (const UserError&) {
        return {};
    }
}

Message note_on_tokenizer(const config::Recipe& recipe) {
    const fs::path weights = recipe.model.weights;
    if (weights.empty() || !recipe.checkpoint.resume_from.empty())
        return {};
    std::error_code error;
    const fs::path folder = fs::is_directory(weights, error) ? weights : weights.parent_path();
    const Message difference = other_tokenizer(folder, recipe.data);
    if (difference.empty())
        return {};
    return Message(
        "model.weights come with another tokenizer than data.tokenizer: {}. Set data.tokenizer to {}, unless you "
        "want to train the embeddings again",
        difference, (folder / "tokenizer.json").string());
}

}  // namespace trainyard::inputs
