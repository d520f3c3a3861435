// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard generate` with a device map: the same text as the resident model, and one sentence for each value that cannot be.

#include <fstream>

#include <ATen/core/Tensor.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "formats/weights/safetensors.h"
#include "support/golden.h"
#include "support/golden_tensors.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using nlohmann::json;
using test::Said;
using testing::HasSubstr;

Said generate(std::vector<std::string> more, const std::vector<std::string>& prompts = {"TRAIN 12"}) {
    std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard",
                                   "generate",
                                   (test::own_golden("generation") / "gpt2").string(),
                                   "--max_new_tokens",
                                   "10",
                                   "--json"};
    for (const std::string& prompt : prompts)
        words.insert(words.end(), {"--prompt", prompt});
    words.insert(words.end(), more.begin(), more.end());
    return test::Program(words).wait();
}

struct Made {
    std::string text;
    json device_map;
};

Made text_of(const Said& said) {
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    Made made;
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);) {
        const json event = json::parse(line);
        if (event.at("event") == "text")
            made.text += event.at("text").get<std::string>();
        if (event.at("event") == "ready")
            made.device_map = event.at("device_map");
        EXPECT_NE(event.at("event"), "error") << line;
    }
    return made;
}

TEST(GenerateCommand, ProcessesComputeAStageEach) {
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {}, {"--do_sample", "--seed", "7", "--temperature", "1.5"}, {"--num_beams", "3"}, {"--prompt", "12"}}) {
        const Made resident = text_of(generate(options));
        EXPECT_FALSE(resident.text.empty());
        std::vector<std::string> more = options;
        more.insert(more.end(), {"--num_processes", "2"});
        const Made staged = text_of(generate(more));
        EXPECT_EQ(staged.text, resident.text);
        EXPECT_THAT(staged.device_map.dump(), testing::AllOf(HasSubstr("\"cpu\""), HasSubstr("\"disk\"")))
            << "the first one has its own part alone";
    }
    const auto refused = [](const std::vector<std::string>& more, const std::string& words) {
        const Said said = generate(more);
        EXPECT_EQ(said.code, 2);
        EXPECT_THAT(said.out + said.err, HasSubstr(words));
    };
    refused({"--num_processes", "0"}, "--num_processes 0: give 1 to 64");
    refused({"--num_processes", "9"}, "blocks");
    refused({"--num_processes", "2", "--device-map", "auto"}, "several processes hold a stage of the model each");
}

TEST(GenerateCommand, PromptsTogetherHaveTheTextsOfEachAlone) {
    const test::TemporaryFolder folder;
    const std::vector<std::string> prompts{"TRAIN 12", "1", "2 TRAINS 12"};
    const auto texts_of = [](const Said& said) {
        EXPECT_EQ(said.code, 0) << said.out << said.err;
        std::vector<std::string> texts(3);
        std::size_t complete = 0;
        std::istringstream lines(said.out);
        for (std::string line; std::getline(lines, line);) {
            const json event = json::parse(line);
            EXPECT_NE(event.at("event"), "error") << line;
            if (event.at("event") == "text")
                texts.at(event.at("prompt")) += event.at("text").get<std::string>();
            if (event.at("event") == "done") {
                EXPECT_EQ(event.at("prompt"), complete);
                ++complete;
            }
        }
        EXPECT_EQ(complete, 3u);
        return texts;
    };
    const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    const std::string file = (folder.path() / "logits.safetensors").string();
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {}, {"--top_p", "0.8", "--top_p_decay", "0.5", "--temperature", "0.9"}}) {
        std::vector<std::string> alone;
        for (const std::string& prompt : prompts)
            alone.push_back(text_of(generate(options, {prompt})).text);
        EXPECT_EQ(texts_of(generate(with(options, {"--batch"}), prompts)), alone);
        EXPECT_EQ(texts_of(generate(with(options, {"--batch", "--num_processes", "2"}), prompts)), alone);
        EXPECT_EQ(texts_of(generate(with(options, {"--return_logits", file}), prompts)), alone);
        const weights::SafetensorsFile logits(file);
        for (int i = 0; i < 3; ++i) {
            const at::Tensor tokens = test::golden_tensor(logits, fmt::format("{}.tokens", i)),
                             values = test::golden_tensor(logits, fmt::format("{}.logits", i));
            EXPECT_EQ(values.sizes(), at::IntArrayRef({10, 96}));
            EXPECT_TRUE(!options.empty() || values.argmax(-1).equal(tokens)) << "greedy";
        }
    }
    const auto refused = [&](const std::vector<std::string>& more, const std::string& words) {
        const Said said = generate(more, prompts);
        EXPECT_EQ(said.code, 2) << words;
        EXPECT_THAT(said.out + said.err, HasSubstr(words));
    };
    refused({"--batch", "--chat"}, "--chat");
    refused({"--return_logits", file, "--chat"}, "--chat");
    const Said beams = generate({"--batch", "--num_beams", "2"}, prompts);
    EXPECT_THAT(beams.out, HasSubstr("beam search continues one prompt at a time"));
    const Said nowhere = generate({"--return_logits", (folder.path() / "none" / "logits").string()}, prompts);
    EXPECT_THAT(nowhere.out, HasSubstr("\"event\":\"error\""));
}

