// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters of PEFT: fields of adapter_config.json that take effect, have none or are refused, and tensors of the file
// that are used or named.

#include <cstring>
#include <functional>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/inputs/adapter_config.h"
#include "config/inputs/adapter_file.h"
#include "formats/weights/safetensors.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::says;
using testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;
using Start = AdapterConfig::Start;

/// As PEFT 0.21 writes it.
json usual_config() {
    return json::parse(R"({"alora_invocation_tokens": null, "alpha_pattern": {}, "arrow_config": null,
        "auto_mapping": {"base_model_class": "LlamaForCausalLM", "parent_library": "transformers"},
        "base_model_name_or_path": "base", "bias": "none", "corda_config": null, "ensure_weight_tying": false,
        "eva_config": null, "exclude_modules": null, "fan_in_fan_out": false, "inference_mode": true,
        "init_lora_weights": true, "kasa_config": null, "layer_replication": null, "layers_pattern": null,
        "layers_to_transform": null, "loftq_config": {}, "lora_alpha": 8, "lora_bias": false, "lora_dropout": 0.1,
        "lora_ga_config": null, "megatron_config": null, "megatron_core": "megatron.core", "modules_to_save": null,
        "monteclora_config": null, "peft_type": "LORA", "peft_version": "0.21.2", "qalora_group_size": 16, "r": 4,
        "rank_pattern": {}, "revision": "main", "target_modules": ["q_proj"], "target_parameters": null,
        "task_type": "CAUSAL_LM", "trainable_token_indices": null, "use_bdlora": null, "use_dora": false,
        "use_qalora": false, "use_rslora": false, "velora_config": null})");
}

AdapterConfig config_with(const json& more) {
    json config = usual_config();
    config.update(more);
    return parse_adapter_config(config.dump(), "adapter_config.json");
}

std::string refusal(const std::function<void()>& read) {
    try {
        read();
    } catch (const UserError& error) {
        return error.what();
    }
    return "it is read";
}

std::string refusal_of(const json& more) {
    return refusal([&] { config_with(more); });
}

/// In a training, of several adapters side by side, and in files of PEFT.
TEST(AdapterNames, OfATrainingAndOfPeftAreRecognized) {
    for (const char* name :
         {"model.layers.0.self_attn.q_proj.lora_A.weight", "model.layers.0.mlp.experts.lora_B_1.weight",
          "base_model.model.transformer.h.0.attn.c_attn.lora_A.default.weight",
          "base_model.model.transformer.wte.lora_embedding_A",
          "base_model.model.model.layers.0.mlp.up_proj.lora_magnitude_vector"})
        EXPECT_TRUE(config::is_adapter(name)) << name;
    for (const char* name : {"transformer.wte.weight", "exploration.weight", "model.lora.weight"})
        EXPECT_FALSE(config::is_adapter(name)) << name;
}

TEST(AdapterConfig, FieldsThatTakeEffect) {
    const AdapterConfig usual = config_with(json::object());
    EXPECT_EQ(usual.lora.r, 4);
    EXPECT_EQ(usual.lora.lora_alpha, 8);
    EXPECT_THAT(usual.lora.target_modules, ElementsAre("q_proj"));
    EXPECT_TRUE(usual.exceptions.empty());
    EXPECT_EQ(usual.base, "base");
    const AdapterConfig other = config_with({{"rank_pattern", {{"v_proj", 2}}},
                                             {"alpha_pattern", {{"^model.*q_proj", 0.5}}},
                                             {"layers_to_transform", 1},
                                             {"layers_pattern", "h"},
                                             {"exclude_modules", {"mlp"}},
                                             {"use_rslora", true}});
    EXPECT_THAT(other.exceptions.rank_pattern, ElementsAre(Pair("v_proj", 2)));
    EXPECT_THAT(other.exceptions.alpha_pattern, ElementsAre(Pair("^model.*q_proj", 0.5)));
    EXPECT_THAT(other.exceptions.layers, ElementsAre(1));
    EXPECT_THAT(other.exceptions.layers_pattern, ElementsAre("h"));
    EXPECT_THAT(other.exceptions.exclude_modules, ElementsAre("mlp"));
    EXPECT_TRUE(other.lora.use_rslora);
}

