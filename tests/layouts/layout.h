// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A parallel layout, and the result of training with it: model, data and global batch are the same for all layouts.

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <gtest/gtest.h>

#include "models/nn/kernels/products.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train::layouts {

constexpr std::int64_t kSteps = 5, kSavedStep = 3, kSamples = 16;
using config::Recomputation;
constexpr auto kRecomputations = {Recomputation::no, Recomputation::selective, Recomputation::full};
constexpr int kBlocks = 4;
constexpr double kRate = 1e-3;

struct Layout {
    int ranks = 1;
    int stages = 1;                  ///< ranks of a pipeline; there are ranks / stages replicas of it
    std::string schedule = "none";   ///< of a pipeline
    std::int64_t micro_batches = 1;  ///< gradient accumulation
    Recomputation recomputes = Recomputation::no;
    std::int64_t zero_stage = 0;
    Precision precision = Precision::no;
    bool on_disk = false;  ///< stage 3: weights, gradients and optimizer state
    std::string model = "gpt2";
    std::int64_t samples = kSamples;  ///< of a step; twelve can be divided by three ranks, too
    auto operator<=>(const Layout&) const = default;

    int replicas() const { return ranks / stages; }
    std::string text() const {
        return (model == "gpt2" ? "" : model + "_") + std::to_string(ranks) + "ranks_" +
               (stages == 1 ? "" : std::to_string(stages) + "stages_" + schedule + "_") +
               std::to_string(micro_batches) + "micro_" +
               (recomputes == Recomputation::no     ? ""
                : recomputes == Recomputation::full ? "recomputed_"
                                                    : "selective_") +
               "zero" + std::to_string(zero_stage) + (on_disk ? "_disk_" : "_") +
               (precision == Precision::no ? "fp32" : choice_name(precision));
    }
};

inline std::ostream& operator<<(std::ostream& out, const Layout& layout) {
    return out << layout.text();
}

/// By name, assembled from the shards of all ranks.
using ByName = std::map<std::string, at::Tensor>;

struct Outcome {
    std::vector<double> losses, norms, scales;
    double evaluation = 0, average_evaluation = 0;
    ByName weights, averages;
};

/// Maximum difference of two tensors.
struct Tolerance {
    double most = 0;  ///< of any element; 0: bitwise equal
    double mean = 0;  ///< mean over the elements of a tensor
    double loss = 0;
};

/// Tolerances for results that are mathematically equal but summed in another order.
///
/// fp32: a few units in the last place of gradients near 0.1, over five steps.
/// fp16: the products of a row are accumulated in fp32 and rounded once, so the same rows in other micro-batches give
/// the same values; sums over micro-batches and ranks are fp32. The weights are as close as with fp32. Two that are
/// 1e-7 apart may be rounded to different fp16 numbers, though: of 1,000 weights 4 are, and the loss of the evaluation
/// differs by up to 4.2e-6; five times that is allowed. Where the processor multiplies fp16 itself (AVX512_FP16),
/// LibTorch's blocks depend on the number of rows, and so do their roundings: the measured maximum is 1.8e-5, 2.6e-7
/// for the mean of a tensor, 4.8e-6 for a loss; ten times that is allowed.
/// bf16: sums over the rows of a micro-batch are rounded to 2^-9. An element with such a small gradient may differ by a
/// fraction of a step's update (1e-3), but most do not: the measured maximum is 6e-5, and 2e-6 for the mean of a
/// tensor; ten times that is allowed. One missing sample of the sixteen changes the mean of every tensor by more than
/// 5e-5.
inline Tolerance tolerance_of(Precision precision) {
    if (precision == Precision::bf16)
        return {6e-4, 2e-5, 2e-4};
    if (precision == Precision::fp16 && models::torch_multiplies(at::empty({1}, at::kHalf)))
        return {2e-4, 3e-6, 5e-5};
    return {2e-6, 2e-7, precision == Precision::fp16 ? 2e-5 : 2e-6};
}

/// Stage 3 of ZeRO gathers weights in the format of the products, so that embeddings are rounded where the other
/// stages read fp32: in 16 bits it is another arithmetic. An update of Adam moves an element by up to kRate whatever
/// its gradient is.
inline Tolerance tolerance_of(const Layout& one, const Layout& other) {
    const auto rounds = [](const Layout& layout) {
        return layout.zero_stage == 3 && (layout.replicas() > 1 || layout.on_disk);
    };
    if (one.precision != Precision::no && rounds(one) != rounds(other))
        return {2 * kSteps * kRate, 2e-4, 2e-3};
    return tolerance_of(one.precision);
}

