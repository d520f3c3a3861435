// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of transformers' generate() with a tiny model, token by token, and the probabilities that draws have
// (golden/generation).

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "inference/generate/language_model.h"
#include "models/spec/tasks.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::generate {
namespace {

using nlohmann::json;

json golden_cases() {
    std::ifstream file(test::golden("generation") / "cases.json");
    return json::parse(file);
}

GenerationOptions options_of(const json& given) {
    GenerationOptions options;
    options.top_k = 0;
    for (const auto& [key, value] : given.items()) {
        if (key == "max_new_tokens")
            options.max_new_tokens = value;
        else if (key == "repetition_penalty")
            options.repetition_penalty = value;
        else if (key == "num_beams")
            options.num_beams = value;
        else if (key == "length_penalty")
            options.length_penalty = value;
        else if (key == "early_stopping")
            options.early_stopping = value;
        else if (key == "temperature")
            options.temperature = value;
        else if (key == "top_k")
            options.top_k = value;
        else if (key == "top_p")
            options.top_p = value;
        else if (key == "eos_token_id")
            options.eos_token_ids =
                value.is_array() ? value.get<std::vector<std::int64_t>>() : std::vector{value.get<std::int64_t>()};
        else
            ADD_FAILURE() << "an option that is not known: " << key;
    }
    return options;
}

TEST(GoldenGeneration, GreedyAndBeams) {
    const LanguageModel model({test::golden("generation") / "gpt2", {}, {}});
    std::size_t seen = 0;
    const json all = golden_cases();
    for (const json& one : all.at("cases")) {
        SCOPED_TRACE(one.at("name").get<std::string>() + " " + one.at("prompt").dump());
        std::vector<std::int64_t> told;
        const Generated made =
            generate(model.model(), one.at("prompt"), model.context(), at::kCPU, options_of(one.at("options")),
                     [&](std::int64_t token) { return told.push_back(token), true; });
        EXPECT_EQ(json(made.tokens), one.at("expected"));
        EXPECT_EQ(told, made.tokens);
        ++seen;
    }
    EXPECT_GT(seen, 0u);
}

/// The prompts of each case of transformers, of 1, 3 and 8 tokens, together.
TEST(GoldenGeneration, PromptsTogether) {
    const LanguageModel model({test::golden("generation") / "gpt2", {}, {}});
    std::map<std::string, std::vector<json>> by_name;
    const json all = golden_cases();
    for (const json& one : all.at("cases"))
        by_name[one.at("name")].push_back(one);
    std::size_t seen = 0;
    for (const auto& [name, cases] : by_name) {
        SCOPED_TRACE(name);
        GenerationOptions options = options_of(cases.front().at("options"));
        std::vector<std::vector<std::int64_t>> prompts, reported(cases.size());
        for (const json& one : cases)
            prompts.push_back(one.at("prompt"));
        const auto continue_all = [&] {
            return generate_batch(model.model(), prompts, model.context(), at::kCPU, options,
                                  [&](std::size_t prompt, std::int64_t token) {
                                      reported[prompt].push_back(token);
                                      return true;
                                  });
        };
        if (options.num_beams > 1) {
            EXPECT_THAT([&] { continue_all(); },
                        testing::ThrowsMessage<InvalidInput>(test::says("beam search continues one prompt at a time: "
                                                                        "give one prompt, or set num_beams to 1")));
            continue;
        }
        options.return_logits = true;
        const std::vector<Generated> made = continue_all();
        ASSERT_EQ(made.size(), cases.size());
        for (std::size_t i = 0; i < cases.size(); ++i) {
            EXPECT_EQ(json(made[i].tokens), cases[i].at("expected")) << i;
            EXPECT_EQ(reported[i], made[i].tokens);
            const Generated alone = generate(model.model(), prompts[i], model.context(), at::kCPU, options);
            EXPECT_EQ(made[i].end, alone.end);
            ASSERT_EQ(alone.logits.sizes(), at::IntArrayRef({std::ssize(alone.tokens), 96}));
            EXPECT_LT(made[i].logits.sub(alone.logits).abs().max().item<double>(), 1e-4);
            const at::Tensor likeliest = alone.logits.argmax(-1);
            EXPECT_TRUE(options.repetition_penalty != 1 || likeliest.equal(at::tensor(alone.tokens, at::kLong)));
            ++seen;
        }
    }
    EXPECT_GT(seen, 6u);
}

/// Every decoder has the same texts, with masks and positions of its own kind.
TEST(Generation, PromptsTogetherAreThoseOfEachAlone) {
    std::set<std::string> families;
    for (const auto& entry : std::filesystem::directory_iterator(test::golden("models"))) {
        SCOPED_TRACE(entry.path().filename());
        const LoadedModel model({entry.path(), {}, {}});
        if (model.config().task != families::kCausalLm)
            continue;
        const std::vector<std::vector<std::int64_t>> prompts{{5, 6, 7, 8, 9, 10, 11}, {9}, {3, 4, 5}, {8, 7, 9}};
        GenerationOptions options;
        options.max_new_tokens = 6;
        for (const bool draws : {false, true}) {
            options.do_sample = draws;
            options.seed = 3;
            const auto alone = [&](std::size_t i) {
                return generate(model.model(), prompts[i], model.config().n_positions, at::kCPU, options);
            };
            // A token that one of the texts contains: its row leaves the batch early.
            options.eos_token_ids.clear();
            options.eos_token_ids = {alone(1).tokens.at(2)};
            options.return_logits = true;
            const std::vector<Generated> made =
                generate_batch(model.model(), prompts, model.config().n_positions, at::kCPU, options);
            for (std::size_t i = 0; i < prompts.size(); ++i) {
                const Generated one = alone(i);
                EXPECT_EQ(made[i].tokens, one.tokens) << draws << i;
                EXPECT_LT(made[i].logits.sub(one.logits).abs().max().item<double>(), 1e-4) << draws << i;
            }
            EXPECT_LE(made[1].tokens.size(), 3u);
        }
        families.insert(model.config().model_type);
    }
    EXPECT_GE(families.size(), 8u);
}

TEST(Generation, WhatABatchCannotDoIsOneMessage) {
    const LanguageModel model({test::golden("generation") / "gpt2", {}, {}});
    const auto refused = [&](const std::vector<std::vector<std::int64_t>>& prompts, const auto& change) -> std::string {
        GenerationOptions options;
        change(options);
        try {
            generate_batch(model.model(), prompts, model.context(), at::kCPU, options);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    const auto unchanged = [](GenerationOptions&) {};
    EXPECT_EQ(refused({{1}, {2, 3}}, [](GenerationOptions& options) { options.max_new_tokens = 1; }), "");
    EXPECT_EQ(refused({}, unchanged), "");
    EXPECT_THAT(refused({{1}, {}}, unchanged), test::says("the prompt is empty: give at least one token"));
    EXPECT_THAT(refused({{1}, std::vector<std::int64_t>(64, 1)}, unchanged),
                test::says("the prompt has {} tokens, and the model sees {}: shorten it", 64, 64));
    EXPECT_THAT(refused({{1, 2}},
                        [](GenerationOptions& options) {
                            options.num_beams = 2;
                            options.return_logits = true;
                        }),
                test::says("the tokens of a beam have no logits of one text: set num_beams to 1"));
    const std::string both = refused({{1}, {2}}, [](GenerationOptions& options) {
        options.num_beams = 2;
        options.top_p = 2;
    });
    EXPECT_THAT(both, testing::HasSubstr("top_p"));
    EXPECT_THAT(both, testing::HasSubstr("num_beams"));
}

TEST(GoldenGeneration, ProbabilitiesOfDraws) {
    std::size_t seen = 0;
    const json all = golden_cases();
    for (const json& one : all.at("draws")) {
        SCOPED_TRACE(one.at("options").dump());
        GenerationOptions options = options_of(one.at("options"));
        options.do_sample = true;
        const at::Tensor logits = at::tensor(one.at("logits").get<std::vector<float>>());
        const std::vector<Candidate> ours = candidates(logits, options);
        const json& expected = one.at("expected");
        ASSERT_EQ(ours.size(), expected.size());
        std::vector<double> counted(static_cast<std::size_t>(logits.numel()), 0);
        constexpr int kDraws = 20000;
        for (int draw = 0; draw < kDraws; ++draw)
            counted[static_cast<std::size_t>(choose(logits, options, draw))] += 1.0 / kDraws;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            EXPECT_EQ(ours[i].token, expected[i][0].get<std::int64_t>());
            const double share = expected[i][1];
            EXPECT_NEAR(ours[i].probability, share, 1e-6);
            // Five standard deviations of a share of so many draws.
            EXPECT_NEAR(counted[static_cast<std::size_t>(ours[i].token)], share,
                        5 * std::sqrt(share * (1 - share) / kDraws) + 1e-9);
        }
        ++seen;
    }
    EXPECT_GT(seen, 0u);
}

/// Megatron-LM multiplies top_p after each token. Small enough, it leaves the likeliest token alone.
TEST(Generation, TopPDecaysFromTokenToToken) {
    const LanguageModel model({test::golden("generation") / "gpt2", {}, {}});
    const std::vector<std::int64_t> prompt{5, 6, 7};
    GenerationOptions options;
    options.max_new_tokens = 8;
    options.do_sample = true;
    options.top_k = 0;
    options.top_p = 0.9;
    const auto text = [&](const GenerationOptions& how, const std::vector<std::int64_t>& from) {
        return generate(model.model(), from, model.context(), at::kCPU, how).tokens;
    };
    std::size_t differ = 0;
    for (options.seed = 1; options.seed < 6; ++options.seed) {
        GenerationOptions decaying = options;
        decaying.top_p_decay = 1e-6;
        const std::vector<std::int64_t> made = text(decaying, prompt), plain = text(options, prompt);
        EXPECT_EQ(made.front(), plain.front()) << "the first draw has the whole top_p";
        std::vector<std::int64_t> begun = prompt;
        begun.push_back(made.front());
        GenerationOptions greedy;
        greedy.max_new_tokens = 7;
        const std::vector<std::int64_t> rest = text(greedy, begun);
        EXPECT_EQ(std::vector<std::int64_t>(made.begin() + 1, made.end()), rest);
        decaying.top_p_bound = 0.9;
        EXPECT_EQ(text(decaying, prompt), plain) << "it does not fall";
        differ += made != plain ? 1 : 0;
    }
    EXPECT_GT(differ, 0u);
    options.top_p_decay = 0.5;
    EXPECT_DOUBLE_EQ(options_of_draw(options, 2).top_p, 0.225);
    GenerationOptions wrong;
    wrong.top_p_decay = 1.5;
    EXPECT_THROW(text(wrong, prompt), InvalidInput);
}

TEST(Generation, APromptBeginsWithTheTokenOfABeginning) {
    const test::TemporaryFolder folder;
    const std::filesystem::path copy = folder.path() / "gpt2";
    std::filesystem::copy(test::golden("generation") / "gpt2", copy);
    GenerationOptions options;
    options.max_new_tokens = 6;
    options.add_bos = true;
    EXPECT_THROW(LanguageModel({copy, {}, {}}).generate("TRAIN 12", options), UserError) << "no file names it";
    options.add_bos = false;
    constexpr std::int64_t first = 3;
    std::ofstream(copy / "generation_config.json") << R"({"bos_token_id": 3})";
    const LanguageModel model({copy, {}, {}});
    ASSERT_EQ(model.bos_token(), first);
    std::vector<std::int64_t> tokens = model.vocabulary().encode("TRAIN 12");
    ASSERT_NE(tokens.front(), first);
    tokens.insert(tokens.begin(), first);
    const std::vector<std::int64_t> wanted = generate(model.model(), tokens, model.context(), at::kCPU, options).tokens;
    options.add_bos = true;
    options.eos_token_ids = {-1};
    EXPECT_EQ(model.generate("TRAIN 12", options).tokens, wanted);
    options.add_bos = false;
    EXPECT_NE(model.generate("TRAIN 12", options).tokens, wanted);
}

}  // namespace
}  // namespace trainyard::generate
