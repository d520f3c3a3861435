// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Meshes of pp x dp_replicate x dp_shard x cp x sp x tp ranks with ep inside the data ranks, and the result of training
// a model on one: model, data and global batch are the same for all meshes of a model.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <ATen/ops/full.h>

#include <gtest/gtest.h>

#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/same_curve.h"
#include "train/trainer.h"

namespace trainyard::train::layouts {

constexpr std::int64_t kMeshSteps = 6, kMeshSamples = 16, kMeshLength = 16;
constexpr int kMeshBlocks = 4;

struct MeshModel {
    const char* name;
    const char* keys;  ///< flow YAML
    int heads, key_heads;
    int experts = 0;
};

/// An odd vocabulary, of which ranks have one token more than others; fewer heads of keys than tp may have ranks.
inline constexpr MeshModel kMeshModels[] = {
    {"gpt2",
     "{n_embd: 32, n_layer: 4, n_head: 8, n_positions: 16, vocab_size: 259, resid_pdrop: 0.1, embd_pdrop: 0.1, "
     "attn_pdrop: 0.1}",
     8, 8},
    {"llama",
     "{model_type: llama, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 4, num_attention_heads: 8, "
     "num_key_value_heads: 4, attention_dropout: 0.1, tie_word_embeddings: false}",
     8, 4},
    {"mixtral",
     "{model_type: mixtral, hidden_size: 32, intermediate_size: 24, num_hidden_layers: 4, num_attention_heads: 8, "
     "num_key_value_heads: 4, num_local_experts: 4, attention_dropout: 0.1, output_router_logits: yes, "
     "router_aux_loss_coef: 0.5}",
     8, 4, 4},
    {"qwen2_moe",
     "{model_type: qwen2_moe, hidden_size: 32, moe_intermediate_size: 16, shared_expert_intermediate_size: 24, "
     "num_hidden_layers: 4, num_attention_heads: 8, num_key_value_heads: 4, num_experts: 4, num_experts_per_tok: 2, "
     "attention_dropout: 0.1, output_router_logits: yes, router_aux_loss_coef: 0.5}",
     8, 4, 4},
    {"qwen2_moe_dense",
     "{model_type: qwen2_moe, hidden_size: 32, intermediate_size: 40, moe_intermediate_size: 16, "
     "shared_expert_intermediate_size: 24, num_hidden_layers: 4, num_attention_heads: 8, num_key_value_heads: 4, "
     "num_experts: 4, num_experts_per_tok: 2, decoder_sparse_step: 2, mlp_only_layers: [3], attention_dropout: 0.1, "
     "output_router_logits: yes, router_aux_loss_coef: 0.5}",
     8, 4, 4},
    {"bloom",
     "{model_type: bloom, hidden_size: 32, n_layer: 4, n_head: 8, hidden_dropout: 0.1, attention_dropout: 0.1}", 8, 8},
    {"falcon",
     "{model_type: falcon, hidden_size: 32, num_hidden_layers: 4, num_attention_heads: 8, hidden_dropout: 0.1}", 8, 1},
    {"falcon_groups",
     "{model_type: falcon, hidden_size: 32, num_hidden_layers: 4, num_attention_heads: 8, num_kv_heads: 4, "
     "new_decoder_architecture: yes, bias: yes}",
     8, 4},
    {"falcon_alibi",
     "{model_type: falcon, hidden_size: 32, num_hidden_layers: 4, num_attention_heads: 8, alibi: yes, multi_query: no, "
     "parallel_attn: no, hidden_dropout: 0.1}",
     8, 8},
    {"mpt", "{model_type: mpt, d_model: 32, n_layers: 4, n_heads: 8, attn_config: {attn_pdrop: 0.1, clip_qkv: 0.5}}", 8,
     8},
    {"gpt2_uneven", "{n_embd: 32, n_layer: 7, n_head: 8, n_positions: 16, resid_pdrop: 0.1}", 8, 8},
    {"gemma2",
     "{model_type: gemma2, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 4, num_attention_heads: 8, "
     "num_key_value_heads: 4, head_dim: 8, sliding_window: 5}",
     8, 4},
    {"qwen3",
     "{model_type: qwen3, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 4, num_attention_heads: 8, "
     "num_key_value_heads: 4, head_dim: 8}",
     8, 4},
};
/// Those of the matrices of all meshes; the others are in selections: two with Mixtral's experts, BLOOM, Falcon and
/// MPT, one whose blocks do not divide among stages, one with windows of positions and one with norms of heads.
inline constexpr std::size_t kMatrixModels = 3, kSharedExpertModel = 3, kDenseBlocksModel = 4, kBloomModel = 5,
                             kUnevenModel = 10, kWindowModel = 11, kHeadNormModel = 12;

struct MeshLayout {
    std::size_t model = 0;  ///< of kMeshModels
    parallel::MeshShape shape{1, 1, 1, 1, 1, 1};
    int ep = 1;
    std::int64_t accumulation = 1;  ///< of a pipeline times its stages
    std::int64_t zero_stage = 0;
    bool divides_positions = false;  ///< parallel.tp_sequence_parallel
    std::string more{};              ///< of the recipe, as YAML
    bool lines = false;              ///< a sample is a line of the text, and the rest of its length is not counted
    std::string loss{};              ///< model.loss
    auto operator<=>(const MeshLayout&) const = default;

