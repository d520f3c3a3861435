#include "estimate/gpt2_memory.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "config/gpt2_shapes.h"
#include "estimate/pipeline_plan.h"

namespace trainyard::estimate {

namespace {

/// A worker on a CPU before its first parameter: program, LibTorch's libraries and oneDNN, thread stacks. Measured.
constexpr std::uint64_t kBase = 150ull << 20;

/// Rows of the logits that exist at once; as models/kernels/cross_entropy.cpp cuts them.
std::uint64_t logit_rows(std::uint64_t rows, std::uint64_t row_bytes) {
    std::uint64_t fitting = (8u << 20) / row_bytes;
    return fitting >= rows ? rows : std::max({fitting, std::min<std::uint64_t>(rows / 4, 512), std::uint64_t{16}});
}

/// What one pipeline stage has of the model.
struct StageOfModel {
    pipeline::StageBlocks blocks;
    bool first = true, last = true;
    int kept_micro_batches = 1;

    bool holds(const std::string& name) const {
        constexpr std::string_view kBlock = "transformer.h.";
        if (name.starts_with(kBlock)) {
            int block = std::stoi(name.substr(kBlock.size()));
            return block >= blocks.begin && block < blocks.end;
        }
        // The head uses the table of the embedding: both stages hold it.
        return name == "transformer.wte.weight" ? first || last : name == "transformer.wpe.weight" ? first : last;
    }
};

std::int64_t count_parameters(const config::ModelRecipe& model, const StageOfModel& stage, bool frozen_too) {
    std::int64_t count = 0;
    for (const config::ParameterShape& parameter : config::gpt2_shapes(model)) {
        if ((!frozen_too && config::is_frozen(model, parameter.name)) || !stage.holds(parameter.name))
            continue;
        std::int64_t elements = 1;
        for (std::int64_t size : parameter.shape)
            elements *= size;
        count += elements;
    }
    return count;
}

StageOfModel whole_model(const config::ModelRecipe& model) {
    return {.blocks = {0, static_cast<int>(model.n_layer)}};
}

/// Gradients that a rank has under ZeRO stage 2 before they are summed (parallel/gradient_rooms.h): those of the embedding, which the head
/// writes to first, of two buckets that travel and of one that backward fills.
std::uint64_t gradient_rooms(const config::Recipe& recipe, std::uint64_t trained) {
    std::uint64_t embedding = 0, block = 0;
    for (const config::ParameterShape& parameter : config::gpt2_shapes(recipe.model)) {
        if (config::is_frozen(recipe.model, parameter.name))
            continue;
        std::uint64_t elements = 1;
        for (std::int64_t size : parameter.shape)
            elements *= static_cast<std::uint64_t>(size);
        if (parameter.name.starts_with("transformer.w"))
            embedding += elements;
        else if (parameter.name.starts_with("transformer.h.0."))
            block += elements;
    }
    const auto bucket = static_cast<std::uint64_t>(recipe.parallel.bucket_cap_mb * (1 << 20));
    return std::min(4 * trained, 4 * embedding + 3 * std::max(bucket, 4 * block));
}

MemoryEstimate estimate_stage(const config::Recipe& recipe, const StageOfModel& part, std::int64_t ranks) {
    const config::ModelRecipe& model = recipe.model;
    const bool mixed = recipe.training.mixed_precision != "no";
    MemoryEstimate estimate;
    estimate.parameter_count = parameter_count(model);
    const auto parameters = static_cast<std::uint64_t>(count_parameters(model, part, true));
    const auto trained = static_cast<std::uint64_t>(count_parameters(model, part, false));
    estimate.weights = 4 * parameters;
    estimate.compute_copy = mixed ? 2 * parameters : 0;
    const auto shares = static_cast<std::uint64_t>(std::max<std::int64_t>(1, ranks));
    auto share = [&](std::uint64_t bytes) { return (bytes + shares - 1) / shares; };
    const std::int64_t stage = shares > 1 ? recipe.parallel.zero_stage : 0;
    estimate.optimizer = stage >= 1 ? share(8 * trained) : 8 * trained;
    estimate.gradients = stage >= 2 ? share(4 * trained) + gradient_rooms(recipe, trained) : 4 * trained;

    const auto tokens = static_cast<std::uint64_t>(recipe.batch_per_rank(ranks) * recipe.data.sequence_length);
    const auto width = static_cast<std::uint64_t>(model.n_embd);
    const auto layers = static_cast<std::uint64_t>(part.blocks.end - part.blocks.begin);
    const auto inner = static_cast<std::uint64_t>(model.n_inner > 0 ? model.n_inner : 4 * model.n_embd);
    const auto vocabulary = static_cast<std::uint64_t>(model.vocab_size);
    // What backward needs of a block, per token: both norms' inputs (the residual stream, fp32), and as inputs of products
    // (two bytes with mixed precision) the norms' outputs, q, k, v, the attention's output, and both sides of the GELU.
    const std::uint64_t product = mixed ? 2 : 4;
    const std::uint64_t block = 2 * width * 4 + (6 * width + 2 * inner) * product;
    // Dropout keeps no mask (it is drawn again), but attention with dropout keeps its probabilities.
    const std::uint64_t probabilities =
        model.attn_pdrop > 0 ? static_cast<std::uint64_t>(model.n_head * recipe.data.sequence_length) * 4 : 0;
    // With activation checkpointing a block keeps its input, and one block at a time has everything.
    const std::uint64_t kept = recipe.training.activation_checkpointing ? layers * width * 4 + block + probabilities
                                                                        : layers * (block + probabilities);
    estimate.activations = tokens * (kept + 3 * width * 4) * static_cast<std::uint64_t>(part.kept_micro_batches);
    if (part.last)
        estimate.logits = logit_rows(tokens, vocabulary * product) * vocabulary * product + tokens * width * product;
    estimate.workspace = tokens * (2 * inner + 2 * width) * 4;
    estimate.base = kBase;
    return estimate;
}

}  // namespace

std::int64_t parameter_count(const config::ModelRecipe& model) {
    return count_parameters(model, whole_model(model), true);
}

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