TEST(AdapterConfig, StartsOfTraining) {
    for (const json& init :
         {json(true), json(false), json(nullptr), json("gaussian"), json("eva"), json("orthogonal"), json("mica")})
        EXPECT_EQ(config_with({{"init_lora_weights", init}}).start, Start::unchanged) << init;
    EXPECT_EQ(config_with({{"init_lora_weights", "pissa"}}).start, Start::pissa);
    EXPECT_EQ(config_with({{"init_lora_weights", "pissa_niter_16"}}).start, Start::pissa);
    EXPECT_EQ(config_with({{"init_lora_weights", "olora"}}).start, Start::olora);
    for (const char* init : {"corda", "loftq", "lora_ga", "something_new", "pissa_niter_", "pissa_niter_x", "PiSSA"})
        EXPECT_THAT(refusal_of({{"init_lora_weights", init}}),
                    AllOf(StartsWith("adapter_config.json: init_lora_weights: '"), HasSubstr(init),
                          HasSubstr("convert the adapter with PEFT")));
    EXPECT_THAT(refusal_of({{"init_lora_weights", 3}}), HasSubstr("init_lora_weights"));
    EXPECT_THAT(refusal_of({{"init_lora_weights", "pissa"}, {"target_parameters", {"mlp.experts.down_proj"}}}),
                HasSubstr("init_lora_weights"));
}

TEST(AdapterConfig, WhatIsNotComputedIsRefusedByName) {
    const std::map<std::string, json> methods{{"use_dora", true},
                                              {"lora_bias", true},
                                              {"use_qalora", true},
                                              {"use_bdlora", json::object()},
                                              {"bias", "lora_only"},
                                              {"layer_replication", {{0, 2}, {1, 3}}},
                                              {"trainable_token_indices", {1, 2}},
                                              {"alora_invocation_tokens", {97, 98}},
                                              {"arrow_config", {{"top_k", 3}}},
                                              {"kasa_config", json::object()},
                                              {"velora_config", {{"num_groups", 32}}},
                                              {"monteclora_config", {{"num_samples", 8}}}};
    for (const auto& [key, value] : methods)
        EXPECT_THAT(refusal_of({{key, value}}), HasSubstr("adapter_config.json: " + key + ": ")) << key;
    for (const json& value : {json(true), json(1), json("on"), json({{"beta", 0.1}}), json({1})})
        EXPECT_THAT(refusal_of({{"of_a_later_version", value}}),
                    says("this version does not know the field, so it cannot tell what it changes: remove it if it "
                         "changes nothing of the result")
                        .after("of_a_later_version: "))
            << value;
    for (const json& value : {json(false), json(nullptr), json(""), json::array(), json::object()})
        EXPECT_EQ(refusal_of({{"of_a_later_version", value}}), "it is read") << value;
    EXPECT_THAT(refusal_of({{"use_dora", true}, {"bias", "all"}, {"r", 0}}),
                AllOf(HasSubstr("use_dora"), HasSubstr("bias"), HasSubstr("r: must be a whole number")))
        << "all at once";
}

TEST(AdapterConfig, WrongTypesAreRefused) {
    for (const auto& [key, value] : std::map<std::string, json>{{"r", 4.5},
                                                                {"lora_alpha", "8"},
                                                                {"use_rslora", "true"},
                                                                {"target_modules", 1},
                                                                {"modules_to_save", {1}},
                                                                {"rank_pattern", {{"q_proj", 0}}},
                                                                {"alpha_pattern", {"q_proj"}},
                                                                {"layers_to_transform", "0"}})
        EXPECT_THAT(refusal_of({{key, value}}), HasSubstr(key + ": must be")) << key;
    EXPECT_THAT(refusal([] { parse_adapter_config("{", "file"); }),
                says("{} is not a configuration of an adapter: it is not JSON", _));
    EXPECT_THAT(refusal([] { parse_adapter_config("[]", "file"); }),
                says("{} is not a configuration of an adapter: it is not an object", _));
    EXPECT_THAT(refusal_of({{"peft_type", "IA3"}}), HasSubstr("LORA"));
    EXPECT_THAT(refusal_of({{"target_modules", json::array()}}),
                says("names no modules, and target_parameters names no parameters: name what it adapts")
                    .after("target_modules: "));
}