class Training {
  public:
    Training() {
        std::mt19937 random(29);
        std::ofstream text(folder_.path() / "text.txt");
        const char* words[] = {"rank ", "stage ", "shard ", "bubble ", "scale\n"};
        for (int i = 0; i < 4000; ++i)
            text << words[random() % 5];
    }

    /// The same samples per step on every layout.
    config::Recipe recipe(const Layout& layout) const {
        config::Recipe recipe;
        if (layout.model == "gpt2") {
            recipe.model.n_positions = 8;
            recipe.model.n_embd = 16;
            recipe.model.n_layer = kBlocks;
            recipe.model.n_head = 2;
            recipe.model.resid_pdrop = 0.1;
        } else {
            // Tied weights and dropout, or a loss of its routers over all data ranks.
            const char* own = layout.model == "llama" ? "intermediate_size: 24, tie_word_embeddings: true, "
                                                        "attention_dropout: 0.1"
                                                      : "intermediate_size: 12, num_local_experts: 4, "
                                                        "output_router_logits: yes, router_aux_loss_coef: 0.5";
            recipe = config::parse_recipe("model: {model_type: " + layout.model +
                                              ", hidden_size: 16, num_hidden_layers: 4, num_attention_heads: 2, "
                                              "num_key_value_heads: 1, max_position_embeddings: 8, " +
                                              own + "}\ndata: {path: text.txt, sequence_length: 8}\n",
                                          folder_.path() / "recipe.yaml");
        }
        recipe.data.paths = {(folder_.path() / "text.txt").string()};
        recipe.data.sequence_length = 8;
        recipe.optimizer.lr = kRate;
        recipe.optimizer.eps = 1e-6;  // a gradient that is only rounding noise causes no full update
        recipe.schedule.warmup_steps = 2;
        recipe.training.steps = kSteps;
        recipe.training.evaluate_batches = 0;  // all held-out samples, whatever the batch size
        recipe.training.ema_decay = 0.5;
        recipe.training.loss_scale = 1024;
        recipe.training.loss_scale_window = 2;
        recipe.training.mixed_precision = layout.precision;
        recipe.training.activation_checkpointing = layout.recomputes;
        recipe.training.gradient_accumulation_steps = layout.micro_batches;
        recipe.training.batch_size = layout.samples / layout.micro_batches / layout.replicas();
        recipe.parallel.zero_stage = layout.zero_stage;
        if (layout.on_disk) {
            recipe.parallel.offload_param_device = recipe.parallel.offload_optimizer_device =
                config::OffloadDevice::nvme;
            recipe.parallel.offload_param_nvme_path = recipe.parallel.offload_optimizer_nvme_path =
                folder_.path().string();
        }
        recipe.parallel.bucket_cap_mb = 0.01;
        recipe.parallel.pp_size = layout.stages;
        if (layout.stages > 1)
            recipe.parallel.pipeline_schedule = layout.schedule;
        return recipe;
    }

    /// Trains until `steps` from the recipe's starting point. Without `one_disk`, only rank 0 writes checkpoints.
    static Outcome run(const config::Recipe& recipe, const Layout& layout, std::int64_t steps = kSteps,
                       const std::filesystem::path& save_to = {}, bool one_disk = true) {
        Outcome outcome;
        std::mutex mutex;
        auto body = [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::pipelines(layout.stages, layout.ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU, {.one_disk = one_disk});
            trainer.start();
            Outcome mine;
            while (trainer.position().step < steps) {
                const StepReport report = trainer.step();
                mine.losses.push_back(report.loss);
                mine.norms.push_back(report.gradient_norm);
                mine.scales.push_back(report.loss_scale);
            }
            const Evaluation evaluation = trainer.evaluate().value();
            if (!save_to.empty())
                trainer.save(save_to);
            const checkpoint::Content content = trainer.content();
            std::lock_guard lock(mutex);
            if (mesh.rank() == 0) {
                outcome.losses = mine.losses;
                outcome.norms = mine.norms;
                outcome.scales = mine.scales;
                outcome.evaluation = evaluation.loss;
                outcome.average_evaluation = evaluation.average_loss.value_or(0);
            }
            put_together(content.weights, outcome.weights, layout);
            put_together(content.average, outcome.averages, layout);
        };
        if (layout.ranks == 1)
            body(parallel::World::connect({}, "cpu"));
        else
            test::run_ranks(layout.ranks, body);
        for (const ByName* all : {&outcome.weights, &outcome.averages})
            for (const auto& [name, tensor] : *all)
                EXPECT_FALSE(tensor.isnan().any().item<bool>()) << "no rank holds all of " << name;
        return outcome;
    }