TEST(GenerateCommand, TheSameTextWhereverTheWeightsLie) {
    const Made resident = text_of(generate({}));
    EXPECT_FALSE(resident.text.empty());
    EXPECT_EQ(resident.device_map, json({{"", "cpu"}}));
    test::TemporaryFolder folder;
    const Made limited = text_of(generate({"--max-memory", "cpu=100KB", "--offload-folder", folder.path().string()}));
    EXPECT_EQ(limited.text, resident.text);
    EXPECT_THAT(limited.device_map.dump(), HasSubstr("disk"));
    EXPECT_THAT(limited.device_map.dump(), HasSubstr("cpu"));
    EXPECT_EQ(text_of(generate({"--device_map", "disk", "--dtype", "auto"})).text, resident.text);
    std::ofstream(folder.path() / "map.json")
        << R"({"transformer.wte": "cpu", "transformer": "disk", "lm_head": "cpu"})";
    EXPECT_EQ(text_of(generate({"--device-map", (folder.path() / "map.json").string()})).text, resident.text);
    EXPECT_EQ(text_of(generate({"--device-map", "balanced", "--max-memory", "0=70KB,1=70KB,cpu=60KB", "--device",
                                "guarded", "--device-library", TRAINYARD_GUARDED_DEVICE}))
                  .text,
              resident.text);
    text_of(generate({"--device-map", "disk", "--dtype", "bfloat16"}));
    text_of(generate({"--dtype", "bfloat16", "--storage-dtype", "float8_e4m3fn"}));
}

/// Issue 3665 of huggingface/accelerate: a path that no shell has expanded.
TEST(GenerateCommand, ATildeIsTheHomeFolder) {
    const test::TemporaryFolder home;
    std::filesystem::create_directory_symlink(test::own_golden("generation") / "gpt2", home.path() / "gpt2");
    const Said said = test::Program({TRAINYARD_BIN_DIR "/trainyard", "generate", "~/gpt2", "--max_new_tokens", "10",
                                     "--json", "--prompt", "TRAIN 12"},
                                    [&] { ::setenv("HOME", home.path().c_str(), 1); })
                          .wait();
    EXPECT_EQ(text_of(said).text, text_of(generate({})).text);
}

TEST(GenerateCommand, WhatCannotBeIsOneSentence) {
    const auto refused = [](std::vector<std::string> flags) {
        const Said said = generate(std::move(flags));
        EXPECT_EQ(said.code, 2) << said.out;
        return said.out + said.err;
    };
    EXPECT_THAT(refused({"--device-map", "everywhere"}),
                test::says("device_map '{}' is neither auto, balanced, balanced_low_0, sequential, a device (cpu, "
                           "disk, 0, cuda:1), nor a JSON file with a map",
                           "everywhere"));
    EXPECT_THAT(refused({"--max-memory", "cpu"}), HasSubstr("--max-memory cpu"));
    EXPECT_THAT(refused({"--max-memory", "cpu=much"}), HasSubstr("cpu=much"));
    EXPECT_THAT(refused({"--max-memory", "tape=1GB"}), HasSubstr("'tape'"));
    EXPECT_THAT(refused({"--dtype", "int3"}), HasSubstr("dtype 'int3'"));
    EXPECT_THAT(
        refused({"--storage-dtype", "int8"}),
        test::says(
            "storage_dtype '{}' is not supported for weights: use float8_e4m3fn, float8_e5m2, bfloat16 or float16",
            "int8"));
    EXPECT_THAT(refused({"--device-map", "abacus:0"}), HasSubstr("abacus"));
    EXPECT_THAT(refused({"--top_p", "2"}), HasSubstr("top_p")) << "a request that fails after the model was read";
}

}  // namespace
}  // namespace trainyard