    int size(parallel::Dimension dimension) const { return shape[static_cast<std::size_t>(dimension)]; }
    int pp() const { return size(parallel::Dimension::pp); }
    int replicas() const { return size(parallel::Dimension::dp_replicate); }
    int shards() const { return size(parallel::Dimension::dp_shard); }
    int cp() const { return size(parallel::Dimension::cp); }
    int sp() const { return size(parallel::Dimension::sp); }
    int tp() const { return size(parallel::Dimension::tp); }
    int ranks() const { return parallel::rank_count(shape); }
    std::int64_t micro_batches() const { return accumulation * pp(); }
    std::string text() const {
        std::string text = kMeshModels[model].name;
        for (std::size_t d = 0; d < parallel::kDimensions; ++d)
            if (shape[d] > 1)
                text += std::string("_") + parallel::to_string(static_cast<parallel::Dimension>(d)) +
                        std::to_string(shape[d]);
        return text + (ep > 1 ? "_ep" + std::to_string(ep) : "") + "_acc" + std::to_string(accumulation) +
               (zero_stage > 0 ? "_zero" + std::to_string(zero_stage) : "") + (divides_positions ? "_positions" : "") +
               (lines ? "_lines" : "");
    }
};

inline std::ostream& operator<<(std::ostream& out, const MeshLayout& layout) {
    return out << layout.text();
}

/// Whether the sizes of the mesh divide those of the model and the batch.
inline bool divides(const MeshLayout& layout) {
    const MeshModel& model = kMeshModels[layout.model];
    const int tp = layout.tp(), sp = layout.sp(), cp = layout.cp();
    const auto fit = [](int heads, int ranks) { return heads % ranks == 0 || ranks % heads == 0; };
    const int own_keys = std::max(1, model.key_heads / tp);
    const int parts = cp == 1 ? sp : cp * std::lcm(2, sp);
    return layout.pp() <= kMeshBlocks && model.heads % (tp * sp) == 0 && fit(model.key_heads, tp) &&
           fit(own_keys, sp) && kMeshLength % parts == 0 &&
           (!layout.divides_positions || kMeshLength % (cp * sp * tp) == 0) &&
           kMeshSamples % (layout.micro_batches() * layout.replicas() * layout.shards()) == 0 &&
           (layout.ep == 1 || (model.experts > 0 && model.experts % layout.ep == 0 &&
                               (layout.shards() > 1 ? layout.shards() : layout.replicas()) * cp * sp % layout.ep == 0));
}

/// Every mesh of so many ranks, for each model, size of the expert groups and, with shards, ZeRO stage.
inline std::vector<MeshLayout> any_meshes_of(int ranks, std::int64_t accumulation,
                                             const std::set<std::int64_t>& zero_stages) {
    std::vector<MeshLayout> all;
    MeshLayout layout;
    layout.accumulation = accumulation;
    const auto visit = [&](const auto& self, std::size_t dimension, int left) -> void {
        if (dimension + 1 == parallel::kDimensions) {
            layout.shape[dimension] = left;
            for (std::int64_t stage : layout.shards() > 1 ? zero_stages : std::set<std::int64_t>{0}) {
                layout.zero_stage = stage;
                for (const int ep : {1, 2, 4}) {
                    layout.ep = ep;
                    for (const bool positions : {false, true}) {
                        layout.divides_positions = positions;
                        if (!positions || layout.tp() > 1)
                            all.push_back(layout);
                    }
                }
            }
            return;
        }
        for (int size = 1; size <= left; ++size)
            if (left % size == 0) {
                layout.shape[dimension] = size;
                self(self, dimension + 1, left / size);
            }
    };
    for (layout.model = 0; layout.model < kMatrixModels; ++layout.model)
        visit(visit, 0, ranks);
    return all;
}

/// Those that divide their model.
inline std::vector<MeshLayout> meshes_of(int ranks, std::int64_t accumulation,
                                         const std::set<std::int64_t>& zero_stages) {
    std::vector<MeshLayout> all = any_meshes_of(ranks, accumulation, zero_stages);
    std::erase_if(all, [](const MeshLayout& layout) { return !divides(layout); });
    return all;
}

struct MeshOutcome {
    std::vector<double> losses, norms;
    double evaluation = 0;
    std::map<std::string, at::Tensor> weights;  ///< whole
};

class MeshTraining {
  public:
    MeshTraining() {
        std::mt19937 random(41);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"mesh ", "grid ", "axis ", "plane ", "edge\n"};
        for (int i = 0; i < 3000; ++i)
            text << words[random() % 5];
    }