    /// Each layout is trained once.
    const Outcome& whole(const Layout& layout) {
        auto known = outcomes_.find(layout);
        if (known == outcomes_.end())
            known = outcomes_.emplace(layout, run(recipe(layout), layout)).first;
        return known->second;
    }

    /// Saved after kSavedStep steps on `first`, resumed on `second`.
    Outcome resumed(const Layout& first, const Layout& second) {
        const std::filesystem::path& place = saved(first);
        config::Recipe rest = recipe(second);
        rest.checkpoint.resume_from = place.string();
        return run(rest, second);
    }

    const std::filesystem::path& folder() const { return folder_.path(); }

  private:
    /// Ranks that hold the same elements must have the same values.
    static void put_together(const std::vector<checkpoint::LogicalTensor>& parts, ByName& whole, const Layout& layout) {
        for (const checkpoint::LogicalTensor& part : parts) {
            auto [place, is_new] = whole.emplace(part.name, at::Tensor());
            if (is_new)
                place->second = at::full(part.shape, std::nan(""), at::kFloat);
            if (part.local.numel() == 0)
                continue;
            at::Tensor view = place->second;
            for (std::size_t d = 0; d < part.box.size.size(); ++d)
                view = view.narrow(static_cast<std::int64_t>(d), part.box.offset[d], part.box.size[d]);
            EXPECT_TRUE(view.isnan().logical_or(view.eq(part.local)).all().item<bool>())
                << part.name << " is not the same on all ranks of " << layout.text() << " that hold it";
            view.copy_(part.local);
        }
    }

    const std::filesystem::path& saved(const Layout& layout) {
        auto known = saved_.find(layout);
        if (known == saved_.end()) {
            known = saved_.emplace(layout, folder_.path() / layout.text()).first;
            run(recipe(layout), layout, kSavedStep, known->second);
        }
        return known->second;
    }

    test::TemporaryFolder folder_;
    std::map<Layout, Outcome> outcomes_;
    std::map<Layout, std::filesystem::path> saved_;
};

inline void expect_same(const ByName& expected, const ByName& got, const Tolerance& tolerance,
                        const std::string& what) {
    ASSERT_EQ(expected.size(), got.size()) << what;
    for (const auto& [name, tensor] : expected) {
        ASSERT_TRUE(got.contains(name)) << what << ": " << name;
        const at::Tensor apart = tensor.sub(got.at(name)).abs();
        EXPECT_LE(apart.max().item<double>(), tolerance.most) << what << ": " << name;
        EXPECT_LE(apart.mean().item<double>(), tolerance.mean) << what << ": " << name << ", mean";
    }
}

/// `expected` may have more steps; the last ones are compared.
inline void expect_same(const Outcome& expected, const Outcome& got, const Tolerance& tolerance,
                        const std::string& what) {
    ASSERT_GE(expected.losses.size(), got.losses.size()) << what;
    const std::size_t skip = expected.losses.size() - got.losses.size();
    for (std::size_t i = 0; i < got.losses.size(); ++i) {
        EXPECT_NEAR(expected.losses[skip + i], got.losses[i], tolerance.loss) << what << ", step " << i + 1;
        EXPECT_NEAR(expected.norms[skip + i], got.norms[i], std::max(10 * tolerance.loss, 1e-9))
            << what << ", step " << i + 1;
        EXPECT_EQ(expected.scales[skip + i], got.scales[i]) << what << ", step " << i + 1;
    }
    EXPECT_NEAR(expected.evaluation, got.evaluation, tolerance.loss) << what;
    EXPECT_NEAR(expected.average_evaluation, got.average_evaluation, tolerance.loss) << what;
    expect_same(expected.weights, got.weights, tolerance, what);
    expect_same(expected.averages, got.averages, tolerance, what + ", averages");
}

