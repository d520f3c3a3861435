// SPDX-License-Identifier: GPL-3.0-or-later
// Reading config.json compared with transformers (tests/golden/estimate.json has all keys with defaults), and the keys
// of `model` in a recipe. Files of transformers with every option are in golden topic gpt2_options.

#include "models/spec/config_file.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "config/recipe/recipe.h"
#include "models/spec/alibi.h"
#include "support/golden.h"
#include "support/says.h"

namespace trainyard::families {
namespace {

using nlohmann::json;
using test::says;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(ConfigFile, DefaultsAreThoseOfTransformers) {
    const json golden = json::parse(read_file(test::golden("estimate.json")));
    int compared = 0;
    for (const json& each : golden.at("cases")) {
        const json& input = each.at("input");
        if (!input.at("config").is_object() || input["config"].value("model_type", "") != "gpt2" ||
            !each.at("expected").contains("config_with_defaults"))
            continue;
        const json& theirs = each["expected"]["config_with_defaults"];
        const ConfigFile file = read_config(input["config"].dump(), each.at("id"));
        for (const ConfigKey& key : family_of("gpt2").keys())
            if (theirs.contains(key.name)) {
                EXPECT_EQ(json::parse(value_text(key, file.config)), theirs.at(key.name))
                    << each["id"] << " " << key.name;
                ++compared;
            }
    }
    EXPECT_GT(compared, 20);
    // And without any field.
    EXPECT_EQ(read_config(R"({"model_type": "gpt2"})", "x").config, family_of("gpt2").defaults());
}

TEST(ConfigFile, WhatIsWrittenIsReadAsTheSame) {
    ModelConfig config;
    config.activation_function = "relu2";
    config.tie_word_embeddings = false;
    config.scale_attn_weights = false;
    config.n_inner = 77;
    config.layer_norm_epsilon = 1e-6;
    config.attn_pdrop = 0.25;
    config.eos_token_id = 0;
    const ConfigFile file = read_config(write_config(config), "ours");
    EXPECT_EQ(file.config, config);
    EXPECT_THAT(file.refused, IsEmpty());
}

// transformers 5 refuses a Gemma 2 whose query_pre_attn_scalar is 256.0.
TEST(ConfigFile, AScalarThatTransformersHoldsAsAnIntegerIsWrittenAsOne) {
    ModelConfig config = read_config(R"({"model_type": "gemma2", "query_pre_attn_scalar": 144})", "config.json").config;
    json written = json::parse(write_config(config));
    EXPECT_EQ(written.at("query_pre_attn_scalar").dump(), "144");
    EXPECT_EQ(written.at("attn_logit_softcapping").dump(), "50.0");
    config.query_pre_attn_scalar = 144.5;
    written = json::parse(write_config(config));
    EXPECT_EQ(written.at("query_pre_attn_scalar").dump(), "144.5");
}

/// As transformers 5.23 writes it, with a window of 0 instead of null.
TEST(ConfigFile, AQwen2MoeHasExpertsAndOneOfAllTokens) {
    const std::string sizes =
        R"({"model_type": "qwen2_moe", "hidden_size": 64, "num_experts": 6, "num_experts_per_tok": 2,
            "moe_intermediate_size": 48, "shared_expert_intermediate_size": 80, "sliding_window": 0, )";
    const ConfigFile file = read_config(sizes + R"("decoder_sparse_step": 1, "mlp_only_layers": []})", "config.json");
    EXPECT_THAT(file.refused, IsEmpty());
    EXPECT_EQ(file.config.num_local_experts, 6);
    EXPECT_EQ(file.config.shared_expert_intermediate_size, 80);
    EXPECT_EQ(file.config.sliding_window, 0);
    EXPECT_FALSE(file.config.norm_topk_prob);
    EXPECT_EQ(json::parse(write_config(file.config)).at("num_experts"), 6);
    std::map<std::string, std::vector<std::int64_t>> shapes;
    for (const TensorShape& tensor : family_of("qwen2_moe").tensors(file.config))
        shapes[tensor.name] = tensor.shape;
    EXPECT_THAT(shapes.at("model.layers.1.mlp.experts.5.down_proj.weight"), ElementsAre(64, 48));
    EXPECT_THAT(shapes.at("model.layers.1.mlp.shared_expert.up_proj.weight"), ElementsAre(80, 64));
    EXPECT_THAT(shapes.at("model.layers.1.mlp.shared_expert_gate.weight"), ElementsAre(1, 64));
    EXPECT_THAT(shapes.at("model.layers.1.self_attn.q_proj.bias"), ElementsAre(64));
}

/// Qwen2MoeDecoderLayer of transformers: every decoder_sparse_step-th block has experts, but for mlp_only_layers.
TEST(ConfigFile, AQwen2MoeHasDenseBlocks) {
    const std::string sizes =
        R"({"model_type": "qwen2_moe", "hidden_size": 64, "intermediate_size": 56, "num_hidden_layers": 6, )";
    const auto dense_blocks = [&](const std::string& keys) {
        const ConfigFile file = read_config(sizes + keys + "}", "config.json");
        EXPECT_THAT(file.refused, IsEmpty());
        std::vector<std::int64_t> dense, sparse;
        for (const TensorShape& tensor : family_of("qwen2_moe").tensors(file.config)) {
            if (tensor.name.ends_with(".mlp.up_proj.weight")) {
                EXPECT_THAT(tensor.shape, ElementsAre(56, 64));
                dense.push_back(tensor.block);
            }
            if (tensor.name.ends_with(".mlp.gate.weight"))
                sparse.push_back(tensor.block);
        }
        EXPECT_EQ(dense.size() + sparse.size(), 6u);
        EXPECT_EQ(family_of("qwen2_moe").resolved(read_config(write_config(file.config), "ours").config),
                  family_of("qwen2_moe").resolved(file.config));
        return dense;
    };
    EXPECT_THAT(dense_blocks(R"("decoder_sparse_step": 1, "mlp_only_layers": [])"), IsEmpty());
    EXPECT_THAT(dense_blocks(R"("decoder_sparse_step": 2)"), ElementsAre(0, 2, 4));
    EXPECT_THAT(dense_blocks(R"("mlp_only_layers": [0, 5])"), ElementsAre(0, 5));
    EXPECT_THAT(dense_blocks(R"("decoder_sparse_step": 3, "mlp_only_layers": [5])"), ElementsAre(0, 1, 3, 4, 5));
    EXPECT_THAT(dense_blocks(R"("decoder_sparse_step": 7)"), ElementsAre(0, 1, 2, 3, 4, 5)) << "no experts at all";
    const auto refusal_of = [](const std::string& text) -> std::string {
        try {
            read_config(text, "config.json");
            return "";
        } catch (const InvalidInput& error) {
            return error.what();
        }
    };
    const auto refused = [&](const std::string& keys) { return refusal_of(sizes + keys + "}"); };
    EXPECT_THAT(refused(R"("mlp_only_layers": [6])"), says("must list numbers of blocks, from 0 to {}", 5));
    EXPECT_THAT(refused(R"("mlp_only_layers": {"0": true})"), says("must list numbers of blocks, from 0 to {}", 5));
    EXPECT_THAT(refused(R"("decoder_sparse_step": 0)"), says("must be a whole number from {:.0f} to {:.0f}", 1.0, _));
    EXPECT_THAT(refusal_of(R"({"model_type": "qwen2_moe", "num_hidden_layers": 100000, "decoder_sparse_step": 2})"),
                says("a model whose blocks differ has at most {} of them", 4096));
}

/// Rows of the projections of all heads (8 of width 8), and norms of a block.
TEST(ConfigFile, AFalconHasOneOfThreeFormsOfAttention) {
    const auto text = [](const std::string& keys) {
        return R"({"model_type": "falcon", "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 8, )" +
               keys + "}";
    };
    const auto rows_and_norms = [&](const std::string& keys) {
        const ConfigFile file = read_config(text(keys), "config.json");
        EXPECT_THAT(file.refused, IsEmpty());
        std::pair<std::int64_t, std::set<std::string>> found;
        for (const TensorShape& tensor : family_of("falcon").tensors(file.config)) {
            if (tensor.name.ends_with("query_key_value.weight"))
                found.first = tensor.shape[0];
            if (tensor.part == Part::block && tensor.shape.size() == 1 && tensor.name.ends_with(".weight"))
                found.second.insert(tensor.name.substr(std::string("transformer.h.0.").size()));
        }
        return found;
    };
    using Found = std::pair<std::int64_t, std::set<std::string>>;
    // transformers does not read the stored num_kv_heads with multi_query.
    EXPECT_EQ(rows_and_norms(R"("multi_query": true, "num_kv_heads": 8)"), Found(80, {"input_layernorm.weight"}));
    EXPECT_EQ(rows_and_norms(R"("multi_query": false, "parallel_attn": false, "alibi": true)"),
              Found(192, {"input_layernorm.weight", "post_attention_layernorm.weight"}));
    EXPECT_EQ(rows_and_norms(R"("new_decoder_architecture": true, "num_kv_heads": 2)"),
              Found(96, {"ln_attn.weight", "ln_mlp.weight"}));
    EXPECT_EQ(rows_and_norms(R"("new_decoder_architecture": true, "num_kv_heads": 4, "num_ln_in_parallel_attn": 1)"),
              Found(128, {"input_layernorm.weight"}));
    EXPECT_THAT([&] { read_config(text(R"("new_decoder_architecture": true, "parallel_attn": false)"), "x"); },
                testing::ThrowsMessage<InvalidInput>(says("must be true with new_decoder_architecture")));
    EXPECT_THAT(
        [&] { read_config(text(R"("num_ln_in_parallel_attn": 2)"), "x"); },
        testing::ThrowsMessage<InvalidInput>(says("2 norms are of models with new_decoder_architecture alone")));
    EXPECT_THAT([&] { read_config(text(R"("new_decoder_architecture": true, "num_kv_heads": 3)"), "x"); },
                testing::ThrowsMessage<InvalidInput>(says("{} ({}) must be a multiple of {} ({})", _, 8, _, 3)));
}

