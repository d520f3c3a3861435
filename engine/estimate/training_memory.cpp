#include "estimate/training_memory.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "estimate/pipeline_plan.h"
#include "families/family.h"

namespace trainyard::estimate {

namespace {

/// A worker on the CPU before it creates parameters: program, LibTorch and oneDNN, thread stacks. Measured.
constexpr std::uint64_t kBase = 150ull << 20;

/// Rows of the logits that exist at the same time; models/kernels/cross_entropy.cpp uses the same chunks.
std::uint64_t logit_rows(std::uint64_t rows, std::uint64_t row_bytes) {
    std::uint64_t fitting = (8u << 20) / row_bytes;
    return fitting >= rows ? rows : std::max({fitting, std::min<std::uint64_t>(rows / 4, 512), std::uint64_t{16}});
}

/// The part of the model on one pipeline stage.
struct StageOfModel {
    pipeline::StageBlocks blocks;
    bool first = true, last = true;
    int kept_micro_batches = 1;

    bool holds(const families::TensorShape& tensor) const {
        switch (tensor.part) {
            case families::Part::embedding:
                return first || (last && tensor.tied_to_head);
            case families::Part::block:
                return tensor.block >= blocks.begin && tensor.block < blocks.end;
            case families::Part::head:
                return last;
        }
        return false;
    }
};

std::int64_t count_parameters(const config::ModelRecipe& model, const StageOfModel& stage, bool frozen_too) {
    std::int64_t count = 0;
    for (const families::TensorShape& tensor : families::family_of(model).tensors(model))
        if ((frozen_too || !config::is_frozen(model, tensor.name)) && stage.holds(tensor))
            count += tensor.elements();
    return count;
}

StageOfModel whole_model(const config::ModelRecipe& model) {
    return {.blocks = {0, static_cast<int>(model.n_layer)}};
}

/// Gradients that a rank holds under ZeRO stage 2 before they are summed (parallel/gradient_buffers.h): of the
/// embedding, which the head writes first, of two buckets in flight and of the one that backward fills.
std::uint64_t gradient_buffers(const config::Recipe& recipe, std::uint64_t trained) {
    std::uint64_t embedding = 0, block = 0;
    for (const families::TensorShape& tensor : families::family_of(recipe.model).tensors(recipe.model)) {
        if (config::is_frozen(recipe.model, tensor.name))
            continue;
        if (tensor.part == families::Part::embedding)
            embedding += static_cast<std::uint64_t>(tensor.elements());
        else if (tensor.part == families::Part::block && tensor.block == 0)
            block += static_cast<std::uint64_t>(tensor.elements());
    }
    const auto bucket = static_cast<std::uint64_t>(recipe.parallel.bucket_cap_mb * (1 << 20));
    return std::min(4 * trained, 4 * embedding + 3 * std::max(bucket, 4 * block));
}

MemoryEstimate estimate_stage(const config::Recipe& recipe, const StageOfModel& part, std::int64_t ranks) {
    const config::ModelRecipe& model = recipe.model;
    const bool mixed = recipe.training.mixed_precision != "no";
    MemoryEstimate estimate;
    estimate.parameter_count = families::parameter_count(model);
    const auto parameters = static_cast<std::uint64_t>(count_parameters(model, part, true));
    const auto trained = static_cast<std::uint64_t>(count_parameters(model, part, false));
    estimate.weights = 4 * parameters;
    estimate.compute_copy = mixed ? 2 * parameters : 0;
    const auto shares = static_cast<std::uint64_t>(std::max<std::int64_t>(1, ranks));
    auto share = [&](std::uint64_t bytes) { return (bytes + shares - 1) / shares; };
    const std::int64_t stage = shares > 1 ? recipe.parallel.zero_stage : 0;
    estimate.optimizer = stage >= 1 ? share(8 * trained) : 8 * trained;
    estimate.gradients = stage >= 2 ? share(4 * trained) + gradient_buffers(recipe, trained) : 4 * trained;

    const auto tokens = static_cast<std::uint64_t>(recipe.batch_per_rank(ranks) * recipe.data.sequence_length);
    const auto layers = static_cast<std::uint64_t>(part.blocks.end - part.blocks.begin);
    const auto vocabulary = static_cast<std::uint64_t>(model.vocab_size);
    const std::uint64_t product = mixed ? 2 : 4;
    const families::ActivationBytes bytes = families::family_of(model).activation_bytes(model, product);
    const std::uint64_t block =
        bytes.block + bytes.probabilities * static_cast<std::uint64_t>(recipe.data.sequence_length);
    // With activation checkpointing each block keeps its input, and only one block at a time keeps everything.
    const std::uint64_t kept =
        recipe.training.activation_checkpointing ? layers * bytes.block_input + block : layers * block;
    estimate.activations = tokens * (kept + bytes.outside) * static_cast<std::uint64_t>(part.kept_micro_batches);
    if (part.last)
        estimate.logits = logit_rows(tokens, vocabulary * product) * vocabulary * product + tokens * bytes.head_input;
    estimate.workspace = tokens * bytes.in_flight;
    estimate.base = kBase;
    return estimate;
}

}  // namespace

MemoryEstimate estimate_memory(const config::Recipe& recipe, std::int64_t ranks) {
    if (recipe.parallel.pp_size == 1)
        return estimate_stage(recipe, whole_model(recipe.model), ranks);
    const PipelinePlan plan = plan_pipeline(recipe);
    MemoryEstimate largest;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        MemoryEstimate stage = estimate_stage(
            recipe, {plan.stages[i], i == 0, i + 1 == plan.stages.size(), plan.kept_micro_batches[i]}, ranks);
        if (stage.total() > largest.total())
            largest = stage;
    }
    return largest;
}

std::string to_json(const MemoryEstimate& estimate, std::uint64_t measured_peak_bytes) {
    nlohmann::ordered_json json;
    json["predicted"] = {{"parameter_count", estimate.parameter_count},
                         {"memory",
                          {{"weights", estimate.weights},
                           {"compute_copy", estimate.compute_copy},
                           {"gradients", estimate.gradients},
                           {"optimizer", estimate.optimizer},
                           {"activations", estimate.activations},
                           {"logits", estimate.logits},
                           {"workspace", estimate.workspace},
                           {"base", estimate.base},
                           {"total", estimate.total()}}}};
    if (measured_peak_bytes > 0)
        json["measured"] = {{"peak_resident_bytes", measured_peak_bytes}};
    return json.dump(2) + "\n";
}

}  // namespace trainyard::estimate
