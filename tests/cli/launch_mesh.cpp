// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh that cannot be is refused with one message that has the key and the numbers, before any rank starts, and the
// message is the same for keys of a recipe, --set, a settings file and flags.

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/recipe_plan.h"

namespace trainyard::cli {
namespace {

using test::Said;

struct BadMesh {
    const char* what;
    int ranks;
    const char* model;  ///< flow YAML
    std::map<std::string, std::string> recipe;
    std::map<std::string, std::string> settings;  ///< that ask for the same; empty: none can
    const char* message;
};

const std::string kMegatron = "megatron_lm_config.megatron_lm_";

const std::vector<BadMesh>& bad_meshes() {
    static const std::string kUndivided = "{n_head: 3, n_embd: 48}", kGpt2 = "{n_layer: 2}",
                             kMixtral = "{model_type: mixtral, num_local_experts: 6}";
    static const std::vector<BadMesh> all{
        {"sizes that do not multiply to the ranks",
         4,
         "{n_head: 4}",
         {{"parallel.tp_size", "2"}, {"parallel.dp_replicate_size", "3"}},
         {},
         "parallel.dp_replicate_size: the mesh of 1 stage with layers shared by 2 ranks and 3 replicas needs 6 ranks, "
         "and 4 are started: start 6 ranks, or make the size 2"},
        {"pipelines that do not divide the ranks",
         3,
         "{n_layer: 4}",
         {{"parallel.pp_size", "2"}, {"training.gradient_accumulation_steps", "2"}},
         {},
         "parallel.pp_size: 3 ranks cannot be shared among pipelines of 2 stages: start a multiple of 2 ranks, or "
         "change pp_size"},
        {"heads that do not divide",
         2,
         kUndivided.c_str(),
         {{"parallel.tp_size", "2"}},
         {{kMegatron + "tp_degree", "2"}},
         "parallel.tp_size: 2: model.n_head (3) does not divide among the ranks: take a divisor of 3"},
        {"a vocabulary smaller than the ranks",
         4,
         "{n_head: 4, vocab_size: 3}",
         {{"parallel.tp_size", "4"}},
         {{kMegatron + "tp_degree", "4"}},
         "parallel.tp_size: 4: model.vocab_size (3) is less than one for each rank: take at most 3"},
        {"shared sequences without causal attention",
         2,
         "{model_type: bert, task: masked_lm}",
         {{"parallel.cp_size", "2"}},
         {{kMegatron + "context_parallel_size", "2"}},
         "parallel.cp_size: 2: ranks share sequences of models with causal attention that are trained as causal_lm, "
         "and this is bert, trained as masked_lm: set it to 1"},
        {"sequences that do not divide",
         2,
         kGpt2.c_str(),
         {{"parallel.cp_size", "2"}, {"data.sequence_length", "30"}},
         {},
         "parallel.cp_size: 2: data.sequence_length (30) does not divide into two chunks for each rank: make it a "
         "multiple of 4"},
        {"positions of ranks that share layers",
         2,
         "{n_head: 4}",
         {{"parallel.tp_size", "2"}, {"parallel.tp_sequence_parallel", "true"}, {"data.sequence_length", "31"}},
         {},
         "parallel.tp_sequence_parallel: data.sequence_length (31) does not divide among 2 ranks: make it a multiple "
         "of 2"},
        {"stages without blocks",
         4,
         kGpt2.c_str(),
         {{"parallel.pp_size", "4"}, {"training.gradient_accumulation_steps", "4"}},
         {{kMegatron + "pp_degree", "4"}, {kMegatron + "num_micro_batches", "4"}},
         "parallel.pp_size: 4 pipeline stages cannot be cut from a model of 2 blocks (model.n_layer): give from 1 to "
         "2"},
        {"experts of a model without",
         2,
         kGpt2.c_str(),
         {{"parallel.ep_size", "2"}},
         {{kMegatron + "expert_model_parallel_size", "2"}},
         "parallel.ep_size: 2: ranks divide the experts of a model among themselves, and gpt2 has none: set it to 1, "
         "or take a model with experts, such as mixtral"},
        {"experts that do not divide",
         4,
         kMixtral.c_str(),
         {{"parallel.ep_size", "4"}},
         {{kMegatron + "expert_model_parallel_size", "4"}},
         "parallel.ep_size: 4: 6 experts do not divide among the ranks: take a divisor of 6"},
        {"experts on more than the data ranks",
         4,
         "{model_type: mixtral, num_local_experts: 4, num_attention_heads: 4, num_key_value_heads: 4}",
         {{"parallel.ep_size", "4"}, {"parallel.tp_size", "2"}},
         {{kMegatron + "expert_model_parallel_size", "4"}, {kMegatron + "tp_degree", "2"}},
         "parallel.ep_size: 2 data ranks do not divide into groups of 4 ranks that divide the experts: start a "
         "multiple of 8 ranks, or change ep_size"},
        {"a capacity of experts that a model lacks",
         1,
         kGpt2.c_str(),
         {{"training.expert_capacity_factor", "1.5"}},
         {},
         "training.expert_capacity_factor: 1.5: experts have a capacity, and gpt2 has none: set it to 0, or take a "
         "model with experts, such as mixtral"},
    };
    return all;
}

class MeshesThatCannotBe : public test::RecipePlan {
  protected:
    /// `keys` by their dotted names, as tables.
    std::string write_recipe(const BadMesh& mesh, const std::map<std::string, std::string>& keys) {
        std::map<std::string, std::string> tables{{"data", "  path: text.txt\n"}};
        for (const auto& [key, value] : keys)
            tables[key.substr(0, key.find('.'))] += "  " + key.substr(key.find('.') + 1) + ": " + value + "\n";
        std::string text = std::string("name: fake\nmodel: ") + mesh.model + "\n";
        for (const auto& [table, lines] : tables)
            text += table + ":\n" + lines;
        write_file_atomically(fake_.recipe(), text, false);
        return fake_.recipe().string();
    }
    std::string settings_of(const BadMesh& mesh) {
        std::map<std::string, std::string> values = mesh.settings;
        values["num_processes"] = std::to_string(mesh.ranks);
        values["distributed_type"] = "MEGATRON_LM";
        return file(values);
    }
    void expect_refused(const BadMesh& mesh, std::vector<std::string> words, const char* surface) {
        words.insert(words.begin(), "launch");
        words.push_back(fake_.recipe().string());
        const Said said = test::trainyard(words);
        EXPECT_EQ(said.code, 2) << mesh.what << ", " << surface << ": " << said.out << said.err;
        EXPECT_THAT(said.err, ::testing::HasSubstr(mesh.message)) << mesh.what << ", " << surface;
        EXPECT_FALSE(std::filesystem::exists(fake_.recipe().parent_path() / "runs"))
            << mesh.what << ", " << surface << ": a run was made";
    }
};

TEST_F(MeshesThatCannotBe, AreRefusedAlikeOnEverySurface) {
    for (const BadMesh& mesh : bad_meshes()) {
        const std::vector<std::string> ranks{"--cpu", "--num_processes", std::to_string(mesh.ranks)};
        write_recipe(mesh, mesh.recipe);
        expect_refused(mesh, ranks, "recipe");
        std::vector<std::string> set = ranks;
        for (const auto& [key, value] : mesh.recipe) {
            set.push_back("--set");
            set.push_back(key + "=" + value);
        }
        write_recipe(mesh, {});
        expect_refused(mesh, set, "--set");
        if (mesh.settings.empty())
            continue;
        expect_refused(mesh, {"--config_file", settings_of(mesh)}, "settings file");
        std::vector<std::string> flags = ranks;
        flags.push_back("--use_megatron_lm");
        for (const auto& [path, value] : mesh.settings) {
            flags.push_back("--" + path.substr(path.find('.') + 1));
            flags.push_back(value);
        }
        expect_refused(mesh, flags, "flags");
    }
}

}  // namespace
}  // namespace trainyard::cli
