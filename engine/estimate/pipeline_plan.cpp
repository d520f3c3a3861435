#include "estimate/pipeline_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/pipeline/simulator.h"
#include "models/spec/family.h"

namespace trainyard::estimate {

namespace {
constexpr std::int64_t kMostActions = 200'000;  ///< limit of the schedule that is simulated for an estimate
}

PipelinePlan plan_pipeline(const config::Recipe& recipe) {
    const int stages = static_cast<int>(recipe.parallel.pp_size);
    const std::vector<double> costs =
        families::family_of(recipe.model)
            .block_costs(recipe.model, families::SampleSize::text(recipe.data.sequence_length));
    PipelinePlan plan;
    plan.stages = pipeline::split_into_stages(costs, stages);
    // With more micro-batches the bubble is negligible and the number of kept ones does not grow, except with GPipe.
    const std::int64_t micro_batches =
        std::clamp<std::int64_t>(kMostActions / stages, 1, recipe.training.gradient_accumulation_steps);
    std::vector<pipeline::StageTimes> times;
    for (pipeline::StageBlocks blocks : plan.stages) {
        double cost = 0;
        for (int block = blocks.begin; block < blocks.end; ++block)
            cost += costs[static_cast<std::size_t>(block)];
        times.push_back({cost, cost, cost});
    }
    pipeline::Simulation simulation = pipeline::simulate(
        pipeline::make_schedule(recipe.parallel.pipeline_schedule, stages, static_cast<int>(micro_batches)), times);
    plan.bubble = simulation.bubble;
    for (const pipeline::SimulatedRank& rank : simulation.ranks)
        plan.kept_micro_batches.push_back(rank.peak_activations);
    return plan;
}

Message to_text(const PipelinePlan& plan, const config::Recipe& recipe) {
    std::string blocks;
    for (pipeline::StageBlocks stage : plan.stages)
        blocks += (blocks.empty() ? "" : ", ") + (stage.end - stage.begin == 1
                                                      ? fmt::format("{}", stage.begin)
                                                      : fmt::format("{}-{}", stage.begin, stage.end - 1));
    const int most = *std::ranges::max_element(plan.kept_micro_batches);
    const auto micro_batches = [](std::int64_t count) {
        return count == 1 ? Message("1 micro-batch") : Message("{} micro-batches", count);
    };
    return Message("{} over {} stages (blocks {}), {}: idle for {:.0f} % of a step, keeps up to {}",
                   recipe.parallel.pipeline_schedule, plan.stages.size(), blocks,
                   micro_batches(recipe.training.gradient_accumulation_steps), 100 * plan.bubble, micro_batches(most));
}

}  // namespace trainyard::estimate
