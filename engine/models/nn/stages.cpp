// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/stages.h"

#include "distributed/pipeline/stage_blocks.h"

namespace trainyard::models {

StageSplit balanced_split(const Model& model, int stages, std::int64_t seq) {
    StageSplit split;
    if (stages > 1)
        for (const pipeline::StageBlocks& blocks : pipeline::split_into_stages(model.block_costs(seq), stages))
            if (blocks.begin > 0)
                split.push_back(static_cast<std::size_t>(blocks.begin));
    return split;
}

std::map<const parallel::Unit*, int> stages_of_units(const Model& model, const StageSplit& split) {
    const std::vector<parallel::Unit*> blocks = model.blocks();
    std::map<const parallel::Unit*, int> begins;
    for (std::size_t i = 0; i < split.size(); ++i)
        begins[blocks.at(split[i])] = static_cast<int>(i) + 1;
    std::map<const parallel::Unit*, int> result;
    int now = 0;
    for (const parallel::Unit* unit : model.units()) {
        if (const auto begin = begins.find(unit); begin != begins.end())
            now = begin->second;
        result[unit] = now;
    }
    return result;
}

}  // namespace trainyard::models
