// SPDX-License-Identifier: GPL-3.0-or-later
// config.json in old and new spellings, read as transformers reads it and written again with the same fields
// (golden/config_spellings).

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "models/spec/config_file.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/rotary.h"
#include "support/golden.h"
#include "support/says.h"

namespace trainyard::families {
namespace {

using nlohmann::json;
using test::says;
using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

bool same_value(const json& a, const json& b) {
    if (a.is_number() && b.is_number())
        return std::abs(a.get<double>() - b.get<double>()) <= 1e-9 * std::abs(b.get<double>());
    return a == b;
}

json golden_cases() {
    return json::parse(read_file(test::golden("config_spellings") / "cases.json"));
}

TEST(GoldenConfigSpellings, AreReadAsByTransformers) {
    std::size_t compared = 0, ropes = 0;
    for (const json& one : golden_cases()) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        if (!one.contains("expected"))
            continue;
        const ConfigFile file = read_config(one.at("config").dump(), "config.json");
        EXPECT_THAT(file.refused, IsEmpty());
        const Family& family = family_of(file.config);
        const ModelConfig config = family.resolved(file.config);
        const json& expected = one["expected"];
        for (const ConfigKey& key : family.keys()) {
            // Without sliding windows, their width has no effect, and transformers removes it.
            const bool unused =
                key.name == "sliding_window" && family.model_type().starts_with("qwen") && !config.use_sliding_window;
            const bool as_stored = key.name == "tie_word_embeddings" && family.head_is_as_stored();
            const auto theirs = expected.find(key.name);
            if (theirs == expected.end() || unused || as_stored ||
                std::holds_alternative<JsonText ModelConfig::*>(key.member))
                continue;
            const json ours = json::parse(value_text(key, config));
            const json& wanted = key.name == "eos_token_id" && theirs->is_array() ? theirs->at(0) : *theirs;
            const json unresolved = json::parse(value_text(key, file.config));  // null stays null
            EXPECT_TRUE(same_value(ours, wanted) || same_value(unresolved, wanted))
                << key.name << ": " << ours << " instead of " << wanted;
            ++compared;
        }
        for (const json& rope : one.value("rope", json::array())) {
            const DecoderOptions options = decoder_options(config);
            const RotaryFrequencies made = rotary_frequencies(options.rotary, options.head_width, rope.at("length"));
            EXPECT_NEAR(made.attention_factor, rope.at("attention_factor").get<double>(), 1e-6);
            ASSERT_EQ(made.frequencies.size(), rope.at("frequencies").size());
            for (std::size_t i = 0; i < made.frequencies.size(); ++i)
                EXPECT_NEAR(made.frequencies[i], rope["frequencies"][i].get<double>(), 1e-6) << i;
            ++ropes;
        }
    }
    EXPECT_GT(compared, 0u);
    EXPECT_GT(ropes, 0u);
}

TEST(GoldenConfigSpellings, WhatWasReadIsWrittenAgain) {
    for (const json& one : golden_cases()) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        if (!one.contains("expected"))
            continue;
        const json& given = one.at("config");
        const ModelConfig config = read_config(given.dump(), "config.json").config;
        for (const char* dtype : {"float32", "bfloat16", "float16"}) {
            json expected = given;
            expected[given.contains("torch_dtype") ? "torch_dtype" : "dtype"] = dtype;
            EXPECT_EQ(json::parse(write_config(config, given.dump(), dtype)), expected);
        }
        // A configuration that is written without the original file uses the current spelling, with the same meaning.
        const std::string anew = write_config(config, {}, "bfloat16");
        EXPECT_EQ(json::parse(anew).at("dtype"), "bfloat16");
        const ConfigFile again = read_config(anew, "ours");
        EXPECT_THAT(again.refused, IsEmpty());
        const Family& family = family_of(config);
        for (const ConfigKey& key : family.keys())
            EXPECT_EQ(value_text(key, family.resolved(again.config)), value_text(key, family.resolved(config)))
                << key.name;
    }
}

