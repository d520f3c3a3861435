// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/pipeline_plan.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/pipeline/simulator.h"
#include "models/spec/family.h"

namespace trainyard::estimate {

namespace {
constexpr std::int64_t kMostActions = 200'000;  ///< limit of the schedule that is simulated for an estimate
}

PipelinePlan plan_pipeline(const config::Recipe& recipe) {
    const config::ParallelRecipe& parallel = recipe.parallel;
    const std::int64_t all_micro_batches = recipe.training.gradient_accumulation_steps;
    pipeline::PipelineSize size =
        pipeline::resolve_size(parallel.pipeline_schedule,
                               {static_cast<int>(parallel.pp_size), static_cast<int>(parallel.pp_stages_per_rank), 1});
    const int stages = size.ranks * size.stages_per_rank;
    const std::vector<double> costs =
        families::family_of(recipe.model)
            .block_costs(recipe.model, families::SampleSize::text(recipe.data.sequence_length));
    PipelinePlan plan;
    plan.stages = pipeline::split_into_stages(costs, stages);
    // With more micro-batches the bubble is negligible and the number of kept ones does not grow, except with GPipe and
    // LoopedBFS.
    size.micro_batches = static_cast<int>(std::clamp<std::int64_t>(kMostActions / stages, 1, all_micro_batches));
    if (size.micro_batches < all_micro_batches)
        size.micro_batches = std::max(1, size.micro_batches / size.ranks) * size.ranks;
    if (const std::optional<Message> refusal = pipeline::schedule_refusal(parallel.pipeline_schedule, size))
        throw UserError("parallel.pipeline_schedule: {}", *refusal);
    std::vector<pipeline::StageTimes> times;
    for (pipeline::StageBlocks blocks : plan.stages) {
        double cost = 0;
        for (int block = blocks.begin; block < blocks.end; ++block)
            cost += costs[static_cast<std::size_t>(block)];
        times.push_back({cost, cost, cost});
    }
    pipeline::Simulation simulation = pipeline::simulate(
        pipeline::make_schedule(parallel.pipeline_schedule, size.ranks, size.micro_batches, size.stages_per_rank),
        times);
    plan.bubble = simulation.bubble;
    for (const pipeline::SimulatedRank& rank : simulation.ranks)
        plan.kept_micro_batches.push_back((rank.peak_activations + size.stages_per_rank - 1) / size.stages_per_rank);
    return plan;
}

Message to_text(const PipelinePlan& plan, const config::Recipe& recipe) {
    const std::string blocks = pipeline::to_text(plan.stages);
    const int most = *std::ranges::max_element(plan.kept_micro_batches);
    const auto micro_batches = [](std::int64_t count) {
        return count == 1 ? Message("1 micro-batch") : Message("{} micro-batches", count);
    };
    return Message("{} over {} stages (blocks {}), {}: idle for {:.0f} % of a step, keeps up to {}",
                   recipe.parallel.pipeline_schedule, plan.stages.size(), blocks,
                   micro_batches(recipe.training.gradient_accumulation_steps), 100 * plan.bubble, micro_batches(most));
}

}  // namespace trainyard::estimate