/// Compared with one rank with the same global batch, and bitwise with layouts that sum in the same order: without
/// activation checkpointing, and ZeRO with replicas (stage 2 reduces over ranks in every micro-batch, and sums the
/// parts of a tied weight's gradient in another order).
inline void expect_as_one_rank(Training& training, const Layout& layout) {
    Layout one;
    one.precision = layout.precision;
    one.model = layout.model;
    one.samples = layout.samples;
    const Outcome& got = training.whole(layout);
    expect_same(training.whole(one), got, tolerance_of(layout, one), layout.text());
    if (layout.recomputes != Recomputation::no) {
        Layout kept = layout;
        kept.recomputes = Recomputation::no;
        expect_same(training.whole(kept), got, {}, layout.text() + " beside " + kept.text());
    }
    if (layout.on_disk && layout.replicas() > 1) {
        Layout in_memory = layout;
        in_memory.on_disk = false;
        expect_same(training.whole(in_memory), got, {}, layout.text() + " beside " + in_memory.text());
    }
    if (layout.zero_stage > 0 && layout.replicas() > 1 && layout.stages == 1 &&
        (layout.zero_stage == 1 || layout.micro_batches == 1) &&
        (layout.zero_stage < 3 || layout.precision == Precision::no)) {
        Layout replicated = layout;
        replicated.zero_stage = 0;
        expect_same(training.whole(replicated), got, {}, layout.text() + " beside " + replicated.text());
    }
}

/// Bitwise equal on the same layout.
inline void expect_resumes(Training& training, const Layout& first, const Layout& second) {
    SCOPED_TRACE(first.text() + ", then " + second.text());
    expect_same(training.whole(second), training.resumed(first, second),
                first == second ? Tolerance{} : tolerance_of(first, second), first.text() + ", then " + second.text());
}

/// With the number of blocks of Training::recipe().
inline bool can_be_scheduled(const std::string& schedule, int ranks, int micro_batches) {
    const pipeline::PipelineSize size = pipeline::resolve_size(schedule, {ranks, 0, micro_batches});
    return size.ranks * size.stages_per_rank <= kBlocks && !pipeline::schedule_refusal(schedule, size);
}

inline std::vector<Layout> all_layouts() {
    struct Shape {
        int ranks, stages;
    };
    std::vector<Layout> all;
    for (const Shape& shape : {Shape{1, 1}, {2, 1}, {4, 1}, {2, 2}, {4, 2}, {4, 4}})
        for (const std::string& schedule :
             shape.stages == 1 ? std::vector<std::string>{"none"} : pipeline::schedule_names())
            for (std::int64_t micro_batches : {1, 2, 4})
                if (schedule == "none" || can_be_scheduled(schedule, shape.stages, static_cast<int>(micro_batches)))
                    for (const Recomputation recomputes : kRecomputations)
                        for (std::int64_t zero_stage : {0, 1, 2, 3})
                            for (bool on_disk : {false, true})
                                for (const Precision precision : {Precision::no, Precision::bf16, Precision::fp16})
                                    if (!on_disk || zero_stage == 3)
                                        all.push_back({shape.ranks, shape.stages, schedule, micro_batches, recomputes,
                                                       zero_stage, precision, on_disk});
    // The rows of shardings on other models, and on three ranks.
    for (const char* model : {"gpt2", "llama", "mixtral"})
        for (const int ranks : {1, 2, 3, 4})
            for (const std::int64_t micro_batches : {1, 4})
                for (const Recomputation recomputes : kRecomputations)
                    for (const std::int64_t zero_stage : {0, 1, 2, 3})
                        for (const Precision precision : {Precision::no, Precision::bf16})
                            if (ranks == 3 || model != std::string("gpt2"))
                                all.push_back({ranks, 1, "none", micro_batches, recomputes, zero_stage, precision,
                                               false, model, ranks == 3 ? 12 : kSamples});
    return all;
}

/// One layout of each kind, for resuming from each on each.
inline std::vector<Layout> kinds_of_layouts(Precision precision) {
    using enum Recomputation;
    return {{1, 1, "none", 1, no, 0, precision},          {2, 1, "none", 1, no, 0, precision},
            {2, 1, "none", 2, no, 1, precision},          {4, 1, "none", 1, full, 2, precision},
            {2, 2, "1F1B", 2, no, 0, precision},          {4, 2, "ZBH1", 4, no, 1, precision},
            {4, 2, "GPipe", 2, no, 2, precision},         {4, 4, "1F1B", 4, selective, 0, precision},
            {4, 1, "none", 2, full, 3, precision},        {2, 1, "none", 1, no, 3, precision},
            {4, 2, "1F1B", 2, no, 3, precision},          {2, 2, "Interleaved1F1B", 2, no, 0, precision},
            {4, 2, "ZBVZeroBubble", 4, no, 1, precision}, {2, 1, "none", 1, no, 3, precision, true},
            {1, 1, "none", 2, no, 3, precision, true}};
}

}  // namespace trainyard::train::layouts
