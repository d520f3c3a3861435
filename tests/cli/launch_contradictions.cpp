// SPDX-License-Identifier: GPL-3.0-or-later
// Contradictions of a sharded training are refused before any rank starts, with the same words wherever they come from:
// the recipe, a settings file, flags. tests/accelerator/plugins.cpp has those of a program's Accelerator.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "cli/program.h"
#include "launch/fake_run.h"
#include "support/says.h"

namespace trainyard::cli {
namespace {

using test::says;
using testing::EndsWith;
using testing::StartsWith;

struct Contradiction {
    std::string what;
    std::vector<std::string> recipe;  ///< keys and values; empty: a recipe cannot say it
    std::string file;                 ///< YAML of the settings besides the number of ranks
    std::vector<std::string> flags;
    test::SaysMatcher words;
};

const std::vector<Contradiction>& contradictions() {
    static const std::string second = "distributed_type: FSDP\nfsdp_config: {fsdp_version: 2";
    static const std::vector<std::string> flags{"--use_fsdp", "--fsdp_version", "2"};
    const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    static const std::vector<Contradiction> all{
        {"replicas of shards on 3 ranks",
         {"parallel.zero_stage=3", "parallel.dp_replicate_size=2", "parallel.dp_shard_size=2"},
         second + "}\nparallelism_config: {parallelism_config_dp_replicate_size: 2, "
                  "parallelism_config_dp_shard_size: 2}\n",
         with(flags, {"--use_parallelism_config", "--parallelism_config_dp_replicate_size", "2",
                      "--parallelism_config_dp_shard_size", "2"}),
         says("the mesh of {}, {} replicas and {} needs {} ranks instead of {}: start {} ranks, or change "
              "dp_replicate_size or dp_shard_size",
              "1 stage", 2, "2 shards", 4, 3, 4)},
        {"a degree that does not divide 3 ranks",
         {"parallel.tp_size=2"},
         second + "}\nparallelism_config: {parallelism_config_tp_size: 2}\n",
         with(flags, {"--use_parallelism_config", "--parallelism_config_tp_size", "2"}),
         says("{} cannot be divided into groups of {} ranks that share each layer: start a multiple of {} ranks, or "
              "change tp_size",
              EndsWith("3 ranks"), 2, 2)},
        {"a copy on each of 2 machines with 3 ranks",
         {},
         "distributed_type: FSDP\nnum_machines: 2\nmachine_rank: 0\nmain_process_ip: 127.0.0.1\n"
         "main_process_port: 29500\nfsdp_config: {fsdp_version: 1, fsdp_sharding_strategy: HYBRID_SHARD}\n",
         {"--use_fsdp", "--fsdp_sharding_strategy", "HYBRID_SHARD", "--num_machines", "2", "--machine_rank", "0",
          "--main_process_ip", "127.0.0.1", "--main_process_port", "29500"},
         says("{} cannot be divided evenly among {} machines: start a multiple of {}", EndsWith("3 processes"), 2,
              StartsWith("2"))},
        {"a class that the model does not have",
         {},
         second + ", fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP, "
                  "fsdp_transformer_layer_cls_to_wrap: LlamaDecoderLayer}\n",
         with(flags, {"--fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP", "--fsdp_transformer_layer_cls_to_wrap",
                      "LlamaDecoderLayer"}),
         says("the model has no class {}: use {}", EndsWith("LlamaDecoderLayer"), StartsWith("GPT2Block"))},
    };
    return all;
}

class LaunchContradictions : public ::testing::Test {
  protected:
    void expect_refused(const Contradiction& what, const std::string& surface, std::vector<std::string> words) {
        SCOPED_TRACE(what.what + ", by " + surface);
        words.insert(words.begin(), "launch");
        words.push_back(fake_.recipe());
        const test::Said said = test::trainyard(words);
        EXPECT_EQ(said.code, 2);
        EXPECT_THAT(said.err, what.words);
        EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
        EXPECT_TRUE(!std::filesystem::exists(fake_.runs()) || std::filesystem::is_empty(fake_.runs()));
    }
    std::string settings(const std::string& text) {
        const std::filesystem::path file = fake_.recipe().parent_path() / "settings.yaml";
        write_file_atomically(file, "num_processes: 3\n" + text, false);
        return file.string();
    }

    test::FakeRun fake_;
};

TEST_F(LaunchContradictions, AreRefusedByEverySurfaceWithTheSameWords) {
    for (const Contradiction& each : contradictions()) {
        std::vector<std::string> words{"--num_processes", "3"};
        for (const std::string& key : each.recipe)
            words.insert(words.end(), {"--set", key});
        if (!each.recipe.empty())
            expect_refused(each, "the recipe", words);
        expect_refused(each, "a settings file", {"--config_file", settings(each.file)});
        words = {"--num_processes", "3"};
        words.insert(words.end(), each.flags.begin(), each.flags.end());
        expect_refused(each, "flags", words);
    }
}

}  // namespace
}  // namespace trainyard::cli
