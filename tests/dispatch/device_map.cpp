// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the device maps of our models with those that Accelerate infers for the same models of transformers
// (golden/dispatch/places.json), and tests invalid maps.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "inference/dispatch/dispatch_model.h"
#include "models/spec/config_file.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

using nlohmann::json;

std::unique_ptr<models::Model> model_of(const json& config) {
    config::ModelRecipe recipe;
    static_cast<families::ModelConfig&>(recipe) = families::read_config(config.dump(), "the golden model").config;
    return models::make_model(recipe);
}

json golden_places() {
    return json::parse(std::ifstream(test::own_golden("dispatch") / "places.json"));
}

TEST(DeviceMap, AsAccelerateInfersIt) {
    const json golden = golden_places();
    std::map<std::string, std::unique_ptr<models::Model>> models;
    for (const auto& [name, config] : golden.at("configs").items())
        models[name] = model_of(config);
    std::size_t compared = 0;
    for (const json& one : golden.at("cases")) {
        SCOPED_TRACE(one.dump());
        const models::Model& model = *models.at(one.at("name").get<std::string>());
        DeviceMapOptions options;
        options.max_memory = one.at("max_memory").get<std::map<std::string, std::string>>();
        options.dtype = one.at("dtype").get<std::string>();
        const DeviceMap ours = resolve_device_map(model, one.at("how").get<std::string>(), options).map;
        const DeviceMap theirs = one.at("device_map").get<DeviceMap>();
        for (const ModelTensor& tensor : tensors_of(model)) {
            EXPECT_EQ(place_of(tensor, ours), place_of(tensor, theirs)) << tensor.name;
            ++compared;
        }
    }
    EXPECT_GT(compared, 0u);
}

std::string sentence_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const UserError& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

TEST(DeviceMap, WhatCannotBeIsOneSentence) {
    const std::unique_ptr<models::Model> model = model_of(golden_places().at("configs").at("llama"));
    const auto refused = [&](const std::string& choice, std::map<std::string, std::string> memory = {}) {
        return sentence_of([&] { resolve_device_map(*model, choice, {.max_memory = std::move(memory)}); });
    };
    EXPECT_THAT(refused("automatic"),
                test::says("device_map '{}' is neither auto, balanced, balanced_low_0, sequential, a device (cpu, "
                           "disk, 0, cuda:1), nor a JSON file with a map",
                           testing::_));
    EXPECT_NE(refused("auto", {{"cpu", "lots"}}).find("cpu=lots"), std::string::npos);
    EXPECT_NE(refused("auto", {{"gpu", "1GB"}}).find("'gpu'"), std::string::npos);
    test::TemporaryFolder folder;
    const auto with = [&](const char* text) {
        const std::string file = (folder.path() / "map.json").string();
        std::ofstream(file) << text;
        return file;
    };
    EXPECT_THAT(refused(with("[1, 2]")), test::says("{} holds no device map: it should be a JSON object such as "
                                                    "{{\"model.embed_tokens\": 0, \"model.layers.0\": \"cpu\"}}",
                                                    testing::_));
    EXPECT_NE(refused(with(R"({"model": 1.5})")).find("1.5"), std::string::npos);
    EXPECT_NE(refused(with(R"({"model": "tape"})")).find("'tape'"), std::string::npos);
    const std::string lacks = refused(with(R"({"model.layers": 0, "model.norm": "cpu"})"));
    EXPECT_THAT(lacks, test::says("the device map says of {} tensors not where they are: {}", testing::EndsWith("2"),
                                  testing::_))
        << lacks;
    EXPECT_NE(lacks.find("lm_head.weight"), std::string::npos) << lacks;
}

TEST(DeviceMap, AUnitComputesWhereMostOfItLies) {
    const std::unique_ptr<models::Model> model = model_of(golden_places().at("configs").at("llama"));
    const auto device_of_block = [&](const DeviceMap& map, std::size_t unit) {
        return execution_devices(*model, map, {.accelerator = "guarded"}).at(model->units()[unit]).index();
    };
    EXPECT_EQ(device_of_block({{"", "0"}, {"model.layers.0.mlp", "1"}}, 1), 1);
    EXPECT_EQ(device_of_block({{"", "0"}, {"model.layers.0.self_attn", "1"}}, 1), 0);
    EXPECT_EQ(device_of_block({{"", "disk"}, {"model.norm", "1"}}, 0), 1) << "the first accelerator computes the rest";
    EXPECT_TRUE(execution_devices(*model, {{"", "disk"}}, {}).at(model->units()[0]).is_cpu());
}

TEST(DeviceMap, TheHeadOfGptNeoxHasBothOfItsNames) {
    const std::unique_ptr<models::Model> model = model_of({{"model_type", "gpt_neox"},
                                                           {"architectures", {"GPTNeoXForCausalLM"}},
                                                           {"vocab_size", 32},
                                                           {"hidden_size", 16},
                                                           {"num_hidden_layers", 2},
                                                           {"num_attention_heads", 2},
                                                           {"intermediate_size", 32},
                                                           {"max_position_embeddings", 16}});
    const ModelTensor head = tensors_of(*model).back();
    ASSERT_EQ(head.name, "embed_out.weight") << "as files have it";
    for (const char* name : {"lm_head", "lm_head.weight", "embed_out", "embed_out.weight"}) {
        const DeviceMap map{{"gpt_neox", "cpu"}, {name, "disk"}};
        EXPECT_TRUE(check_device_map(*model, map).empty()) << name;
        EXPECT_EQ(place_of(head, map), "disk") << name;
        EXPECT_EQ(place_of(head, {{"", "cpu"}, {name, "disk"}}), "disk") << name;
    }
    // An inferred map uses the names of transformers 5.
    const DeviceMap inferred =
        infer_auto_device_map(*model, {.max_memory = {{"cpu", "1MB"}}, .clean_result = false}).map;
    EXPECT_TRUE(inferred.contains("lm_head"));
    EXPECT_FALSE(inferred.contains("embed_out"));
    EXPECT_EQ(place_of(head, inferred), "cpu");
}

TEST(DeviceMap, NamesThatTheModelLacksAreTold) {
    const std::unique_ptr<models::Model> model = model_of(golden_places().at("configs").at("llama_tied"));
    EXPECT_TRUE(check_device_map(*model, {{"model", "0"}, {"lm_head", "0"}, {"model.rotary_emb", "0"}}).empty());
    const std::vector<Message> notes = check_device_map(*model, {{"model", "0"}, {"decoder", "cpu"}});
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes.front().text().find("'decoder'"), std::string::npos);
}

TEST(DeviceMap, MapsOfTransformersAreRead) {
    test::TemporaryFolder folder;
    std::ofstream(folder.path() / "map.json") << R"({"model.embed_tokens": 0, "model.layers": "cpu", "": "disk"})";
    const DeviceMap map = read_device_map(folder.path() / "map.json");
    EXPECT_EQ(place_of(ModelTensor{.name = "model.embed_tokens.weight"}, map), "0");
    EXPECT_EQ(place_of(ModelTensor{.name = "model.layers.11.mlp.up_proj.weight"}, map), "cpu");
    EXPECT_EQ(place_of(ModelTensor{.name = "lm_head.weight"}, map), "disk");
    EXPECT_EQ(place_of(ModelTensor{.name = "model.layers_2.weight"}, {{"model.layers", "cpu"}}), "");
}

}  // namespace
}  // namespace trainyard::dispatch
