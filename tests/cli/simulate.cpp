// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard simulate`: text and JSON of a step on many ranks, and what it refuses.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::Program;
using test::Said;
using test::says;
using testing::HasSubstr;

class Simulate : public testing::Test {
  protected:
    Simulate() {
        std::ofstream(folder_.path() / "config.json")
            << R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
                   "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256})";
        std::ofstream(folder_.path() / "recipe.yaml")
            << "model: {n_layer: 4, n_head: 4, n_embd: 64, vocab_size: 256, n_positions: 64}\n"
               "data: {path: a, sequence_length: 64}\n"
               "training: {batch_size: 4, gradient_accumulation_steps: 4}\n"
               "parallel: {pp_size: 2, tp_size: 2}\n";
    }
    Said simulate(std::vector<std::string> words, const char* file) {
        words.insert(words.begin(), {TRAINYARD_BIN_DIR "/trainyard", "simulate", (folder_.path() / file).string()});
        return Program(words).wait();
    }
    test::TemporaryFolder folder_;
};

TEST_F(Simulate, FourThousandRanks) {
    const Said said = simulate(
        {"--device", "H100", "--num_processes", "4096", "--pp", "8", "--tp", "8", "--accumulation", "32", "--json"},
        "config.json");
    ASSERT_EQ(said.code, 0) << said.err;
    const Json step = Json::parse(said.out);
    EXPECT_EQ(step["mesh"],
              Json({{"pp", 8}, {"dp_replicate", 64}, {"dp_shard", 1}, {"cp", 1}, {"sp", 1}, {"tp", 8}, {"ep", 1}}));
    ASSERT_EQ(step["all_ranks"].size(), 4096u);
    EXPECT_EQ(step["all_ranks"][4095]["place"], "pp 7, dp_replicate 63, tp 7");
    EXPECT_EQ(step["all_ranks"][4095]["host"], 511);
    EXPECT_EQ(step["all_ranks"][9]["memory"], step["stages"][0]["memory"]);
    double inside = 0, between = 0;
    for (const Json& link : step["links"])
        (link["from"] == link["to"] ? inside : between) += link["bytes"].get<double>();
    EXPECT_NEAR(inside, step["sent_inside_hosts"].get<double>(), 1);
    EXPECT_NEAR(between, step["sent_between_hosts"].get<double>(), 1);
    EXPECT_GT(step["seconds"].get<double>(), 0);
    // A link that is twice as slow makes a step that exchanges longer.
    const Json slower = Json::parse(simulate({"--device", "H100", "--num_processes", "4096", "--pp", "8", "--tp", "8",
                                              "--accumulation", "32", "--json", "--link_rate", "1"},
                                             "config.json")
                                        .out);
    EXPECT_GT(slower["seconds"].get<double>(), 2 * step["seconds"].get<double>());
}

TEST_F(Simulate, ARecipeOnThisMachine) {
    const Said said = simulate({"--num_processes", "8"}, "recipe.yaml");
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("pp 2 × dp_replicate 2 × tp 2"));
    EXPECT_THAT(said.out, HasSubstr("rank 7 (pp 1, dp_replicate 1, tp 1) on host 0"));
    EXPECT_THAT(said.out, HasSubstr("tp all_reduce of 2 ranks"));
}

TEST_F(Simulate, RefusesWhatDoesNotDivide) {
    const Said heads = simulate({"--num_processes", "6", "--tp", "3", "--pp", "1"}, "recipe.yaml");
    EXPECT_EQ(heads.code, 2);
    const Said ranks = simulate({"--num_processes", "6"}, "recipe.yaml");
    EXPECT_EQ(ranks.code, 2);
    EXPECT_THAT(ranks.err, says("the mesh of {} needs a multiple of {} ranks instead of {}: start {} ranks, or change "
                                "the size",
                                "2 stages with layers shared by 2 ranks", 4, 6, 8));
    const Said mesh = simulate({"--num_processes", "12", "--tp", "8"}, "config.json");
    EXPECT_EQ(mesh.code, 2);
    static constexpr char kLiteral[] =
        "--num_processes {}: the mesh of pp {} × dp_replicate {} × dp_shard {} × cp {} × sp {} × tp {} has {} ranks: "
        "give a multiple of them, or other sizes";
    EXPECT_THAT(mesh.err, says(kLiteral, 12, 1, 1, 1, 1, 1, 8, 8));
    // Every rank of a sequence that is shared has its own place in the mesh.
    const Said sequences =
        simulate({"--num_processes", "8", "--dp_shard", "8", "--cp", "8", "--zero_stage", "3"}, "config.json");
    EXPECT_THAT(sequences.err, says(kLiteral, 8, 1, 1, 8, 8, 1, 1, 64));
    // Shards that are fewer than the ranks are replicated.
    const Said copies = simulate({"--num_processes", "8", "--dp_shard", "4", "--zero_stage", "3"}, "config.json");
    EXPECT_THAT(copies.out, HasSubstr("One step of 8 ranks"));
    EXPECT_THAT(copies.out, HasSubstr("dp_replicate 2 × dp_shard 4"));
}

}  // namespace
}  // namespace trainyard
