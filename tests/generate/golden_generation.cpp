// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of transformers' generate() with a tiny model, token by token, and the probabilities that draws have (golden/generation).

#include <filesystem>
#include <fstream>

#include <ATen/ops/tensor.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "inference/generate/language_model.h"
#include "support/golden.h"

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

}  // namespace
}  // namespace trainyard::generate