TEST(ConfigSpellings, APhi3KeepsItsLengthBesideTheParameters) {
    const std::string given =
        R"({"model_type": "phi3", "hidden_size": 8, "num_attention_heads": 2, "max_position_embeddings": 64,
            "rope_parameters": {"rope_type": "longrope", "rope_theta": 1e4, "short_factor": [1, 1], "long_factor": [2, 3],
                                "original_max_position_embeddings": 16}})";
    const json written = json::parse(write_config(read_config(given, "x").config));
    EXPECT_EQ(written.at("original_max_position_embeddings"), 16);
    EXPECT_EQ(written.at("rope_parameters").at("original_max_position_embeddings"), 16);
}

TEST(ConfigSpellings, AChangedValueReplacesEveryOlderSpellingOfIt) {
    const std::string given = R"({"model_type": "llama", "rope_theta": 5000.0, "eos_token_id": [3, 4],
        "rope_scaling": {"type": "linear", "factor": 2.0}, "attention_dropout": 0.0, "_name_or_path": "x"})";
    ModelConfig config = read_config(given, "x").config;
    config.attn_pdrop = 0.5;
    json written = json::parse(write_config(config, given));
    EXPECT_EQ(written.at("attention_dropout"), 0.5);
    EXPECT_EQ(written.at("eos_token_id"), json({3, 4}));
    EXPECT_EQ(written.at("rope_theta"), 5000.0);
    EXPECT_FALSE(written.contains("rope_parameters"));
    config.rope_parameters.text = R"({"rope_type": "default", "rope_theta": 70.0})";
    config.eos_token_id = 9;
    written = json::parse(write_config(config, given));
    EXPECT_EQ(written.at("eos_token_id"), 9);
    EXPECT_FALSE(written.contains("rope_theta"));
    EXPECT_FALSE(written.contains("rope_scaling"));
    EXPECT_EQ(written.at("rope_parameters").at("rope_theta"), 70.0);
    EXPECT_EQ(written.at("_name_or_path"), "x");
    // gpt2's common names.
    const std::string common = R"({"model_type": "gpt2", "hidden_size": 32, "n_head": 4})";
    config = read_config(common, "x").config;
    config.n_embd = 64;
    written = json::parse(write_config(config, common));
    EXPECT_EQ(written.at("n_embd"), 64);
    EXPECT_FALSE(written.contains("hidden_size"));
}

TEST(ConfigSpellings, NewLabelsComeWithTheirInverse) {
    const std::string given = R"({"model_type": "bert", "architectures": ["BertForMaskedLM"],
        "id2label": {"0": "a", "1": "b"}, "label2id": {"a": 0, "b": 1}})";
    ModelConfig config = read_config(given, "x").config;
    config.task = "sequence_classification";
    config.num_labels = 3;
    config.id2label.text = R"({"0": "x", "1": "y", "2": "z"})";
    const json written = json::parse(write_config(config, given));
    EXPECT_EQ(written.at("architectures"), json({"BertForSequenceClassification"}));
    EXPECT_EQ(written.at("label2id"), json({{"x", 0}, {"y", 1}, {"z", 2}}));
    EXPECT_EQ(read_config(written.dump(), "x").config.num_labels, 3);
}

TEST(ConfigSpellings, WhatTransformersDoesNotReadIsNamed) {
    const auto read = [](const std::string& type, const std::string& rope) {
        return read_config(R"({"model_type": ")" + type + R"(", "rope_scaling": )" + rope + "}", "x");
    };
    EXPECT_THAT(read("llama", R"({"type": "yarn", "factor": 2.0, "attn_factor": 1.5})").notes,
                ElementsAre(says("rope_parameters: {} is {}, which has no effect: transformers does not read it for "
                                 "the rope_type {} (it reads attention_factor)",
                                 EndsWith("attn_factor"), "1.5", _)));
    EXPECT_THAT(read("llama", R"({"type": "yarn", "factor": 2.0, "attn_factor": 1.0})").notes, IsEmpty());
    EXPECT_THAT(read("llama", R"({"type": "su", "short_factor": [1], "long_factor": [1]})").refused,
                ElementsAre(says("the rope_type 'su' is not known: it is the former name of longrope, which only Phi-3 "
                                 "has under it: write longrope")));
    EXPECT_THAT(read("llama", R"({"full_attention": {"rope_type": "default"}})").refused,
                ElementsAre(says("the rope_type {} has no {}", _, StartsWith("full_attention"))));
}

}  // namespace
}  // namespace trainyard::families