TEST(ModuleTargets, LayersAreCountedInTheFirstListOfTheName) {
    config::ModuleExceptions exceptions;
    exceptions.layers = {1};
    const config::ModuleTargets any({"q_proj", "w1"}, exceptions);
    EXPECT_TRUE(any.have("model.layers.1.self_attn.q_proj"));
    EXPECT_FALSE(any.have("model.layers.11.self_attn.q_proj"));
    EXPECT_FALSE(any.have("model.layers.0.experts.1.w1")) << "the number of the block, not of the expert";
    EXPECT_FALSE(any.have("q_proj"));
    exceptions.layers_pattern = {"h", "model.blocks"};
    const config::ModuleTargets named({"q_proj"}, exceptions);
    EXPECT_TRUE(named.have("transformer.h.1.q_proj"));
    EXPECT_TRUE(named.have("model.blocks.1.q_proj"));
    EXPECT_FALSE(named.have("model.layers.1.q_proj"));
}

class AdapterFiles : public ::testing::Test {
  protected:
    using Floats = std::map<std::string, std::vector<float>>;

    /// The file of an adapter, of tensors [n, 1].
    AdapterFile file(const Floats& tensors) {
        std::vector<weights::TensorToWrite> all;
        for (const auto& [name, values] : tensors)
            all.push_back({name, "F32", {std::ssize(values), 1}, std::as_bytes(std::span(values))});
        weights::write_safetensors(folder_.path() / "adapter_model.safetensors", all);
        return AdapterFile(folder_.path());
    }
    std::string message(const Floats& tensors, const std::string& tied_head = {}) {
        return refusal([&] {
            file(tensors).match(wanted_, others_, tied_head,
                                tied_head.empty() ? std::string() : "model.embed_tokens.weight");
        });
    }
    /// The values of a tensor that a match took.
    static float first_value(const AdapterFile& file, std::size_t tensor) {
        float value = 0;
        file.source()->stream(
            tensor, [&](std::span<const std::byte> bytes) { std::memcpy(&value, bytes.data(), sizeof value); });
        return value;
    }
    static Floats pair_of(const std::string& module, const std::string& adapter = "") {
        return {{module + ".lora_A" + adapter + ".weight", {1, 2}}, {module + ".lora_B" + adapter + ".weight", {3}}};
    }
    static Floats with(Floats tensors, const Floats& more) {
        tensors.insert(more.begin(), more.end());
        return tensors;
    }

    const std::string q_ = "model.layers.0.self_attn.q_proj";
    const std::string peft_ = "base_model.model." + q_;
    const std::vector<AdapterTarget> wanted_{{q_ + ".lora_A.weight", {2, 1}}, {q_ + ".lora_B.weight", {1, 1}}};
    const std::vector<AdapterTarget> others_{{q_ + ".weight", {3, 1}},
                                             {"model.layers.0.self_attn.v_proj.weight", {3, 1}},
                                             {"model.embed_tokens.weight", {4, 1}},
                                             {"lm_head.weight", {4, 1}}};
    test::TemporaryFolder folder_;
};

TEST_F(AdapterFiles, NamesOfEveryWrapper) {
    for (const Floats& tensors :
         {pair_of(peft_), pair_of(peft_, ".default"), pair_of(peft_, ".lora"), pair_of(q_),
          pair_of("base_model.model.layers.0.self_attn.q_proj"), pair_of("layers.0.self_attn.q_proj", ".default")}) {
        const AdapterFile one = file(tensors);
        const AdapterFile::Match match = one.match(wanted_, others_);
        ASSERT_EQ(match.wanted.size(), 2u) << tensors.begin()->first;
        EXPECT_EQ(first_value(one, match.wanted[0]), 1) << tensors.begin()->first;
        EXPECT_EQ(first_value(one, match.wanted[1]), 3);
        EXPECT_THAT(match.warnings, IsEmpty());
        EXPECT_THAT(match.whole, IsEmpty());
    }
    EXPECT_THAT(message(with(pair_of(peft_, ".one"), {{peft_ + ".lora_A.two.weight", {7, 7}}})),
                says("{} and {} are different values of the same tensor: save one adapter without its name", _, _));
}

