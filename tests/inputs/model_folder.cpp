// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a checkpoint has beside its weights.

#include "config/inputs/model_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

constexpr const char* kTokenizer =
    R"({"version": "1.0", "added_tokens": [{"id": 1, "content": "<|endoftext|>", "single_word": false,
    "lstrip": false, "rstrip": false, "normalized": false, "special": true}], "model": {"type": "BPE", "vocab": {"a": 0, "<|endoftext|>": 1},
    "merges": []}})";

std::vector<std::string> names_of(const std::vector<FileBeside>& files) {
    std::vector<std::string> names;
    for (const FileBeside& file : files)
        names.push_back(file.name);
    return names;
}

TEST(ModelFolder, ATokenizerAloneGetsTheConfigurationThatTransformersNeeds) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "my.json", kTokenizer);
    config::Recipe recipe;
    EXPECT_TRUE(files_beside_model(recipe).empty()) << "bytes need none";
    recipe.data.tokenizer = (folder.path() / "my.json").string();
    recipe.model.n_positions = 48;
    const std::vector<FileBeside> files = files_beside_model(recipe);
    ASSERT_THAT(names_of(files), ElementsAre("tokenizer.json", "tokenizer_config.json"));
    EXPECT_EQ(files[0].content, kTokenizer);
    const auto config = nlohmann::json::parse(files[1].content);
    EXPECT_EQ(config.at("tokenizer_class"), "PreTrainedTokenizerFast");
    EXPECT_EQ(config.at("model_max_length"), 48);
    EXPECT_EQ(config.at("eos_token"), "<|endoftext|>");
    EXPECT_FALSE(config.contains("mask_token")) << "the tokenizer has none";
}

TEST(ModelFolder, WhatLiesBesideTokenizerAndWeightsComesAlong) {
    test::TemporaryFolder folder;
    const fs::path tokenizer = folder.path() / "tokenizer", weights = folder.path() / "weights";
    fs::create_directories(tokenizer);
    fs::create_directories(weights / "1_Pooling");
    write_file_atomically(tokenizer / "tokenizer.json", kTokenizer);
    write_file_atomically(tokenizer / "tokenizer_config.json", "{}");
    write_file_atomically(tokenizer / "chat_template.jinja", "chat");
    write_file_atomically(weights / "generation_config.json", "{}");
    write_file_atomically(weights / "tokenizer.json", "of the weights");
    write_file_atomically(weights / "modules.json", "[]");
    write_file_atomically(weights / "1_Pooling" / "config.json", "{}");
    config::Recipe recipe;
    recipe.data.tokenizer = tokenizer.string();
    recipe.model.weights = weights.string();
    EXPECT_THAT(names_of(files_beside_model(recipe)),
                ElementsAre("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json"))
        << "modules of sentence-transformers belong to the model as it was";
}

// generation_config.json takes precedence over config.json: it follows a recipe that chooses another end token.
TEST(ModelFolder, AChosenEndTokenReplacesThoseOfTheFiles) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "config.json", R"({"model_type": "gpt2", "eos_token_id": [72, 69]})");
    write_file_atomically(folder.path() / "generation_config.json", R"({"eos_token_id": [69, 72], "top_k": 5})");
    config::Recipe recipe;
    recipe.model.weights = folder.path().string();
    recipe.model.eos_token_id = 72;
    EXPECT_TRUE(keeps_end_tokens(recipe.model, folder.path()));
    EXPECT_EQ(nlohmann::json::parse(files_beside_model(recipe).at(0).content).at("eos_token_id"),
              nlohmann::json({69, 72}));
    recipe.model.eos_token_id = 7;
    EXPECT_FALSE(keeps_end_tokens(recipe.model, folder.path()));
    const auto changed = nlohmann::json::parse(files_beside_model(recipe).at(0).content);
    EXPECT_EQ(changed.at("eos_token_id"), 7);
    EXPECT_EQ(changed.at("top_k"), 5);
    recipe.model.eos_token_id = -1;
    EXPECT_TRUE(nlohmann::json::parse(files_beside_model(recipe).at(0).content).at("eos_token_id").is_null());
}

}  // namespace
}  // namespace trainyard::inputs
