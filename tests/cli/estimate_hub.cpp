// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard estimate-memory org/name`: a model of a hub, of which no weights are brought.

#include <algorithm>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/hub_server.h"
#include "cli/program.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kHubToken = "hf_notToBeSeen";

/// A file of safetensors of one matrix a layer.
std::string one_matrix_each(const std::vector<std::string>& names, std::size_t metadata = 0) {
    Json header;
    std::size_t at = 0;
    for (const std::string& name : names) {
        header[name] = {{"dtype", "F32"}, {"shape", {1000, 500}}, {"data_offsets", {at, at + 2000000}}};
        at += 2000000;
    }
    if (metadata > 0)
        header["__metadata__"] = {{"words", std::string(metadata, 'x')}};
    const std::string text = header.dump();
    const std::uint64_t size = text.size();
    return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text + std::string(at, '\0');
}

class EstimateOfHub : public testing::Test {
  protected:
    Said estimate(const std::vector<std::string>& arguments, std::map<std::string, std::string> environment = {}) {
        std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard", "estimate-memory"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        environment.try_emplace("HF_ENDPOINT", hub_.address());
        environment.try_emplace("HF_HOME", folder_.path() / "huggingface");
        environment.try_emplace("TMPDIR", temporary_.path());
        environment["no_proxy"] = "*";
        const std::string folder = folder_.path();
        return Program(words,
                       [&] {
                           for (const char* name : {"HF_TOKEN", "HF_TOKEN_PATH", "HF_HUB_CACHE", "HF_HUB_OFFLINE"})
                               ::unsetenv(name);
                           for (const auto& [name, value] : environment)
                               ::setenv(name.c_str(), value.c_str(), 1);
                           if (::chdir(folder.c_str()) != 0)
                               ::_exit(126);
                       })
            .wait();
    }
    static std::string file(const std::string& name, const std::string& model = "org/name") {
        return "/" + model + "/resolve/main/" + name;
    }
    void TearDown() override { EXPECT_TRUE(fs::is_empty(temporary_.path())) << "what was brought is removed"; }

    test::TemporaryFolder folder_, temporary_;
    test::HubServer hub_;
};

TEST_F(EstimateOfHub, AConfigurationIsEnough) {
    const std::string config = R"({"model_type": "llama", "num_hidden_layers": 4})";
    hub_.put(file("config.json"), config);
    fs::create_directories(folder_.path() / "local");
    std::ofstream(folder_.path() / "local/config.json") << config;
    const std::vector<std::string> flags{"--device", "H100", "--dp_shard", "8", "--zero_stage", "3", "--json"};
    const auto with = [&](const std::string& model) {
        std::vector<std::string> words{model};
        words.insert(words.end(), flags.begin(), flags.end());
        const Said said = estimate(words);
        EXPECT_EQ(said.code, 0) << said.err;
        Json all = Json::parse(said.out);
        EXPECT_EQ(all["model"], model);
        all.erase("model");
        return all;
    };
    EXPECT_EQ(with("org/name"), with("local"));
    ASSERT_EQ(hub_.requests().size(), 1u);
    EXPECT_EQ(hub_.requests()[0].authorization, "");
    EXPECT_THAT(estimate({"org/name"}).out, HasSubstr("`org/name`"));
}

