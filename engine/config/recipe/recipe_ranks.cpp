// SPDX-License-Identifier: GPL-3.0-or-later
// What a number of ranks makes of a recipe: whether its mesh and batches can be shared out, and each rank's part.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "config/recipe/mesh_checks.h"
#include "config/recipe/optimizer_conflicts.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe.h"
#include "distributed/pipeline/mesh_shape.h"
#include "distributed/pipeline/pipeline_schedule.h"

namespace trainyard::config {

namespace {

/// "4 ranks", or "2 data ranks of 4 ranks" in a mesh in which others share their samples.
Message data_rank_words(std::int64_t data, std::int64_t world_size) {
    return data == world_size ? text::ranks(data)
           : data == 1        ? Message("1 data rank of {} ranks", world_size)
                              : Message("{} data ranks of {} ranks", data, world_size);
}

Message shard_words(std::int64_t count) {
    return count == 1 ? Message("1 shard") : Message("{} shards", count);
}

}  // namespace

void check_mesh_sizes(const ParallelRecipe& parallel, std::int64_t world_size) {
    const auto refuse = [](const char* key, Message message) {
        throw InvalidInput(std::vector<Problem>{{"", 0, 0, key, std::move(message)}});
    };
    const std::int64_t stages = parallel.pp_size;
    if (world_size % stages != 0)
        refuse(
            "parallel.pp_size",
            Message("{} cannot be shared among pipelines of {} stages: start a multiple of {} ranks, or change pp_size",
                    text::ranks(world_size), stages, stages));
    const std::int64_t tensor = parallel.tp_size, sharers = parallel.sequence_ranks(),
                       others = stages * parallel.sample_ranks();
    Message cut = stages == 1 ? Message("1 stage") : Message("{} stages", stages);
    if (sharers > 1)
        cut = Message("{} with sequences shared by {} ranks", cut, sharers);
    if (tensor > 1)
        cut = Message("{} with layers shared by {} ranks", cut, tensor);
    const auto refuse_mesh = [&](const char* key) {
        refuse(key,
               Message("the mesh of {} needs a multiple of {} ranks instead of {}: start {} ranks, or change the size",
                       cut, others, world_size, (world_size + others - 1) / others * others));
    };
    if (world_size / stages % tensor != 0) {
        if (stages > 1 || sharers > 1)
            refuse_mesh("parallel.tp_size");
        refuse(
            "parallel.tp_size",
            Message("{} cannot be divided into groups of {} ranks that share each layer: start a multiple of {} ranks, "
                    "or change tp_size",
                    text::ranks(world_size), tensor, tensor));
    }
    if (world_size / stages % parallel.sample_ranks() != 0) {
        const char* key = parallel.cp_size > 1 ? "parallel.cp_size" : "parallel.sp_size";
        if (stages > 1 || tensor > 1)
            refuse_mesh(key);
        refuse(
            key,
            Message("{} cannot be shared among sequences of {} ranks each: start a multiple of {} ranks, or change the "
                    "size",
                    text::ranks(world_size), sharers, sharers));
    }
    const std::int64_t experts = parallel.ep_size;
    if (world_size / stages / tensor % experts != 0)
        refuse("parallel.ep_size",
               Message("{} cannot be divided into groups of {} ranks that divide the experts: start a multiple of {} "
                       "ranks, or change ep_size",
                       data_rank_words(world_size / stages / tensor, world_size), experts, experts * stages * tensor));
    const bool shards = parallel.zero_stage > 0;
    const std::int64_t copies = parallel.dp_replicate_size, data = world_size / stages / parallel.sample_ranks();
    const auto check_secondary = [&](std::int64_t shard_ranks) {
        const std::int64_t secondary = parallel.zero_hpz_partition_size;
        if (secondary > 1 && shard_ranks > 1)
            if (Message why = parallel::why_no_secondary_shards(secondary, shard_ranks); !why.empty())
                refuse("parallel.zero_hpz_partition_size", std::move(why));
    };
    if (shards && copies > 1) {  // hybrid
        const std::int64_t size = parallel.dp_shard_size, needed = size * copies * others;
        const bool alone = size == 1 || (size == 0 && (data % copies != 0 || data == copies));
        if (alone || (size > 0 && needed != world_size))
            refuse(
                "parallel.dp_replicate_size",
                alone
                    ? Message("{} cannot be {} groups of several ranks each that shard the weights: start a larger "
                              "multiple of {} ranks, or change dp_replicate_size",
                              data_rank_words(data, world_size), copies, copies * others)
                    : Message(
                          "the mesh of {}, {} replicas and {} needs {} ranks instead of {}: start {} ranks, or change "
                          "dp_replicate_size or dp_shard_size",
                          cut, copies, shard_words(size), needed, world_size, needed));
        if (const std::int64_t sharding = (size > 0 ? size : data / copies) * sharers; sharding % experts != 0)
            refuse(
                "parallel.ep_size",
                Message("{} that shard the weights cannot be divided into groups of {} ranks that divide the experts: "
                        "make dp_shard_size a multiple of {}, or change ep_size",
                        text::ranks(sharding), experts, experts));
        return check_secondary((size > 0 ? size : data / copies) * sharers);
    }
    check_secondary(data * sharers);
    const std::int64_t size = shards ? parallel.dp_shard_size : copies;
    if (size == 0 || size == data)
        return;
    const Message parts = shards ? shard_words(size) : size == 1 ? Message("1 replica") : Message("{} replicas", size);
    refuse(shards ? "parallel.dp_shard_size" : "parallel.dp_replicate_size",
           Message("the mesh of {} and {} needs {} instead of {}: start {}, or make the size {}", cut, parts,
                   text::ranks(size * others), world_size, text::ranks(size * others), data));
}

Recipe on_ranks(Recipe recipe, std::int64_t world_size, std::int64_t most_samples) {
    TrainingRecipe& training = recipe.training;
    if (world_size < 1)
        return recipe;
    if (most_samples > 0) {
        const std::int64_t ranks = world_size;
        recipe = on_ranks(std::move(recipe), ranks);
        if (most_samples >= training.batch_size)
            return recipe;
        training.global_batch_size =
            training.batch_size * training.gradient_accumulation_steps * recipe.data_ranks(ranks);
        training.batch_size = most_samples;
    }
    check_mesh_sizes(recipe.parallel, world_size);
    std::vector<Problem> problems;
    const OptimizerPlan plan = make_optimizer_plan(recipe.optimizer, problems);
    for (const OptimizerPlan::Group& group : plan.groups)
        if (const Message problem = conflict(traits_of(group.settings.kind()), TrainingFeature::several_ranks);
            world_size > 1 && !problem.empty())
            throw InvalidInput(std::vector<Problem>{
                {"", 0, 0, "optimizer.name", Message("a training on {} ranks {}", world_size, problem)}});
    const Message sharers = data_rank_words(recipe.data_ranks(world_size), world_size);
    world_size = recipe.data_ranks(world_size);
    if (std::exchange(recipe.data.split_batches, false)) {
        if (training.batch_size % world_size != 0)
            throw InvalidInput(std::vector<Problem>{
                {"", 0, 0, "training.batch_size",
                 Message(
                     "data.split_batches shares every batch among {}, and {} cannot be divided among them: make it a "
                     "multiple of {}",
                     sharers, text::samples(training.batch_size), world_size)}});
        training.batch_size /= world_size;
    }
    if (training.global_batch_size == 0)
        return recipe;
    if (training.global_batch_size % world_size != 0)
        throw InvalidInput(std::vector<Problem>{
            {"", 0, 0, "training.global_batch_size",
             Message("{} cannot be shared evenly by {}: make it a multiple of {}, or start another number of ranks",
                     text::samples(training.global_batch_size), sharers, world_size)}});
    const std::int64_t per_rank = training.global_batch_size / world_size;
    std::int64_t micro_steps = (per_rank + training.batch_size - 1) / training.batch_size;
    const auto refusal = [&](std::int64_t micro_batches) -> std::optional<Message> {
        const ParallelRecipe& parallel = recipe.parallel;
        if (parallel.pp_size == 1)
            return {};
        return pipeline::schedule_refusal(parallel.pipeline_schedule, {static_cast<int>(parallel.pp_size),
                                                                       static_cast<int>(parallel.pp_stages_per_rank),
                                                                       static_cast<int>(micro_batches)});
    };
    while (per_rank % micro_steps != 0 || (micro_steps < per_rank && refusal(micro_steps)))
        ++micro_steps;
    if (std::optional<Message> refused = refusal(micro_steps))
        throw InvalidInput(std::vector<Problem>{{"", 0, 0, "training.global_batch_size", std::move(*refused)}});
    if (plan.in_backward() && micro_steps > 1)
        throw InvalidInput(std::vector<Problem>{
            {"", 0, 0, "training.global_batch_size",
             Message("{} keeps no gradients for the next micro-batch: set training.batch_size to {}",
                     recipe.optimizer.name, per_rank)}});
    training.gradient_accumulation_steps = micro_steps;
    training.batch_size = per_rank / micro_steps;
    return recipe;
}

}  // namespace trainyard::config
