// SPDX-License-Identifier: GPL-3.0-or-later
// Where texts end and what generation_config.json and config.json say of them, as transformers' generate()
// (golden/generation_defaults).

#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "inference/generate/language_model.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "worker/prompt_requests.h"

namespace trainyard::generate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::says;
using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// A copy of the golden model with fields of config.json changed; without a generation_config.json where it is null.
void write_model(const fs::path& folder, const json& config, const json& generation) {
    const fs::path model = test::golden("generation_defaults") / "model";
    json fields = json::parse(read_file(model / "config.json"));
    fields.update(config);
    fs::create_symlink(model / "model.safetensors", folder / "model.safetensors");
    write_file_atomically(folder / "config.json", fields.dump());
    if (!generation.is_null())
        write_file_atomically(folder / "generation_config.json", generation.dump());
}

TEST(GoldenGenerationDefaults, TextsOfTransformers) {
    const json all = json::parse(read_file(test::golden("generation_defaults") / "cases.json"));
    for (const json& one : all) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        test::TemporaryFolder folder;
        write_model(folder.path(), one.at("config"), one.at("generation"));
        const LanguageModel model({folder.path(), {}, {}});
        json request = one.at("options");
        request["prompt"] = "A";
        const worker::PromptRequest asked = worker::parse_prompt_request(request.dump(), model.default_options());
        EXPECT_EQ(model.vocabulary().decode(model.generate(asked.prompt, asked.options).tokens),
                  one.at("expected").get<std::string>());
    }
    EXPECT_FALSE(all.empty());
}

TEST(GenerationDefaults, WhatIsNotComputedIsNamed) {
    const auto notes = [](const json& config, const json& generation) {
        test::TemporaryFolder folder;
        write_file_atomically(folder.path() / "config.json", config.dump());
        if (!generation.is_null())
            write_file_atomically(folder.path() / "generation_config.json", generation.dump());
        return read_generation_defaults(folder.path()).notes;
    };
    EXPECT_THAT(notes({{"eos_token_id", 3}}, {{"eos_token_id", 3}, {"suppress_tokens", {1, 2}}, {"min_length", 0}}),
                ElementsAre(says("{}: {} is {}, which is not used: {}", _, EndsWith("suppress_tokens"), "[1,2]", _)));
    EXPECT_THAT(notes({{"eos_token_id", 3}}, {{"eos_token_id", 3}, {"typical_p", 1.0}, {"bad_words_ids", nullptr}}),
                IsEmpty());
    EXPECT_THAT(notes({{"eos_token_id", 3}}, {{"temperature", 0.5}}),
                ElementsAre(says("{} names no eos_token_id, so texts end at no token, as in transformers; the {} of "
                                 "config.json is not used: write it there, too",
                                 _, 3)));
    EXPECT_THAT(notes({{"no_repeat_ngram_size", 3}}, nullptr),
                ElementsAre(says("{}: {} is {}, which is not used: {}", EndsWith("config.json"), "no_repeat_ngram_size",
                                 3, _)));
    EXPECT_THAT(notes(json::object(), {{"do_sample", true}, {"num_beams", 4}}),
                ElementsAre(says("beams draw nothing here")));
    EXPECT_THAT(notes(json::object(), {{"temperature", 0.0}, {"top_p", 1.5}}),
                ElementsAre(says("{}: {} is {}, which is not used: {}", _, EndsWith("temperature"), "0.0", _),
                            HasSubstr("top_p")));
}

TEST(GenerationDefaults, AValueOfAWrongTypeIsRefusedWithFileAndKey) {
    const auto message = [](const json& generation) -> std::string {
        test::TemporaryFolder folder;
        write_file_atomically(folder.path() / "generation_config.json", generation.dump());
        try {
            (void)read_generation_defaults(folder.path());
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(message({{"eos_token_id", "</s>"}}),
                says("{}: {} is {} and must be {}", EndsWith("generation_config.json"), "eos_token_id",
                     StartsWith("\"</s>\""), _));
    EXPECT_THAT(message({{"eos_token_id", {1, "2"}}}), says("a token id, a list of token ids, or null"));
    EXPECT_THAT(message({{"do_sample", 1}}),
                says("{}: {} is {} and must be {}", _, EndsWith("do_sample"), 1, says("true or false").at_start()));
    EXPECT_THAT(message({{"temperature", "hot"}}), says("a number"));
    EXPECT_THAT(message(json::array()), says("{} is not a JSON object: repair or remove it", _));
}

TEST(GenerationDefaults, ARequestDecidesBetweenDrawsAndBeams) {
    GenerationOptions defaults;
    defaults.do_sample = true;
    defaults.temperature = 0.5;
    worker::PromptRequest request = worker::parse_prompt_request(R"({"prompt": "A", "num_beams": 3})", defaults);
    EXPECT_FALSE(request.options.do_sample);
    EXPECT_EQ(request.options.num_beams, 3);
    EXPECT_EQ(request.options.temperature, 0.5);
    defaults.do_sample = false;
    defaults.num_beams = 4;
    request = worker::parse_prompt_request(R"({"prompt": "A", "do_sample": true})", defaults);
    EXPECT_TRUE(request.options.do_sample);
    EXPECT_EQ(request.options.num_beams, 1);
}

}  // namespace
}  // namespace trainyard::generate