TEST_F(EstimateOfHub, OfWeightsTheHeaderAloneIsBrought) {
    hub_.put(file("model.safetensors"),
             one_matrix_each({"model.layers.0.mlp.up_proj.weight", "model.layers.1.mlp.up_proj.weight"}));
    hub_.put(file("config.json"), R"({"model_type": "of-tomorrow"})");
    Said said = estimate({"org/name", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(Json::parse(said.out)["parameter_count"], 1000000);
    EXPECT_EQ(Json::parse(said.out)["total_bytes"], 4000000);
    EXPECT_LT(hub_.sent(), 300u << 10);
    // A header that is longer than the first request, and a server that knows no ranges.
    hub_.put(file("model.safetensors"),
             one_matrix_each({"model.embed_tokens.weight", "model.layers.0.mlp.up_proj.weight",
                              "model.layers.0.mlp.down_proj.weight"},
                             1 << 20));
    for (int server = 0; server < 2; ++server, hub_.ignore_ranges()) {
        said = estimate({"org/name", "--batch", "2", "--json"});
        ASSERT_EQ(said.code, 0) << said.err;
        EXPECT_EQ(Json::parse(said.out)["parameter_count"], 1500000);
        EXPECT_EQ(Json::parse(said.out)["training"]["stages"][0]["device"]["optimizer"], 8 * 1500000);
    }
    hub_.put(file("model.safetensors"), one_matrix_each({"weight"}));
    EXPECT_THAT(estimate({"org/name", "--batch", "2"}).err,
                testing::StartsWith("trainyard: org/name has no numbered layers"));
}

TEST_F(EstimateOfHub, ShardsAreCountedTogether) {
    const std::vector<std::string> shards{"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"};
    Json index{{"metadata", {{"total_size", 6000000}}}};
    index["weight_map"] = {{"a.weight", shards[0]}, {"b.weight", shards[0]}, {"c.weight", shards[1]}};
    hub_.put(file("model.safetensors.index.json"), index.dump());
    hub_.put(file(shards[0]), one_matrix_each({"a.weight", "b.weight"}));
    EXPECT_THAT(estimate({"org/name"}).err, says("{} on {} lacks {}, which its index names", _, _, shards[1]));
    hub_.put(file(shards[1]), one_matrix_each({"c.weight"}));
    const Said said = estimate({"org/name", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(Json::parse(said.out)["parameter_count"], 1500000);
    index["weight_map"]["d.weight"] = "../../elsewhere.safetensors";
    hub_.put(file("model.safetensors.index.json"), index.dump());
    EXPECT_THAT(estimate({"org/name"}).err, says("{} of {} names no files of weights, or more than {}", _, _, _));
}

TEST_F(EstimateOfHub, TheTokenGoesToTheHubAlone) {
    hub_.redirect(file("model.safetensors"), hub_.address("localhost") + "/store/blob");
    hub_.put("/store/blob", one_matrix_each({"a.weight"}));
    Said said = estimate({"org/name"}, {{"HF_TOKEN", kHubToken}});
    ASSERT_EQ(said.code, 0) << said.err;
    ASSERT_EQ(hub_.requests().size(), 3u) << "config.json, the weights, and the place where they lie";
    for (const auto& request : hub_.requests())
        EXPECT_EQ(request.authorization, request.path == "/store/blob" ? "" : std::string("Bearer ") + kHubToken);
    fs::create_directories(folder_.path() / "huggingface");
    std::ofstream(folder_.path() / "huggingface/token") << "hf_ofTheFile\n";
    estimate({"org/name"});
    EXPECT_EQ(hub_.requests()[3].authorization, "Bearer hf_ofTheFile");
    said = estimate({"org/name"}, {{"HF_TOKEN", std::string(kHubToken) + " twice"}});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err,
                says("{} holds no access token: a token is one word of ASCII characters", EndsWith("HF_TOKEN")));
    EXPECT_THAT(said.err, Not(HasSubstr(kHubToken)));
}

TEST_F(EstimateOfHub, TheCacheOfHuggingFaceNeedsNoNetwork) {
    const fs::path cache = folder_.path() / "huggingface/hub/models--org--name";
    fs::create_directories(cache / "refs");
    fs::create_directories(cache / "snapshots/abc");
    std::ofstream(cache / "refs/main") << "abc";
    std::ofstream(cache / "snapshots/abc/config.json") << R"({"model_type": "gpt2"})";
    const Said said = estimate({"org/name", "--json"}, {{"HF_HUB_OFFLINE", "1"}});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(Json::parse(said.out)["parameter_count"], 124439808);
    EXPECT_THAT(estimate({"org/other"}, {{"HF_HUB_OFFLINE", "1"}}).err,
                says("{} is not a file or folder here, and models are not looked up on a hub while {} is set", _,
                     "HF_HUB_OFFLINE"));
    EXPECT_TRUE(hub_.requests().empty());
}

TEST_F(EstimateOfHub, WhatFailsIsOneSentence) {
    const auto problem = [&](const std::string& model, std::map<std::string, std::string> environment = {}) {
        environment["HF_TOKEN"] = kHubToken;
        const Said said = estimate({model}, environment);
        EXPECT_EQ(said.code, 2) << model;
        EXPECT_EQ(said.out, "");
        EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
        EXPECT_THAT(said.err, Not(HasSubstr(kHubToken)));
        return said.err;
    };
    EXPECT_THAT(problem("org/name"),
                says("{} on {} has neither config.json nor safetensors weights, or the model does not exist", _, _));
    EXPECT_THAT(problem("org/name", {{"HF_ENDPOINT", "http://127.0.0.1:1"}}),
                says("{} is not a file or folder here, and {} cannot be asked for a model of that name ({}): name a "
                     "recipe, a config.json, weights or the folder of a model",
                     _, _, _));
    EXPECT_THAT(problem("org/name", {{"HF_ENDPOINT", "ftp://x"}}),
                says("HF_ENDPOINT must be the address of a hub, such as https://huggingface.co"));
    EXPECT_THAT(problem("a/path/here"),
                says("{} is not a file or folder here: name a recipe, a config.json, weights, the folder of a model, "
                     "or a model on the hub, such as openai-community/gpt2",
                     "a/path/here"));
    EXPECT_THAT(problem("recipe.yaml"),
                says("{} is not a file or folder here: name a recipe, a config.json, weights, the folder of a model, "
                     "or a model on the hub, such as openai-community/gpt2",
                     "recipe.yaml"));
    hub_.put(file("model.safetensors"), std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10));
    EXPECT_THAT(problem("org/name"), HasSubstr("model.safetensors of org/name"));
    hub_.put(file("config.json"), "<html>");
    EXPECT_THAT(problem("org/name"), HasSubstr("org/name"));
    hub_.answer_with(403);
    EXPECT_THAT(problem("org/name"), says("{} is not a file or folder here, and {} has no public model of that name: "
                                          "check the name, or set HF_TOKEN to a token that may read it",
                                          _, _));
    hub_.answer_with(503);
    EXPECT_THAT(problem("org/name"), says("{} answered with status {} when it was asked for {} of {}: try again later",
                                          _, StartsWith("503"), _, _));
}

}  // namespace
}  // namespace trainyard