/// The fields of published models.
TEST(ConfigFile, FieldsOfBloomAndMptActOrAreRefused) {
    const ConfigFile bloom = read_config(
        R"({"model_type": "bloom", "n_embed": 64, "num_attention_heads": 8, "n_layer": 2, "vocab_size": 250880,
            "attention_softmax_in_fp32": true, "bias_dropout_fusion": true, "masked_softmax_fusion": true,
            "offset_alibi": 100, "pretraining_tp": 2, "seq_length": 2048, "skip_bias_add": true, "n_inner": null,
            "skip_bias_add_qkv": false, "slow_but_exact": false, "unk_token_id": 0, "hidden_dropout": 0.0})",
        "config.json");
    EXPECT_THAT(bloom.refused, IsEmpty());
    EXPECT_EQ(bloom.config.n_embd, 64);
    EXPECT_EQ(bloom.config.n_positions, 2048);
    const auto refused = [](const std::string& attention) {
        return read_config(R"({"model_type": "mpt", "attn_config": )" + attention + "}", "config.json").refused;
    };
    EXPECT_THAT(refused(R"({"alibi": true, "alibi_bias_max": 8, "attn_impl": "torch", "attn_pdrop": 0, "qk_ln": false,
                            "attn_type": "multihead_attention", "clip_qkv": null, "softmax_scale": null})"),
                IsEmpty());
    EXPECT_THAT(refused(R"({"attn_type": "multiquery_attention", "qk_ln": true, "atn_pdrop": 0.1})"),
                testing::SizeIs(3));
}