    config::Recipe recipe(const MeshLayout& layout) const {
        config::Recipe made =
            config::parse_recipe(std::string("model: ") + kMeshModels[layout.model].keys +
                                     "\ndata: {path: text.txt, sequence_length: " + std::to_string(kMeshLength) +
                                     ", validation_fraction: 0.02}\n"
                                     "optimizer: {lr: 1.0e-3, eps: 1.0e-6}\n" +
                                     layout.more,
                                 folder_.path() / "recipe.yaml");
        made.data.pack = !layout.lines;
        made.model.loss = layout.loss;
        if (layout.lines)
            made.data.format = config::DataFormat::text;
        made.training.steps = kMeshSteps;
        made.training.evaluate_batches = 0;  // all held-out samples
        made.training.gradient_accumulation_steps = layout.micro_batches();
        made.training.batch_size = kMeshSamples / layout.micro_batches() / layout.replicas() / layout.shards();
        config::ParallelRecipe& parallel = made.parallel;
        parallel.pp_size = layout.pp();
        parallel.tp_size = layout.tp();
        parallel.tp_sequence_parallel = layout.divides_positions;
        parallel.cp_size = layout.cp();
        parallel.sp_size = layout.sp();
        parallel.ep_size = layout.ep;
        parallel.zero_stage = layout.zero_stage;
        parallel.bucket_cap_mb = 0.01;
        if (layout.shards() > 1 && layout.replicas() > 1) {
            parallel.dp_shard_size = layout.shards();
            parallel.dp_replicate_size = layout.replicas();
        }
        return made;
    }

    /// Problems before any rank starts; empty: there are none.
    std::string refusal(const MeshLayout& layout) const {
        std::string said;
        try {
            const config::Recipe made = recipe(layout);
            for (const Problem& problem : config::check_recipe(made))
                said += problem.key + ": " + problem.message.text() + "; ";
            if (said.empty())
                (void)config::on_ranks(made, layout.ranks());
        } catch (const InvalidInput& error) {
            said += error.what();
        }
        return said;
    }

    MeshOutcome run(const MeshLayout& layout, std::int64_t steps = kMeshSteps,
                    const std::filesystem::path& resume_from = {}, const std::filesystem::path& save_to = {}) const {
        config::Recipe made = recipe(layout);
        made.checkpoint.resume_from = resume_from.string();
        MeshOutcome outcome;
        std::mutex mutex;
        const auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(layout.shape, std::move(world));
            Trainer trainer(made, mesh, at::kCPU);
            trainer.start();
            MeshOutcome mine;
            while (trainer.position().step < steps) {
                const StepReport report = trainer.step();
                mine.losses.push_back(report.loss);
                mine.norms.push_back(report.gradient_norm);
            }
            mine.evaluation = trainer.evaluate().value().loss;
            if (!save_to.empty())
                trainer.save(save_to);
            const checkpoint::Content content = trainer.content();
            const std::lock_guard lock(mutex);
            for (const checkpoint::LogicalTensor& part : content.weights) {
                at::Tensor& whole = outcome.weights[part.name];
                if (!whole.defined())
                    whole = at::full(part.shape, std::nan(""), at::kFloat);
                at::Tensor view = whole;
                for (std::size_t d = 0; d < part.box.size.size(); ++d)
                    view = view.narrow(static_cast<std::int64_t>(d), part.box.offset[d], part.box.size[d]);
                EXPECT_TRUE(view.isnan().logical_or(view.eq(part.local)).all().item<bool>())
                    << part.name << " is not the same on all ranks of " << layout << " that hold it";
                view.copy_(part.local);
            }
            if (mesh.rank() > 0)
                return;
            outcome.losses = mine.losses;
            outcome.norms = mine.norms;
            outcome.evaluation = mine.evaluation;
        };
        if (layout.ranks() == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(layout.ranks(), body);
        return outcome;
    }

    /// On one rank without accumulation, trained once.
    const MeshOutcome& of_one_rank(const MeshLayout& layout) {
        MeshLayout one;
        one.model = layout.model;
        one.more = layout.more;
        one.lines = layout.lines;
        one.loss = layout.loss;
        auto known = of_one_rank_.find(one);
        if (known == of_one_rank_.end())
            known = of_one_rank_.emplace(one, run(one)).first;
        return known->second;
    }

    const std::filesystem::path& folder() const { return folder_.path(); }

  private:
    test::TemporaryFolder folder_;
    std::map<MeshLayout, MeshOutcome> of_one_rank_;
};

/// `expected` may have more steps; the last ones are compared.
inline void expect_same(const MeshOutcome& expected, const MeshOutcome& got, const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(test::expect_same_curve(expected, got, what));
    ASSERT_EQ(expected.weights.size(), got.weights.size()) << what;
    for (const auto& [name, weight] : expected.weights) {
        const auto other = got.weights.find(name);
        ASSERT_NE(other, got.weights.end()) << what << ": " << name;
        EXPECT_LT(weight.sub(other->second).abs().max().item<double>(), 5e-5) << what << ": " << name;
    }
}

inline void expect_curve_of_one_rank(MeshTraining& training, const MeshLayout& layout) {
    ASSERT_EQ(training.refusal(layout), "") << layout;
    expect_same(training.of_one_rank(layout), training.run(layout), layout.text());
}

}  // namespace trainyard::train::layouts
