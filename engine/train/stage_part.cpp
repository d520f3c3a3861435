#include "train/stage_part.h"

#include <algorithm>
#include <map>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "models/nn/stages.h"

namespace trainyard::train {

StagePart part_of_stage(const models::Model& model, int stage, int stages, std::int64_t seq) {
    StagePart part;
    part.stage = stage;
    part.stages = stages;
    std::map<const parallel::Unit*, int> stage_of =
        models::stages_of_units(model, models::balanced_split(model, stages, seq));
    std::map<const parallel::Parameter*, int> owner;
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->parameters())
            owner[parameter] = stage_of.at(unit);
    for (const parallel::Unit* unit : model.units())
        for (parallel::Parameter* parameter : unit->tied_parameters()) {
            int user = stage_of.at(unit);
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
        if (std::ranges::find(tied.users, stage) != tied.users.end())
            copies.parameters.push_back(tied.parameter);
    }
    if (!copies.parameters.empty()) {
        part.groups.push_back(std::move(copies));
        part.group_units.push_back(nullptr);
    }
    for (parallel::Unit* unit : model.units()) {
        if (stage_of.at(unit) != stage)
            continue;
        part.units.push_back(unit);
        part.groups.push_back({unit->name(), unit->parameters()});
        part.group_units.push_back(unit);
    }
    return part;
}

void sum_tied_gradients(const StagePart& part, const parallel::FlatArena& arena, parallel::Communicator& pipeline,
                        parallel::Communicator& replicas) {
    at::NoGradGuard no_grad;
    const bool sharded = arena.sharding().any();
    for (const TiedParameter& tied : part.tied) {
        const bool uses = std::ranges::find(tied.users, part.stage) != tied.users.end();
        const parallel::Parameter& parameter = *tied.parameter;
        if (!parameter.trains() || (part.stage != tied.owner && !uses))
            continue;
        const std::string name = fmt::format("gradient of {}", parameter.name());
        at::Tensor sum;
        const parallel::Range own = arena.owned_of(parameter);
        // Stages cut their buckets in other places: their ranks own other parts of it.
        if (sharded) {
            sum = at::zeros(parameter.shape(), arena.values().options());
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