/// Windows that transformers would pass over are refused, not computed as full attention.
TEST(ConfigFile, FamiliesWithoutWindowsRefuseThem) {
    for (const char* type : {"bloom", "falcon", "mpt", "megatron-bert"}) {
        const auto refused = [&](const std::string& window) {
            return read_config(std::string(R"({"model_type": ")") + type + R"(", "sliding_window": )" + window + "}",
                               "config.json")
                .refused;
        };
        EXPECT_THAT(refused("null"), IsEmpty()) << type;
        EXPECT_THAT(refused("128"), ElementsAre(says("{}: this version does not know the field, so it cannot tell what "
                                                     "it changes ({} is not a field of {}): remove it if it does not "
                                                     "affect training",
                                                     EndsWith("sliding_window"), _, _)))
            << type;
    }
}

/// The paper's slopes of 8 heads, and those of transformers for 6.
TEST(Alibi, SlopesAreThoseOfThePaper) {
    EXPECT_THAT(alibi_slopes(8),
                ElementsAre(0.5F, 0.25F, 0.125F, 1 / 16.0F, 1 / 32.0F, 1 / 64.0F, 1 / 128.0F, 1 / 256.0F));
    EXPECT_THAT(alibi_slopes(6), ElementsAre(0.25F, 1 / 16.0F, 1 / 64.0F, 1 / 256.0F, 0.5F, 0.125F));
}

TEST(ConfigFile, NoFieldIsPassedOverSilently) {
    auto refused = [](const char* fields) {
        return read_config(R"({"model_type": "gpt2", )" + std::string(fields) + "}", "x").refused;
    };
    EXPECT_THAT(
        refused(R"("use_cache": true, "torch_dtype": "bfloat16", "summary_type": "last", "id2label": {"0": "A"})"),
        IsEmpty());
    EXPECT_THAT(refused(R"("rotary": false, "window": null, "experts": 0, "adapters": [])"), IsEmpty())
        << "they ask for nothing";
    EXPECT_THAT(refused(R"("n_embed": 1024)"),
                ElementsAre(says("{}: this version does not know the field, so it cannot tell what it changes ({} is "
                                 "not a field of {}): remove it if it does not affect training",
                                 EndsWith("n_embed"), _, _)));
    EXPECT_THAT(refused(R"("is_decoder": true, "attention_window": 5)"), testing::SizeIs(2));
}

TEST(ConfigFile, AnUnknownTypeNamesThoseThereAre) {
    EXPECT_EQ(find_family("gpt3"), nullptr);
    EXPECT_THAT([] { family_of("gpt3"); },
                testing::ThrowsMessage<UserError>(
                    AllOf(says(": did you mean '{}'?", "gpt2"),
                          says("model_type '{}' is not known to this version{}: use {}", _, _, StartsWith("gpt2")))));
}

TEST(ConfigFile, KeysOfTheModelInARecipe) {
    auto problem_of = [](const std::string& keys) -> std::string {
        try {
            config::parse_recipe("model: {" + keys + "}\n", "r.yaml");
            return "";
        } catch (const InvalidInput& error) {
            return error.what();
        }
    };
    EXPECT_EQ(problem_of("activation_function: gelu_pytorch_tanh, tie_word_embeddings: no, scale_attn_weights: false, "
                         "bos_token_id: 3"),
              "");
    EXPECT_THAT(problem_of("activation_function: gleu"),
                AllOf(HasSubstr("model.activation_function"), says("unknown value '{}'{}", "gleu", _)));
    EXPECT_THAT(problem_of("activation_function: prelu"), HasSubstr("model.activation_function"));
    EXPECT_THAT(problem_of("add_cross_attention: yes"),
                test::says("blocks with cross-attention need the states of an encoder, which no data set of this "
                           "version has: set it to false")
                    .after("model.add_cross_attention: "));
    EXPECT_THAT(problem_of("eos_token_id: -2"), says("from {} to {}", "-1", _));
    EXPECT_THAT(problem_of("n_embd: 100, n_head: 3"),
                says("n_embd ({}) must be a multiple of n_head ({})", 100, 3).after("model.n_head: "));
    EXPECT_THAT(problem_of("tie_word_embeddings: no, freeze: [lm_head.weight]"), "");
    EXPECT_THAT(
        problem_of("freeze: [lm_head.weight]"),
        says("'{}' is the name of no parameter: they are named like {} and {}, and * stands for any part of a name", _,
             _, _));
    const config::Recipe recipe =
        config::parse_recipe("model: {activation_function: relu, tie_word_embeddings: no}\n", "r.yaml");
    EXPECT_EQ(config::parse_recipe(config::to_yaml(recipe), "r.yaml"), recipe);
}

TEST(Gpt2Family, CountsWhatAHeadOfItsOwnAdds) {
    ModelConfig config;
    const std::int64_t tied = parameter_count(config);
    const Family& family = family_of(config);
    const double flops = family.flops_per_sample(config, SampleSize::text(64));
    config.tie_word_embeddings = false;
    EXPECT_EQ(parameter_count(config), tied + config.vocab_size * config.n_embd);
    EXPECT_EQ(family.flops_per_sample(config, SampleSize::text(64)), flops)
        << "the product with the vocabulary is the same";
    EXPECT_EQ(family.tensors(config).back().name, "lm_head.weight");
    EXPECT_THAT(stored_names("transformer.wte.weight"),
                ElementsAre("transformer.wte.weight", "wte.weight", "lm_head.weight"));
    EXPECT_THAT(stored_names("lm_head.weight"), ElementsAre("lm_head.weight"));
    EXPECT_EQ(module_name("transformer.wte.weight"), "transformer.wte.weight");
    EXPECT_EQ(module_name("embed_out.weight"), "lm_head.weight");
    EXPECT_EQ(module_name("vit.encoder.layer.3.attention.output.dense.bias"), "vit.layers.3.attention.o_proj.bias");
}

}  // namespace
}  // namespace trainyard::families