TEST_F(AdapterFiles, ParametersOfTheModelAreReplaced) {
    for (const std::string name : {"base_model.model.model.embed_tokens.weight", "model.embed_tokens.weight",
                                   "base_model.model.model.embed_tokens.modules_to_save.default.weight",
                                   "base_model.model.model.embed_tokens.base_layer.weight"}) {
        const AdapterFile one = file(with(pair_of(peft_), {{name, {5, 6, 7, 8}}}));
        const AdapterFile::Match match = one.match(wanted_, others_);
        ASSERT_EQ(match.whole.size(), 1u) << name;
        EXPECT_EQ(others_[match.whole[0].other].name, "model.embed_tokens.weight");
        EXPECT_EQ(first_value(one, match.whole[0].tensor), 5);
        EXPECT_THAT(match.warnings, IsEmpty());
    }
    EXPECT_THAT(message(with(pair_of(peft_), {{"base_model.model.lm_head.weight", {5, 6, 7}}})),
                AllOf(HasSubstr("base_model.model.lm_head.weight"), HasSubstr("[3, 1]"), HasSubstr("[4, 1]")))
        << "a vocabulary of another size";
}

TEST_F(AdapterFiles, ATiedHeadIsWhatTheTableIs) {
    const std::string table = "base_model.model.model.embed_tokens.weight", head = "base_model.model.lm_head.weight";
    EXPECT_EQ(message(with(pair_of(peft_), {{table, {1, 2, 3, 4}}, {head, {1, 2, 3, 4}}}), "lm_head.weight"),
              "it is read");
    EXPECT_THAT(
        message(with(pair_of(peft_), {{table, {1, 2, 3, 4}}, {head, {1, 2, 3, 5}}}), "lm_head.weight"),
        AllOf(HasSubstr(head), says("{} differs from {}, and the model has one tensor for both (tie_word_embeddings): "
                                    "use the adapter with a model that has a head of its own",
                                    _, _)));
    EXPECT_THAT(message(with(pair_of(peft_), {{head, {1, 2, 3, 4}}}), "lm_head.weight"), HasSubstr(head));
}

TEST_F(AdapterFiles, NothingIsDroppedWithoutAWord) {
    for (const std::string& name :
         {peft_ + ".lora_magnitude_vector", peft_ + ".lora_magnitude_vector.default.weight", peft_ + ".lora_B.bias",
          peft_ + ".lora_diag", std::string("base_model.model.model.embed_tokens.lora_embedding_A"),
          std::string("base_model.model.model.layers.0.self_attn.v_proj.lora_A.weight"),
          std::string("base_model.model.model.layers.7.self_attn.q_proj.lora_B.weight"),
          std::string("base_model.model.lm_head.lora_A.weight")})
        EXPECT_THAT(message(with(pair_of(peft_), {{name, {1}}})), HasSubstr(": " + name)) << name;
    for (const std::string& name : {std::string("foo.bar"), peft_ + ".base_layer.bias",
                                    std::string("base_model.model.score.original_module.weight")})
        EXPECT_THAT(
            file(with(pair_of(peft_), {{name, {1}}})).match(wanted_, others_).warnings,
            ElementsAre(says("{} has tensors that neither the model nor its adapter has, and they are not used: {}", _,
                             StartsWith(name))));
}

TEST_F(AdapterFiles, ARefusalNamesTheWantedAndTheFoundName) {
    EXPECT_THAT(message(pair_of("base_model.model.model.layers.7.self_attn.q_proj")),
                AllOf(says("it has no tensor {}; of other names it has {}", StartsWith(peft_ + ".lora_A.weight"), _),
                      says("it has no tensor {}; of other names it has {}", _,
                           StartsWith("base_model.model.model.layers.7.self_attn.q_proj.lora_A.weight"))));
    EXPECT_THAT(message({{peft_ + ".lora_A.weight", {1, 2, 3}}, {peft_ + ".lora_B.weight", {1}}}),
                says("{} has the shape {} instead of {}", _, "[3, 1]", StartsWith("[2, 1]")));
    EXPECT_THAT(refusal([&] { AdapterFile(folder_.path() / "missing"); }),
                says("{} does not exist: name a folder of PEFT's layout, with adapter_model.safetensors", _));
}

}  // namespace
}  // namespace trainyard::inputs
