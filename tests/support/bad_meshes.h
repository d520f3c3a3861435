// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Meshes that cannot be, with the message that every surface has for them: recipes, --set, settings files, flags,
// programs and the wizard.

#include <map>
#include <string>
#include <vector>

namespace trainyard::test {

struct BadMesh {
    const char* what;
    int ranks;
    const char* model;  ///< flow YAML
    std::map<std::string, std::string> recipe;
    std::map<std::string, std::string> settings;  ///< that ask for the same; empty: none can
    const char* message;
};

inline const std::string kMegatron = "megatron_lm_config.megatron_lm_";

inline const std::vector<BadMesh>& bad_meshes() {
    static const std::string kUndivided = "{n_head: 3, n_embd: 48}", kGpt2 = "{n_layer: 2}",
                             kMixtral = "{model_type: mixtral, num_local_experts: 6}";
    static const std::vector<BadMesh> all{
        {"sizes that do not multiply to the ranks",
         4,
         "{n_head: 4}",
         {{"parallel.tp_size", "2"}, {"parallel.dp_replicate_size", "3"}},
         {},
         "parallel.dp_replicate_size: the mesh of 1 stage with layers shared by 2 ranks and 3 replicas needs 6 ranks "
         "instead of 4: start 6 ranks, or make the size 2"},
        {"pipelines that do not divide the ranks",
         3,
         "{n_layer: 4}",
         {{"parallel.pp_size", "2"}, {"training.gradient_accumulation_steps", "2"}},
         {},
         "parallel.pp_size: 3 ranks cannot be shared among pipelines of 2 stages: start a multiple of 2 ranks, or "
         "change pp_size"},
        {"stages, layers and sequences of more ranks than are started",
         4,
         "{n_head: 4, n_layer: 2}",
         {{"parallel.tp_size", "2"}, {"parallel.cp_size", "2"}, {"parallel.pp_size", "2"}},
         {},
         "parallel.cp_size: the mesh of 2 stages with sequences shared by 2 ranks with layers shared by 2 ranks needs "
         "a multiple of 8 ranks instead of 4: start 8 ranks, or change the size"},
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
         "parallel.ep_size: 2 data ranks of 4 ranks cannot be divided into groups of 4 ranks that divide the experts: "
         "start a multiple of 8 ranks, or change ep_size"},
        {"layers shared by more ranks than the one that is started",
         1,
         "{n_head: 4}",
         {{"parallel.tp_size", "2"}},
         {},
         "parallel.tp_size: 1 rank cannot be divided into groups of 2 ranks that share each layer: start a multiple of "
         "2 ranks, or change tp_size"},
        {"stages of more blocks than the only one",
         2,
         "{n_layer: 1}",
         {{"parallel.pp_size", "2"}, {"training.gradient_accumulation_steps", "2"}},
         {},
         "parallel.pp_size: 2 pipeline stages cannot be cut from a model of 1 block (model.n_layer): give from 1 to 1"},
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

/// `keys` by their dotted names, as tables.
inline std::string recipe_of(const BadMesh& mesh, const std::map<std::string, std::string>& keys,
                             const std::string& data) {
    std::map<std::string, std::string> tables{{"data", "  path: " + data + "\n"}};
    for (const auto& [key, value] : keys)
        tables[key.substr(0, key.find('.'))] += "  " + key.substr(key.find('.') + 1) + ": " + value + "\n";
    std::string text = std::string("name: fake\nmodel: ") + mesh.model + "\n";
    for (const auto& [table, lines] : tables)
        text.append(table).append(":\n").append(lines);
    return text;
}

}  // namespace trainyard::test
