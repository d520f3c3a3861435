// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/rank_stages.h"

#include <algorithm>
#include <map>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "models/nn/stages.h"

namespace trainyard::train {

std::vector<int> place_stages(const config::ParallelRecipe& recipe, int ranks) {
    if (ranks == 1)
        return {0};
    return pipeline::place_stages(recipe.pipeline_schedule, {ranks, static_cast<int>(recipe.pp_stages_per_rank), 1});
}

RankStages stages_of_rank(const models::Model& model, int rank, const std::vector<int>& rank_of_stage,
                          std::int64_t seq) {
    RankStages part;
    part.rank = rank;
    part.ranks = *std::ranges::max_element(rank_of_stage) + 1;
    part.rank_of_stage = rank_of_stage;
    const std::map<const parallel::Unit*, int> stage_of =
        models::stages_of_units(model, models::balanced_split(model, static_cast<int>(rank_of_stage.size()), seq));
    const auto rank_of = [&](const parallel::Unit* unit) {
        return rank_of_stage[static_cast<std::size_t>(stage_of.at(unit))];
    };
    std::map<const parallel::Parameter*, int> owner;
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->parameters())
            owner[parameter] = rank_of(unit);
    for (const parallel::Unit* unit : model.units())
        for (parallel::Parameter* parameter : unit->tied_parameters()) {
            const int user = rank_of(unit);
            if (user == owner.at(parameter))
                continue;
            auto known = std::ranges::find(part.tied, parameter, &TiedParameter::parameter);
            if (known == part.tied.end())
                known = part.tied.insert(part.tied.end(), {parameter, owner.at(parameter), {}});
            if (std::ranges::find(known->users, user) == known->users.end())
                known->users.push_back(user);
        }
    parallel::GroupRequest copies{"tied parameters", {}};
    for (TiedParameter& tied : part.tied) {
        std::ranges::sort(tied.users);
        if (std::ranges::find(tied.users, rank) != tied.users.end())
            copies.parameters.push_back(tied.parameter);
    }
    if (!copies.parameters.empty()) {
        part.groups.push_back(std::move(copies));
        part.group_units.push_back(nullptr);
    }
    for (parallel::Unit* unit : model.units()) {
        if (rank_of(unit) != rank)
            continue;
        part.stages[stage_of.at(unit)].push_back(unit);
        part.units.push_back(unit);
        part.groups.push_back({unit->name(), unit->parameters()});
        part.group_units.push_back(unit);
    }
    return part;
}

void separate_experts(RankStages& part, const models::Model& model, const parallel::ExpertShare& experts) {
    std::vector<parallel::GroupRequest> groups;
    std::vector<parallel::Unit*> units;
    for (std::size_t i = 0; i < part.groups.size(); ++i) {
        parallel::GroupRequest shared{part.groups[i].name, {}};
        parallel::GroupRequest own{fmt::format("{} experts", shared.name), {}, true};
        for (parallel::Parameter* parameter : part.groups[i].parameters)
            if (const std::int64_t expert = model.expert_of(*parameter); expert < 0)
                shared.parameters.push_back(parameter);
            else if (experts.has(expert))
                own.parameters.push_back(parameter);
        groups.push_back(std::move(shared));
        units.push_back(part.group_units[i]);
        if (own.parameters.empty())
            continue;
        groups.push_back(std::move(own));
        units.push_back(nullptr);  // complete when the group before it is
    }
    part.groups = std::move(groups);
    part.group_units = std::move(units);
}

void separate_ignored(RankStages& part, const config::IgnoredModules& ignored) {
    const std::size_t first = part.has_copies() ? 1 : 0;
    for (std::size_t i = part.groups.size(); i-- > first;) {
        parallel::GroupRequest whole{
            fmt::format("{} ignored", part.groups[i].name), {}, part.groups[i].of_experts, true};
        std::erase_if(part.groups[i].parameters, [&](parallel::Parameter* parameter) {
            const bool is_ignored = ignored.have(parameter->name());
            if (is_ignored)
                whole.parameters.push_back(parameter);
            return is_ignored;
        });
        if (whole.parameters.empty())
            continue;
        const auto next = static_cast<std::ptrdiff_t>(i) + 1;
        part.groups.insert(part.groups.begin() + next, std::move(whole));
        part.group_units.insert(part.group_units.begin() + next, nullptr);  // complete when the group before it is
    }
}

void sum_tied_gradients(const RankStages& part, const parallel::FlatArena& arena, parallel::Communicator& pipeline,
                        parallel::Communicator& replicas) {
    at::NoGradGuard no_grad;
    const bool sharded = arena.sharding().any();
    for (const TiedParameter& tied : part.tied) {
        const bool uses = std::ranges::find(tied.users, part.rank) != tied.users.end();
        const parallel::Parameter& parameter = *tied.parameter;
        if (!parameter.trains() || (part.rank != tied.owner && !uses))
            continue;
        const std::string name = fmt::format("gradient of {}", parameter.name());
        at::Tensor sum;
        const parallel::Range own = arena.owned_of(parameter);
        // Ranks of a pipeline cut their buckets in other places: their replicas own other parts of it.
        if (sharded) {
            sum = at::zeros(parameter.shape(), arena.gradients().options());
            sum.view(-1).narrow(0, own.begin, own.size()).copy_(arena.owned_gradient(parameter));
            replicas.all_reduce(sum, name).wait();
        } else {
            sum = parameter.gradient();
        }
        if (uses) {
            pipeline.send(sum, tied.owner, name).wait();
            pipeline.receive(sum, tied.owner, name).wait();
        } else {
            at::Tensor other = at::empty_like(sum);
            for (int user : tied.users) {
                pipeline.receive(other, user, name).wait();
                sum.add_(other);
            }
            for (int user : tied.users)
                pipeline.send(sum, user, name).wait();
        }
        if (sharded)
            arena.owned_gradient(parameter).copy_(sum.view(-1).narrow(0, own.begin, own.size()));
    }
}

}  // namespace trainyard::train
