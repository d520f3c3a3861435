// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/mesh_checks.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "config/recipe/metric_names.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/section_checks.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"
#include "models/spec/tensor_plan.h"

namespace trainyard::config {

namespace {

constexpr const char *kTensorKey = "parallel.tp_size", *kExpertKey = "parallel.ep_size";

enum MeshDimension : unsigned { kPipeline = 1, kTensor = 2, kContext = 4, kSequence = 8, kExpert = 16 };

struct MeshSize {
    MeshDimension dimension;
    const char* key;
    std::int64_t ParallelRecipe::*ranks;
};

constexpr MeshSize kMeshSizes[] = {{kPipeline, "parallel.pp_size", &ParallelRecipe::pp_size},
                                   {kTensor, kTensorKey, &ParallelRecipe::tp_size},
                                   {kContext, "parallel.cp_size", &ParallelRecipe::cp_size},
                                   {kSequence, "parallel.sp_size", &ParallelRecipe::sp_size},
                                   {kExpert, kExpertKey, &ParallelRecipe::ep_size}};

/// A setting that does not work with some dimensions of the mesh.
struct MeshConflict {
    unsigned dimensions;
    const char* key;
    bool (*is_asked)(const Recipe& recipe);
    std::string_view instead;
};

bool updates_whole_parameters(const Recipe& recipe) {
    std::vector<Problem> problems;  // reported by the checks of optimizers
    const OptimizerPlan plan = make_optimizer_plan(recipe.optimizer, problems);
    return problems.empty() && (!plan.element_wise() || plan.in_backward());
}

constexpr std::string_view kLeaveOneOut = "leave one of them out", kSetToZero = "set it to 0";

constexpr MeshConflict kMeshConflicts[] = {
    {kTensor, "parallel.comm_hook",
     // It mixes what all of these ranks have with what only one has.
     [](const Recipe& r) { return r.parallel.comm_hook == CommHookType::batched_power_sgd; },
     "use power_sgd, fp16 or bf16"},
    {kPipeline | kTensor | kContext | kSequence | kExpert, "training.local_sgd_steps",
     [](const Recipe& r) { return r.training.local_sgd_steps > 0; }, kSetToZero},
    {kTensor | kContext | kSequence, "training.metrics",
     // Perplexity is made of the loss alone.
     [](const Recipe& r) {
         return std::ranges::any_of(r.training.metrics, [](const std::string& name) { return name != kPerplexity; });
     },
     "metrics need whole sequences and logits on one rank; leave them out"},
    {kContext | kSequence, "training.step_function", [](const Recipe& r) { return !r.training.step_function.empty(); },
     "it changes whole samples; leave it out"},
    {kTensor | kExpert, "model.device_map", [](const Recipe& r) { return !r.model.device_map.empty(); }, kLeaveOneOut},
    {kTensor, "optimizer.name", updates_whole_parameters,
     "use one that updates each element independently, such as adamw"},
    {kContext | kSequence, "training.expert_capacity_factor",
     [](const Recipe& r) { return r.training.expert_capacity_factor > 0; },
     "the capacity of an expert is that of a whole sample; set it to 0"},
};

/// Blocks of MXFP8 that ranks would have parts of.
void check_blocks_of_parts(const Recipe& recipe, const ReportProblem& complain) {
    constexpr std::int64_t kBlock = 32;
    if (recipe.training.mixed_precision != Precision::fp8 || recipe.fp8.scaling != Fp8Scaling::mxfp8)
        return;
    const std::vector<families::PlacementRow> plan = families::tensor_plan(recipe.model);
    for (const families::TensorShape& tensor : families::family_of(recipe.model).tensors(recipe.model)) {
        if (tensor.part != families::Part::block || tensor.shape.size() != 2 ||
            std::ranges::any_of(tensor.shape, [](std::int64_t size) { return size % kBlock != 0; }))
            continue;  // not multiplied in fp8
        const families::TensorCut cut = families::cut_of(plan, tensor.name, tensor.shape);
        if (cut.placement != families::Placement::column && cut.placement != families::Placement::row)
            continue;
        for (const std::int64_t section : cut.sections) {
            const std::int64_t ranks =
                cut.heads > 0 ? std::min(cut.heads, recipe.parallel.tp_size) : recipe.parallel.tp_size;
            if (section % ranks != 0 || section / ranks % kBlock == 0)  // the first is reported elsewhere
                continue;
            return complain("fp8.scaling", {kTensorKey},
                            Message("mxfp8 has scales of blocks of {} elements, which {} {} would divide in {}: set "
                                    "it to rowwise, or take fewer ranks",
                                    kBlock, kTensorKey, recipe.parallel.tp_size, tensor.name));
        }
    }
}

std::int64_t experts_of(const ModelRecipe& model) {
    return families::family_of(model).network() == families::Network::decoder ? families::decoder_options(model).experts
                                                                              : 0;
}

}  // namespace

void check_mesh_conflicts(const Recipe& recipe, const ReportProblem& complain) {
    for (const MeshConflict& conflict : kMeshConflicts) {
        if (!conflict.is_asked(recipe))
            continue;
        for (const MeshSize& size : kMeshSizes)
            if (const std::int64_t ranks = recipe.parallel.*size.ranks;
                ranks > 1 && (conflict.dimensions & size.dimension) != 0) {
                complain(
                    conflict.key, {size.key},
                    Message("does not work with {} {}: {}", size.key, ranks, Message::table_text(conflict.instead)));
                break;
            }
    }
}

void check_pipeline(const Recipe& recipe, bool lists_parameters, const ReportProblem& complain) {
    const ParallelRecipe& parallel = recipe.parallel;
    const std::int64_t ranks = parallel.pp_size;
    constexpr std::int64_t kMostRanks = 4096, kMostMicroBatches = 1 << 30;
    pipeline::PipelineSize size =
        pipeline::resolve_size(parallel.pipeline_schedule,
                               {static_cast<int>(std::clamp<std::int64_t>(ranks, 1, kMostRanks)),
                                static_cast<int>(std::clamp<std::int64_t>(parallel.pp_stages_per_rank, 0, kMostRanks)),
                                static_cast<int>(std::clamp<std::int64_t>(recipe.training.gradient_accumulation_steps,
                                                                          1, kMostMicroBatches))});
    const std::int64_t stages = ranks * size.stages_per_rank;
    if (recipe.training.global_batch_size > 0)  // on_ranks() chooses the micro-batches
        size.micro_batches = size.ranks * size.stages_per_rank;
    if (std::optional<Message> refusal = pipeline::schedule_refusal(parallel.pipeline_schedule, size))
        complain("parallel.pipeline_schedule",
                 {"parallel.pp_size", "parallel.pp_stages_per_rank", "training.gradient_accumulation_steps"},
                 std::move(*refusal));
    if (lists_parameters) {
        const families::Family& family = families::family_of(recipe.model);
        const std::int64_t blocks =
            std::ssize(family.block_costs(recipe.model, families::SampleSize::text(recipe.data.sequence_length)));
        const std::string layers = family.key_of(&families::ModelConfig::n_layer);
        if (stages > blocks && size.stages_per_rank > 1)
            complain(
                "parallel.pp_size", {"parallel.pipeline_schedule", "parallel.pp_stages_per_rank"},
                Message("{} ranks with {} pipeline stages each cannot be cut from a model of {} ({}): give at most as "
                        "many stages as blocks",
                        ranks, size.stages_per_rank, text::blocks(blocks),
                        "model." + (layers.empty() ? "depths" : layers)));
        else if (stages > blocks)
            complain("parallel.pp_size", {},
                     Message("{} pipeline stages cannot be cut from a model of {} ({}): give from 1 to {}", stages,
                             text::blocks(blocks), "model." + (layers.empty() ? "depths" : layers), blocks));
    }
    if (size.stages_per_rank > 1 && parallel.zero_stage >= 2 && !parallel.find_unused_parameters)
        complain("parallel.find_unused_parameters", {"parallel.zero_stage", "parallel.pipeline_schedule"},
                 "with several stages on a rank, a backward uses the parameters of one of them: leave it out");
}

void check_tensor_parallel(const Recipe& recipe, const ReportProblem& complain) {
    const char* sequence_key = "parallel.tp_sequence_parallel";
    const std::int64_t size = recipe.parallel.tp_size;
    if (recipe.parallel.tp_overlap_chunks > 1 && !recipe.parallel.tp_sequence_parallel)
        complain("parallel.tp_overlap_chunks", {sequence_key},
                 Message("{}: has an effect with parallel.tp_sequence_parallel alone: set that, or leave this out",
                         recipe.parallel.tp_overlap_chunks));
    if (size <= 1) {
        if (recipe.parallel.tp_sequence_parallel)
            complain(sequence_key, {kTensorKey},
                     "has an effect with parallel.tp_size above 1 alone, which is 1: set that, or leave this out");
        return;
    }
    if (families::tensor_plan(recipe.model).empty())
        return complain(kTensorKey, {"model.model_type", "model.task"},
                        Message("{}: ranks share the layers of GPT-2 and of decoders that are trained as causal_lm, "
                                "and this is {}, trained as {}: set it to 1",
                                size, recipe.model.model_type, recipe.model.task));
    check_blocks_of_parts(recipe, complain);
    const std::int64_t length = recipe.data.sequence_length, sharers = recipe.parallel.sequence_ranks();
    if (recipe.parallel.tp_sequence_parallel && sharers > 0 && length % (sharers * size) != 0)
        complain(sequence_key, {"data.sequence_length", kTensorKey, "parallel.cp_size", "parallel.sp_size"},
                 Message("data.sequence_length ({}) does not divide among {} ranks: make it a multiple of {}", length,
                         sharers * size, sharers * size));
    for (const families::DividedSize& one : families::divided_sizes(recipe.model)) {
        const std::string key = "model." + one.key;
        if (one.size <= 0)  // reported by the checks of the model
            continue;
        if (one.or_copies && one.size % size != 0 && size % one.size != 0)
            complain(
                kTensorKey, {key},
                Message("{}: {} ({}) neither divides among the ranks nor can be repeated evenly: take a divisor or "
                        "a multiple of {}",
                        size, key, one.size, one.size));
        else if (one.evenly && !one.or_copies && one.size % size != 0)
            complain(kTensorKey, {key},
                     Message("{}: {} ({}) does not divide among the ranks: take a divisor of {}", size, key, one.size,
                             one.size));
        else if (!one.evenly && one.size < size)
            complain(
                kTensorKey, {key},
                Message("{}: {} ({}) is less than one for each rank: take at most {}", size, key, one.size, one.size));
    }
}

void check_experts(const Recipe& recipe, const ReportProblem& complain) {
    const std::int64_t size = recipe.parallel.ep_size, experts = experts_of(recipe.model);
    if (recipe.training.expert_capacity_factor > 0 && experts == 0)
        complain(
            "training.expert_capacity_factor", {"model.model_type"},
            Message("{}: experts have a capacity, and {} has none: set it to 0, or take a model with experts, such "
                    "as mixtral",
                    recipe.training.expert_capacity_factor, recipe.model.model_type));
    if (size <= 1)
        return;
    if (experts == 0)
        return complain(kExpertKey, {"model.model_type"},
                        Message("{}: ranks divide the experts of a model among themselves, and {} has none: set it to "
                                "1, or take a model with experts, such as mixtral",
                                size, recipe.model.model_type));
    if (experts % size != 0)
        complain(kExpertKey,
                 {"model." + families::family_of(recipe.model).key_of(&families::ModelConfig::num_local_experts)},
                 Message("{}: {} experts do not divide among the ranks: take a divisor of {}", size, experts, experts));
}

void require_mesh(const Recipe& recipe, std::int64_t ranks) {
    std::vector<Problem> problems;
    const ReportProblem complain = [&](const std::string& key, const std::vector<std::string>&, Message message) {
        problems.push_back({"", 0, 0, key, std::move(message)});
    };
    check_mesh_conflicts(recipe, complain);
    if (recipe.parallel.pp_size > 1)
        check_pipeline(recipe, families::family_of(recipe.model).lists_tensors(), complain);
    check_tensor_parallel(recipe, complain);
    check_experts(recipe, complain);
    if (recipe.parallel.sequence_ranks() > 1)
        check_sequence(recipe, complain);
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    check_mesh_sizes(recipe.parallel, ranks);
}

}  // namespace trainyard::config
